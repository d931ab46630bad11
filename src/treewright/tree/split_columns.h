#pragma once

#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// The columns that a split asks about, each once however many of its levels have a weight; ascending.
std::vector<FeatureId> columns_of(const SplitRule& rule);

}  // namespace treewright
