#pragma once

#include "treewright/data.h"

namespace treewright::proof {

/// What every tree of that depth costs, whatever its splits, in weight of rows: known without a search. `price`: of a split.
double certain_bound(const Dataset& data, int depth, double price);

}  // namespace treewright::proof
