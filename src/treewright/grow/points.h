#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::grow {

/// The rows of a Dataset as points in space, which is what a hyperplane sees.
///
/// An axis is a numeric column, centred at its mean and divided by its standard deviation, or one level of a category, 1 or 0 before the
/// same is done to it. A missing value sits at the mean, so it pulls to neither side. Columns that are constant give no axis; a category of
/// two levels gives one.
class Points {
 public:
  struct Axis {
    FeatureId feature{};
    std::int32_t level = -1;  ///< of a category; -1 for a number
    double centre = 0, scale = 1;
  };

  explicit Points(const Dataset& data);

  const std::vector<Axis>& axes() const { return axes_; }
  /// Coordinates of one row. Shape (axes).
  std::span<const double> row(std::size_t row) const { return {x_.data() + row * axes_.size(), axes_.size()}; }

  /// The hyperplane weights . x < offset in raw units. Zero weights give no term; the heaviest terms come first.
  HyperplaneSplit in_raw_units(std::span<const double> weights, double offset) const;
  /// The other way round. Shape (axes); terms on no axis of this object are left out.
  std::vector<double> weights_of(const HyperplaneSplit& plane) const;

 private:
  std::vector<Axis> axes_;
  std::vector<double> x_;
};

}  // namespace treewright::grow
