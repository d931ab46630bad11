#include "treewright/svm/hull_gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "treewright/base/random.h"

namespace treewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Drawn {
  PointMatrix points;
  std::vector<svm::MarginConstraint> constraints;
  std::vector<std::uint32_t> axes;
};

// Soft constraints for all rows, hard ones with small margins for some.
Drawn draw(Random& random, double apart) {
  Drawn drawn;
  drawn.points.axes = 1 + random.below(4);
  drawn.axes.resize(drawn.points.axes);
  std::iota(drawn.axes.begin(), drawn.axes.end(), 0U);
  const std::size_t rows = 4 + random.below(12);
  for (std::size_t i = 0; i < rows; ++i) {
    const bool right = random.below(2) == 0;
    for (std::size_t j = 0; j < drawn.points.axes; ++j) drawn.points.x.push_back(random.uniform() + (right && j == 0 ? apart : 0));
    drawn.constraints.push_back({i, random.below(2) == 0 ? -1.0 : 1.0, 1, std::pow(10.0, static_cast<double>(random.below(6)))});
    if (random.below(4) > 0) drawn.constraints.push_back({i, right ? 1.0 : -1.0, right ? 0 : 1e-3});
  }
  return drawn;
}

TEST(HullGap, IsABound) {
  Random random(1);
  int raised = 0;
  for (int round = 0; round < 300; ++round) {
    const Drawn drawn = draw(random, round % 2 == 0 ? 1.0 : 0.3);
    const svm::SoftMargin solved = svm::solve_soft_margin(drawn.points, drawn.constraints);
    if (!(solved.upper < kInfinity)) continue;
    const std::vector<double> zero(drawn.points.axes, 0.0);
    const double alone = svm::bound_from_hulls(drawn.points, drawn.axes, drawn.constraints, 0, zero, kInfinity);
    EXPECT_LE(alone, solved.upper * (1 + 1e-6)) << "round " << round;
    raised += alone > 0;
    // From the dual point of the soft constraints alone.
    std::vector<svm::MarginConstraint> soft;
    for (const svm::MarginConstraint& c : drawn.constraints) {
      if (c.cost < kInfinity) soft.push_back(c);
    }
    const svm::SoftMargin without = svm::solve_soft_margin(drawn.points, soft);
    const double more = svm::bound_from_hulls(drawn.points, drawn.axes, drawn.constraints, without.lower, without.lower_weights, kInfinity);
    EXPECT_GE(more, without.lower);
    EXPECT_LE(more, solved.upper * (1 + 1e-6)) << "round " << round;
  }
  EXPECT_GT(raised, 0);
}

TEST(HullGap, FindsContradictions) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    Drawn drawn = draw(random, 1.0);
    // Two rows go left, the one in their middle goes right.
    const std::size_t rows = drawn.points.rows(), axes = drawn.points.axes;
    for (std::size_t j = 0; j < axes; ++j) drawn.points.x.push_back((drawn.points.row(0)[j] + drawn.points.row(1)[j]) / 2);
    drawn.constraints = {{0, -1, 1e-3}, {1, -1, 1e-3}, {rows, 1, 0}};
    const std::vector<double> zero(axes, 0.0);
    EXPECT_GT(svm::bound_from_hulls(drawn.points, drawn.axes, drawn.constraints, 0, zero, kInfinity), 1e12) << "round " << round;
  }
}

TEST(HullGap, OneSideSaysNothing) {
  const PointMatrix points{1, {0, 1}};
  const std::vector<svm::MarginConstraint> constraints{{0, 1, 0}, {1, 1, 0}};
  const std::vector<std::uint32_t> axes{0};
  const std::vector<double> zero{0.0};
  EXPECT_EQ(svm::bound_from_hulls(points, axes, constraints, 3, zero, kInfinity), 3);
}

}  // namespace
}  // namespace treewright
