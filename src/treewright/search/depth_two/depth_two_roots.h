#pragma once

#include <limits>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/depth_two/single_split.h"

namespace treewright::search {

// The two ways to evaluate the roots of a depth-two tree, KernelRoots and BitSetRoots, have the same functions: see DepthTwo::solve_with.

/// What the trees of depth two showed whose root cuts one ordering.
struct RootsOfOrdering {
  double lower = std::numeric_limits<double>::infinity();    ///< least cost, or a bound on it that is not below the budget
  double relaxed = std::numeric_limits<double>::infinity();  ///< the same without min_rows; where rows are not counted, of no meaning
  double cost = std::numeric_limits<double>::infinity();     ///< of the best tree below the budget
  std::size_t place = 0;                                     ///< of that tree's root, as SingleSplit::place
};

/// The optima of all items one level and two levels shallower.
struct ShallowOptima {
  double leaf = 0, one_split = 0, one_split_relaxed = 0;
};

}  // namespace treewright::search
