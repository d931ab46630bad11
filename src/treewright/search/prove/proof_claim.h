#pragma once

#include <optional>

#include "treewright/proof/proof.h"
#include "treewright/search/items/problem.h"

namespace treewright::search {

/// The data without classes that no row has, which a proof does not know; nothing if each class has a row, or costs.
std::optional<Dataset> without_absent_classes(const Dataset& data);

/// What a proof about these rows says besides its claim and its body: the table, the unit, and the orderings of all columns. `searched`:
/// the rows that the search counts errors on, with `row_weights`; those of `data`, or their table of gains (data/costs/costs.h).
proof::Proof describe(const Dataset& data, const Dataset& searched, const WholeWeights& row_weights, const SplitFamily& family);

}  // namespace treewright::search
