#pragma once

#include <cstdint>

#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"
#include "treewright/grow/few_columns.h"

namespace treewright::grow {

/// A tree of hyperplanes with a leaf for each class, or for the 2^max_depth heaviest ones: see nested_dichotomies.cpp. `cost`: of a margin
/// violation, see fit_squared_hinge. `max_columns`: that a split asks about.
EditableTree grow_nested_dichotomies(const Dataset& data, const ScaledPoints& points, int max_depth, double cost,
                                     std::size_t max_columns = kAnyColumns);

}  // namespace treewright::grow
