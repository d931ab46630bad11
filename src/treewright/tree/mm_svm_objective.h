#pragma once

#include "treewright/tree/objective.h"

namespace treewright {

/// The objective of MM-SVM-OCT (Blanco, Japon & Puerto 2022 as DGMP23 uses it) of a tree on raw rows: half the square of its longest weights,
/// c1 (level_costs) times the slacks, c3 (alpha) for each split, in units of columns scaled to [0, 1] on `data`. See mm_svm_objective.cpp for
/// leaves above the last level; a threshold counts as weight 1 on its scaled column. Infinite where the tree is deeper than the model, or splits by a set of levels.
double mm_svm_objective(const Tree& tree, const Dataset& data, const Objective& objective);

}  // namespace treewright
