#pragma once

#include "treewright/task/task.h"

namespace treewright::margot {

/// The largest bound for the problem of `task` that follows from its earlier results, which have other prices; 0 = none. See
/// price_bound.cpp.
double bound_from_earlier(const Task& task);

}  // namespace treewright::margot
