#pragma once

#include "treewright/methods/method.h"

namespace treewright::cart {

/// The greedy tree of Breiman et al. 1984.
std::vector<Method> methods();

}  // namespace treewright::cart
