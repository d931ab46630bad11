#include "treewright/tree/unit_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

std::vector<UnitAxis> unit_axes(const Dataset& data) {
  std::vector<UnitAxis> axes;
  for (std::size_t f = 0; f < data.features(); ++f) {
    const Column& column = data.columns[f];
    if (column.kind != ColumnKind::numeric) continue;
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, total = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const double x = column.values[row], weight = data.weight(row);
      if (std::isnan(x) || weight <= 0) continue;
      low = std::min(low, x);
      high = std::max(high, x);
      sum += weight * x;
      total += weight;
    }
    if (!(high > low) || !std::isfinite(high - low)) continue;
    axes.push_back({FeatureId{static_cast<std::int32_t>(f)}, low, high - low, std::clamp(sum / total, low, high)});
  }
  return axes;
}

HyperplaneSplit in_raw_units(const UnitPlane& plane, const std::vector<UnitAxis>& axes) {
  HyperplaneSplit split;
  split.threshold = plane.g;
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (plane.h[a] != 0) order.push_back(a);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(plane.h[a]) > std::abs(plane.h[b]); });
  for (const std::size_t a : order) {
    const UnitAxis& axis = axes[a];
    const double weight = plane.h[a] / axis.range;
    if (weight == 0 || !std::isfinite(weight)) continue;
    split.terms.push_back({axis.feature, weight, -1, axis.mean});
    split.threshold += weight * axis.low;
  }
  return split;
}

UnitPlane in_unit_scale(const SplitRule& rule, const std::vector<UnitAxis>& axes) {
  UnitPlane plane{std::vector<double>(axes.size(), 0.0), 0};
  if (const auto* axis = std::get_if<AxisSplit>(&rule)) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a].feature != axis->feature) continue;
      plane.h[a] = 1;
      plane.g = (axis->threshold - axes[a].low) / axes[a].range;
    }
    return plane;
  }
  const auto& split = std::get<HyperplaneSplit>(rule);
  plane.g = split.threshold;
  for (const auto& term : split.terms) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a].feature != term.feature || term.level >= 0) continue;
      plane.h[a] = term.weight * axes[a].range;
      plane.g -= term.weight * axes[a].low;
    }
  }
  return plane;
}

}  // namespace treewright
