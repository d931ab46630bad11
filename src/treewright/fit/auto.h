#pragma once

#include <string>

#include "treewright/base/deadline.h"
#include "treewright/base/options.h"
#include "treewright/data/dataset.h"

namespace treewright {

/// What the method "auto" settled on.
struct AutoChoice {
  Options options;        ///< train with these: method, depth, alpha and cost are chosen, the rest is the caller's
  std::string selection;  ///< why, in words, and the table of all candidates
};

/// Compares axis and hyperplane trees by validation inside `data`. max_depth is the largest depth tried; ccp_alpha, if it is not 0, and
/// max_splits hold for every candidate. When `deadline` stops, what has been compared by then decides.
AutoChoice choose_automatically(const Dataset& data, const Options& options, Deadline& deadline);

}  // namespace treewright
