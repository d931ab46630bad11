#pragma once

#include <cstdint>
#include <span>

#include "treewright/svm/soft_margin.h"

namespace treewright::svm {

/// A bound on the minimum of an SVM from its hard constraints, where these contradict each other or nearly do. `lower` and `dual`: a bound
/// and the sum of multiplier * sign * x of the dual point that it comes from. Only `axes` of the points have weights. At least `lower`;
/// stops as soon as it is clear whether the bound exceeds `cutoff`. See hull_gap.cpp.
double bound_from_hulls(const PointMatrix& points, std::span<const std::uint32_t> axes, std::span<const MarginConstraint> constraints,
                        double lower, std::span<const double> dual, double cutoff);

}  // namespace treewright::svm
