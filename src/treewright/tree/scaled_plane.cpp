#include "treewright/tree/scaled_plane.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace treewright {

HyperplaneSplit in_raw_units(const ScaledPlane& plane, std::span<const Axis> axes) {
  constexpr double kLeastShare = 0x1p-50;
  HyperplaneSplit split;
  assert(plane.h.size() == axes.size());
  split.threshold = plane.g;
  double heaviest = 0;
  for (const double weight : plane.h) heaviest = std::max(heaviest, std::abs(weight));
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (std::abs(plane.h[a]) > kLeastShare * heaviest) order.push_back(a);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::abs(plane.h[a]) > std::abs(plane.h[b]); });
  for (const std::size_t a : order) {
    const Axis& axis = axes[a];
    const double weight = plane.h[a] / axis.scale;
    if (weight == 0 || !std::isfinite(weight)) continue;
    // Rows to come may lack what no training row lacked: the mean then serves them as well.
    split.terms.push_back({axis.feature, weight, axis.level, axis.mean});
    split.threshold += weight * axis.center;
  }
  return split;
}

ScaledPlane in_scaled_units(const SplitRule& rule, std::span<const Axis> axes) {
  ScaledPlane plane{std::vector<double>(axes.size(), 0.0), 0};
  const auto of_axis = [&](const AxisSplit& axis) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a].feature != axis.feature) continue;
      plane.h[a] = 1;
      plane.g = (axis.threshold - axes[a].center) / axes[a].scale;
    }
  };
  const auto of_plane = [&](const HyperplaneSplit& split) {
    plane.g = split.threshold;
    for (const auto& term : split.terms) {
      for (std::size_t a = 0; a < axes.size(); ++a) {
        if (axes[a].feature != term.feature || axes[a].level != term.level) continue;
        plane.h[a] = term.weight * axes[a].scale;
        plane.g -= term.weight * axes[a].center;
      }
    }
  };
  match(rule, of_axis, of_plane, [](const CategorySplit&) { assert(!"a set of levels has no scaled plane"); });
  return plane;
}

}  // namespace treewright
