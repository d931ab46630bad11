#pragma once

#include <limits>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/depth_two/single_split.h"

namespace treewright::search {

// The three ways to evaluate the roots of a depth-two tree, KernelRoots, BitSetRoots and SumPairRoots, have the same functions: see
// DepthTwo::solve_with.

/// What the trees of depth two showed whose root cuts one ordering.
struct RootsOfOrdering {
  Bound lower = Bound::of_nothing();  ///< least cost, or a bound on it that is not below the budget; `relaxed` only where rows are counted
  double cost = std::numeric_limits<double>::infinity();  ///< of the best tree below the budget
  std::size_t place = 0;                                  ///< of that tree's root, as SingleSplit::place
};

/// The optima of all items one level and two levels shallower.
struct ShallowOptima {
  double leaf = 0;
  Bound one_split;
};

}  // namespace treewright::search
