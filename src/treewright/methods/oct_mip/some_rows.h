#pragma once

#include "treewright/formulate/solve_model.h"

namespace treewright::oct_mip {

/// A bound on model (28) from growing sets of rows, and the best tree met on the way: TreeModel::known. See some_rows.cpp. `start`: a tree
/// within the limits. Stops when `deadline` says so.
formulate::Known bound_of_some_rows(const Task& task, const Tree& start, Deadline& deadline);

}  // namespace treewright::oct_mip
