#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// Clusters of rows that are split as needed (AHL24).
std::vector<Method> partition_methods();

}  // namespace treewright
