#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/points.h"

namespace treewright::svm {

/// Points of several classes.
struct ClassPoints {
  PointMatrix points;
  std::size_t classes = 0;
  std::vector<std::uint32_t> target;  ///< below `classes`. Shape (rows).
  std::vector<double> weight;         ///< > 0. Shape (rows).

  std::size_t rows() const { return target.size(); }
  std::span<const double> row(std::size_t i) const { return points.row(i); }
};

/// Points with few coordinates that are not 0, row after row.
struct SparsePoints {
  std::size_t axes = 0;
  std::vector<std::size_t> first = {0};  ///< where the coordinates of each row begin, and where the last ones end. Shape (rows + 1).
  std::vector<std::uint32_t> axis;       ///< of each coordinate. Shape (coordinates).
  std::vector<double> x;                 ///< Shape (coordinates).
};

/// Logistic regression: the decision values s_k = weights_k . x + offset_k of the classes that minimize sum_k |weights_k|^2 / 2 + cost *
/// sum_i weight_i * -log p_i, where p_i = exp(s_target) / sum_k exp(s_k) is the probability of the class of row i. With two classes the
/// first decision value is 0, as in scikit-learn. Shape (classes).
std::vector<Hyperplane> fit_logistic(const ClassPoints& points, double cost);
/// The same; `target` and `weight` as in ClassPoints.
std::vector<Hyperplane> fit_logistic(const SparsePoints& points, std::size_t classes, std::span<const std::uint32_t> target,
                                     std::span<const double> weight, double cost);

}  // namespace treewright::svm
