// Greedy trees of numbers against all cuts of each node, tried one by one, and against figures of scikit-learn.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/make_data.h"
#include "support/numbers_data.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/cost_complexity.h"
#include "treewright/tree.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;
using testing::random_numbers;
using testing::two_sums_loss;
using Rows = std::vector<std::size_t>;

void each_split(const Dataset& data, const std::function<void(const Split&)>& take) {
  for (std::size_t f = 0; f < data.features(); ++f) {
    const FeatureId feature{static_cast<std::int32_t>(f)};
    for (const bool missing_left : {false, true}) {
      if (data.columns[f].kind == ColumnKind::numeric) {
        for (double threshold = -1.25; threshold < 3; threshold += 0.5) take({AxisSplit{feature, threshold}, missing_left});
        continue;
      }
      const std::size_t levels = data.columns[f].levels.size();
      for (std::size_t set = 1; set < (std::size_t{1} << levels); ++set) {
        std::vector<bool> left;
        for (std::size_t level = 0; level < levels; ++level) left.push_back((set >> level & 1) != 0);
        take({CategorySplit{feature, left}, missing_left});
      }
    }
  }
}

// What a split takes from the loss of these rows; nothing where a side is empty, or a threshold parts rows by missing values
// alone.
double gain_of(const Dataset& data, const Rows& rows, const Split& split, Rows& left, Rows& right) {
  left.clear(), right.clear();
  bool has_left = false, has_right = false;
  for (const std::size_t row : rows) {
    const bool goes = goes_left(split, data, row);
    (goes ? left : right).push_back(row);
    if (split.set() != nullptr || !lacks_value(split, data, row)) (goes ? has_left : has_right) = true;
  }
  if (!has_left || !has_right) return -1;
  return two_sums_loss(data, rows) - two_sums_loss(data, left) - two_sums_loss(data, right);
}

class CartNumbers : public ::testing::TestWithParam<Loss> {};

TEST_P(CartNumbers, EverySplitIsABestOne) {
  Random random(57);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const Dataset data = random_numbers(random, {.max_rows = 20, .categories = true, .missing = true, .max_values = 5}, GetParam());
    const Tree tree = grow::grow_cart(data, {.max_depth = 3});
    std::vector<Rows> reached(tree.nodes().size());
    for (std::size_t row = 0; row < data.rows(); ++row) reached[0].push_back(row);
    const std::vector<int> depth = tree.depths();
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
      const Node& node = tree.nodes()[i];
      double best = -1;
      Rows left, right;
      each_split(data, [&](const Split& split) { best = std::max(best, gain_of(data, reached[i], split, left, right)); });
      if (node.is_leaf()) {
        EXPECT_TRUE(depth[i] == 3 || best < 0 || two_sums_loss(data, reached[i]) < 1e-9) << "leaf " << i;
        continue;
      }
      EXPECT_NEAR(gain_of(data, reached[i], *node.split, left, right), best, 1e-9) << "node " << i;
      reached[+node.left] = left;
      reached[+node.right] = right;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, CartNumbers, ::testing::Values(Loss::squared, Loss::poisson));

// As many cut values as the limit on rows of leaves allows.
TEST(CartNumbersLimits, LeavesHoldEnoughRows) {
  Random random(58);
  for (int trial = 0; trial < 100; ++trial) {
    const Dataset data = random_numbers(random, {.max_rows = 30, .categories = true, .missing = true});
    const Tree tree = grow::grow_cart(data, {.max_depth = 4, .min_leaf_rows = 3});
    for (const Node& node : tree.nodes()) EXPECT_TRUE(!node.is_leaf() || tree.splits() == 0 || node.rows >= 3);
  }
}

// min of loss + alpha * leaves over all prunings of the tree below a node.
double cheapest(const Tree& tree, NodeId id, double alpha) {
  const Node& node = tree.node(id);
  const double leaf = node.estimate.loss + alpha;
  return node.is_leaf() ? leaf : std::min(leaf, cheapest(tree, node.left, alpha) + cheapest(tree, node.right, alpha));
}

TEST(CartNumbersPruning, IsTheCheapestPruning) {
  Random random(59);
  for (int trial = 0; trial < 100; ++trial) {
    const Dataset data = random_numbers(random, {.max_rows = 30, .max_values = 8});
    const Tree full = grow::grow_cart(data, {});
    const double of_root = full.node(Tree::root()).estimate.loss;
    for (const double alpha : {0.003, 0.04, 0.3}) {
      const Tree pruned = grow::grow_cart(data, {.ccp_alpha = alpha});
      double cost = alpha * of_root * static_cast<double>(pruned.leaves());
      for (const Node& node : pruned.nodes()) cost += node.is_leaf() ? node.estimate.loss : 0;
      EXPECT_NEAR(cost, cheapest(full, Tree::root(), alpha * of_root), 1e-9 * of_root);
    }
  }
}

// Figures of scikit-learn 1.9.1: DecisionTreeRegressor(max_depth=2) and its cost_complexity_pruning_path.
TEST(CartNumbersFigures, AsScikitLearn) {
  Dataset data = make_data({numbers("a", {1, 2, 3, 4, 5, 6, 7, 8}), numbers("b", {5, 3, 8, 1, 7, 2, 6, 4})}, {}, 0);
  data.response = Response{Loss::squared, {2.0, 2.5, 4.0, 8.0, 9.0, 1.0, 7.5, 12.0}, {}};
  const Tree tree = grow::grow_cart(data, {.max_depth = 2});
  ASSERT_EQ(tree.nodes().size(), 5);
  EXPECT_EQ(*tree.nodes()[0].axis(), (AxisSplit{FeatureId{0}, 7.5}));
  EXPECT_EQ(*tree.nodes()[1].axis(), (AxisSplit{FeatureId{0}, 3.5}));
  std::vector<double> values;
  for (const Node& node : tree.nodes()) {
    if (node.is_leaf()) values.push_back(node.estimate.value);
  }
  std::ranges::sort(values);
  EXPECT_NEAR(values[0], 2.83333333, 1e-8);
  EXPECT_NEAR(values[1], 6.375, 1e-8);
  EXPECT_NEAR(values[2], 12, 1e-8);
  const grow::PruningPath path = grow::cost_complexity_path(grow::grow_cart(data, {}), grow::Criterion::gini);
  const double variance = 13.5;  // of the numbers: shares of it here, the unit of scikit-learn's alphas
  const std::vector<double> alphas = {0, 0.015625, 0.0625, 0.25520833, 2.44921875, 2.68787202, 5.58035714};
  EXPECT_NEAR(path.impurities.back(), 1, 1e-12);
  for (const double alpha : alphas) {
    const auto near = [&](double own) { return std::abs(own * variance - alpha) < 1e-7; };
    EXPECT_TRUE(std::ranges::any_of(path.ccp_alphas, near)) << alpha;
  }
}

}  // namespace
}  // namespace treewright
