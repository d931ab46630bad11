#pragma once

#include <cstdint>

#include "treewright/search/root/root.h"
#include "treewright/search/root/rounds.h"

namespace treewright::search {

/// The best tree that costs less than `upper` among those whose root asks this column, and a bound on all of them. See first_column.cpp.
/// Expects a root without levels.
SubproblemResult solve_first_column(Root& root, const Rounds& rounds, FeatureId column, int depth, std::int64_t splits, double upper,
                                    const Report& report);

}  // namespace treewright::search
