#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"

namespace treewright::reduce {

/// The rows as points between 0 and 1, which is where distances between rows are measured (AHL24 works in [0, 1]^J).
///
/// A numeric column is scaled by its range; a level of a category is 1 / sqrt(2) or 0, so that two rows of different levels are at distance 1
/// there. A missing value sits at the mean of its column. Columns that are constant give no axis.
class UnitPoints {
 public:
  explicit UnitPoints(const Dataset& data);

  std::size_t axes() const { return axes_; }
  std::size_t rows() const { return rows_; }
  /// Coordinates of one row. Shape (axes).
  std::span<const double> row(std::int32_t row) const { return {x_.data() + static_cast<std::size_t>(row) * axes_, axes_}; }
  /// The square of the Euclidean distance between two rows.
  double distance2(std::int32_t a, std::int32_t b) const {
    const double *p = x_.data() + static_cast<std::size_t>(a) * axes_, *q = x_.data() + static_cast<std::size_t>(b) * axes_;
    double sum = 0;
    for (std::size_t axis = 0; axis < axes_; ++axis) sum += (p[axis] - q[axis]) * (p[axis] - q[axis]);
    return sum;
  }

 private:
  std::size_t axes_ = 0, rows_ = 0;
  std::vector<double> x_;
};

}  // namespace treewright::reduce
