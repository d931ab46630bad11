#pragma once

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/base/options.h"
#include "treewright/tree/result.h"

namespace treewright {

/// Trains mm-svm (formulate/mm_svm.h): level_costs is c1, ccp_alpha c3. `objective` is what Objective::from(options) says. Throws Error where
/// the data have more than two classes, where an option asks for something the model has not, and where no solver is named.
Result train_mm_svm(const Dataset& data, const Options& options, const Objective& objective, Deadline& deadline,
                    const ProgressListener& listener);

}  // namespace treewright
