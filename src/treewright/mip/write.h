#pragma once

#include <string>

#include "treewright/mip/model.h"

namespace treewright::mip {

/// The model in CPLEX's LP format, which HiGHS, SCIP, CBC, Gurobi and CPLEX read. The offset becomes a variable fixed to 1, named
/// `constant`. Numbers carry the digits that bring back the same double.
std::string to_lp(const MipModel& model);

/// The model in free MPS. Quadratic terms follow as QUADOBJ (one of each symmetric pair).
std::string to_mps(const MipModel& model);

/// Writes the model to this file: free MPS where it ends with .mps, else LP. "" = nowhere.
void write_model(const MipModel& model, const std::string& path);

}  // namespace treewright::mip
