#pragma once

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/base/options.h"
#include "treewright/tree/objective.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// Method `svm1`: the best tree of several starts by the primal method (grow/svm1_alternating.h), for Z20's (1a). `data` have class weights
/// in their row weights. `listener` hears objectives. The tree is tallied and within depth, splits and `min_rows`.
Tree fit_svm1(const Dataset& data, const Options& options, const Objective& objective, std::int64_t min_rows, Deadline& deadline,
              const ProgressListener& listener);

}  // namespace treewright
