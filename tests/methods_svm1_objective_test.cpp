#include "treewright/methods/svm1/objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

// Column x has range 10, y has range 2.
Dataset four_rows() {
  return make_data({numbers("x", {0, 4, 6, 10}), numbers("y", {1, 1, 3, 2}), categories("c", {"p", "q"}, {0, 1, 0, 1})}, {0, 0, 1, 1});
}

Tree by_plane(const Dataset& data, double wx, double wy, double threshold) {
  Tree tree(data);
  HyperplaneSplit plane;
  plane.terms = {{FeatureId{0}, wx, -1, {}}, {FeatureId{1}, wy, -1, {}}};
  plane.threshold = threshold;
  tree.split(Tree::root(), {plane, false});
  tree.tally(data);
  return tree;
}

svm1::Svm1Objective objective(double margin, double slack_price, double weight_price) {
  svm1::Svm1Objective made;
  made.margin = margin;
  made.slack_price = slack_price;
  made.weight_price = weight_price;
  return made;
}

TEST(Svm1Objective, CountsSlackAtTheSplitsThatARowPasses) {
  const Dataset data = four_rows();
  const Tree tree = by_plane(data, 0.02, 0.05, 0.15);
  // Distances: -0.10, -0.02, 0.12, 0.15; |h|_1 = 0.02 * 10 + 0.05 * 2.
  const svm1::Svm1Cost cost = svm1::svm1_cost(tree, data, 0.11, scaled_axes(data, Scaling::unit, false));
  EXPECT_EQ(cost.errors, 0);
  EXPECT_NEAR(cost.slack, 0.01 + 0.09, 1e-12);
  EXPECT_NEAR(cost.weights, 0.3, 1e-12);
  EXPECT_NEAR(objective(0.11, 7, 2).of(tree, data), 0.7 + 0.6, 1e-12);
}

TEST(Svm1Objective, WeightsCountInErrorsAndInSlack) {
  Dataset data = four_rows();
  data.weights = {1, 5, 1, 1};
  EXPECT_NEAR(svm1::svm1_cost(by_plane(data, 0.02, 0.05, 0.15), data, 0.11, scaled_axes(data, Scaling::unit, false)).slack, 0.01 + 5 * 0.09,
              1e-12);
  data.labels = {0, 1, 0, 1};
  EXPECT_EQ(svm1::svm1_cost(by_plane(data, 0.02, 0.05, 0.15), data, 0.11, scaled_axes(data, Scaling::unit, false)).errors, 2);
}

TEST(Svm1Objective, UnitsOfColumnsDoNotMatter) {
  Dataset data = four_rows();
  const double before = objective(0.11, 7, 2).of(by_plane(data, 0.02, 0.05, 0.15), data);
  for (double& x : data.columns[0].values) x = 1000 * x + 50;
  EXPECT_NEAR(objective(0.11, 7, 2).of(by_plane(data, 0.02 / 1000, 0.05, 0.15 + 0.02 / 1000 * 50), data), before, 1e-12);
}

TEST(Svm1Objective, ThresholdsAreHyperplanesAndSetsOfLevelsHaveNoSlack) {
  const Dataset data = four_rows();
  Tree axis(data);
  axis.split(Tree::root(), {AxisSplit{FeatureId{0}, 5}, false});
  axis.tally(data);
  const svm1::Svm1Cost cost = svm1::svm1_cost(axis, data, 0.2, scaled_axes(data, Scaling::unit, false));  // distances -0.5, -0.1, 0.1, 0.5
  EXPECT_NEAR(cost.slack, 0.2, 1e-12);
  EXPECT_EQ(cost.weights, 1);
  Tree set(data);
  set.split(Tree::root(), {CategorySplit{FeatureId{2}, {true, false}}, false});
  set.tally(data);
  const svm1::Svm1Cost of_set = svm1::svm1_cost(set, data, 0.2, scaled_axes(data, Scaling::unit, false));
  EXPECT_EQ(of_set.slack, 0);
  EXPECT_EQ(of_set.weights, 1);
  EXPECT_EQ(of_set.errors, 2);
}

TEST(Svm1Objective, UnitPlanesGoThereAndBack) {
  const Dataset data = four_rows();
  const std::vector<Axis> axes = scaled_axes(data, Scaling::unit, false);
  ASSERT_EQ(axes.size(), 2u);
  const ScaledPlane plane{{0.25, -0.75}, 0.125};
  const HyperplaneSplit raw = in_raw_units(plane, axes);
  for (std::size_t row = 0; row < 4; ++row) {
    const double u = data.columns[0].values[row] / 10, v = (data.columns[1].values[row] - 1) / 2;
    EXPECT_NEAR(svm1::svm1_distance({raw, false}, data, row, axes), 0.25 * u - 0.75 * v - 0.125, 1e-12);
  }
  const ScaledPlane back = in_scaled_units(raw, axes);
  EXPECT_NEAR(back.h[0], 0.25, 1e-12);
  EXPECT_NEAR(back.h[1], -0.75, 1e-12);
  EXPECT_NEAR(back.g, 0.125, 1e-12);
}

}  // namespace
}  // namespace treewright
