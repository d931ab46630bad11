#pragma once

#include "treewright/methods/method.h"

namespace treewright::automatic {

/// auto: compares axis and hyperplane trees by validation inside the data. max_depth is the largest depth tried; ccp_alpha, if it is not 0, and
/// max_splits hold for every candidate. When the deadline stops, what has been compared by then decides.
std::vector<Method> methods();

}  // namespace treewright::automatic
