#include "treewright/methods/margot/objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

margot::MargotObjective margot(std::vector<double> costs) {
  margot::MargotObjective objective;
  objective.level_costs = std::move(costs);
  return objective;
}

HyperplaneSplit plane(double weight, double threshold, std::int32_t feature = 0, std::int32_t level = -1) {
  return {{{FeatureId{feature}, weight, level, 0.0}}, threshold};
}

// DGMP23 sec. 3: a node with w = 0 costs 2 C for each row of the minority, and nothing where all are of one class.
TEST(MargotObjective, ALeafStandsForNodesWithoutDirection) {
  const Dataset data = make_data({numbers("x", {0, 1, 2, 3, 4})}, {0, 0, 0, 1, 1});
  EXPECT_EQ(Tree(data).depth(), 0);
  EXPECT_DOUBLE_EQ(margot({3}).of(Tree(data), data), 2 * 3 * 2);
  EXPECT_DOUBLE_EQ(margot({3, 10, 0.5}).of(Tree(data), data), 2 * (3 + 10 + 0.5) * 2);
  const std::vector<std::int32_t> pure = {0, 1, 2};
  EXPECT_DOUBLE_EQ(margot({3, 10}).of(Tree(data), data.subset(pure)), 0);
}

TEST(MargotObjective, ASplitCostsItsWidthAndSlacks) {
  // On x / 4 the split 2 x < 5 is w = 8, h = 2 x - 5: margins -5, -3, -1, 1, 3.
  Dataset data = make_data({numbers("x", {0, 1, 2, 3, 4})}, {0, 0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {plane(2, 5), false});
  EXPECT_DOUBLE_EQ(margot({3}).of(tree, data), 32);
  // h = x - 2.5: margins 2.5, 1.5, 0.5, 0.5, 1.5; twice half a unit of slack, one of double weight.
  data.weights = {1, 1, 1, 2, 1};
  Tree wide(data);
  wide.split(Tree::root(), {plane(1, 2.5), false});
  EXPECT_DOUBLE_EQ(margot({3}).of(wide, data), 8 + 3 * (0.5 + 2 * 0.5));
}

TEST(MargotObjective, ASubtreeStandsAtTheLevelWhereItIsCheapest) {
  const Dataset data = make_data({numbers("x", {0, 1, 2, 3, 4})}, {0, 0, 0, 1, 0});
  Tree tree(data);
  tree.split(Tree::root(), {plane(2, 5), false});
  // At the root: width, the last row on the wrong side with margin 3, then a leaf of two classes; below a node with w = 0: 2 C_0 for the
  // one row.
  EXPECT_DOUBLE_EQ(margot({1, 0.01}).of(tree, data), 2 * 1 + 32 + 0.01 * 4);
  EXPECT_DOUBLE_EQ(margot({1, 100}).of(tree, data), std::min(32 + 1 * 4 + 2 * 100.0, 2 * 1 + 32 + 100 * 4.0));
  EXPECT_TRUE(std::isinf(margot({}).of(tree, data)));
}

TEST(MargotObjective, FeaturesBeyondTheBudgetAndLevelsOfCategories) {
  const Dataset data = make_data({numbers("x", {0, 4, 0, 4}), categories("c", {"a", "b", "d"}, {0, 1, 2, -1})}, {0, 1, 0, 1});
  Tree tree(data);
  HyperplaneSplit both = plane(1, 2);
  both.terms.push_back({FeatureId{1}, 3, 2, 0.25});
  tree.split(Tree::root(), {both, false});
  // h: -2, 2, 1, 2.75.
  margot::MargotObjective objective = margot({10});
  const double margins = (16 + 9) / 2.0 + 10 * 2;
  EXPECT_DOUBLE_EQ(objective.of(tree, data), std::min(2 * 10 * 2.0, margins));
  objective.level_costs = {100};
  EXPECT_DOUBLE_EQ(objective.of(tree, data), 12.5 + 100 * 2);
  objective.feature_budgets = {1};
  objective.alpha = 7;
  EXPECT_DOUBLE_EQ(objective.of(tree, data), 12.5 + 100 * 2 + 7);
}

TEST(MargotObjective, ASplitBeyondTheLimitOfItsLevelDoesNotCount) {
  const Dataset data = make_data({numbers("x", {0, 4, 0, 4}), numbers("z", {0, 1, 1, 2})}, {0, 1, 0, 1});
  Tree tree(data);
  HyperplaneSplit both = plane(1, 2);
  both.terms.push_back({FeatureId{1}, 0.5, -1, {}});
  tree.split(Tree::root(), {both, false});
  margot::MargotObjective objective = margot({1, 100});
  const double free = objective.of(tree, data);
  objective.feature_limits = {2, 2};
  EXPECT_EQ(objective.of(tree, data), free);
  objective.feature_limits = {1, 2};
  const double below = 1 * 2 * 2.0;  // the root has no weights, and half of the rows are on its wrong side
  objective.level_costs = {1, 1};
  EXPECT_GT(objective.of(tree, data), below) << "the split counts at the second level only";
  objective.feature_limits = {1, 1};
  EXPECT_GE(objective.of(tree, data), 2 * below);
  const auto read = margot::MargotObjective::kKind.from_parameters(objective.parameters());
  EXPECT_EQ(read->of(tree, data), objective.of(tree, data));
  EXPECT_NE(read->formula().find("most features of a split: 1, 1"), std::string::npos);
}

// Trees that a file may hold, cheaper than any tree of the model.
TEST(MargotObjective, OnlyHyperplanesOfTheModelCount) {
  const Dataset data =
      make_data({numbers("x", {0, 1, 2, 7, 8, NAN}), numbers("same", {3, 3, 3, 3, 3, 3}), categories("g", {"a", "b"}, {0, 0, 0, 1, 1, 1})},
                {0, 0, 0, 1, 1, 1});
  const auto cost_of = [&](Split split) {
    Tree tree(data);
    tree.split(Tree::root(), std::move(split));
    return margot({100}).of(tree, data);
  };
  const double honest = cost_of({plane(2, 1, 2, 1), false});
  EXPECT_DOUBLE_EQ(honest, 2);
  // A category of two levels has one axis. A constant column has none.
  EXPECT_TRUE(std::isinf(cost_of({plane(-2, -1, 2, 0), false})));
  EXPECT_TRUE(std::isinf(cost_of({plane(1, 4, 1), false})));
  // The same weight in two parts.
  HyperplaneSplit twice = plane(1, 1, 2, 1);
  twice.terms.push_back(twice.terms.front());
  EXPECT_TRUE(std::isinf(cost_of({twice, false})));
  // The last row has the mean of x, 3.6, whatever the tree says.
  HyperplaneSplit elsewhere = plane(0.4, 1.8);
  elsewhere.terms.front().if_missing = 100;
  EXPECT_TRUE(std::isinf(cost_of({elsewhere, false})));
  EXPECT_TRUE(std::isinf(cost_of({AxisSplit{FeatureId{0}, 4.5}, false})));
  const double by_mean = cost_of({AxisSplit{FeatureId{0}, 4.5}, true});
  EXPECT_DOUBLE_EQ(by_mean, 0.5 * 8 * 8 + 100 * (1 + 0.9));
}

TEST(MargotObjective, LevelsMustFitTheDepth) {
  Options options;
  options.method = "margot";
  options.max_depth = 2;
  options.level_costs = "1,2";
  EXPECT_EQ(margot::MargotObjective::from(options).level_costs, (std::vector<double>{1, 2}));
  options.level_costs = "0.5";
  EXPECT_EQ(margot::MargotObjective::from(options).level_costs, (std::vector<double>{0.5, 0.5}));
  options.level_costs = "1,2,3";
  expect_error([&] { margot::MargotObjective::from(options); }, {"option 'level_costs'", "3 values", "2 levels"});
  for (const char* wrong : {"1e308", "inf", "nan", "-1"}) {
    options.level_costs = wrong;
    expect_error([&] { margot::MargotObjective::from(options); }, {"option 'level_costs'", wrong, "1e+100"});
  }
  options.level_costs = "1,x";
  expect_error([&] { margot::MargotObjective::from(options); }, {"option 'level_costs'", "'1,x'"});
}

}  // namespace
}  // namespace treewright
