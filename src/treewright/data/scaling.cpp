// Turns each row into a vector of numbers, for hyperplanes, margins and distances: a numeric column is scaled, each level of a category
// becomes an axis of 0 and 1. All methods share this and the way back (tree/scaled_plane.h); they only ask for different scales.

#include "treewright/data/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/stop_point.h"

namespace treewright {

namespace {

double raw_value(const Axis& axis, const Column& column, std::size_t row) {
  if (axis.level < 0) return column.values[row];
  const std::int32_t code = column.codes[row];
  return code < 0 ? std::nan("") : code == axis.level ? 1 : 0;
}

// Calls `use(value, weight)` for the rows that count.
template <class Use>
void for_values(const Axis& axis, const Dataset& data, Use&& use) {
  const Column& column = data.columns[+axis.feature];
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double x = raw_value(axis, column, row), weight = data.weight(row);
    if (!std::isnan(x) && weight > 0) use(x, weight);
  }
}

// False if the values say nothing to a hyperplane: their spread is lost in rounding, or overflows.
bool standardize(Axis& axis, const Dataset& data) {
  double total = 0, sum = 0, squares = 0;
  for_values(axis, data, [&](double x, double weight) { total += weight, sum += weight * x; });
  if (total <= 0) return false;
  axis.center = axis.mean = sum / total;
  for_values(axis, data, [&](double x, double weight) { squares += weight * (x - axis.mean) * (x - axis.mean); });
  axis.scale = std::sqrt(squares / total);
  return axis.scale > 1e-13 * std::abs(axis.mean) && std::isfinite(axis.scale) && axis.scale >= 1e-150;
}

// False if the column is constant, or its range overflows.
bool to_unit(Axis& axis, const Dataset& data) {
  double low = std::numeric_limits<double>::infinity(), high = -low, total = 0, sum = 0;
  for_values(axis, data, [&](double x, double weight) {
    low = std::min(low, x), high = std::max(high, x);
    total += weight, sum += weight * x;
  });
  if (!(high > low) || !std::isfinite(high - low)) return false;
  axis.center = low;
  axis.scale = high - low;
  axis.mean = std::clamp(sum / total, low, high);
  return true;
}

}  // namespace

std::vector<Axis> scaled_axes(const Dataset& data, Scaling scaling, bool levels) {
  std::vector<Axis> axes;
  const auto add = [&](std::size_t feature, std::int32_t level) {
    Axis axis{FeatureId{static_cast<std::int32_t>(feature)}, level};
    if (!(scaling == Scaling::standard ? standardize(axis, data) : to_unit(axis, data))) return;
    // Rows of two levels differ on two axes, unless the category has one axis only.
    if (scaling == Scaling::distance && data.columns[feature].levels.size() > 2) axis.scale *= std::sqrt(2.0);
    axes.push_back(axis);
  };
  for (std::size_t f = 0; f < data.features(); ++f) {
    if (data.columns[f].kind == ColumnKind::numeric) {
      add(f, -1);
    } else if (levels) {
      const auto count = static_cast<std::int32_t>(data.columns[f].levels.size());
      for (std::int32_t level = count == 2 ? 1 : 0; level < count; ++level) add(f, level);
    }
  }
  return axes;
}

double coordinate(const Axis& axis, const Dataset& data, std::size_t row) {
  const double x = raw_value(axis, data.columns[+axis.feature], row);
  return ((std::isnan(x) ? axis.mean : x) - axis.center) / axis.scale;
}

PointMatrix coordinates(const Dataset& data, std::span<const Axis> axes) {
  PointMatrix points{axes.size(), std::vector<double>(data.rows() * axes.size())};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    stop_point();
    for (std::size_t row = 0; row < data.rows(); ++row) points.x[row * points.axes + a] = coordinate(axes[a], data, row);
  }
  return points;
}

}  // namespace treewright
