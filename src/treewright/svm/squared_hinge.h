#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "treewright/data/points.h"

namespace treewright::svm {

/// Points of two classes to be parted by a hyperplane.
struct TwoClassPoints {
  PointMatrix points;
  std::vector<double> target;  ///< -1 or +1. Shape (rows).
  std::vector<double> weight;  ///< > 0. Shape (rows).

  std::size_t rows() const { return target.size(); }
  std::span<const double> row(std::size_t i) const { return points.row(i); }
};

/// Minimises |weights|^2 / 2 + cost * sum_i weight_i * max(0, 1 - target_i * (weights . x_i + offset))^2: the support vector machine with
/// squared hinge loss (L2-loss SVM of Chang, Hsieh & Lin 2008, with a free offset). `start`: where to begin; empty weights = at zero. The
/// minimum is unique but for the offset of data of one class; the start only saves time.
Hyperplane fit_squared_hinge(const TwoClassPoints& points, double cost, Hyperplane start = {});

}  // namespace treewright::svm
