#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/tree.h"

namespace treewright::testing {

/// A split of a random kind over the columns of `data`, near the values that occur.
inline Split random_split(Random& random, const Dataset& data) {
  const FeatureId feature{static_cast<std::int32_t>(random.below(data.features()))};
  const Column& column = data.columns[+feature];
  const bool missing_left = random.below(2) == 0;
  if (column.kind == ColumnKind::categorical) {
    CategorySplit set{feature, {}};
    for (std::size_t i = 0; i < column.levels.size(); ++i) set.left.push_back(random.below(2) == 0);
    return {set, missing_left};
  }
  const auto threshold = [&](const Column& c) {
    if (c.has_levels()) return static_cast<double>(random.below(c.levels.size() - 1)) + 0.5;
    const double value = c.values.empty() ? 0 : c.values[random.below(c.values.size())];
    return (std::isnan(value) ? 0 : value) + random.uniform(-0.6, 0.6);
  };
  if (random.below(3) > 0) return {AxisSplit{feature, threshold(column)}, missing_left};
  HyperplaneSplit plane;
  for (std::size_t f = 0; f < data.features(); ++f) {
    if (random.below(2) == 0) continue;
    HyperplaneSplit::Term term{FeatureId{static_cast<std::int32_t>(f)}, random.uniform(-2, 2)};
    if (data.columns[f].kind == ColumnKind::categorical)
      term.level = static_cast<std::int32_t>(random.below(data.columns[f].levels.size()));
    if (random.below(3) == 0) term.if_missing = random.uniform(-1, 1);
    plane.threshold += term.weight * (term.level < 0 ? threshold(data.columns[f]) : random.uniform(0, 1));
    plane.terms.push_back(term);
  }
  return {plane, missing_left};
}

/// A tree with the given number of splits at random places, tallied.
inline Tree random_tree(Random& random, const Dataset& data, int splits) {
  Tree tree(data);
  std::vector<NodeId> leaves = {Tree::root()};
  for (int i = 0; i < splits; ++i) {
    const std::size_t at = random.below(leaves.size());
    const auto [left, right] = tree.split(leaves[at], random_split(random, data));
    leaves[at] = left;
    leaves.push_back(right);
  }
  tree.tally(data);
  return tree;
}

}  // namespace treewright::testing
