#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "treewright/data/points.h"

namespace treewright::svm {

/// A hard constraint is solved with its margin wider by this, so that rounding does not break it.
inline constexpr double kInside = 1e-7;

/// sign * (weights . x_row + offset) >= margin - slack, where the slack costs `cost` a unit; an infinite cost makes the constraint hard.
struct MarginConstraint {
  std::size_t row = 0;
  double sign = 1, margin = 1, cost = std::numeric_limits<double>::infinity();
};

/// What is known of the minimum of |weights|^2 / 2 + cost of the slacks.
struct SoftMargin {
  std::vector<double> weights;  ///< Shape (axes).
  double offset = 0;
  double lower = 0;                   ///< no weights cost less
  std::vector<double> lower_weights;  ///< sum of multiplier * sign * x of the dual point that `lower` comes from. Shape (axes).
  double upper = std::numeric_limits<double>::infinity();  ///< cost of `weights` and `offset`; infinite while a hard constraint is violated
};

/// Minimises |weights|^2 / 2 + sum of cost_i * slack_i: a soft-margin support vector machine whose constraints may be hard. Stops with a
/// relative gap of 1e-8, or as soon as `lower` passes `cutoff`; with hard constraints that contradict each other `lower` passes any
/// finite cutoff, and without one it grows until it is of no more use (weights that long are beyond doubles).
SoftMargin solve_soft_margin(const PointMatrix& points, std::span<const MarginConstraint> constraints,
                             double cutoff = std::numeric_limits<double>::infinity());

}  // namespace treewright::svm
