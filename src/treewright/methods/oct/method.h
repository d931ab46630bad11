#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// The optimal axis tree by exact search.
std::vector<Method> oct_methods();

}  // namespace treewright
