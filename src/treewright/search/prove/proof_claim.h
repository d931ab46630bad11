#pragma once

#include <optional>

#include "treewright/proof/proof.h"
#include "treewright/search/items/problem.h"

namespace treewright::search {

/// The data without classes that no row has, which a proof does not know; nothing if each class has a row, or costs.
std::optional<Dataset> without_absent_classes(const Dataset& data);

/// What a proof about these rows says besides its claim and its body: the table, the units with a grid of such units, and the orderings of
/// all columns. `searched`: the rows that the search counts errors on, as `problem` does; those of `data`, or their table of gains
/// (data/costs/costs.h).
proof::Proof describe(const Dataset& data, const Dataset& searched, const Problem& problem, const SplitFamily& family);

}  // namespace treewright::search
