#pragma once

#include "treewright/tree.h"

namespace treewright {

/// Feature::decimals of a threshold that needs all digits of a double, or of a date whose rows seconds do not keep apart.
inline constexpr int kMostDecimals = 17;

/// Rounds the thresholds of splits on one column to as many decimals as a person is shown, so that the tree, its texts and all programs
/// made of it hold the same number: 17.615, not 17.615000000000002. A date becomes the later whole day, second or
/// microsecond. The rows of `data` keep their sides.
void round_thresholds(Tree& tree, const Dataset& data);

}  // namespace treewright
