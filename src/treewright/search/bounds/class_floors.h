#pragma once

#include <cstdint>
#include <vector>

#include "treewright/search/items/subset.h"

namespace treewright::search {

/// What the children of a cut cost at least, whatever their splits, because they have fewer leaves than labels.
struct ClassFloor {
  double left = 0, right = 0;
};

/// Of all cuts of a ranked subset, where its children may have so many leaves. Shape (cuts). See class_floors.cpp.
std::vector<ClassFloor> class_floors(const Problem& problem, const Subset& subset, std::size_t ordering, std::int64_t left_leaves,
                                     std::int64_t right_leaves);

}  // namespace treewright::search
