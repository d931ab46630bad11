#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// Errors and disparate impact (Aghaei et al. 2019).
std::vector<Method> fair_methods();

}  // namespace treewright
