#include "treewright/tree/unit_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

namespace {

std::vector<UnitAxis> axes_of(const Dataset& data, bool with_levels) {
  std::vector<UnitAxis> axes;
  const auto add = [&](FeatureId feature, std::int32_t level) {
    const HyperplaneSplit::Term term{feature, 1, level, {}};
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, total = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const double x = term_value(term, data, row), weight = data.weight(row);
      if (std::isnan(x) || weight <= 0) continue;
      low = std::min(low, x);
      high = std::max(high, x);
      sum += weight * x;
      total += weight;
    }
    if (!(high > low) || !std::isfinite(high - low)) return;
    axes.push_back({feature, low, high - low, std::clamp(sum / total, low, high), level});
  };
  for (std::size_t f = 0; f < data.features(); ++f) {
    const FeatureId feature{static_cast<std::int32_t>(f)};
    if (data.columns[f].kind == ColumnKind::numeric) add(feature, -1);
    if (data.columns[f].kind == ColumnKind::numeric || !with_levels) continue;
    const auto levels = static_cast<std::int32_t>(data.columns[f].levels.size());
    for (std::int32_t level = levels == 2 ? 1 : 0; level < levels; ++level) add(feature, level);
  }
  return axes;
}

}  // namespace

std::vector<UnitAxis> unit_axes(const Dataset& data) {
  return axes_of(data, false);
}

std::vector<UnitAxis> unit_axes_and_levels(const Dataset& data) {
  return axes_of(data, true);
}

double unit_value(const UnitAxis& axis, const Dataset& data, std::size_t row) {
  return (term_value({axis.feature, 1, axis.level, axis.mean}, data, row) - axis.low) / axis.range;
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
    split.terms.push_back({axis.feature, weight, axis.level, axis.mean});
    split.threshold += weight * axis.low;
  }
  return split;
}

UnitPlane in_unit_scale(const SplitRule& rule, std::span<const UnitAxis> axes) {
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
      if (axes[a].feature != term.feature || axes[a].level != term.level) continue;
      plane.h[a] = term.weight * axes[a].range;
      plane.g -= term.weight * axes[a].low;
    }
  }
  return plane;
}

}  // namespace treewright
