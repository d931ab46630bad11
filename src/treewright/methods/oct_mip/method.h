#pragma once

#include "treewright/methods/method.h"

namespace treewright::oct_mip {

/// BD17's models as mixed-integer programs: axis trees (24), or (P) of AHL24, and hyperplanes (28).
std::vector<Method> methods();

}  // namespace treewright::oct_mip
