#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/points.h"

namespace treewright {

/// A direction in space: a numeric column, or one level of a category as 0 or 1. A raw value x has the coordinate (x - center) / scale.
struct Axis {
  FeatureId feature{};
  std::int32_t level = -1;  ///< of a category; -1 = the column is numeric
  double center = 0, scale = 1;
  double mean = 0;  ///< raw, by weight; replaces a missing value
};

/// What the coordinates are to be.
enum class Scaling {
  standard,  ///< mean 0 and standard deviation 1
  unit,      ///< from 0 to 1, as in the papers that have margins
  distance,  ///< from 0 to 1; levels such that rows of different levels are at distance 1 there (AHL24 works in [0, 1]^J)
};

/// The axes of the numeric columns and, if `levels`, of the levels of the categories, in the order of the columns. A category of two levels
/// gives one axis; of one of more than 12 levels the `standard` ones have no axes for levels of less than a thousandth of the weight. Only
/// rows of positive weight count; a column that is constant among them, or whose spread no double holds, gives none. Throws Error if the
/// coordinates of a category's levels need more memory than is free.
std::vector<Axis> scaled_axes(const Dataset& data, Scaling scaling, bool levels = true);

/// The coordinate of one row; a missing value has that of the mean.
double coordinate(const Axis& axis, const Dataset& data, std::size_t row);
/// The coordinates of all rows.
PointMatrix coordinates(const Dataset& data, std::span<const Axis> axes);

/// The rows of a Dataset as points.
struct ScaledPoints {
  std::size_t rows = 0;
  std::vector<Axis> axes;
  PointMatrix matrix;

  ScaledPoints(const Dataset& data, Scaling scaling, bool levels = true)
      : rows(data.rows()), axes(scaled_axes(data, scaling, levels)), matrix(coordinates(data, axes)) {}

  /// Coordinates of one row. Shape (axes).
  std::span<const double> row(std::size_t row) const { return matrix.row(row); }
  /// The square of the Euclidean distance between two rows.
  double distance2(std::size_t a, std::size_t b) const {
    const std::span<const double> p = row(a), q = row(b);
    double sum = 0;
    for (std::size_t axis = 0; axis < p.size(); ++axis) sum += (p[axis] - q[axis]) * (p[axis] - q[axis]);
    return sum;
  }
};

}  // namespace treewright
