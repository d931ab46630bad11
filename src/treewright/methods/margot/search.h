#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/methods/margot/problem.h"

namespace treewright::margot {

struct MargotResult {
  MargotTree tree;
  double lower = 0;        ///< no tree of the model has a smaller objective
  std::int64_t nodes = 0;  ///< of the search
  bool complete = false;   ///< proved within `gap`
  bool lacked_memory = false;
};

/// With more rows than this, searches on groups of them give a bound first (row_groups.h). With fewer the search alone is often faster: on
/// banknote (1,372 rows) it needs 0.05 s, groups 0.4 s.
inline constexpr std::size_t kManyRows = 5000;
inline constexpr std::size_t kNoGroups = std::numeric_limits<std::size_t>::max();

/// Memory is short when less of it is free than this share of what was free at the start.
inline constexpr double kLeastFree = 0.25;

/// Called with the objective and the bound whenever one of them improves.
using MargotListener = std::function<void(double objective, double lower, bool better_tree)>;

/// The optimal tree of MARGOT by branch and bound over the sides rows take. See search.cpp. The search does the same with any number of
/// threads, unless memory is short. `starts`: hyperplanes of trees to start from, shape (2^depth - 1); without weights if a tree has no
/// split there. `lower`: no tree of the model is known to have a smaller objective. `many_rows`: above which number of rows groups give a
/// bound. `least_free`: as kLeastFree.
MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap = 1e-4, const MargotListener& listener = {},
                          int threads = 1, const std::vector<std::vector<Hyperplane>>& starts = {}, double lower = 0,
                          std::size_t many_rows = kManyRows, double least_free = kLeastFree);

}  // namespace treewright::margot
