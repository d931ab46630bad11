#pragma once

#include <vector>

#include "treewright/grow/impurity.h"
#include "treewright/tree.h"

namespace treewright::grow {

/// The subtrees of minimal cost-complexity pruning (Breiman et al. 1984, ch. 3), from the full tree to the
/// root alone. Entry 0 is the full tree at alpha 0; each further entry is the collapse of one split, so that
/// equal alphas may repeat. Shapes: (collapsed splits + 1). The same figures as scikit-learn's
/// cost_complexity_pruning_path.
struct PruningPath {
  std::vector<double> ccp_alphas;  ///< ascending
  std::vector<double> impurities;  ///< impurity of the leaves, weighted by their share of the total weight
};

/// Expects a tallied tree.
PruningPath cost_complexity_path(const Tree& full, Criterion criterion);

/// Collapses weakest links while their alpha is <= `ccp_alpha`: what remains minimizes impurity + ccp_alpha *
/// leaves among all prunings of the tree, and is the smallest that does (up to rounding). Unlike grow_cart's
/// option, 0 is no special case: it removes subtrees that do not reduce the impurity. Expects a tallied tree.
void prune_cost_complexity(Tree& tree, Criterion criterion, double ccp_alpha);

}  // namespace treewright::grow
