#pragma once

#include <optional>

#include "treewright/proof/proof.h"
#include "treewright/search/items/problem.h"

namespace treewright::search {

/// The data without classes that no row has, which a proof does not know; nothing if each class has a row.
std::optional<Dataset> without_absent_classes(const Dataset& data);

/// What a proof about these rows says besides its claim and its body: the table, the unit of weight, and the orderings of all columns.
/// `row_weights`: those that the search counts by.
proof::Proof describe(const Dataset& data, const WholeWeights& row_weights, const SplitFamily& family);

}  // namespace treewright::search
