#pragma once

#include <vector>

#include "treewright/progress.h"

namespace treewright {

/// Appends a line to a history: every better incumbent, and bounds that rise by at least a hundredth of the incumbent. So histories of long
/// runs stay short.
void record(std::vector<Progress>& history, const Progress& progress);

}  // namespace treewright
