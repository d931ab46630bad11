#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// The heuristics oct-h, tao and local, which improve whole trees, and cart-h, the greedy baseline.
std::vector<Method> hyperplane_methods();

}  // namespace treewright
