#include "treewright/grow/nested_dichotomies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/base/random.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

// A class around each corner of a square or cube, 10 apart, with `stray` of its rows at another corner.
Dataset corners(int classes, double stray = 0) {
  Random random(7);
  std::vector<std::vector<double>> x(4);
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 40 * classes; ++row) {
    labels.push_back(row % classes);
    const auto corner = random.uniform(0, 1) < stray ? static_cast<int>(random.below(static_cast<std::uint64_t>(classes))) : labels.back();
    for (int a = 0; a < 4; ++a) x[static_cast<std::size_t>(a)].push_back(10 * (corner >> a & 1) + random.normal());
  }
  std::vector<Column> columns;
  for (std::size_t a = 0; a < x.size(); ++a) columns.push_back(testing::numbers("x" + std::to_string(a), x[a]));
  return testing::make_data(std::move(columns), std::move(labels), classes);
}

Tree grown(const Dataset& data, int depth, double cost = 1) {
  return grow::grow_nested_dichotomies(data, ScaledPoints(data, Scaling::standard), depth, cost).to_tree(data);
}

TEST(NestedDichotomies, GiveEachClassALeaf) {
  for (const auto& [classes, depth] : {std::pair{2, 1}, {3, 2}, {4, 2}, {7, 3}, {8, 3}, {12, 4}, {16, 4}}) {
    const Dataset data = corners(classes);
    const Tree tree = grown(data, depth);
    EXPECT_EQ(count_errors(tree, data), 0) << classes << " classes";
    EXPECT_EQ(tree.splits(), classes - 1);
    EXPECT_LE(tree.depth(), depth);
  }
}

TEST(NestedDichotomies, StrayRowsDoNotDecideWhatIsSeparated) {
  for (const int classes : {7, 12, 16}) {
    const Dataset data = corners(classes, 0.1);
    EXPECT_EQ(grown(data, 4).splits(), classes - 1);
    EXPECT_LT(count_errors(grown(data, 4), data), 0.12 * static_cast<double>(data.rows()));
  }
}

TEST(NestedDichotomies, TheHeaviestClassesHaveLeaves) {
  Dataset data = corners(6);
  for (const std::int32_t label : data.labels) data.weights.push_back(label == 2 || label == 5 ? 0.1 : 1);
  const Tree tree = grown(data, 2);
  EXPECT_EQ(tree.splits(), 3);
  EXPECT_NEAR(count_errors(tree, data), 2 * 40 * 0.1, 1e-9);
}

TEST(NestedDichotomies, LeaveOutRowsWithoutWeight) {
  Dataset data = corners(5);
  for (const std::int32_t label : data.labels) data.weights.push_back(label == 4 ? 0 : 1);
  EXPECT_EQ(grown(data, 3).splits(), 3);
  data.weights.assign(data.rows(), 0.0);
  EXPECT_EQ(grown(data, 3).splits(), 0);
}

TEST(NestedDichotomies, AreALeafWhereNothingCanBeSeparated) {
  EXPECT_EQ(grown(corners(4), 0).splits(), 0);
  EXPECT_EQ(grown(testing::make_data({testing::numbers("x", {1, 1, 1})}, {0, 1, 2}, 3), 2).splits(), 0);
  EXPECT_EQ(grown(testing::make_data({testing::numbers("x", {1, 2, 3})}, {1, 1, 1}, 3), 2).splits(), 0);
}

TEST(NestedDichotomies, KeepTheDepthOnAnyData) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const Dataset data =
        testing::random_data(random, {5 + static_cast<int>(random.below(60)), 4, 2 + static_cast<int>(random.below(9)), true, true, 8});
    const int depth = static_cast<int>(random.below(5));
    const Tree tree = grown(data, depth, std::pow(10, random.uniform(-3, 3)));
    EXPECT_LE(tree.depth(), depth);
    EXPECT_LT(tree.splits(), static_cast<std::int64_t>(data.classes()));
  }
}

}  // namespace
}  // namespace treewright
