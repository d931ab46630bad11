// Several machines that pay for the longest weights alone.
#include "treewright/methods/mm_svm/smallest_margin.h"

#include <gtest/gtest.h>

#include <cmath>

#include "treewright/base/random.h"

namespace treewright {
namespace {

double half_square(const std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x * x / 2;
  return sum;
}

double slack_of(const PointMatrix& points, const svm::SoftMargin& machine, const std::vector<svm::MarginConstraint>& constraints) {
  double total = 0;
  for (const svm::MarginConstraint& c : constraints) {
    double h = machine.offset;
    for (std::size_t j = 0; j < points.axes; ++j) h += machine.weights[j] * points.row(c.row)[j];
    const double missing = c.margin - c.sign * h;
    if (missing > 1e-6 && std::isinf(c.cost)) return c.cost;
    if (std::isfinite(c.cost)) total += c.cost * std::max(0.0, missing);
  }
  return total;
}

TEST(SmallestMargin, OneMachineIsTheUsualOne) {
  const PointMatrix points{1, {0, 0.25, 0.5, 1}};
  const std::vector<svm::MarginConstraint> constraints = {{0, -1, 1, 3}, {1, 1, 1, 3}, {2, -1, 1, 3}, {3, 1, 1, 3}};
  const mm_svm::SmallestMargin found = mm_svm::solve_smallest_margin(points, {constraints});
  const svm::SoftMargin usual = svm::solve_soft_margin(points, constraints);
  EXPECT_NEAR(found.upper, usual.upper, 1e-6 * usual.upper);
  EXPECT_LE(found.lower, found.upper);
}

// Hard margins of widths 2 and 1: the shorter machine's weights cost nothing, so its slack is what counts.
TEST(SmallestMargin, OnlyTheLongestWeightsCost) {
  const PointMatrix points{1, {0, 1, 0, 0.5}};
  const double cost = 1000;
  const mm_svm::SmallestMargin found =
      mm_svm::solve_smallest_margin(points, {{{0, -1, 1, cost}, {1, 1, 1, cost}}, {{2, -1, 1, cost}, {3, 1, 1, cost}}});
  // |w| = 2 for the first, 4 for the second: 8.
  EXPECT_NEAR(found.upper, 8, 1e-5);
  EXPECT_NEAR(found.lower, 8, 1e-5);
}

TEST(SmallestMargin, SaysThatHardConstraintsContradict) {
  const PointMatrix points{1, {0, 1, 0, 1}};
  const double hard = std::numeric_limits<double>::infinity();
  const mm_svm::SmallestMargin found =
      mm_svm::solve_smallest_margin(points, {{{0, -1, 1, 1.0}, {1, 1, 1, 1.0}}, {{0, 1, 0, hard}, {2, -1, 0.001, hard}, {1, 1, 1, 2.0}}});
  EXPECT_TRUE(std::isinf(found.upper));
  EXPECT_EQ(mm_svm::solve_smallest_margin(points, {}).upper, 0);
}

TEST(SmallestMargin, BoundAndWeightsMeetAndNothingNearbyIsCheaper) {
  Random random(8);
  for (int round = 0; round < 200; ++round) {
    PointMatrix points{1 + random.below(3), {}};
    const std::size_t rows = 4 + random.below(12), count = 1 + random.below(4);
    for (std::size_t k = 0; k < rows * points.axes; ++k) points.x.push_back(random.uniform(0, 1));
    std::vector<std::vector<svm::MarginConstraint>> machines(count);
    const double cost = std::pow(10.0, random.uniform(-3, 4));
    for (std::size_t i = 0; i < rows; ++i) {
      const double sign = random.below(2) == 0 ? -1 : 1;
      for (auto& machine : machines) {
        if (random.below(3) > 0) machine.push_back({i, sign, 1, cost});
      }
    }
    const mm_svm::SmallestMargin found = mm_svm::solve_smallest_margin(points, machines);
    double longest = 0, slack = 0;
    for (std::size_t t = 0; t < count; ++t) {
      longest = std::max(longest, half_square(found.svms[t].weights));
      slack += slack_of(points, found.svms[t], machines[t]);
    }
    EXPECT_NEAR(longest + slack, found.upper, 1e-6 * std::max(1e-6, found.upper)) << "round " << round;
    EXPECT_LE(found.lower, found.upper * (1 + 1e-7));
    EXPECT_LE(found.upper - found.lower, 1e-5 * found.upper) << "round " << round << " of " << count << " machines at " << cost;
    // A convex function that is nowhere lower nearby is lowest here.
    for (int trial = 0; trial < 20; ++trial) {
      mm_svm::SmallestMargin other = found;
      const double size = std::pow(10.0, random.uniform(-4, 0));
      double width = 0, total = 0;
      for (std::size_t t = 0; t < count; ++t) {
        for (double& w : other.svms[t].weights) w += size * random.uniform(-1, 1);
        other.svms[t].offset += size * random.uniform(-1, 1);
        width = std::max(width, half_square(other.svms[t].weights));
        total += slack_of(points, other.svms[t], machines[t]);
      }
      EXPECT_GE(width + total, found.upper * (1 - 1e-5)) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace treewright
