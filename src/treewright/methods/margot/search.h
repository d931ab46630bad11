#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/methods/margot/problem.h"

namespace treewright::margot {

struct MargotResult {
  MargotTree tree;
  double lower = 0;        ///< no tree of the model has a smaller objective
  std::int64_t nodes = 0;  ///< of the search
  bool complete = false;   ///< proved within `gap`
};

/// Called with the objective and the bound whenever one of them improves.
using MargotListener = std::function<void(double objective, double lower, bool better_tree)>;

/// The optimal tree of MARGOT by branch and bound over the sides rows take. See search.cpp. The search does the same with any number of
/// threads. `starts`: hyperplanes of trees to start from, shape (2^depth - 1); without weights if a tree has no split there. `lower`: no tree of the
/// model is known to have a smaller objective. `row_groups`: whether many rows are bounded by groups of them (row_groups.h).
MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap = 1e-4, const MargotListener& listener = {},
                          int threads = 1, const std::vector<std::vector<Hyperplane>>& starts = {}, double lower = 0,
                          bool row_groups = true);

}  // namespace treewright::margot
