#pragma once

#include <cstdint>
#include <optional>

#include "treewright/tree.h"

namespace treewright::search {

/// The tree of fewest errors with one split, on this column, and `min_rows` rows in either leaf; no tree if there is no such split. It lies
/// in the family that the search searches.
std::optional<Tree> stump_on(const Dataset& data, FeatureId column, std::int64_t min_rows);

}  // namespace treewright::search
