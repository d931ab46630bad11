#pragma once

#include "treewright/svm/soft_margin.h"

namespace treewright::svm {

/// The same minimum as `solve_soft_margin`, from the constraints that matter near a guess. `guess` without weights: from all constraints.
/// See working_set.cpp.
SoftMargin solve_from(const PointMatrix& points, std::span<const MarginConstraint> constraints, const Hyperplane& guess,
                      double cutoff = std::numeric_limits<double>::infinity());

}  // namespace treewright::svm
