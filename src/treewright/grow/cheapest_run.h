#pragma once

#include <functional>

#include "treewright/task/task.h"

namespace treewright::grow {

/// Makes `count` independent runs on the task's threads, tells its listener of each better one, and returns the number of the first of
/// least cost. The first `certain` runs are made whatever the deadline says; further ones are left out after one of cost 0. `run` returns a
/// cost >= 0, in units of the objective, and `tree` the tree of a run that has ended.
std::size_t cheapest_run(std::size_t count, std::size_t certain, const Task& task, const std::function<double(std::size_t)>& run,
                         const std::function<Tree(std::size_t)>& tree);

}  // namespace treewright::grow
