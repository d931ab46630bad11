#pragma once

#include <cstdint>
#include <vector>

#include "treewright/tree/tree.h"

namespace treewright {

/// By how much the share of weight labeled wrongly rises, on average, when the values of one feature are shuffled among the rows (Breiman,
/// "Random forests", 2001). 0 for features the tree does not ask for. Shape (features). `data` must be aligned and labeled; same seed, same
/// numbers.
std::vector<double> permutation_importance(const Tree& tree, const Dataset& data, int repeats = 10, std::uint64_t seed = 0);

/// By how much the weight labeled wrongly in training rises when a split and all below it become a leaf. Shape (nodes); 0 for leaves. Expects
/// a tallied tree.
std::vector<double> drop_split_importance(const Tree& tree);

}  // namespace treewright
