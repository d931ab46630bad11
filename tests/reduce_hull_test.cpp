#include "treewright/reduce/hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/random.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"
#include "treewright/reduce/balanced.h"

namespace treewright {
namespace {

PointMatrix random_points(Random& random, std::size_t rows, std::size_t axes, bool on_grid) {
  PointMatrix table;
  table.axes = axes;
  for (std::size_t k = 0; k < rows * axes; ++k) {
    table.x.push_back(on_grid ? 0.25 * static_cast<double>(random.below(5)) : random.uniform());
  }
  return table;
}

std::vector<std::uint32_t> all_rows(const PointMatrix& table) {
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// Z20's (7) for one row, as it stands: the largest b.
double b_by_lp(const PointMatrix& table, std::span<const std::uint32_t> others, std::span<const double> x, double eps) {
  mip::MipModel model;
  const int b = model.add("b", 0, 1, -1);
  std::vector<mip::MipModel::Term> sum{{b, -1}};
  std::vector<std::vector<mip::MipModel::Term>> place(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) place[k].push_back({b, x[k]});
  for (std::size_t i = 0; i < others.size(); ++i) {
    const int lambda = model.add("lambda_" + std::to_string(i), 0, mip::MipModel::kInfinity);
    sum.push_back({lambda, 1});
    for (std::size_t k = 0; k < x.size(); ++k) place[k].push_back({lambda, -table.row(others[i])[k]});
  }
  model.equal("sum", sum, 0);
  for (std::size_t k = 0; k < x.size(); ++k) model.add_row("place_" + std::to_string(k), -eps, place[k], eps);
  Deadline none;
  return -mip::solve(model, {}, {}, none).objective;
}

TEST(InHull, ProvesWhatItSays) {
  Random random(3);
  int inside = 0, outside = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t d = 1 + random.below(6);
    const PointMatrix table = random_points(random, 2 + random.below(12), d, trial % 2 == 0);
    std::vector<std::uint32_t> members = all_rows(table);
    const std::uint32_t row = members.back();
    members.pop_back();
    const double eps = trial % 3 == 0 ? 0 : random.uniform(0, 0.2);
    const std::span<const double> x = table.row(row);
    const reduce::InHull found = reduce::in_hull(table, members, x, eps);
    if (found.inside) {
      ++inside;
      double total = 0;
      std::vector<double> at(d, 0.0);
      for (const auto& [member, weight] : found.combination) {
        EXPECT_GT(weight, 0);
        EXPECT_NE(member, row);
        total += weight;
        for (std::size_t j = 0; j < d; ++j) at[j] += weight * table.row(member)[j];
      }
      EXPECT_NEAR(total, 1, 1e-9);
      EXPECT_LE(found.combination.size(), d + 1);
      for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(at[j], x[j], eps + 1e-6);
    } else {
      ++outside;
      for (const std::uint32_t member : members) {
        double height = 0;
        for (std::size_t j = 0; j < d; ++j) {
          height += found.direction[j] * (table.row(member)[j] - x[j]) - eps * std::abs(found.direction[j]);
        }
        EXPECT_GT(height, 0) << "trial " << trial;
      }
    }
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(outside, 300);
}

TEST(InHull, AgreesWithTheLinearProgram) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const PointMatrix table = random_points(random, 3 + random.below(12), 1 + random.below(4), trial % 2 == 0);
    std::vector<std::uint32_t> members = all_rows(table);
    const std::uint32_t row = members.back();
    members.pop_back();
    const double eps = trial % 2 == 0 ? 0 : random.uniform(0, 0.15);
    const double b = b_by_lp(table, members, table.row(row), eps);
    if (b > 1 - 1e-4 && b < 1 - 1e-7) continue;  // too near to call
    EXPECT_EQ(reduce::in_hull(table, members, table.row(row), eps).inside, b > 1 - 1e-6) << "trial " << trial << " b " << b;
  }
}

// With eps = 0 the division is (7)'s: a row is inside iff the program over all other rows says so, and of equal extreme rows one stays.
TEST(DivideByHull, EqualsTheFullLinearProgram) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(5);
  ThreadPool pool(1);
  Deadline none;
  for (int trial = 0; trial < 40; ++trial) {
    const PointMatrix table = random_points(random, 1 + random.below(20), 1 + random.below(3), trial % 2 == 0);
    const std::vector<std::uint32_t> rows = all_rows(table);
    const reduce::HullRows hull = reduce::divide_by_hull(table, rows, 0, pool, none);
    EXPECT_EQ(hull.inside.size() + hull.extreme.size(), rows.size());
    for (const std::uint32_t row : rows) {
      std::vector<std::uint32_t> different;
      bool first = true;
      for (const std::uint32_t other : rows) {
        if (!std::ranges::equal(table.row(row), table.row(other))) {
          different.push_back(other);
        } else {
          first = first && row <= other;
        }
      }
      const bool vertex = different.empty() || b_by_lp(table, different, table.row(row), 0) < 1 - 1e-6;
      EXPECT_EQ(std::ranges::binary_search(hull.extreme, row), vertex && first) << "trial " << trial << " row " << row;
    }
  }
}

TEST(DivideByHull, WithEpsEveryInsideRowIsNearTheHullOfTheExtreme) {
  Random random(6);
  ThreadPool pool(1);
  Deadline none;
  for (int trial = 0; trial < 60; ++trial) {
    const PointMatrix table = random_points(random, 5 + random.below(60), 1 + random.below(4), trial % 2 == 0);
    const std::vector<std::uint32_t> rows = all_rows(table);
    const double eps = random.uniform(0.01, 0.3);
    const reduce::HullRows hull = reduce::divide_by_hull(table, rows, eps, pool, none);
    ASSERT_FALSE(hull.extreme.empty());
    for (const std::uint32_t row : hull.inside) EXPECT_TRUE(reduce::in_hull(table, hull.extreme, table.row(row), eps + 1e-7).inside);
    // What (7) calls outside is never left out.
    for (const std::uint32_t row : rows) {
      std::vector<std::uint32_t> others = rows;
      std::erase(others, row);
      if (reduce::in_hull(table, others, table.row(row), eps).inside) continue;
      EXPECT_TRUE(std::ranges::binary_search(hull.extreme, row));
    }
    EXPECT_LE(hull.extreme.size(), reduce::divide_by_hull(table, rows, 0, pool, none).extreme.size());
  }
}

TEST(DivideByHull, ThreadsDoNotMatter) {
  Random random(7);
  const PointMatrix table = random_points(random, 3000, 3, false);
  ThreadPool one(1), three(3);
  Deadline none;
  for (const double eps : {0.0, 0.03}) {
    const reduce::HullRows a = reduce::divide_by_hull(table, all_rows(table), eps, one, none),
                           b = reduce::divide_by_hull(table, all_rows(table), eps, three, none);
    EXPECT_EQ(a.inside, b.inside);
    EXPECT_EQ(a.extreme, b.extreme);
    EXPECT_EQ(a.largest, b.largest);
    EXPECT_GT(a.inside.size(), 2500u);
  }
}

TEST(DivideByHull, SmallClustersAndTwins) {
  ThreadPool pool(1);
  Deadline none;
  PointMatrix table;
  table.axes = 2;
  table.x = {0.5, 0.5};
  EXPECT_EQ(reduce::divide_by_hull(table, all_rows(table), 0.1, pool, none).extreme, std::vector<std::uint32_t>{0});
  table.x = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  const reduce::HullRows twins = reduce::divide_by_hull(table, all_rows(table), 0, pool, none);
  EXPECT_EQ(twins.extreme, std::vector<std::uint32_t>{0});
  EXPECT_EQ(twins.inside, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(twins.largest, std::vector<double>{1});
}

// Supplement B.1, Figure 3: rows in a rectangle, a few on a wide circle. The corners pay, the circle does not.
TEST(BalancedRows, TakeTheRectangleAndNotTheCircle) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  PointMatrix table;
  table.axes = 2;
  for (const double x : {0.4, 0.6}) {
    for (const double y : {0.4, 0.6}) table.x.insert(table.x.end(), {x, y});
  }
  Random random(8);
  for (int i = 0; i < 20; ++i) table.x.insert(table.x.end(), {random.uniform(0.41, 0.59), random.uniform(0.41, 0.59)});
  for (int i = 0; i < 12; ++i) table.x.insert(table.x.end(), {0.5 + 0.5 * std::cos(i * 0.52), 0.5 + 0.5 * std::sin(i * 0.52)});
  ThreadPool pool(1);
  Deadline none;
  // Three rows of the circle hold the rectangle with one row less than its corners.
  const std::vector<std::uint32_t> rows = reduce::balanced_rows(table, all_rows(table), "highs", pool, none);
  EXPECT_LE(rows.size(), 4u);
  EXPECT_GE(rows.size(), 3u);
  EXPECT_GE(reduce::divide_by_hull(table, all_rows(table), 0, pool, none).extreme.size(), 12u);
}

// More rows than one model takes: no selected row lies in the hull of the others, so none comes from the inside of the cluster's halves.
TEST(BalancedRows, OfLargeClustersAreCornersOfTheirHull) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(9);
  const PointMatrix table = random_points(random, 300, 2, false);
  ThreadPool pool(1);
  Deadline none;
  const std::vector<std::uint32_t> rows = reduce::balanced_rows(table, all_rows(table), "highs", pool, none);
  for (const std::uint32_t row : rows) {
    std::vector<std::uint32_t> others = rows;
    std::erase(others, row);
    EXPECT_FALSE(reduce::in_hull(table, others, table.row(row), 0).inside);
  }
}

}  // namespace
}  // namespace treewright
