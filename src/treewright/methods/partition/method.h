#pragma once

#include "treewright/methods/method.h"

namespace treewright::partition {

/// Clusters of rows that are split as needed (AHL24).
std::vector<Method> methods();

}  // namespace treewright::partition
