// Trees that predict numbers: estimates of nodes, predictions and scores against sums by hand.

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/numbers_data.h"
#include "treewright/tree.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;
using testing::random_numbers;
using testing::two_sums_loss;

// size: 1 2 3 4; price: 10 14 40 46.
Dataset houses() {
  Dataset data = make_data({numbers("size", {1, 2, 3, 4})}, {}, 0);
  data.target_name = "price";
  data.response = Response{Loss::squared, {10, 14, 40, 46}, {}};
  return data;
}

Tree split_at(const Dataset& data, double threshold) {
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, threshold}});
  tree.tally(data);
  return tree;
}

TEST(NumberTree, LeavesPredictMeans) {
  const Dataset data = houses();
  const Tree tree = split_at(data, 2.5);
  EXPECT_EQ(tree.loss, Loss::squared);
  EXPECT_EQ(tree.nodes()[0].estimate, (Estimate{27.5, 4, 4, 987}));
  EXPECT_EQ(tree.nodes()[1].estimate, (Estimate{12, 2, 2, 8}));
  EXPECT_EQ(tree.nodes()[2].estimate, (Estimate{43, 2, 2, 18}));
  EXPECT_EQ(tree.predict_values(data), (std::vector<double>{12, 12, 43, 43}));
  EXPECT_EQ(total_loss(tree, data), 26);
}

TEST(NumberTree, RatesAreEventsForEachUnitOfExposure) {
  Dataset data = houses();
  data.response = Response{Loss::poisson, {1, 2, 0, 0}, {2, 4, 1, 3}};
  const Tree tree = split_at(data, 2.5);
  EXPECT_EQ(tree.nodes()[1].estimate, (Estimate{0.5, 2, 6, 0}));
  EXPECT_EQ(tree.nodes()[2].estimate, (Estimate{0, 2, 4, 0}));
  EXPECT_EQ(tree.nodes()[0].estimate.value, 0.3);
  EXPECT_NEAR(tree.nodes()[0].estimate.loss, 3 * std::log(0.5) - 3 * std::log(0.3), 1e-12);
}

TEST(NumberTree, EstimatesAreTheFormulaOfTwoSums) {
  Random random(31);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const Loss loss = trial % 2 == 0 ? Loss::squared : Loss::poisson;
    const Dataset data = random_numbers(random, {.categories = true, .missing = true}, loss);
    Tree tree(data);
    const Column& first = data.columns[0];
    Split split;
    if (first.kind == ColumnKind::numeric) {
      split.rule = AxisSplit{FeatureId{0}, 0.25};
    } else {
      std::vector<bool> left(first.levels.size(), false);
      left[0] = true;
      split.rule = CategorySplit{FeatureId{0}, left};
    }
    const auto [left, right] = tree.split(Tree::root(), split);
    tree.tally(data);
    std::vector<std::vector<std::size_t>> reached(3);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      reached[0].push_back(row);
      reached[+tree.route(data, row)].push_back(row);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(tree.nodes()[i].rows, static_cast<std::int64_t>(reached[i].size()));
      EXPECT_NEAR(tree.nodes()[i].estimate.loss, two_sums_loss(data, reached[i]), 1e-9);
    }
    const double of_leaves = tree.node(left).estimate.loss + tree.node(right).estimate.loss;
    EXPECT_NEAR(total_loss(tree, data), of_leaves, 1e-9);
    EXPECT_LE(of_leaves, tree.nodes()[0].estimate.loss + 1e-9);
    EXPECT_NEAR(score_numbers(tree, data).explained, 1 - of_leaves / tree.nodes()[0].estimate.loss, 1e-9);
  }
}

TEST(NumberTree, SmallDifferencesOfLargeNumbersAreKept) {
  Dataset data = houses();
  for (double& value : data.response->values) value += 1e9;
  EXPECT_EQ(split_at(data, 2.5).nodes()[1].estimate.loss, 8);
}

TEST(NumberTree, EmptyNodesKeepTheValueAbove) {
  const Dataset data = houses();
  const Tree tree = split_at(data, 100);
  EXPECT_EQ(tree.nodes()[2].rows, 0);
  EXPECT_EQ(tree.nodes()[2].estimate, (Estimate{27.5, 0, 0, 0}));
}

TEST(NumberTree, ScoresAreOfTheRowsAtHand) {
  Dataset data = houses();
  const Tree tree = split_at(data, 2.5);
  const NumberScores scores = score_numbers(tree, data);
  EXPECT_DOUBLE_EQ(scores.explained, 1 - 26.0 / 987);
  EXPECT_DOUBLE_EQ(scores.rmse, std::sqrt(26.0 / 4));
  EXPECT_DOUBLE_EQ(scores.mae, 2.5);
  Dataset other = data;
  other.response->values = {12, 12, 43, 44};
  EXPECT_DOUBLE_EQ(score_numbers(split_at(data, 2.5), other).mae, 0.25);
  data.response->values.assign(data.rows(), 0.1);
  EXPECT_EQ(score_numbers(tree, data).explained, 0) << "though the mean is not quite 0.1";
  const std::vector<double> few = {1, 2};
  expect_error([&] { score_numbers(few, data); }, {"one for each row"});
}

TEST(NumberTree, ClassesAndNumbersDoNotMix) {
  const Dataset data = houses();
  const Tree tree = split_at(data, 2.5);
  expect_error([&] { (void)tree.predict(data); }, {"predicts numbers", "classes"});
  expect_error([&] { (void)tree.predict_proba(data); }, {"predicts numbers"});
  const Dataset labeled = make_data({numbers("size", {1, 2, 3, 4})}, {0, 1, 0, 1});
  const Tree classes(labeled);
  expect_error([&] { (void)classes.predict_values(labeled); }, {"predicts classes"});
  expect_error([&] { (void)align(labeled, tree); }, {"has classes, and the tree predicts numbers"});
  expect_error([&] { (void)align(data, classes); }, {"has numbers, and the tree predicts classes"});
  Dataset rates = data;
  rates.response->loss = Loss::poisson;
  expect_error([&] { (void)total_loss(tree, rates); }, {"its loss is poisson, and the tree's is squared"});
}

TEST(NumberTree, SplitsThatDoNotPayGo) {
  const Dataset data = houses();
  Tree tree = split_at(data, 2.5);
  tree.simplify(960);
  EXPECT_EQ(tree.splits(), 1);
  tree.simplify(962);
  EXPECT_EQ(tree.splits(), 0);
  Tree deep = split_at(data, 2.5);
  deep.split(NodeId{1}, {AxisSplit{FeatureId{0}, 1.5}});
  deep.split(NodeId{2}, {AxisSplit{FeatureId{0}, 3.5}});
  deep.tally(data);
  trim(deep, 2, 2);
  EXPECT_TRUE(deep.node(NodeId{1}).is_leaf());  // its split saves 8, the other 18
  EXPECT_FALSE(deep.node(NodeId{2}).is_leaf());
}

}  // namespace
}  // namespace treewright
