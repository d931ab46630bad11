#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/methods/margot/problem.h"

namespace treewright::margot {

/// The rows in an order whose halves, quarters and so on resemble one another: `planes` is a tree that has nearly the same gradient on
/// each.
std::vector<std::size_t> balanced_order(const MargotProblem& problem, const std::vector<Hyperplane>& planes);

/// A lower bound for a problem on some of the rows. `lower` is one already known.
using GroupSearch = std::function<double(const MargotProblem&, Deadline&, double lower)>;

/// Bounds for the problem from groups of its rows: parts of `order`, at first of at most `first_rows` rows, in the end the two halves.
/// Each round's bound is passed to `raise`. Ends early when `deadline` does. See row_groups.cpp.
void bound_from_row_groups(const MargotProblem& problem, const std::vector<std::size_t>& order, Deadline& deadline,
                           const GroupSearch& search, ThreadPool& pool, const std::function<void(double)>& raise,
                           std::size_t first_rows = 40);

}  // namespace treewright::margot
