#pragma once

#include <vector>

#include "treewright/progress.h"

namespace treewright {

/// Appends a line of the log to a history: every better incumbent, and bounds that rise by a hundredth of the incumbent or more, so that a
/// history stays short however long the run.
void record(std::vector<Progress>& history, const Progress& progress);

}  // namespace treewright
