#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// The greedy tree of Breiman et al. 1984.
std::vector<Method> cart_methods();

}  // namespace treewright
