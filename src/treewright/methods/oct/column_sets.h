#pragma once

#include <functional>

#include "treewright/result.h"
#include "treewright/task/objective.h"
#include "treewright/task/task.h"

namespace treewright::oct {

/// Tree, status and bound of a task without limits or prices of columns.
using TrainAny = std::function<Result(const Task& task)>;

/// Whether the number of columns is limited, or a column has a price.
bool chooses_columns(const Task& task);

/// Tree, status and bound of the best tree under the task's limit on the number of columns and its prices of columns, as the best of the
/// best trees on sets of columns: see column_sets.cpp.
Result train_on_column_sets(const Task& task, const TrainAny& train);

}  // namespace treewright::oct
