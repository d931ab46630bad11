#include "treewright/svm/active_margin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/soft_margin_case.h"
#include "treewright/base/random.h"

namespace treewright {
namespace {

// Values on a grid make ties and dependent rows: there the method may give up, but what it says holds.
TEST(ActiveMargin, AgreesWithTheInteriorPoint) {
  Random random(1);
  int answered = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 3 + random.below(60), axes = 1 + random.below(8);
    const double cost = std::pow(10.0, static_cast<double>(random.below(7)) - 3);
    const auto coordinate = [&] { return round % 3 == 0 ? static_cast<double>(random.below(3)) / 2 : random.uniform(); };
    auto [points, constraints] = testing::soft_margin_case(random, rows, axes, cost, 0.5, coordinate);
    // Hard constraints, in one round of four such as contradict each other.
    for (std::size_t i = 0; i < random.below(std::min<std::size_t>(rows, 8)); ++i) {
      const bool right = round % 4 == 3 ? random.below(2) == 0 : points.row(i)[0] > 0.5;
      constraints.push_back(right ? svm::MarginConstraint{i, 1, 0} : svm::MarginConstraint{i, -1, 1e-3});
    }
    std::vector<std::uint32_t> all(axes);
    std::iota(all.begin(), all.end(), 0u);
    svm::ActiveMargin grown(points, all);
    const std::size_t half = constraints.size() / 2;
    bool answer = grown.extend(std::span(constraints).first(half), std::numeric_limits<double>::infinity());
    const double before = grown.lower();
    answer = answer && grown.extend(constraints, std::numeric_limits<double>::infinity());
    const svm::SoftMargin solved = svm::solve_soft_margin(points, constraints);
    EXPECT_LE(grown.lower(), solved.upper * (1 + 1e-9) + 1e-9) << "round " << round;
    EXPECT_GE(grown.lower(), before * (1 - 1e-9) - 1e-9);
    if (!answer) continue;
    ++answered;
    EXPECT_NEAR(grown.lower(), solved.lower, 1e-5 * std::max(1.0, solved.lower)) << "round " << round;
    const std::vector<double> weights = grown.weights();
    for (const svm::MarginConstraint& c : constraints) {
      if (std::isfinite(c.cost)) continue;
      EXPECT_GE(c.sign * (grown.offset() + std::inner_product(weights.begin(), weights.end(), points.row(c.row).begin(), 0.0)), c.margin);
    }
  }
  EXPECT_GT(answered, 200);
}

// Columns of 0 and 1 make most rows depend linearly on others. Nevertheless it answers.
TEST(ActiveMargin, AnswersForDependentRows) {
  Random random(11);
  int answered = 0;
  for (int round = 0; round < 30; ++round) {
    const auto bit = [&random] { return static_cast<double>(random.below(2)); };
    const auto [points, constraints] = testing::soft_margin_case(random, 150, 12, 100, 1, bit);
    std::vector<std::uint32_t> all(points.axes);
    std::iota(all.begin(), all.end(), 0u);
    svm::ActiveMargin grown(points, all);
    if (!grown.extend(constraints, std::numeric_limits<double>::infinity())) continue;
    ++answered;
    const svm::SoftMargin solved = svm::solve_soft_margin(points, constraints);
    EXPECT_NEAR(grown.lower(), solved.lower, 1e-5 * std::max(1.0, solved.lower)) << "round " << round;
  }
  EXPECT_GE(answered, 27);
}

// Hard constraints that come a few at a time, with large multipliers: rounding adds up, and what it says holds all the same.
TEST(ActiveMargin, HardConstraintsHoldAfterManySteps) {
  Random random(12);
  const double infinity = std::numeric_limits<double>::infinity();
  int answered = 0;
  for (int round = 0; round < 10; ++round) {
    const std::size_t rows = 150, axes = 25;
    PointMatrix points;
    points.axes = axes;
    std::vector<svm::MarginConstraint> soft, hard;
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = -0.3;
      for (std::size_t j = 0; j < axes; ++j) {
        points.x.push_back(0.4 + 0.2 * random.uniform());
        sum += (j % 2 == 0 ? 1 : -1) * (points.x.back() - 0.5) * 3;
      }
      soft.push_back({i, random.below(2) == 0 ? 1.0 : -1.0, 1, 100});
      hard.push_back(sum > -0.3 ? svm::MarginConstraint{i, 1, 0} : svm::MarginConstraint{i, -1, 1e-3});
    }
    std::vector<std::uint32_t> all(axes);
    std::iota(all.begin(), all.end(), 0u);
    svm::ActiveMargin grown(points, all);
    bool answer = grown.extend(soft, infinity);
    for (std::size_t i = 0; answer && i < rows; i += 5) answer = grown.extend(std::span(hard).subspan(i, 5), infinity);
    if (!answer) continue;
    ++answered;
    const std::vector<double> weights = grown.weights();
    for (const svm::MarginConstraint& c : hard)
      EXPECT_GE(c.sign * (grown.offset() + std::inner_product(weights.begin(), weights.end(), points.row(c.row).begin(), 0.0)), c.margin);
  }
  EXPECT_GE(answered, 5);
}

TEST(ActiveMargin, GainsAreNeverAboveWhatAConstraintAdds) {
  Random random(2);
  const double infinity = std::numeric_limits<double>::infinity();
  int some = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t rows = 5 + random.below(40), axes = 1 + random.below(6);
    PointMatrix points;
    points.axes = axes;
    std::vector<svm::MarginConstraint> constraints;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < axes; ++j) points.x.push_back(random.uniform());
      constraints.push_back({i, points.row(i)[0] + random.uniform() > 1 ? 1.0 : -1.0, 1, 3});
    }
    std::vector<std::uint32_t> all(axes);
    std::iota(all.begin(), all.end(), 0u);
    svm::ActiveMargin machine(points, all);
    if (!machine.extend(constraints, infinity)) continue;
    const std::size_t row = random.below(rows);
    for (const svm::MarginConstraint& more : {svm::MarginConstraint{row, 1, 0}, svm::MarginConstraint{row, -1, 1e-3}}) {
      svm::ActiveMargin grown = machine;
      if (!grown.extend(std::vector<svm::MarginConstraint>{more}, infinity)) continue;
      const double added = grown.lower() - machine.lower(), slack = 1e-6 * std::max(1.0, grown.lower());
      const double first = machine.first_gain(more), few = machine.gain(more, infinity, 3), whole = machine.gain(more, infinity, 1000);
      EXPECT_LE(first, whole + slack) << "round " << round;
      EXPECT_LE(few, whole + slack) << "round " << round;
      EXPECT_NEAR(whole, added, slack) << "round " << round;
      some += first > 1e-3 && first < added;
    }
  }
  EXPECT_GT(some, 20);
}

TEST(ActiveMargin, StopsBeyondTheCutoff) {
  const PointMatrix points{1, {0, 1}};
  svm::ActiveMargin machine(points, {0});
  EXPECT_TRUE(machine.extend(std::vector<svm::MarginConstraint>{{0, -1, 1, 100}, {1, 1, 1, 100}}, 1.0));
  EXPECT_GT(machine.lower(), 1.0);
  EXPECT_LE(machine.lower(), 2.0);  // w = 2, b = -1
}

}  // namespace
}  // namespace treewright
