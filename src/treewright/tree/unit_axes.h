#pragma once

#include <vector>

#include "treewright/data/dataset.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// A numeric column, or one level of a category as 0 or 1, scaled to [0, 1] on the rows of positive weight: what the papers that speak of
/// hyperplanes and margins measure weights in.
struct UnitAxis {
  FeatureId feature{};
  std::int32_t level = -1;  ///< of a category; -1 for a number
  double low = 0, range = 1;
  double mean = 0;  ///< raw; what a missing value stands at

  double scaled(double raw) const { return (raw - low) / range; }
};

/// The axes of `data`. Columns that are constant give none; a category of two levels gives one.
std::vector<UnitAxis> unit_axes(const Dataset& data);

/// x_row on one axis, a missing value at the mean.
double unit_value(const UnitAxis& axis, const Dataset& data, std::size_t row);

}  // namespace treewright
