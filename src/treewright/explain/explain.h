#pragma once

#include <string>

#include "treewright/tree/tree.h"

namespace treewright {

/// What the tree says of one row and why: its path in words, the nearest change of label, the Shapley values of the probability of
/// its label (trees without hyperplanes), what each split on the path saves. With `train`, labeled and aligned: distances are in standard
/// deviations of its columns, and permutation importances are added. `data` must be aligned to the tree, which must be tallied.
std::string explain(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train = nullptr);

}  // namespace treewright
