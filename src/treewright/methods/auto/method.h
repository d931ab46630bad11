#pragma once

#include "treewright/methods/method.h"

namespace treewright::automatic {

/// auto: compares axis and hyperplane trees by cross-validation. max_depth is the largest depth tried; max_splits, and ccp_alpha if it is
/// not 0, apply to every candidate. If the deadline stops the comparison, the candidates compared so far decide.
std::vector<Method> methods();

}  // namespace treewright::automatic
