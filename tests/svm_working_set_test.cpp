#include "treewright/svm/working_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/soft_margin_case.h"
#include "treewright/base/random.h"

namespace treewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// From a good guess, a bad one and none: the same minimum, and a hyperplane that costs it on all constraints.
TEST(WorkingSet, HasTheMinimumOfAllConstraintsFromAnyGuess) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = 20 + random.below(80), axes = 1 + random.below(6);
    const double cost = std::pow(10.0, static_cast<double>(random.below(5)) - 2);
    auto [points, constraints] = testing::soft_margin_case(random, rows, axes, cost);
    for (std::size_t i = 0; round % 2 == 1 && i < rows / 4; ++i)
      constraints.push_back({i, points.row(i)[0] > 0.5 ? 1.0 : -1.0, 1e-3, kInfinity});
    const svm::SoftMargin all = svm::solve_soft_margin(points, constraints);
    Hyperplane bad{std::vector<double>(axes, 0.0), 100};
    bad.weights[0] = -20;
    for (const Hyperplane& guess : {Hyperplane{all.weights, all.offset}, bad, Hyperplane{}}) {
      const svm::SoftMargin found = svm::solve_from(points, constraints, guess);
      EXPECT_NEAR(found.upper, all.upper, 1e-5 * std::max(1.0, all.upper)) << "round " << round;
      EXPECT_LE(found.lower, all.upper * (1 + 1e-9) + 1e-9) << "round " << round;
      double counted = std::inner_product(found.weights.begin(), found.weights.end(), found.weights.begin(), 0.0) / 2;
      for (const svm::MarginConstraint& c : constraints) {
        const double missing = c.margin - c.sign * Hyperplane{found.weights, found.offset}.decision_value(points.row(c.row));
        if (missing > 0) counted += c.cost * missing;
      }
      EXPECT_NEAR(counted, found.upper, 1e-9 * std::max(1.0, counted)) << "round " << round;
    }
  }
}

TEST(WorkingSet, ContradictionsPassAnyCutoff) {
  const PointMatrix points{1, {0, 1, 2}};
  const std::vector<svm::MarginConstraint> constraints = {{0, 1, 1, kInfinity}, {1, -1, 1, kInfinity}, {2, 1, 1, kInfinity}};
  EXPECT_GT(svm::solve_from(points, constraints, {{1}, 0}, 50).lower, 50);
}

}  // namespace
}  // namespace treewright
