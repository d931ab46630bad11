#pragma once

#include "treewright/methods/method.h"

namespace treewright::hyperplanes {

/// The heuristic methods that look at whole trees, oct-h, tao and local, and cart-h, the greedy one they are compared with.
std::vector<Method> methods();

}  // namespace treewright::hyperplanes
