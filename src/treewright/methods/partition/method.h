#pragma once

#include "treewright/methods/method.h"

namespace treewright::partition {

/// Trees trained on clusters of rows, which are split as needed (AHL24).
std::vector<Method> methods();

}  // namespace treewright::partition
