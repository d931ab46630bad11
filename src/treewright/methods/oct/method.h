#pragma once

#include "treewright/methods/method.h"

namespace treewright::oct {

/// The optimal axis tree by exact search.
std::vector<Method> methods();

}  // namespace treewright::oct
