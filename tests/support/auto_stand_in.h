#pragma once

#include <utility>
#include <vector>

#include "support/make_data.h"
#include "treewright/base/random.h"
#include "treewright/options.h"
#include "treewright/result.h"
#include "treewright/tree.h"

namespace treewright::testing {

inline Options automatic_options(std::int64_t depth) {
  Options options;
  options.method = "auto";
  options.max_depth = depth;
  options.n_jobs = 1;
  return options;
}

/// Rows on a line; the second class lies above 0.
inline Dataset line(std::size_t rows) {
  Random random(26);
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(random.uniform(-1, 1));
    y.push_back(x.back() > 0);
  }
  return make_data({numbers("x", x)}, y);
}

/// Splits `line` at this place.
inline Result split_at(const Dataset& train, double threshold) {
  Tree tree(train);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, threshold}, false});
  tree.tally(train);
  Result result;
  result.tree = std::move(tree);
  return result;
}

inline Result leaf(const Dataset& train) {
  Result result;
  result.tree = Tree(train);
  result.tree.tally(train);
  return result;
}

}  // namespace treewright::testing
