#include "treewright/grow/logistic_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/base/random.h"
#include "treewright/svm/logistic.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

// Classes around places on a circle, `noise` apart.
Dataset circle(int classes, double noise, int rows) {
  Random random(53);
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < rows; ++row) {
    labels.push_back(row % classes);
    const double angle = 6.283185307 * labels.back() / classes;
    x.push_back(std::cos(angle) + noise * random.normal());
    y.push_back(std::sin(angle) + noise * random.normal());
  }
  return testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, std::move(labels), classes);
}

Tree grown(const Dataset& data, int depth, double cost = 1) {
  return grow::grow_logistic_tree(data, ScaledPoints(data, Scaling::standard), depth, cost).to_tree(data);
}

// What the regression predicts for the rows it was trained on.
std::vector<std::int32_t> predicted(const Dataset& data, double cost) {
  const ScaledPoints points(data, Scaling::standard);
  svm::ClassPoints train{points.matrix, data.classes(), {data.labels.begin(), data.labels.end()}, std::vector<double>(data.rows(), 1.0)};
  const std::vector<Hyperplane> planes = svm::fit_logistic(train, cost);
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto value = [&](const Hyperplane& plane) { return plane.decision_value(points.row(row)); };
    const auto best = std::max_element(planes.begin(), planes.end(), [&](const auto& a, const auto& b) { return value(a) < value(b); });
    labels.push_back(static_cast<std::int32_t>(best - planes.begin()));
  }
  return labels;
}

TEST(LogisticTree, PredictsWhatTheRegressionPredicts) {
  for (int classes = 2; classes <= 9; ++classes) {
    const Dataset data = circle(classes, 0.1, 600);
    const Tree tree = grown(data, classes - 1);
    EXPECT_LE(tree.depth(), classes - 1);
    EXPECT_EQ(tree.predict(data), predicted(data, 1)) << classes << " classes";
  }
}

TEST(LogisticTree, DividesTheRowsAsTheRegressionDoesWhereClassesOverlap) {
  for (int classes = 2; classes <= 5; ++classes) {
    const Dataset data = circle(classes, 0.8, 400);
    const Tree tree = grown(data, classes - 1, 0.1);
    const std::vector<std::int32_t> wins = predicted(data, 0.1);
    const std::vector<NodeId> leaves = tree.apply(data);
    // All rows of a leaf have the same winner.
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const auto first = std::find(leaves.begin(), leaves.end(), leaves[row]) - leaves.begin();
      EXPECT_EQ(wins[row], wins[static_cast<std::size_t>(first)]);
    }
  }
}

TEST(LogisticTree, TwoClassesAreOneSplit) {
  EXPECT_EQ(grown(circle(2, 0.5, 100), 4).splits(), 1);
}

TEST(LogisticTree, KeepsTheDepth) {
  const Dataset data = circle(8, 0.1, 400);
  EXPECT_EQ(grown(data, 2).depth(), 2);
  EXPECT_EQ(grown(data, 2).splits(), 3);
  EXPECT_LE(count_errors(grown(data, 4), data), 4);  // of 7 levels that pairs of classes might take
}

TEST(LogisticTree, LeavesOutRowsWithoutWeight) {
  Dataset data = circle(3, 0.1, 90);
  for (const std::int32_t label : data.labels) data.weights.push_back(label == 2 ? 0 : 1);
  EXPECT_EQ(grown(data, 3).splits(), 1);
  data.weights.assign(data.rows(), 0.0);
  EXPECT_EQ(grown(data, 3).splits(), 0);
}

TEST(LogisticTree, IsALeafWhereNothingCanBeSeparated) {
  EXPECT_EQ(grown(circle(3, 0.1, 30), 0).splits(), 0);
  EXPECT_EQ(grown(testing::make_data({testing::numbers("x", {1, 1, 1})}, {0, 1, 2}, 3), 2).splits(), 0);
  EXPECT_EQ(grown(testing::make_data({testing::numbers("x", {1, 2, 3})}, {1, 1, 1}, 3), 2).splits(), 0);
}

TEST(LogisticTree, KeepsTheDepthOnAnyData) {
  Random random(54);
  for (int round = 0; round < 60; ++round) {
    const Dataset data =
        testing::random_data(random, {5 + static_cast<int>(random.below(60)), 4, 2 + static_cast<int>(random.below(9)), true, true, 8});
    const int depth = static_cast<int>(random.below(5));
    EXPECT_LE(grown(data, depth, std::pow(10, random.uniform(-4, 4))).depth(), depth);
  }
}

}  // namespace
}  // namespace treewright
