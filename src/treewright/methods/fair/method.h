#pragma once

#include "treewright/methods/method.h"

namespace treewright::fair {

/// Errors and disparate impact (Aghaei et al. 2019).
std::vector<Method> methods();

}  // namespace treewright::fair
