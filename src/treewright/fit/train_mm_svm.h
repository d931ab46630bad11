#pragma once

#include <atomic>

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/base/options.h"
#include "treewright/tree/result.h"

namespace treewright {

/// Trains mm-svm (formulate/mm_svm.h): level_costs is c1, ccp_alpha c3; with a bound of our own, and by mip_solver where that names a command.
/// `objective` is what Objective::from(options) says, `stop` what `deadline` listens to. Throws Error where the data have more than two classes,
/// or an option asks for something the model has not.
Result train_mm_svm(const Dataset& data, const Options& options, const Objective& objective, const std::atomic<bool>* stop,
                    Deadline& deadline, const ProgressListener& listener);

}  // namespace treewright
