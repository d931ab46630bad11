#pragma once

#include "treewright/methods/method.h"

namespace treewright::margot {

/// MARGOT, HFS-MARGOT and SFS-MARGOT (DGMP23), each by search and as the paper's model.
std::vector<Method> methods();

}  // namespace treewright::margot
