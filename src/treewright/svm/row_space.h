#pragma once

#include <vector>

#include "treewright/data/points.h"

namespace treewright::svm {

/// Orthonormal coordinates in the space that the rows span: for points with more axes than rows. See row_space.cpp.
class RowSpace {
 public:
  explicit RowSpace(const PointMatrix& points);

  /// The same rows in these coordinates. Equal rows stay equal. Shape (rows, dimensions of the space).
  const PointMatrix& points() const { return points_; }
  /// A direction on the axes, in these coordinates: every row has the same product with it.
  std::vector<double> from_axes(const std::vector<double>& weights) const;
  /// A direction in these coordinates, on the axes: of the same length, and with the same product with every row.
  std::vector<double> on_axes(const std::vector<double>& weights) const;

 private:
  void extend(std::vector<double> row);

  PointMatrix basis_;  // orthonormal. Shape (dimensions, axes).
  PointMatrix points_;
};

}  // namespace treewright::svm
