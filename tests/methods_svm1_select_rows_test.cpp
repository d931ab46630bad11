#include "treewright/methods/svm1/select_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"

namespace treewright {
namespace {

using Kind = svm1::SelectedRow::Kind;

std::set<std::uint32_t> numbers_of(const std::vector<svm1::SelectedRow>& rows) {
  std::set<std::uint32_t> numbers;
  for (const svm1::SelectedRow& row : rows) EXPECT_TRUE(numbers.insert(row.row).second);
  return numbers;
}

// A square of rows with its corners, for each of two classes, parted at x = 0.5.
Dataset squares() {
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  Random random(1);
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < 100; ++i) {
      x.push_back(0.6 * side + 0.4 * (i < 4 ? i % 2 : random.uniform()));
      y.push_back(i < 4 ? i / 2 : random.uniform());
      labels.push_back(side);
    }
  }
  return testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, labels);
}

Tree parted_at(const Dataset& data, double threshold) {
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, threshold}, false});
  tree.tally(data);
  return tree;
}

TEST(SelectRows, TakesTheCornersOfASquare) {
  const Dataset data = squares();
  const std::vector<Axis> axes = scaled_axes(data, Scaling::unit, false);
  ThreadPool pool(1);
  Deadline none;
  svm1::SelectOptions how;
  how.eps = 0;
  const auto rows = svm1::select_rows(data, parted_at(data, 0.5), axes, how, pool, none);
  EXPECT_EQ(numbers_of(rows), (std::set<std::uint32_t>{0, 1, 2, 3, 100, 101, 102, 103}));
  for (const svm1::SelectedRow& row : rows) EXPECT_EQ(row.kind, Kind::support);
}

TEST(SelectRows, BetasDecideWhatElseIsTaken) {
  // Few rows are inside: with beta1 = 0 J and the nearest fill beta2.
  Dataset data = squares();
  std::vector<std::int32_t> some;
  for (int row = 0; row < 8; ++row) some.push_back(row), some.push_back(100 + row);
  data = data.subset(some);
  const std::vector<Axis> axes = scaled_axes(data, Scaling::unit, false);
  ThreadPool pool(1);
  Deadline none;
  svm1::SelectOptions how;
  how.eps = 0;
  how.beta1 = 0;
  const auto count = [&](double beta2) {
    how.beta2 = beta2;
    return svm1::select_rows(data, parted_at(data, 0.5), axes, how, pool, none).size();
  };
  EXPECT_EQ(count(0.125), count(0.01));
  EXPECT_LE(count(0.5), count(1));
  how.beta1 = 1;
  EXPECT_GE(count(0.01), 8u);
}

TEST(SelectRows, EveryClusterKeepsARowAndNoRowComesTwice) {
  Random random(9);
  ThreadPool pool(2);
  Deadline none;
  for (int trial = 0; trial < 80; ++trial) {
    const Dataset data = testing::random_data(random, {40, 4, 3, true, true, 6});
    const Tree tree = testing::random_tree(random, data, 3);
    const std::vector<Axis> axes = scaled_axes(data, Scaling::unit, false);
    svm1::SelectOptions how;
    how.eps = random.uniform(0, 0.3);
    how.beta1 = random.uniform();
    how.beta2 = random.uniform(0, 0.4);
    const auto rows = svm1::select_rows(data, tree, axes, how, pool, none);
    std::set<std::pair<NodeId, std::int32_t>> clusters, kept;
    for (std::uint32_t row = 0; row < data.rows(); ++row) clusters.insert({tree.route(data, row), data.labels[row]});
    for (const svm1::SelectedRow& row : rows) kept.insert({row.leaf, data.labels[row.row]});
    EXPECT_EQ(kept, clusters);
    numbers_of(rows);
    // A round takes every row that is wrong.
    const auto round = svm1::rows_of_round(data, tree, axes, how, pool, none);
    std::size_t wrong = 0, listed = 0;
    for (std::size_t row = 0; row < data.rows(); ++row) wrong += tree.node(tree.route(data, row)).label != data.labels[row];
    for (const svm1::SelectedRow& row : round) listed += row.kind == Kind::wrong;
    EXPECT_EQ(listed, wrong);
    numbers_of(round);
  }
}

}  // namespace
}  // namespace treewright
