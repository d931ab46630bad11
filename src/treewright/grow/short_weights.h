#pragma once

#include "treewright/grow/editable_tree.h"

namespace treewright::grow {

/// Hyperplanes whose first weight is 1 and whose other weights and threshold have few digits, where every row of positive weight stays on
/// its side.
void short_weights(EditableTree& draft, const Dataset& data);

}  // namespace treewright::grow
