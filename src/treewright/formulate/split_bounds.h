#pragma once

#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/formulate/cells.h"
#include "treewright/formulate/formulation.h"

namespace treewright::formulate {

/// For each ordering, what a tree whose root is cut by it costs at least: its price plus, over all cuts with N_min rows on both sides, the
/// least sum of the optimal costs of both sides at one level less (exact search). In units of errors on the raw rows; infinite where no
/// cut leaves N_min rows on both sides. Empty where it would take too long: depths beyond 3, many rows, or the deadline.
std::vector<double> split_bounds(const Cells& cells, const FormulationOptions& options, Deadline& deadline);

}  // namespace treewright::formulate
