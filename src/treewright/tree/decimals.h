#pragma once

#include "treewright/tree.h"

namespace treewright {

/// Rounds the thresholds of splits on one column to as many decimals as a person is shown, so that the tree, its texts and all programs
/// made of it hold the same number: 17.615, not 17.615000000000002. The rows of `data` keep their sides. Dates stay: they are shown in
/// their own way.
void round_thresholds(Tree& tree, const Dataset& data);

}  // namespace treewright
