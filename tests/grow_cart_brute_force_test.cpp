// Trees of CART against an independent reference: the decrease of weight * impurity by every cut of a node, tried one by one.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/cart_reference.h"
#include "treewright/data/midpoint.h"
#include "treewright/grow/cart.h"

namespace treewright {
namespace {

using testing::best_decrease;
using testing::decrease;
using testing::kCriteria;
using testing::node_impurity;
using testing::random_cart_data;
using testing::Rows;
using testing::RowWeights;
using testing::weighty_rows;

// Checks every node of a tree grown without pruning: splits are as good as the best cut, leaves could not be
// split.
void expect_greedy(const Dataset& data, const Tree& tree, const grow::CartOptions& options) {
  std::vector<Rows> reached(tree.nodes().size());
  reached[0] = weighty_rows(data);
  const std::vector<int> depth = tree.depths();
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    const Rows& rows = reached[i];
    const double best = best_decrease(data, rows, options);
    if (node.is_leaf()) {
      const bool pure = node_impurity(data, rows, options.criterion) < 1e-12;
      EXPECT_TRUE(pure || depth[i] == options.max_depth || best < 0) << "leaf " << i << " could gain " << best;
      continue;
    }
    Rows left, right;
    const double gain = decrease(data, rows, *node.split, options.criterion, left, right);
    EXPECT_NEAR(gain, best, 1e-9) << "node " << i;
    EXPECT_GE(gain, -1e-9);
    EXPECT_GE(static_cast<std::int64_t>(std::min(left.size(), right.size())), options.min_leaf_rows);
    EXPECT_TRUE(options.max_depth < 0 || depth[i] < options.max_depth);
    if (const auto* split = std::get_if<AxisSplit>(&node.split->rule)) {
      double below = -1e9, above = 1e9;
      for (const std::int32_t row : rows) {
        const double value = data.columns[+split->feature].values[row];
        if (value < split->threshold) below = std::max(below, value);
        if (value >= split->threshold) above = std::min(above, value);
      }
      EXPECT_EQ(split->threshold, midpoint(below, above)) << "node " << i;
    }
    reached[+node.left] = left;
    reached[+node.right] = right;
  }
}

class CartBruteForce : public ::testing::TestWithParam<grow::Criterion> {};

TEST_P(CartBruteForce, EverySplitIsABestOne) {
  Random random(17);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t rows = 2 + random.below(24), classes = 2 + random.below(3);
    const auto weights = static_cast<RowWeights>(random.below(3));
    const Dataset data = random_cart_data(random, rows, classes, random.below(2) == 1, random.below(2) == 1, weights);
    grow::CartOptions options{.criterion = GetParam(), .max_depth = static_cast<int>(random.below(5)) - 1};
    SCOPED_TRACE(::testing::Message() << "trial " << trial);
    const Tree tree = grow::grow_cart(data, options);
    expect_greedy(data, tree, options);
  }
}

TEST_P(CartBruteForce, EverySplitIsABestOneThatLeavesEnoughRows) {
  Random random(18);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t rows = 2 + random.below(24), classes = 2 + random.below(3);
    const auto weights = static_cast<RowWeights>(random.below(3));
    // Without categories: with min_leaf_rows the order of levels is a heuristic.
    const Dataset data = random_cart_data(random, rows, classes, false, random.below(2) == 1, weights);
    grow::CartOptions options{.criterion = GetParam(), .min_leaf_rows = 1 + static_cast<std::int64_t>(random.below(6))};
    SCOPED_TRACE(::testing::Message() << "trial " << trial);
    const Tree tree = grow::grow_cart(data, options);
    expect_greedy(data, tree, options);
  }
}

TEST_P(CartBruteForce, CategoriesKeepEnoughRows) {
  Random random(19);
  for (int trial = 0; trial < 200; ++trial) {
    const Dataset data = random_cart_data(random, 20, 2 + random.below(2), true, true, RowWeights::none);
    const grow::CartOptions options{.criterion = GetParam(), .min_leaf_rows = 4};
    const Tree tree = grow::grow_cart(data, options);
    for (const Node& node : tree.nodes()) EXPECT_GE(node.rows, 4);
  }
}

std::string criterion_name(const ::testing::TestParamInfo<grow::Criterion>& info) {
  const char* names[] = {"gini", "entropy", "misclassification"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Criteria, CartBruteForce, ::testing::ValuesIn(kCriteria), criterion_name);

}  // namespace
}  // namespace treewright
