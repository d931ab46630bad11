#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// BinOCT (Verwer & Zhang 2019), for comparison.
std::vector<Method> binoct_methods();

}  // namespace treewright
