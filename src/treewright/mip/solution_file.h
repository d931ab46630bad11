#pragma once

#include <string>
#include <string_view>

#include "treewright/mip/solution.h"

namespace treewright::mip {

/// Reads what a solver left. Two forms:
/// CBC's: a first line "Optimal - objective value 6", "Stopped on time - objective value 7", "Infeasible - ...", then lines
///   "[**] index name value reduced-cost".
/// Names and values: lines "name value", and comments, of which four are understood: "# status optimal|infeasible|time_limit",
///   "# bound NUMBER", "# objective NUMBER", "# nodes NUMBER".
/// Variables that are not named are 0. The objective is recomputed from the values. A solution that breaks a row of the model is no
/// solution. Throws Error naming `origin` and the line.
MipSolution read_solution(std::string_view text, const MipModel& model, const std::string& origin);

}  // namespace treewright::mip
