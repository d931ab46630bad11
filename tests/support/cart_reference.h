#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/data/midpoint.h"
#include "treewright/grow/cart.h"

namespace treewright::testing {

// An independent reference of CART: the decrease of weight * impurity by every cut of a node, tried one by one.

using Rows = std::vector<std::int32_t>;

inline double node_impurity(const Dataset& data, const Rows& rows, grow::Criterion criterion) {
  std::vector<double> weight(data.classes(), 0.0);
  for (const std::int32_t row : rows) weight[data.labels[row]] += data.weight(row);
  return grow::impurity(criterion, weight) * std::accumulate(weight.begin(), weight.end(), 0.0);
}

inline double decrease(const Dataset& data, const Rows& rows, const Split& split, grow::Criterion criterion, Rows& left, Rows& right) {
  left.clear(), right.clear();
  for (const std::int32_t row : rows) (goes_left(split, data, row) ? left : right).push_back(row);
  return node_impurity(data, rows, criterion) - node_impurity(data, left, criterion) - node_impurity(data, right, criterion);
}

/// All cuts by feature f that have rows with a value on both sides.
inline std::vector<Split> all_cuts(const Dataset& data, const Rows& rows, std::int32_t f) {
  std::vector<Split> cuts;
  const Column& column = data.columns[f];
  const auto add = [&](SplitRule rule) {
    cuts.push_back({rule, false});
    cuts.push_back({rule, true});
  };
  if (column.kind == ColumnKind::numeric) {
    std::vector<double> values;
    for (const std::int32_t row : rows) {
      if (!column.missing(row)) values.push_back(column.values[row]);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (std::size_t i = 1; i < values.size(); ++i) add(AxisSplit{FeatureId{f}, midpoint(values[i - 1], values[i])});
    return cuts;
  }
  std::vector<std::int32_t> present;
  for (const std::int32_t row : rows) {
    if (column.codes[row] >= 0) present.push_back(column.codes[row]);
  }
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  for (std::uint32_t mask = 1; mask + 1 < 1u << present.size(); ++mask) {
    CategorySplit split{FeatureId{f}, std::vector<bool>(column.levels.size(), false)};
    for (std::size_t i = 0; i < present.size(); ++i) split.left[present[i]] = mask >> i & 1;
    add(split);
  }
  return cuts;
}

/// Largest decrease over all cuts of all features that leave min_leaf rows on both sides; -1 when there is
/// none.
inline double best_decrease(const Dataset& data, const Rows& rows, const grow::CartOptions& options) {
  double best = -1;
  Rows left, right;
  for (std::int32_t f = 0; f < static_cast<std::int32_t>(data.features()); ++f) {
    for (const Split& split : all_cuts(data, rows, f)) {
      const double gain = decrease(data, rows, split, options.criterion, left, right);
      const auto least = static_cast<std::int64_t>(std::min(left.size(), right.size()));
      if (least >= options.min_leaf_rows) best = std::max(best, gain);
    }
  }
  return best;
}

inline Rows weighty_rows(const Dataset& data) {
  Rows rows;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) rows.push_back(static_cast<std::int32_t>(row));
  }
  return rows;
}

enum class RowWeights { none, whole, real };

/// Three columns with few or many values.
inline Dataset random_cart_data(Random& random, std::size_t rows, std::size_t classes, bool categories, bool missing, RowWeights weights) {
  Dataset data;
  for (std::size_t k = 0; k < classes; ++k) data.class_names.push_back(std::string("c").append(std::to_string(k)));
  for (std::size_t row = 0; row < rows; ++row) data.labels.push_back(static_cast<std::int32_t>(random.below(classes)));
  for (int f = 0; f < 3; ++f) {
    Column column;
    column.name = std::string("x").append(std::to_string(f));
    const std::size_t distinct = 2 + random.below(f == 0 ? 20 : 4);
    const bool as_category = categories && f > 0;
    column.kind = as_category ? ColumnKind::categorical : ColumnKind::numeric;
    if (as_category) {
      for (std::size_t level = 0; level < distinct; ++level) column.levels.push_back(std::string("l").append(std::to_string(level)));
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const bool gone = missing && random.uniform() < 0.2;
      const auto value = static_cast<std::int32_t>(random.below(distinct));
      if (as_category) {
        column.codes.push_back(gone ? -1 : value);
      } else {
        column.values.push_back(gone ? std::numeric_limits<double>::quiet_NaN() : 0.5 * value);
      }
    }
    data.columns.push_back(column);
  }
  for (std::size_t row = 0; weights != RowWeights::none && row < rows; ++row) {
    data.weights.push_back(weights == RowWeights::whole ? static_cast<double>(random.below(4)) : random.uniform(0.1, 3.0));
  }
  data.validate();
  return data;
}

inline constexpr grow::Criterion kCriteria[] = {grow::Criterion::gini, grow::Criterion::entropy, grow::Criterion::misclassification};

}  // namespace treewright::testing
