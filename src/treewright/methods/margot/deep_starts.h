#pragma once

#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/methods/margot/rows.h"

namespace treewright::margot {

/// A good tree of depth 3 or more to start the search from. `given`: other trees to start from, without weights where a tree has no split.
/// No hyperplanes if nothing was found. See deep_starts.cpp.
std::vector<Hyperplane> deep_start(const Dataset& data, const MargotRows& rows, const std::vector<std::vector<Hyperplane>>& given,
                                   Deadline& deadline);

}  // namespace treewright::margot
