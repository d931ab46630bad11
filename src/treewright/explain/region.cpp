#include "treewright/explain/region.h"

#include <algorithm>

namespace treewright::explain {

namespace {

Region side(Region region, const Split& split, bool left) {
  const auto asked = [&](FeatureId feature) -> FeatureLimit& {
    FeatureLimit& limit = region.limits[+feature];
    limit.asked = true;
    limit.missing = limit.missing && split.missing_left == left;
    return limit;
  };
  const auto by_axis = [&](const AxisSplit& axis) {
    FeatureLimit& limit = asked(axis.feature);
    if (left) {
      limit.high = std::min(limit.high, axis.threshold);
    } else {
      limit.low = std::max(limit.low, axis.threshold);
    }
    for (std::size_t place = 0; place < limit.levels.size(); ++place)
      limit.levels[place] = limit.levels[place] && (static_cast<double>(place) < axis.threshold) == left;
  };
  const auto by_set = [&](const CategorySplit& set) {
    FeatureLimit& limit = asked(set.feature);
    for (std::size_t i = 0; i < set.left.size(); ++i) limit.levels[i] = limit.levels[i] && set.left[i] == left;
  };
  match(
      split.rule, by_axis,
      [&](const HyperplaneSplit&) {
        region.planes.push_back({&split, left});
      },
      by_set);
  return region;
}

}  // namespace

std::vector<Region> regions(const Tree& tree) {
  std::vector<Region> all(tree.nodes().size());
  for (const Feature& feature : tree.features) all[0].limits.emplace_back().levels.assign(feature.levels.size(), true);
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.is_leaf()) continue;
    all[+node.left] = side(all[i], *node.split, true);
    all[+node.right] = side(all[i], *node.split, false);
  }
  return all;
}

}  // namespace treewright::explain
