#include "treewright/methods/mm_svm/objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

mm_svm::MmSvmObjective mm_svm(double c1, double c3, std::int64_t levels) {
  mm_svm::MmSvmObjective objective;
  objective.levels = levels;
  objective.slack_cost = c1;
  objective.split_price = c3;
  return objective;
}

HyperplaneSplit plane(double weight, double threshold) {
  return {{{FeatureId{0}, weight, -1, 0.0}}, threshold};
}

TEST(MmSvmObjective, ALeafCostsItsMinorityAtEveryLevelBelowIt) {
  const Dataset data = make_data({numbers("x", {0, 1, 2, 3, 4})}, {0, 0, 0, 1, 1});
  EXPECT_DOUBLE_EQ(mm_svm(3, 7, 1).of(Tree(data), data), 2 * 3 * 2);
  EXPECT_DOUBLE_EQ(mm_svm(3, 7, 3).of(Tree(data), data), 3 * 2 * 3 * 2);
}

TEST(MmSvmObjective, OfTheSplitsTheLongestWeightsCount) {
  Dataset data = make_data({numbers("x", {0, 1, 2, 3, 4})}, {0, 0, 1, 0, 0});
  // On x / 4: root w = 8, h = 2 x - 3 with margins 3, 1, 1, -3, -5; below it w = 4, h = 2.5 - x with -0.5 on x = 4 and 3, 0.5 on x = 2.
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), {plane(2, 3), false});
  EXPECT_EQ(tree.node(Tree::root()).left, left);
  tree.split(right, {plane(-1, -2.5), false});
  const double slacks = (1 + 3) + (1 + 5) + 0.5 + 0.5 + 0;
  EXPECT_DOUBLE_EQ(mm_svm(10, 7, 2).of(tree, data), 32 + 10 * slacks + 2 * 7);
  data.weights = {1, 1, 2, 1, 1};
  EXPECT_DOUBLE_EQ(mm_svm(10, 7, 2).of(tree, data), 32 + 10 * (slacks + 0.5) + 2 * 7);
  EXPECT_TRUE(std::isinf(mm_svm(10, 7, 1).of(tree, data)));
}

TEST(MmSvmObjective, SetsOfLevelsAreNoHyperplanes) {
  const Dataset data = make_data({numbers("x", {0, 4, 0, 4}), categories("c", {"a", "b"}, {0, 1, 0, 1})}, {0, 1, 0, 1});
  Tree tree(data);
  tree.split(Tree::root(), {CategorySplit{FeatureId{1}, {true, false}}, false});
  EXPECT_TRUE(std::isinf(mm_svm(1, 1, 1).of(tree, data)));
  Tree axis(data);
  axis.split(Tree::root(), {AxisSplit{FeatureId{0}, 2}, false});
  EXPECT_DOUBLE_EQ(mm_svm(1, 1, 1).of(axis, data), 0.5 + 4 * 0.5 + 1);  // w = 1, h = x / 4 - 0.5
}

// Trees that a file may hold, cheaper than any tree of the model.
TEST(MmSvmObjective, OnlyHyperplanesOfTheModelCount) {
  const Dataset data = make_data({numbers("x", {0, 1, 2, 7, 8, NAN}), numbers("same", {3, 3, 3, 3, 3, NAN})}, {0, 0, 0, 1, 1, 1});
  const auto cost_of = [&](Split split) {
    Tree tree(data);
    tree.split(Tree::root(), std::move(split));
    return mm_svm(1, 1, 1).of(tree, data);
  };
  // The last row has the mean of x, 3.6, whatever the tree says.
  EXPECT_TRUE(std::isfinite(cost_of({AxisSplit{FeatureId{0}, 4.5}, true})));
  EXPECT_TRUE(std::isinf(cost_of({AxisSplit{FeatureId{0}, 4.5}, false})));
  HyperplaneSplit elsewhere = plane(0.4, 1.8);
  elsewhere.terms.front().if_missing = 100;
  EXPECT_TRUE(std::isinf(cost_of({elsewhere, false})));
  EXPECT_TRUE(std::isinf(cost_of({AxisSplit{FeatureId{1}, 4}, false})));
}

TEST(MmSvmObjective, OnePriceOfSlack) {
  Options options;
  options.method = "mm-svm";
  options.max_depth = 2;
  options.level_costs = "5";
  options.ccp_alpha = 0.5;
  EXPECT_EQ(mm_svm::MmSvmObjective::from(options).slack_cost, 5);
  EXPECT_EQ(mm_svm::MmSvmObjective::from(options).levels, 2);
  EXPECT_EQ(mm_svm::MmSvmObjective::from(options).split_price, 0.5);
  options.level_costs = "1,2";
  expect_error([&] { mm_svm::MmSvmObjective::from(options); }, {"option 'level_costs'", "one price"});
}

}  // namespace
}  // namespace treewright
