#include "treewright/tree/unit_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

std::vector<UnitAxis> unit_axes(const Dataset& data) {
  std::vector<UnitAxis> axes;
  const auto add = [&](FeatureId feature, std::int32_t level) {
    const HyperplaneSplit::Term term{feature, 1, level, {}};
    double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, total = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const double x = term_value(term, data, row);
      if (std::isnan(x) || data.weight(row) <= 0) continue;
      low = std::min(low, x);
      high = std::max(high, x);
      sum += data.weight(row) * x;
      total += data.weight(row);
    }
    const double range = high - low;
    // Values whose spread is lost in rounding, or overflows, say nothing to a hyperplane.
    if (!(range > 1e-13 * std::max(std::abs(low), std::abs(high))) || !std::isfinite(range) || range < 1e-150) return;
    axes.push_back({feature, level, low, range, std::clamp(sum / total, low, high)});
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
  return axes;
}

double unit_value(const UnitAxis& axis, const Dataset& data, std::size_t row) {
  return axis.scaled(term_value({axis.feature, 1, axis.level, axis.mean}, data, row));
}

}  // namespace treewright
