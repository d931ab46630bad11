#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// BinOCT (Verwer & Zhang 2019), a peer.
std::vector<Method> binoct_methods();

}  // namespace treewright
