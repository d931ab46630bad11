#pragma once

#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"

namespace treewright::grow {

/// The regions of a logistic regression as a tree of hyperplanes: see logistic_tree.cpp. `cost`: of fit_logistic.
EditableTree grow_logistic_tree(const Dataset& data, const ScaledPoints& points, int max_depth, double cost);

}  // namespace treewright::grow
