#pragma once

#include "treewright/task/task.h"

namespace treewright::hyperplanes {

/// The best tree of all runs that the options of the task ask for (best_tree.cpp). Stops when the task's deadline says so.
Tree best_tree(const Task& task);

}  // namespace treewright::hyperplanes
