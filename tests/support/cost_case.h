#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/random_data.h"
#include "treewright/data.h"
#include "treewright/options.h"

namespace treewright::testing {

/// Random data whose labels have costs, and a depth.
struct CostCase {
  Dataset data;
  int depth;
};

/// Small rows for an enumeration of all trees, yet without costs, and a depth of at most three.
inline CostCase rows_for_costs(Random& random, int max_classes) {
  DataShape shape;
  shape.max_rows = 16;
  shape.max_classes = max_classes;
  shape.max_values = 4;
  shape.categories = random.below(2) == 0;
  shape.missing = random.below(2) == 0;
  return {random_data(random, shape), static_cast<int>(random.below(4))};
}

/// Costs by class, of several kinds: small whole numbers, rewards, decimals, reals; with costs of right labels or without, some classes
/// indifferent.
inline std::vector<double> random_costs(Random& random, std::size_t classes) {
  const auto kind = random.below(5);
  const bool right_is_free = random.below(2) == 0;
  std::vector<double> costs;
  for (std::size_t k = 0; k < classes; ++k) {
    const bool indifferent = random.below(8) == 0;
    for (std::size_t a = 0; a < classes; ++a) {
      const double value = kind == 0   ? static_cast<double>(random.below(4))
                           : kind == 1 ? static_cast<double>(random.below(11)) - 5
                           : kind == 2 ? static_cast<double>(random.below(30)) / 10
                           : kind == 3 ? random.uniform() - 0.5
                                       : 1000 + static_cast<double>(random.below(3));
      costs.push_back(indifferent && a > 0 ? costs.back() : right_is_free && a == k && !indifferent ? 0 : value);
    }
  }
  return costs;
}

inline CostCase draw_cost_matrix(Random& random) {
  CostCase drawn = rows_for_costs(random, 6);
  const auto weights = random.below(3);
  for (std::size_t row = 0; row < drawn.data.rows() && weights > 0; ++row)
    drawn.data.weights.push_back(weights == 1 ? 1 + static_cast<double>(random.below(4)) : 0.1 + random.uniform());
  drawn.data.costs = random_costs(random, drawn.data.classes());
  return drawn;
}

/// Costs by row: small whole numbers, rewards, decimals, reals; some rows indifferent. With true classes or without, the labels then being
/// the cheapest.
inline CostCase draw_policy(Random& random) {
  CostCase drawn = rows_for_costs(random, 5);
  Dataset& data = drawn.data;
  const auto weights = random.below(3), kind = random.below(4);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (weights > 0) data.weights.push_back(weights == 1 ? 1 + static_cast<double>(random.below(4)) : 0.1 + random.uniform());
    const bool indifferent = random.below(6) == 0;
    for (std::size_t label = 0; label < data.classes(); ++label) {
      const double whole = static_cast<double>(random.below(9));
      const double cost = kind == 0 ? whole : kind == 1 ? whole - 4 : kind == 2 ? whole / 10 : random.uniform() - 0.5;
      data.row_costs.push_back(indifferent && label > 0 ? data.row_costs.back() : cost);
    }
  }
  if (random.below(2) == 0) take_cheapest_labels(data);
  return drawn;
}

/// Sums of costs and gains are known to some last digits of this.
inline double magnitude(const Dataset& data) {
  double largest = 0;
  for (const auto* costs : {&data.costs, &data.row_costs}) {
    for (const double cost : *costs) largest = std::max(largest, std::abs(cost));
  }
  return largest * data.total_weight() * static_cast<double>(data.classes());
}

inline std::string shown(const CostCase& drawn) {
  std::string text = "depth " + std::to_string(drawn.depth) + "\n" + to_string(drawn.data);
  for (const auto* costs : {&drawn.data.costs, &drawn.data.row_costs}) {
    for (const double cost : *costs) text += std::to_string(cost) + " ";
  }
  return text;
}

/// A matrix that costs what errors count.
inline std::vector<double> ones(std::size_t classes) {
  std::vector<double> costs(classes * classes, 1.0);
  for (std::size_t k = 0; k < classes; ++k) costs[k * classes + k] = 0;
  return costs;
}

inline Options of_depth(int depth) {
  Options options;
  options.max_depth = depth;
  return options;
}

}  // namespace treewright::testing
