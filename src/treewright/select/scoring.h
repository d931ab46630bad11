#pragma once

#include "treewright/tune.h"

namespace treewright::select {

/// The score of a tree on the validation rows, large is good: see Scoring. Throws Error where the rows do not define it.
double score(const Tree& tree, const Dataset& rows, Scoring scoring);

}  // namespace treewright::select
