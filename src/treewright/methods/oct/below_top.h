#pragma once

#include "treewright/methods/oct/column_sets.h"

namespace treewright::oct {

/// Throws Error where the options exclude a top, or each other.
void check_top(const Task& task);

/// Whether a proof is asked for, and is one of all places together.
bool is_shown_whole(const Task& task);

/// The best tree that begins with the splits of the option top; `train` trains one without. See below_top.cpp.
Result train_below_top(const Task& task, const TrainAny& train);

}  // namespace treewright::oct
