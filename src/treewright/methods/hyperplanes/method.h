#pragma once

#include "treewright/methods/method.h"

namespace treewright::hyperplanes {

/// The heuristics oct-h, tao and local, which improve whole trees, and cart-h, the greedy baseline.
std::vector<Method> methods();

}  // namespace treewright::hyperplanes
