#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace treewright {

/// Points in space, row after row.
struct PointMatrix {
  std::size_t axes = 0;
  std::vector<double> x;  ///< Shape (rows x axes).

  std::size_t rows() const { return axes == 0 ? 0 : x.size() / axes; }
  /// Coordinates of one row. Shape (axes).
  std::span<const double> row(std::size_t row) const { return {x.data() + row * axes, axes}; }
};

/// The points with weights . x + offset = 0.
struct Hyperplane {
  std::vector<double> weights;  ///< Shape (axes).
  double offset = 0;

  /// weights . x + offset
  double decision_value(std::span<const double> x) const {
    double sum = offset;
    for (std::size_t j = 0; j < x.size(); ++j) sum += weights[j] * x[j];
    return sum;
  }
};

}  // namespace treewright
