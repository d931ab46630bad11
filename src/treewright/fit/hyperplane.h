#pragma once

#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/base/options.h"
#include "treewright/tree/objective.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// The heuristic methods that look at whole trees, and the greedy one they are compared with: "cart-h", "tao", "local" and "oct-h" (see
/// method_table). Returns the best tree of options.restarts + 1 runs by errors / error_scale + alpha * terms, tallied; within max_depth,
/// max_splits and `min_rows`. Each of `starts` is the beginning of a further run, so that a path over options goes on from where it was.
/// The same for any number of threads. `listener` hears objectives.
Tree fit_hyperplanes(const Dataset& data, const Options& options, const Objective& objective, std::int64_t min_rows,
                     const std::vector<const Tree*>& starts, Deadline& deadline, const ProgressListener& listener);

}  // namespace treewright
