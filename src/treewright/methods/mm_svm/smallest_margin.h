#pragma once

#include <vector>

#include "treewright/svm/soft_margin.h"

namespace treewright::mm_svm {

/// What is known of the minimum over several machines of  max |w_t|^2 / 2 + cost of all slacks.
struct SmallestMargin {
  std::vector<svm::SoftMargin> machines;                   ///< their weights and offsets. Shape (machines).
  double lower = 0;                                        ///< no weights cost less
  double upper = std::numeric_limits<double>::infinity();  ///< cost of these; infinite while a hard constraint is violated
};

/// Machines on the same points of which only the longest weights, the smallest margin, cost: see smallest_margin.cpp. `machines` holds the
/// constraints of each. Stops with a relative gap of 1e-7, or after a few hundred rounds.
SmallestMargin solve_smallest_margin(const svm::PointMatrix& points, const std::vector<std::vector<svm::MarginConstraint>>& machines);

}  // namespace treewright::mm_svm
