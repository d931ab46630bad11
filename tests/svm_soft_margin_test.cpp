#include "treewright/svm/soft_margin.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/soft_margin_case.h"
#include "treewright/base/random.h"

namespace treewright {
namespace {

using Case = testing::SoftMarginCase;

Case random_case(Random& random, std::size_t rows, std::size_t axes, double cost, std::size_t hard) {
  Case c = testing::soft_margin_case(random, rows, axes, cost);
  // Hard constraints that one hyperplane satisfies all.
  for (std::size_t i = 0; i < hard; ++i) c.constraints.push_back({i, c.points.row(i)[0] > 0.5 ? 1.0 : -1.0, 1e-3});
  return c;
}

// What a hyperplane costs; infinite when it violates a hard constraint.
double cost_of(const Case& c, const std::vector<double>& weights, double offset) {
  double cost = 0;
  for (const double w : weights) cost += w * w / 2;
  for (const svm::MarginConstraint& constraint : c.constraints) {
    double height = offset;
    for (std::size_t j = 0; j < weights.size(); ++j) height += weights[j] * c.points.row(constraint.row)[j];
    const double slack = constraint.margin - constraint.sign * height;
    if (slack > 0) cost += constraint.cost * slack;
  }
  return cost;
}

TEST(SoftMargin, BoundAndHyperplaneMeet) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const double cost = std::pow(10.0, static_cast<double>(random.below(7)) - 3);
    const std::size_t rows = 3 + random.below(60), axes = 1 + random.below(8);
    const Case c = random_case(random, rows, axes, cost, round % 2 == 0 ? 0 : random.below(std::min<std::size_t>(rows, 6)));
    const svm::SoftMargin solved = svm::solve_soft_margin(c.points, c.constraints);
    EXPECT_NEAR(cost_of(c, solved.weights, solved.offset), solved.upper, 1e-12 * std::max(1.0, solved.upper)) << "round " << round;
    EXPECT_LE(solved.lower, solved.upper * (1 + 1e-12));
    EXPECT_NEAR(solved.lower, solved.upper, 3e-6 * std::max(1.0, solved.upper)) << "round " << round;
    // No other hyperplane costs less than the bound.
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> weights = solved.weights;
      const double far = std::pow(10.0, -static_cast<double>(random.below(6)));
      for (double& w : weights) w += far * (random.uniform() - 0.5);
      EXPECT_GE(cost_of(c, weights, solved.offset + far * (random.uniform() - 0.5)), solved.lower - 1e-9);
    }
  }
}

TEST(SoftMargin, StopsOnceTheBoundPassesTheCutoff) {
  Random random(2);
  const Case c = random_case(random, 50, 5, 10, 0);
  const double optimum = svm::solve_soft_margin(c.points, c.constraints).lower;
  const svm::SoftMargin stopped = svm::solve_soft_margin(c.points, c.constraints, optimum / 2);
  EXPECT_GT(stopped.lower, optimum / 2);
  EXPECT_LE(stopped.lower, optimum * (1 + 1e-9));
}

TEST(SoftMargin, ContradictionsPassAnyCutoff) {
  const PointMatrix points{1, {0, 1}};
  // Row 0 on both sides; then rows in the wrong order beside a third between them.
  const std::vector<svm::MarginConstraint> both = {{0, 1, 0}, {0, -1, 1e-3}};
  EXPECT_GT(svm::solve_soft_margin(points, both, 1e6).lower, 1e6);
  const PointMatrix three{1, {0, 1, 0.5}};
  const std::vector<svm::MarginConstraint> between = {{0, 1, 0}, {1, 1, 0}, {2, -1, 1e-3}};
  EXPECT_GT(svm::solve_soft_margin(three, between, 1e6).lower, 1e6);
}

TEST(SoftMargin, OneSideCostsNothing) {
  const PointMatrix points{1, {0, 1}};
  const std::vector<svm::MarginConstraint> right = {{0, 1, 1, 5}, {1, 1, 0}};
  const svm::SoftMargin solved = svm::solve_soft_margin(points, right);
  EXPECT_EQ(solved.upper, 0);
  EXPECT_EQ(solved.weights, std::vector<double>{0});
  EXPECT_EQ(solved.offset, 1);
  EXPECT_EQ(svm::solve_soft_margin(points, {}).upper, 0);
}

// Corrected steps alone go round in a circle here, far from the optimum.
TEST(SoftMargin, DoesNotCircle) {
  const PointMatrix points{2, {1. / 3, 1, 0, 1, 0, 1, 1, 0.5, 1. / 3, 0, 1, 1, 1. / 3, 0}};
  std::vector<svm::MarginConstraint> constraints;
  for (std::size_t row = 0; row < 7; ++row) {
    const double sign = row == 3 ? 1 : -1;
    constraints.push_back({row, sign, 1, 10});
    constraints.push_back({row, sign, row == 3 ? 0 : 1e-3});
  }
  const svm::SoftMargin solved = svm::solve_soft_margin(points, constraints);
  EXPECT_NEAR(solved.lower, 16.5, 1e-5);
  EXPECT_NEAR(solved.upper, 16.5, 1e-5);
}

TEST(SoftMargin, HandWorked) {
  // -1 at 0 and +1 at 2 with dear slack: the margin lies between them, w = 1, b = -1, cost 1/2.
  const PointMatrix points{1, {0, 2}};
  const std::vector<svm::MarginConstraint> constraints = {{0, -1, 1, 100}, {1, 1, 1, 100}};
  const svm::SoftMargin solved = svm::solve_soft_margin(points, constraints);
  EXPECT_NEAR(solved.weights[0], 1, 1e-6);
  EXPECT_NEAR(solved.offset, -1, 1e-6);
  EXPECT_NEAR(solved.upper, 0.5, 1e-7);
  // Equal points of both classes cannot be parted: w = 0, and the lighter class pays 2 C a row (DGMP23 sec. 3).
  const PointMatrix same{2, {1, 1, 1, 1, 1, 1}};
  const std::vector<svm::MarginConstraint> mixed = {{0, -1, 1, 3}, {1, 1, 1, 3}, {2, 1, 1, 3}};
  EXPECT_NEAR(svm::solve_soft_margin(same, mixed).upper, 2 * 3 * 1, 1e-6);
}

}  // namespace
}  // namespace treewright
