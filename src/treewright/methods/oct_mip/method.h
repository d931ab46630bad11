#pragma once

#include "treewright/methods/method.h"

namespace treewright {

/// BD17's models as mixed-integer programs: axis trees (24), or (P) of AHL24, and hyperplanes (28).
std::vector<Method> oct_mip_methods();

}  // namespace treewright
