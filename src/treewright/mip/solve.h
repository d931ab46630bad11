#pragma once

#include <span>

#include "treewright/base/deadline.h"
#include "treewright/mip/model.h"
#include "treewright/mip/solution.h"
#include "treewright/progress.h"

namespace treewright::mip {

/// Minimises `model`. `start`: values of all variables to begin with, or empty. `deadline` ends the run (time is wall clock), `listener`
/// hears incumbents (source 'M') and bounds. Throws Error when the solver is missing, cannot take the model, or fails.
MipSolution solve(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                  const ProgressListener& listener = {});

}  // namespace treewright::mip
