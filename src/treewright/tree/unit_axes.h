#pragma once

#include <span>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// A numeric column, or one level of a category as 0 or 1, and how its values go to [0, 1].
struct UnitAxis {
  FeatureId feature{};
  double low = 0, range = 1;  ///< of the rows of positive weight without missing values
  double mean = 0;            ///< by weight; replaces a missing value
  std::int32_t level = -1;    ///< of a category; -1 = the column is numeric
};

/// The numeric columns that are not constant, in their order.
std::vector<UnitAxis> unit_axes(const Dataset& data);

/// These, and the levels of the categories, in the order of the columns; a category of two levels gives one axis.
std::vector<UnitAxis> unit_axes_and_levels(const Dataset& data);

/// u_row on one axis.
double unit_value(const UnitAxis& axis, const Dataset& data, std::size_t row);

/// A hyperplane h . u = g over columns scaled to [0, 1]; a row goes left iff h . u < g.
struct UnitPlane {
  std::vector<double> h;  ///< Shape (axes).
  double g = 0;
};

/// In raw units, where sum - threshold is h . u - g. Zero weights give no term; the heaviest terms come first.
HyperplaneSplit in_raw_units(const UnitPlane& plane, const std::vector<UnitAxis>& axes);

/// A threshold or a hyperplane in scaled units, an axis split with weight 1; terms that are on none of the axes (constant columns) are
/// left out. The rule must not be a set of levels.
UnitPlane in_unit_scale(const SplitRule& rule, std::span<const UnitAxis> axes);

}  // namespace treewright
