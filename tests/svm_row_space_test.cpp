#include "treewright/svm/row_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "treewright/base/dot.h"
#include "treewright/base/random.h"
#include "treewright/svm/soft_margin.h"

namespace treewright {
namespace {

// Rows of more axes than rows, some of them equal, multiples of each other, sums of others, or nearly equal; constant columns too.
PointMatrix wide_points(Random& random, std::size_t rows, std::size_t axes) {
  PointMatrix points;
  points.axes = axes;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t kind = i < 2 ? 0 : random.below(8);
    const std::size_t a = i == 0 ? 0 : random.below(i), b = i == 0 ? 0 : random.below(i);
    for (std::size_t j = 0; j < axes; ++j) {
      const double fresh = j % 5 == 0 ? 1 : random.uniform();
      const double old = i == 0 ? 0 : points.row(a)[j], other = i == 0 ? 0 : points.row(b)[j];
      points.x.push_back(kind == 1 ? old : kind == 2 ? 0.5 * old : kind == 3 ? (old + other) / 2 : kind == 4 ? old + 1e-9 * fresh : fresh);
    }
  }
  return points;
}

TEST(RowSpace, KeepsProductsAndLengths) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t rows = 2 + random.below(15), axes = rows + 1 + random.below(30);
    const PointMatrix points = wide_points(random, rows, axes);
    const svm::RowSpace space(points);
    ASSERT_EQ(space.points().rows(), rows);
    EXPECT_LE(space.points().axes, rows);
    std::vector<double> inside, outside;
    for (std::size_t k = 0; k < space.points().axes; ++k) inside.push_back(random.uniform() - 0.5);
    for (std::size_t j = 0; j < axes; ++j) outside.push_back(random.uniform() - 0.5);
    const std::vector<double> there = space.on_axes(inside), here = space.from_axes(outside), again = space.from_axes(there);
    EXPECT_NEAR(dot(there, there), dot(inside, inside), 1e-12 * static_cast<double>(axes));
    EXPECT_LE(dot(here, here), dot(outside, outside) * (1 + 1e-12));
    for (std::size_t k = 0; k < inside.size(); ++k) EXPECT_NEAR(again[k], inside[k], 1e-12);
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_NEAR(dot(points.row(i), there), dot(space.points().row(i), inside), 1e-10);
      EXPECT_NEAR(dot(points.row(i), outside), dot(space.points().row(i), here), 1e-10);
      for (std::size_t k = 0; k < i; ++k) {
        const bool equal = std::ranges::equal(points.row(i), points.row(k));
        EXPECT_EQ(std::ranges::equal(space.points().row(i), space.points().row(k)), equal) << "round " << round;
      }
    }
  }
}

TEST(RowSpace, AnSvmCostsTheSame) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const std::size_t rows = 3 + random.below(12), axes = rows + 1 + random.below(20);
    const PointMatrix points = wide_points(random, rows, axes);
    const svm::RowSpace space(points);
    std::vector<svm::MarginConstraint> constraints;
    for (std::size_t i = 0; i < rows; ++i) constraints.push_back({i, random.below(2) == 0 ? -1.0 : 1.0, 1, std::pow(10.0, round % 4 - 1)});
    constraints.push_back({0, 1, 1e-3});
    const svm::SoftMargin direct = svm::solve_soft_margin(points, constraints),
                          inside = svm::solve_soft_margin(space.points(), constraints);
    EXPECT_NEAR(direct.upper, inside.upper, 1e-6 * std::max(1.0, direct.upper)) << "round " << round;
    EXPECT_LE(inside.lower, direct.upper * (1 + 1e-7) + 1e-7) << "round " << round;
    const std::vector<double> weights = space.on_axes(inside.weights);
    double counted = dot(weights, weights) / 2;
    for (const svm::MarginConstraint& c : constraints) {
      const double missing = c.margin - c.sign * (dot(points.row(c.row), weights) + inside.offset);
      if (c.cost < std::numeric_limits<double>::infinity()) counted += c.cost * std::max(0.0, missing);
      if (c.cost == std::numeric_limits<double>::infinity()) {
        EXPECT_LE(missing, 0);
      }
    }
    EXPECT_NEAR(counted, inside.upper, 1e-7 * std::max(1.0, counted)) << "round " << round;
  }
}

TEST(RowSpace, OfRowsThatAreZeroHasOneDimension) {
  const svm::RowSpace space({4, std::vector<double>(8, 0.0)});
  EXPECT_EQ(space.points().rows(), 2u);
  EXPECT_EQ(space.points().axes, 1u);
}

}  // namespace
}  // namespace treewright
