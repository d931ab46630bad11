#pragma once

#include <cstdint>
#include <vector>

#include "treewright/task/task.h"

namespace treewright::grow {

/// The tree of thresholds and sets of levels that a search has to beat: CART or the caller's best, without the splits that do not pay. It
/// lies in the family that the exact search searches: a better tree of another family would be called optimal in its place. Every
/// leaf holds `min_rows` rows; the limit on weight is not looked at. The objective must be an ErrorObjective or a LossObjective.
Tree start_tree(const Task& task, std::int64_t min_rows);

/// The caller's trees that lie in that family and within the limits, tallied, without splits that do not pay.
std::vector<Tree> given_trees(const Task& task, std::int64_t min_rows);

/// The best split of these rows on the column that is to be asked first: a tree within the limits, if not a good one. Throws Error that
/// names the option which asks for it if no tree asks it first.
Tree stump_that_asks(FeatureId first, const Dataset& rows, std::int64_t min_rows, const char* option = "first_column");

/// The splits of the option top alone, with a stump where it asks a column.
Tree top_alone(const Task& task);

}  // namespace treewright::grow
