#pragma once

#include "treewright/task/task.h"

namespace treewright::hyperplanes {

/// What follows the start of a run (best_tree.cpp): nothing in cart-h and logistic-h, alternating optimization in tao, local search in
/// local, and both in oct-h.
enum class Descent { greedy, logistic, alternating, local, both };

/// The best tree of all runs that the options of the task ask for. Stops when the task's deadline says so.
Tree best_tree(const Task& task, Descent descent);

}  // namespace treewright::hyperplanes
