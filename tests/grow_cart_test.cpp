#include "treewright/grow/cart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/cart_reference.h"
#include "support/make_data.h"
#include "treewright/base/random.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::best_decrease;
using testing::categories;
using testing::decrease;
using testing::kCriteria;
using testing::make_data;
using testing::numbers;
using testing::random_cart_data;
using testing::Rows;
using testing::RowWeights;
using testing::weighty_rows;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Nodes without the counts, for trees grown on data that tally differently.
bool same_splits(const Tree& a, const Tree& b) {
  if (a.nodes().size() != b.nodes().size()) return false;
  for (std::size_t i = 0; i < a.nodes().size(); ++i) {
    const Node &x = a.nodes()[i], &y = b.nodes()[i];
    if (x.split != y.split || x.left != y.left || x.right != y.right || x.label != y.label) return false;
  }
  return true;
}

AxisSplit axis(const Tree& tree, std::int32_t node = 0) {
  return std::get<AxisSplit>(tree.nodes().at(node).split->rule);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// By hand

TEST(Impurity, ByHand) {
  const std::vector<double> weight{1, 3};
  EXPECT_DOUBLE_EQ(grow::impurity(grow::Criterion::gini, weight), 0.375);
  EXPECT_DOUBLE_EQ(grow::impurity(grow::Criterion::entropy, weight), 2 - 0.75 * std::log2(3.0));
  EXPECT_DOUBLE_EQ(grow::impurity(grow::Criterion::misclassification, weight), 0.25);
  EXPECT_EQ(grow::impurity(grow::Criterion::gini, std::vector<double>{0, 0}), 0.0);
  for (const grow::Criterion criterion : kCriteria) EXPECT_EQ(grow::impurity(criterion, std::vector<double>{0, 0.3, 0}), 0.0);
}

TEST(Cart, SplitsInTheMiddleOfTheGap) {
  const Tree tree = grow::grow_cart(make_data({numbers("x", {4, 1, 3, 2})}, {1, 0, 1, 0}));
  ASSERT_EQ(tree.splits(), 1u);
  EXPECT_EQ(axis(tree), (AxisSplit{FeatureId{0}, 2.5}));
  EXPECT_EQ(tree.nodes()[1].label, 0);
  EXPECT_EQ(tree.nodes()[2].label, 1);
  EXPECT_EQ(tree.nodes()[0].rows, 4);
  EXPECT_EQ(tree.nodes()[1].class_weight, (std::vector<double>{2, 0}));
}

// The tennis data of Quinlan (1986). Shares of "play": sunny 2/5, rain 3/5, overcast 4/4.
TEST(Cart, PlayTennis) {
  const Dataset data = make_data({categories("outlook", {"overcast", "rain", "sunny"}, {2, 2, 0, 1, 1, 1, 0, 2, 2, 1, 2, 0, 0, 1}),
                                  categories("temperature", {"cool", "hot", "mild"}, {1, 1, 1, 2, 0, 0, 0, 2, 0, 2, 2, 2, 1, 2}),
                                  categories("humidity", {"high", "normal"}, {0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0}),
                                  categories("windy", {"no", "yes"}, {0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1})},
                                 {0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0});
  const Tree tree = grow::grow_cart(data, {.criterion = grow::Criterion::entropy});
  // 0.940 - 10/14 bits are gained by overcast against the rest, 0.152 by humidity.
  EXPECT_EQ(tree.nodes()[0].split->rule, SplitRule(CategorySplit{FeatureId{0}, {false, true, true}}));
  EXPECT_EQ(tree.nodes()[0].class_weight, (std::vector<double>{5, 9}));
  EXPECT_EQ(tree.nodes()[1].class_weight, (std::vector<double>{5, 5}));
  EXPECT_EQ(count_errors(tree, data), 0);
}

TEST(Cart, SplitsWithoutGainAsOnXor) {
  const Dataset data = make_data({numbers("x", {0, 0, 1, 1}), numbers("y", {0, 1, 0, 1})}, {0, 1, 1, 0});
  for (const grow::Criterion criterion : kCriteria) {
    const Tree tree = grow::grow_cart(data, {.criterion = criterion});
    EXPECT_EQ(tree.splits(), 3u);
    EXPECT_EQ(count_errors(tree, data), 0);
  }
}

TEST(Cart, OneClassOrNothingToSplitOnGivesALeaf) {
  EXPECT_EQ(grow::grow_cart(make_data({numbers("x", {1, 2, 3})}, {1, 1, 1})).nodes().size(), 1u);
  EXPECT_EQ(grow::grow_cart(make_data({numbers("x", {1, 2, 3})}, {1, 1, 1})).nodes()[0].label, 1);
  EXPECT_EQ(grow::grow_cart(make_data({numbers("x", {7, 7, 7})}, {0, 1, 1})).nodes().size(), 1u);
  EXPECT_EQ(grow::grow_cart(make_data({numbers("x", {kNaN, kNaN, kNaN})}, {0, 1, 1})).nodes().size(), 1u);
  EXPECT_EQ(grow::grow_cart(make_data({categories("x", {"a"}, {0, -1, 0})}, {0, 1, 1})).nodes().size(), 1u);
  EXPECT_EQ(grow::grow_cart(make_data({}, {0, 1, 1})).nodes().size(), 1u);
}

TEST(Cart, TiesGoToTheLowestFeatureThenTheLowestThreshold) {
  // Both features, and in each the cuts at 0.5 and 2.5, are equally good.
  const Tree tree = grow::grow_cart(make_data({numbers("x", {3, 2, 1, 0}), numbers("y", {0, 1, 2, 3})}, {1, 0, 0, 1}), {.max_depth = 1});
  EXPECT_EQ(axis(tree), (AxisSplit{FeatureId{0}, 0.5}));
}

TEST(Cart, TiesAreNotDecidedByTheOrderOfSums) {
  // Both features can part the rows into odd and even ones, but the second lists the even ones backwards, and
  // 0.1 + 0.2 + 0.3 depends on the order.
  Random random(3);
  int ties = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> sides, fine;
    Dataset data;
    for (int row = 0; row < 12; ++row) {
      sides.push_back(row % 2 == 1 ? 1.0 : -1.0);
      fine.push_back(row % 2 == 1 ? 1.0 : -1.0 - 0.01 * row);
      data.labels.push_back(random.uniform() < 0.8 ? row % 2 : 1 - row % 2);
      data.weights.push_back(0.1 * static_cast<double>(1 + random.below(9)));
    }
    data.class_names = {"a", "b"};
    data.columns = {numbers("sides", sides), numbers("fine", fine)};
    Rows left, right;
    const Split first{AxisSplit{FeatureId{0}, 0.0}, false};
    const double gain = decrease(data, weighty_rows(data), first, grow::Criterion::gini, left, right);
    if (best_decrease(data, weighty_rows(data), {}) > gain + 1e-9) continue;
    const Tree tree = grow::grow_cart(data, {.max_depth = 1});
    if (tree.splits() == 0) continue;
    ++ties;
    EXPECT_EQ(+axis(tree).feature, 0) << "trial " << trial;
  }
  EXPECT_GT(ties, 50);
}

TEST(Cart, SeparatesNeighboringDoubles) {
  const double one = 1.0, next = std::nextafter(1.0, 2.0);
  const Dataset data = make_data({numbers("x", {one, next, one, next})}, {0, 1, 0, 1});
  EXPECT_EQ(count_errors(grow::grow_cart(data), data), 0);
}

TEST(Cart, MissingValuesGoWhereTheyGainMost) {
  // The rows without x are of class 1, which is on the right, then on the left.
  const Tree right = grow::grow_cart(make_data({numbers("x", {1, 2, 3, 4, kNaN, kNaN})}, {0, 0, 1, 1, 1, 1}));
  ASSERT_EQ(right.splits(), 1u);
  EXPECT_FALSE(right.nodes()[0].split->missing_left);
  const Tree left = grow::grow_cart(make_data({numbers("x", {1, 2, 3, 4, kNaN, kNaN})}, {1, 1, 0, 0, 1, 1}));
  ASSERT_EQ(left.splits(), 1u);
  EXPECT_TRUE(left.nodes()[0].split->missing_left);
  EXPECT_EQ(left.nodes()[1].rows, 4);
  const Tree category = grow::grow_cart(make_data({categories("x", {"a", "b"}, {0, 0, 1, 1, -1, -1})}, {0, 0, 1, 1, 0, 0}));
  ASSERT_EQ(category.splits(), 1u);
  EXPECT_TRUE(category.nodes()[0].split->missing_left);
}

TEST(Cart, WhatTrainingDoesNotShowFollowsTheHeavierChild) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5})}, {0, 0, 0, 1, 1});
  EXPECT_TRUE(grow::grow_cart(data).nodes()[0].split->missing_left);
  data.weights = {1, 1, 1, 2, 2};
  EXPECT_FALSE(grow::grow_cart(data).nodes()[0].split->missing_left);
  // Level "c" occurs in no row.
  data = make_data({categories("x", {"a", "b", "c"}, {0, 0, 0, 1, 1})}, {0, 0, 0, 1, 1});
  EXPECT_EQ(grow::grow_cart(data).nodes()[0].split->rule, SplitRule(CategorySplit{FeatureId{0}, {true, false, true}}));
}

TEST(Cart, ManyLevelsAndClassesPartOneLevelFromTheRest) {
  // Three classes, seven levels; level 4 alone holds class 2.
  const Dataset data = make_data({categories("x", {"0", "1", "2", "3", "4", "5", "6"}, {0, 1, 2, 3, 4, 4, 4, 5, 6, 0, 1, 2, 3, 5, 6})},
                                 {0, 1, 0, 1, 2, 2, 2, 0, 1, 1, 0, 1, 0, 1, 0}, 3);
  const Tree tree = grow::grow_cart(data, {.max_depth = 1});
  const auto rule = std::get<CategorySplit>(tree.nodes()[0].split->rule);
  EXPECT_EQ(std::count(rule.left.begin(), rule.left.end(), rule.left[4]), 1);
  EXPECT_EQ(tree.nodes()[rule.left[4] ? 1 : 2].class_weight, (std::vector<double>{0, 0, 3}));
}

// ---------------------------------------------------------------------------------------------------------------------------------
// Invariances

TEST(Cart, WeightTwoIsTheRowTwice) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    Dataset data = random_cart_data(random, 20, 3, trial % 2 == 1, trial % 3 == 1, RowWeights::whole);
    Rows repeated;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      for (int i = 0; i < static_cast<int>(data.weights[row]); ++i) repeated.push_back(static_cast<std::int32_t>(row));
    }
    if (repeated.size() < 2) continue;
    Dataset copies = data.subset(repeated);
    copies.weights.clear();
    for (const grow::Criterion criterion : kCriteria) {
      const grow::CartOptions options{.criterion = criterion};
      const Tree a = grow::grow_cart(data, options), b = grow::grow_cart(copies, options);
      EXPECT_TRUE(same_splits(a, b)) << "trial " << trial;
      for (std::size_t i = 0; i < std::min(a.nodes().size(), b.nodes().size()); ++i) {
        EXPECT_EQ(a.nodes()[i].class_weight, b.nodes()[i].class_weight);
      }
    }
  }
}

TEST(Cart, WeightZeroIsNoRow) {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Dataset data = random_cart_data(random, 25, 3, trial % 2 == 1, trial % 3 == 1, RowWeights::whole);
    const Rows weighty = weighty_rows(data);
    const grow::CartOptions options{.min_leaf_rows = 1 + trial % 3, .max_leaf_nodes = trial % 5 == 0 ? 4 : -1};
    EXPECT_TRUE(same_splits(grow::grow_cart(data, options), grow::grow_cart(data.subset(weighty), options))) << "trial " << trial;
  }
}

TEST(Cart, OnlyTheOrderOfValuesMatters) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Dataset data = random_cart_data(random, 25, 3, false, true, RowWeights::none);
    Dataset stretched = data;
    for (Column& column : stretched.columns) {
      for (double& value : column.values) value = std::exp(value);
    }
    EXPECT_EQ(grow::grow_cart(data).predict(data), grow::grow_cart(stretched).predict(stretched));
  }
}

TEST(Cart, CountsAreThoseOfARecount) {
  Random random(8);
  const Dataset data = random_cart_data(random, 200, 3, true, true, RowWeights::real);
  Tree tree = grow::grow_cart(data, {.max_depth = 4});
  const Tree grown = tree;
  tree.tally(data);
  EXPECT_EQ(tree, grown);
  EXPECT_EQ(tree.nodes()[0].rows, 200);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// Limits

TEST(Cart, DepthLimitCutsTheFullTree) {
  Random random(9);
  const Dataset data = random_cart_data(random, 150, 3, true, false, RowWeights::none);
  const Tree full = grow::grow_cart(data);
  ASSERT_GT(full.depth(), 4);
  for (int depth = 0; depth <= full.depth(); ++depth) {
    Tree cut = full;
    trim(cut, depth, -1);
    const Tree grown = grow::grow_cart(data, {.max_depth = depth});
    EXPECT_EQ(grown.depth(), depth);
    EXPECT_EQ(grown.predict(data), cut.predict(data));
    EXPECT_EQ(grown.splits(), cut.splits());
  }
}

TEST(Cart, SmallNodesAndSmallGainsAreNotSplit) {
  Random random(44);
  const Dataset data = random_cart_data(random, 80, 3, true, false, RowWeights::none);
  grow::CartOptions how;
  const Tree full = grow::grow_cart(data, how);
  how.min_split_rows = 20;
  const Tree large = grow::grow_cart(data, how);
  for (const Node& node : large.nodes()) EXPECT_TRUE(node.is_leaf() || node.rows >= 20);
  how.min_split_rows = 81;
  EXPECT_EQ(grow::grow_cart(data, how).splits(), 0u);
  how = {};
  how.min_impurity_decrease = 0.02;
  const Tree coarse = grow::grow_cart(data, how);
  EXPECT_LT(coarse.splits(), full.splits());
  EXPECT_GT(coarse.splits(), 0u);
  const auto mass = [](const Node& node) {
    return static_cast<double>(node.rows) * grow::impurity(grow::Criterion::gini, node.class_weight);
  };
  for (const Node& node : coarse.nodes()) {
    if (node.is_leaf()) continue;
    EXPECT_GE((mass(node) - mass(coarse.node(node.left)) - mass(coarse.node(node.right))) / 80, 0.02 - 1e-12);
  }
}

TEST(Cart, MaxLeafNodesTakesTheLargestGainFirst) {
  Random random(10);
  for (int trial = 0; trial < 20; ++trial) {
    const Dataset data = random_cart_data(random, 80, 2, false, false, RowWeights::real);
    const Tree full = grow::grow_cart(data);
    std::vector<Rows> reached(full.nodes().size());
    std::vector<double> gain(full.nodes().size(), 0.0);
    reached[0] = weighty_rows(data);
    for (std::size_t i = 0; i < full.nodes().size(); ++i) {
      const Node& node = full.nodes()[i];
      if (node.is_leaf()) continue;
      gain[i] = decrease(data, reached[i], *node.split, grow::Criterion::gini, reached[+node.left], reached[+node.right]);
    }
    // The same choice made on the finished tree: open the node of largest gain among those reached.
    std::vector<std::int32_t> open{0};
    std::vector<double> opened;
    for (std::int64_t leaves = 2; leaves <= 12; ++leaves) {
      const auto best = std::max_element(open.begin(), open.end(), [&](auto a, auto b) { return gain[a] < gain[b]; });
      const Node node = full.nodes()[*best];
      ASSERT_FALSE(node.is_leaf());
      opened.push_back(gain[*best]);
      open.erase(best);
      for (const NodeId child : {node.left, node.right}) {
        if (!full.node(child).is_leaf()) open.push_back(+child);
      }
      const Tree grown = grow::grow_cart(data, {.max_leaf_nodes = leaves});
      ASSERT_EQ(grown.leaves(), static_cast<std::size_t>(leaves));
      double total = 0, wanted = std::accumulate(opened.begin(), opened.end(), 0.0);
      std::vector<Rows> rows(grown.nodes().size());
      rows[0] = weighty_rows(data);
      for (std::size_t i = 0; i < grown.nodes().size(); ++i) {
        const Node& inner = grown.nodes()[i];
        if (!inner.is_leaf()) total += decrease(data, rows[i], *inner.split, grow::Criterion::gini, rows[+inner.left], rows[+inner.right]);
      }
      EXPECT_NEAR(total, wanted, 1e-9) << "trial " << trial << ", leaves " << leaves;
      if (open.empty()) break;
    }
  }
}

TEST(Cart, MaxLeafNodesThatNeverBindsChangesNothing) {
  Random random(11);
  const Dataset data = random_cart_data(random, 60, 3, true, true, RowWeights::none);
  const Tree full = grow::grow_cart(data), ordered = grow::grow_cart(data, {.max_leaf_nodes = 1000});
  EXPECT_EQ(full.leaves(), ordered.leaves());
  EXPECT_EQ(full.predict(data), ordered.predict(data));
  EXPECT_EQ(grow::grow_cart(data, {.max_leaf_nodes = 1}).leaves(), 1u);
}

TEST(Cart, MaxSplitsTrimsTheGrownTree) {
  Random random(12);
  const Dataset data = random_cart_data(random, 100, 2, true, false, RowWeights::none);
  for (const std::int64_t splits : {0, 1, 3, 7}) {
    Tree trimmed = grow::grow_cart(data, {.max_depth = 4});
    trim(trimmed, 4, splits);
    const Tree tree = grow::grow_cart(data, {.max_depth = 4, .max_splits = splits});
    EXPECT_EQ(tree, trimmed);
    EXPECT_EQ(tree.splits(), static_cast<std::size_t>(splits));
  }
}

}  // namespace
}  // namespace treewright
