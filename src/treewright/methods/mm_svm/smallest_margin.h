#pragma once

#include <vector>

#include "treewright/svm/soft_margin.h"

namespace treewright::mm_svm {

/// Bounds on the minimum over several SVMs of  max |w_t|^2 / 2 + cost of all slacks.
struct SmallestMargin {
  std::vector<svm::SoftMargin> svms;                       ///< one solution for each SVM. Shape (SVMs).
  double lower = 0;                                        ///< lower bound
  double upper = std::numeric_limits<double>::infinity();  ///< cost of `svms`; infinite while a hard constraint is violated
};

/// |w|^2 / 2.
double half_square(const std::vector<double>& w);

/// SVMs on the same points, of which only the longest weights (the smallest margin) cost: see smallest_margin.cpp. `svms` holds the
/// constraints of each SVM. Stops with a relative gap of 1e-7, or after a few hundred rounds.
SmallestMargin solve_smallest_margin(const PointMatrix& points, const std::vector<std::vector<svm::MarginConstraint>>& svms);

}  // namespace treewright::mm_svm
