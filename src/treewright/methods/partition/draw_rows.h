#pragma once

#include <functional>
#include <vector>

#include "treewright/search/exact.h"

namespace treewright::partition {

struct DrawnRows {
  Tree tree;              ///< the best tree found, tallied on all rows
  double lower = 0;       ///< no tree within the limits has a smaller errors + split_price * splits
  bool complete = false;  ///< not stopped by the deadline: `tree` is optimal
};

/// Called after each round: number of rows in the subset, the optimal tree for them, and the proven bound.
using DrawingListener = std::function<void(std::size_t drawn, const Tree& tree, double lower)>;

/// Proves the optimum on all rows by exact searches on subsets: see draw_rows.cpp. `incumbent`: a tree within the limits, tallied.
/// `drawn`: the first subset. Shape (rows). `clusters`: rows that join the subset together when one of them is misclassified.
/// `settle`: makes a tree of the search satisfy all limits, and tallies it on all rows.
DrawnRows draw_rows(const Dataset& data, const search::ExactSearchOptions& options, const Tree& incumbent, std::vector<bool> drawn,
                    const std::vector<std::vector<std::int32_t>>& clusters, const std::function<Tree(Tree)>& settle, Deadline& deadline,
                    const DrawingListener& listener);

}  // namespace treewright::partition
