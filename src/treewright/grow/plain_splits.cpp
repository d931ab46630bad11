// A hyperplane of one column is a threshold or a set of levels, which reads better. A negative weight turns the sides around: then the
// children change places. A missing value goes where the hyperplane sent it, by the column's mean.

#include "treewright/grow/plain_splits.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "treewright/data/midpoint.h"
#include "treewright/tree/split_columns.h"

namespace treewright::grow {

namespace {

struct PlainSplit {
  Split split;
  bool swapped = false;
};

// Between the values that the hyperplane parts; nothing where it parts none.
std::optional<PlainSplit> threshold_of(const Split& split, const Dataset& data, FeatureId feature) {
  double left_low = std::numeric_limits<double>::infinity(), left_high = -left_low, right_low = left_low, right_high = -left_low;
  for (const std::uint32_t row : weighty_rows(data)) {
    if (data.columns[+feature].missing(row)) continue;
    const double value = data.columns[+feature].values[row];
    const bool left = goes_left(split, data, row);
    (left ? left_low : right_low) = std::min(left ? left_low : right_low, value);
    (left ? left_high : right_high) = std::max(left ? left_high : right_high, value);
  }
  if (left_high < right_low && left_low <= left_high && right_low <= right_high)
    return PlainSplit{{AxisSplit{feature, midpoint(left_high, right_low)}, false}, false};
  if (right_high < left_low && left_low <= left_high && right_low <= right_high)
    return PlainSplit{{AxisSplit{feature, midpoint(right_high, left_low)}, false}, true};
  return {};
}

std::optional<PlainSplit> plain_split(const Split& split, const Dataset& data) {
  const HyperplaneSplit* const plane = split.plane();
  if (plane == nullptr || columns_of(split.rule).size() != 1) return {};
  const FeatureId feature = plane->terms.front().feature;
  double if_missing = 0;
  for (const auto& term : plane->terms) if_missing += term.weight * term.if_missing.value_or(0);
  std::optional<PlainSplit> plain;
  if (data.columns[+feature].kind == ColumnKind::categorical) {
    CategorySplit set{feature, {}};
    std::vector<double> sum(data.columns[+feature].levels.size(), 0.0);
    for (const auto& term : plane->terms) sum[static_cast<std::size_t>(term.level)] += term.weight;
    for (const double s : sum) set.left.push_back(s < plane->threshold);
    plain = PlainSplit{{std::move(set), false}, false};
  } else {
    plain = threshold_of(split, data, feature);
  }
  if (!plain) return {};
  plain->split.missing_left = (if_missing < plane->threshold) != plain->swapped;
  for (const std::uint32_t row : weighty_rows(data)) {
    if (goes_left(split, data, row) != (goes_left(plain->split, data, row) != plain->swapped)) return {};
  }
  return plain;
}

}  // namespace

void plain_splits(EditableTree& draft, const Dataset& data) {
  if (draft.is_leaf()) return;
  if (std::optional<PlainSplit> plain = plain_split(*draft.split, data)) {
    draft.split = std::move(plain->split);
    if (plain->swapped) draft.left.swap(draft.right);
  }
  plain_splits(*draft.left, data);
  plain_splits(*draft.right, data);
}

}  // namespace treewright::grow
