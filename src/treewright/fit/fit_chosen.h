#pragma once

#include "treewright/fit.h"
#include "treewright/methods/method.h"

namespace treewright {

/// `fit` by a method that chooses another one and its options.
Result fit_chosen(const Method& method, const Dataset& data, const Options& options, const FitHooks& hooks);

}  // namespace treewright
