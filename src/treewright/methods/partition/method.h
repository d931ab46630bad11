#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// Trees trained on clusters of rows, which are split as needed (AHL24).
std::vector<Method> partition_methods();

}  // namespace treewright
