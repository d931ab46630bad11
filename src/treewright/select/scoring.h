#pragma once

#include "treewright/tune.h"

namespace treewright::select {

/// Throws Error where the scoring is about another kind of target than that of the data.
void check_scores(Scoring scoring, const Dataset& data);

/// The score of a tree on the validation rows, large is good: see Scoring. Throws Error where the rows do not define it.
double score(const Tree& tree, const Dataset& rows, Scoring scoring);

}  // namespace treewright::select
