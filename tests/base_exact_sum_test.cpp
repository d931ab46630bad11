#include "treewright/base/exact_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "treewright/base/random.h"

namespace treewright {
namespace {

constexpr double kMost = std::numeric_limits<double>::max(), kLeast = std::numeric_limits<double>::denorm_min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_sum(const std::vector<std::pair<double, double>>& products, double down, double up) {
  ExactSum sum;
  for (const auto& [a, b] : products) sum.add(a, b);
  EXPECT_EQ(sum.down(), down);
  EXPECT_EQ(sum.up(), up);
}

TEST(ExactSum, LosesNoDigit) {
  expect_sum({}, 0, 0);
  expect_sum({{1, 1}, {2, 3}}, 7, 7);
  expect_sum({{1e300, 1}, {1, 1}, {-1e300, 1}}, 1, 1);
  expect_sum({{kMost, kMost}, {kLeast, kLeast}, {-kMost, kMost}}, 0, kLeast);
  expect_sum({{-kLeast, kLeast}}, -kLeast, 0);
  expect_sum({{kMost, 2}}, kMost, kInfinity);
  expect_sum({{-kMost, 2}}, -kInfinity, -kMost);
  const double third = 1.0 / 3;
  expect_sum({{third, 3}}, std::nextafter(1, 0), 1);
  expect_sum({{-third, 3}}, -1, std::nextafter(-1, 0));
  expect_sum({{0.1, 1}, {0.2, 1}, {-0.3, 1}}, 0x1p-55, 0x1p-55);
}

// Whole numbers of steps of 2^-40, so that a sum of 64 bits knows the answer, in any order and with many carries.
TEST(ExactSum, IsTheSumOfWholeNumbers) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    ExactSum sum;
    std::int64_t steps = 0;
    for (std::size_t n = random.below(300); n > 0; --n) {
      const auto a = static_cast<std::int64_t>(random.below(1 << 24)) - (1 << 23), b = static_cast<std::int64_t>(random.below(1 << 24));
      steps += a * b;
      sum.add(std::ldexp(static_cast<double>(a), -13), std::ldexp(static_cast<double>(b), -27));
    }
    const double down = sum.down(), up = sum.up();
    EXPECT_TRUE(up == down || up == std::nextafter(down, kInfinity)) << round;
    EXPECT_LE(std::ldexp(down, 40), static_cast<long double>(steps)) << round;
    EXPECT_GE(std::ldexp(up, 40), static_cast<long double>(steps)) << round;
  }
}

TEST(ExactSum, OfMillions) {
  ExactSum sum;
  for (int i = 0; i < 3'000'000; ++i) sum.add(0.1);
  for (int i = 0; i < 3'000'000; ++i) sum.add(-0x1.999999999999ap-4);
  sum.add(kLeast);
  EXPECT_EQ(sum.down(), kLeast);
}

}  // namespace
}  // namespace treewright
