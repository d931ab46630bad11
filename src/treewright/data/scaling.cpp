// Turns each row into a vector of numbers, for hyperplanes, margins and distances: a numeric column is scaled, each level of a category
// becomes an axis of 0 and 1. All methods share this and the way back (tree/scaled_plane.h); they only ask for different scales.

#include "treewright/data/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/memory.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/wide_category.h"

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

// False if the numeric column is constant, or its range overflows.
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

struct LevelWeights {
  explicit LevelWeights(const Column& column, const Dataset& data) : of_level(column.levels.size(), 0.0) {
    for (std::size_t row = 0; row < data.rows(); ++row) {
      all += data.weight(row);
      if (column.codes[row] < 0) continue;
      known += data.weight(row);
      of_level[static_cast<std::size_t>(column.codes[row])] += data.weight(row);
    }
    occurring = static_cast<std::size_t>(std::ranges::count_if(of_level, [](double weight) { return weight > 0; }));
  }

  std::vector<double> of_level;
  double known = 0, all = 0;  // of the rows with a value, and of all
  std::size_t occurring = 0;  // levels of any weight
};

// As `to_unit`, which would need a pass over the rows for each level.
bool to_unit(Axis& axis, const LevelWeights& weights) {
  const double weight = weights.of_level[static_cast<std::size_t>(axis.level)];
  if (!(weight > 0) || weights.occurring < 2) return false;
  axis.mean = std::clamp(weight / weights.known, 0.0, 1.0);
  return true;
}

}  // namespace

std::vector<Axis> scaled_axes(const Dataset& data, Scaling scaling, bool levels) {
  std::vector<Axis> axes;
  for (std::size_t f = 0; f < data.features(); ++f) {
    const Column& column = data.columns[f];
    Axis axis{FeatureId{static_cast<std::int32_t>(f)}};
    if (column.kind == ColumnKind::numeric) {
      if (scaling == Scaling::standard ? standardize(axis, data) : to_unit(axis, data)) axes.push_back(axis);
      continue;
    }
    if (!levels) continue;
    const LevelWeights weights(column, data);
    const std::size_t count = column.levels.size(), before = axes.size();
    const bool is_wide = is_wide_category(column);
    for (std::size_t level = count == 2 ? 1 : 0; level < count; ++level) {
      axis = {FeatureId{static_cast<std::int32_t>(f)}, static_cast<std::int32_t>(level)};
      if (scaling == Scaling::standard) {
        // Support vector machines get no axis for a rare level: a column of 20,000 postcodes would be 20,000 columns of mostly zeros.
        const bool is_rare = weights.of_level[level] * static_cast<double>(kRareLevel) < weights.all;
        if (is_wide && is_rare) continue;
        if (!standardize(axis, data)) continue;
      } else if (!to_unit(axis, weights)) {
        continue;
      }
      // Rows of two levels differ on two axes, unless the category has one axis only.
      if (scaling == Scaling::distance && count > 2) axis.scale *= std::sqrt(2.0);
      axes.push_back(axis);
    }
    const std::size_t added = axes.size() - before;
    check_memory(static_cast<double>(data.rows()) * static_cast<double>(added) * sizeof(double), available_memory(),
                 fmt::format("column '{}'", column.name), fmt::format("a column of 0 and 1 for each of its {} categories", added),
                 "group rare categories, drop the column, or use a method of axis splits");
  }
  return axes;
}

double coordinate(const Axis& axis, const Dataset& data, std::size_t row) {
  const double x = raw_value(axis, data.columns[+axis.feature], row);
  return ((std::isnan(x) ? axis.mean : x) - axis.center) / axis.scale;
}

PointMatrix coordinates(const Dataset& data, std::span<const Axis> axes) {
  PointMatrix points{axes.size(), {}};
  // Gigabytes take seconds, also to be filled with zeros: they are written once, and the clock is looked at between.
  points.x.reserve(data.rows() * axes.size());
  constexpr std::size_t kRowsToAStop = 64;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (row % kRowsToAStop == 0) stop_point();
    for (const Axis& axis : axes) points.x.push_back(coordinate(axis, data, row));
  }
  return points;
}

}  // namespace treewright
