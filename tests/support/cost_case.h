#pragma once

#include <algorithm>
#include <cmath>
#include <string>

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

inline Options of_depth(int depth) {
  Options options;
  options.max_depth = depth;
  return options;
}

}  // namespace treewright::testing
