#pragma once

#include <functional>
#include <vector>

#include "treewright/search/exact.h"

namespace treewright::partition {

struct DrawnRows {
  Tree tree;              ///< the best tree found, tallied on all rows
  double lower = 0;       ///< no tree within the limits has a smaller errors + split_price * splits
  bool complete = false;  ///< the deadline did not end it: `tree` is optimal
};

/// What drawing rows tells of each round: rows drawn so far, the tree that is optimal for them, and the proved bound.
using DrawingListener = std::function<void(std::size_t drawn, const Tree& tree, double lower)>;

/// Proves the optimum on all rows by exact searches on few of them: see draw_rows.cpp. `incumbent`: a tree within the limits, tallied.
/// `drawn`: rows to begin with. Shape (rows). `clusters`: rows that are drawn together where one of them is lost.
/// `settle`: makes a tree of the search one that keeps all limits, tallied on all rows.
DrawnRows draw_rows(const Dataset& data, const search::ExactSearchOptions& options, const Tree& incumbent, std::vector<bool> drawn,
                    const std::vector<std::vector<std::int32_t>>& clusters, const std::function<Tree(Tree)>& settle, Deadline& deadline,
                    const DrawingListener& listener);

}  // namespace treewright::partition
