#pragma once

#include "treewright/methods/method.h"

namespace treewright::margot {

/// MARGOT, HFS-MARGOT and SFS-MARGOT (DGMP23), each by the search and by the paper's model.
std::vector<Method> methods();

}  // namespace treewright::margot
