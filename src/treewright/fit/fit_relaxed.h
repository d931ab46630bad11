#pragma once

#include <optional>

#include "treewright/fit.h"
#include "treewright/task/relaxation.h"

namespace treewright {

/// `fit`, where an optimum among all these trees and others may be known. A run that has proved that every tree costs more than it was to
/// look for has the status heuristic, and a bound that says so.
Result fit_relaxed(const Dataset& data, const Options& options, const FitHooks& hooks, const std::optional<Relaxation>& wider);

}  // namespace treewright
