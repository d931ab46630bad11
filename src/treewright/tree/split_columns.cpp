#include "treewright/tree/split_columns.h"

#include <algorithm>

namespace treewright {

std::vector<FeatureId> columns_of(const SplitRule& rule) {
  std::vector<FeatureId> columns;
  match(
      rule, [&](const AxisSplit& axis) { columns.push_back(axis.feature); },
      [&](const HyperplaneSplit& plane) {
        for (const auto& term : plane.terms) columns.push_back(term.feature);
      },
      [&](const CategorySplit& set) { columns.push_back(set.feature); });
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace treewright
