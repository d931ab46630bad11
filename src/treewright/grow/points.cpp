#include "treewright/grow/points.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/stop_point.h"

namespace treewright::grow {

Points::Points(const Dataset& data) {
  const std::size_t n = data.rows();
  std::vector<std::vector<double>> coordinates;
  const auto add = [&](FeatureId feature, std::int32_t level) {
    stop_point();
    const HyperplaneSplit::Term term{feature, 1, level, {}};
    std::vector<double> x(n);
    double total = 0, sum = 0, squares = 0;
    Axis axis{feature, level};
    for (std::size_t row = 0; row < n; ++row) {
      x[row] = term_value(term, data, row);
      if (std::isnan(x[row])) continue;
      total += data.weight(row);
      sum += data.weight(row) * x[row];
    }
    if (total <= 0) return;
    axis.centre = sum / total;
    for (std::size_t row = 0; row < n; ++row) {
      if (!std::isnan(x[row])) squares += data.weight(row) * (x[row] - axis.centre) * (x[row] - axis.centre);
    }
    axis.scale = std::sqrt(squares / total);
    // Values whose spread is lost in rounding, or overflows, say nothing to a hyperplane.
    if (!(axis.scale > 1e-13 * std::abs(axis.centre)) || !std::isfinite(axis.scale) || axis.scale < 1e-150) return;
    for (double& value : x) value = std::isnan(value) ? 0 : (value - axis.centre) / axis.scale;
    axes_.push_back(axis);
    coordinates.push_back(std::move(x));
  };
  for (std::size_t f = 0; f < data.features(); ++f) {
    const FeatureId feature{static_cast<std::int32_t>(f)};
    const Column& column = data.columns[f];
    if (column.kind == ColumnKind::numeric) {
      add(feature, -1);
      continue;
    }
    const auto levels = static_cast<std::int32_t>(column.levels.size());
    for (std::int32_t level = levels == 2 ? 1 : 0; level < levels; ++level) add(feature, level);
  }
  x_.resize(n * axes_.size());
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (std::size_t row = 0; row < n; ++row) x_[row * axes_.size() + a] = coordinates[a][row];
  }
}

HyperplaneSplit Points::in_raw_units(std::span<const double> weights, double offset) const {
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (weights[a] != 0) order.push_back(a);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(weights[a]) > std::abs(weights[b]); });
  HyperplaneSplit plane;
  plane.threshold = offset;
  for (const std::size_t a : order) {
    const Axis& axis = axes_[a];
    HyperplaneSplit::Term term{axis.feature, weights[a] / axis.scale, axis.level, {}};
    if (term.weight == 0 || !std::isfinite(term.weight)) continue;
    // Rows to come may lack what no training row lacked: the mean then serves them as well.
    term.if_missing = axis.centre;
    plane.threshold += term.weight * axis.centre;
    plane.terms.push_back(term);
  }
  return plane;
}

std::vector<double> Points::weights_of(const HyperplaneSplit& plane) const {
  std::vector<double> weights(axes_.size(), 0.0);
  for (const auto& term : plane.terms) {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (axes_[a].feature == term.feature && axes_[a].level == term.level) weights[a] = term.weight * axes_[a].scale;
    }
  }
  return weights;
}

}  // namespace treewright::grow
