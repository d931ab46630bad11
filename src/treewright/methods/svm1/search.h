#pragma once

#include <functional>

#include "treewright/methods/svm1/alternating.h"

namespace treewright::svm1 {

struct Svm1Found {
  grow::EditableTree draft;
  double cost = 0;         ///< its, by Svm1Alternation::cost
  double lower = 0;        ///< no tree whose hyperplanes are at most 1 from every row costs less
  bool complete = false;   ///< proved within `gap`
  std::int64_t nodes = 0;  ///< of the search
};

/// Called with the cost and the bound whenever one of them improves; with the tree if it is a better one.
using Svm1Listener = std::function<void(double cost, double lower, const grow::EditableTree* better)>;

/// Whether the search can say anything: at most kMaxProvedDepth levels, and a price on weights.
bool can_search(const Svm1Problem& problem);

/// The optimal tree of SVM1-ODT by branch and bound over the leaves that rows take; see search.cpp. Starts from a tree, and visits at most
/// `most_nodes` nodes.
Svm1Found search_svm1(const Svm1Problem& problem, grow::EditableTree start, Deadline& deadline, double gap, std::int64_t most_nodes,
                      const Svm1Listener& listener = {});

}  // namespace treewright::svm1
