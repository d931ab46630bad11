#pragma once

#include "treewright/grow/editable_tree.h"

namespace treewright::grow {

/// Hyperplanes of one column become thresholds and sets of levels, where every row of positive weight stays on its side.
void plain_splits(EditableTree& draft, const Dataset& data);

}  // namespace treewright::grow
