#pragma once

#include "treewright/methods/method.h"

namespace treewright::binoct {

/// BinOCT (Verwer & Zhang 2019), for comparison.
std::vector<Method> methods();

}  // namespace treewright::binoct
