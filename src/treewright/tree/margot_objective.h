#pragma once

#include "treewright/tree/objective.h"

namespace treewright {

/// DGMP23's objective of a tree on raw rows: over the nodes of the complete tree, |w|^2 / 2 + level cost * slack, and the price of the
/// features beyond the budget, in units of columns scaled to [0, 1] on `data`. See margot_objective.cpp for trees that are not complete.
/// Infinite where the tree is deeper than the model, or splits by a set of levels.
double margot_objective(const Tree& tree, const Dataset& data, const Objective& objective);

}  // namespace treewright
