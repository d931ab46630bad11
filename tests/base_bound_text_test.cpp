#include "treewright/base/bound_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "treewright/base/random.h"

namespace treewright {
namespace {

TEST(BoundText, IsNeverAboveTheBound) {
  EXPECT_EQ(bound_text(2.0 / 3), "0.666666666");
  EXPECT_EQ(bound_text(-2.0 / 3), "-0.666666667");
  EXPECT_EQ(bound_text(0.1), "0.1");
  EXPECT_EQ(bound_text(1.0 / 3, 6), "0.333333");
  EXPECT_EQ(bound_text(1234567890126), "1234567890126");
  EXPECT_EQ(bound_text(1234567890.9), "1.23456789e+09");
  EXPECT_EQ(bound_text(1234567896.9), "1.23456789e+09");
  EXPECT_EQ(bound_text(9.9999999999), "9.99999999");
  EXPECT_EQ(bound_text(-9.9999999991), "-10");
  EXPECT_EQ(bound_text(0.99999999999, 3), "0.999");
  EXPECT_EQ(bound_text(0), "0");
  EXPECT_EQ(bound_text(0.7), "0.7") << "the double below 7 / 10 is what is read of this text";
  EXPECT_EQ(bound_text(6, 9, 15), "0.4");
  EXPECT_EQ(bound_text(6, 9, 3), "2");
  EXPECT_EQ(bound_text(2, 9, 3), "0.666666666");
  EXPECT_EQ(bound_text(-2, 9, 3), "-0.666666667");
  EXPECT_EQ(bound_text(std::nextafter(6, 0), 9, 15), "0.399999999");
  EXPECT_EQ(bound_text(5e-310, 3), "5e-310");
  EXPECT_EQ(bound_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(bound_text(-std::numeric_limits<double>::infinity()), "-inf");
  Random random(1);
  for (int round = 0; round < 20000; ++round) {
    const double magnitude = std::ldexp(1 + random.uniform(), static_cast<int>(random.below(2000)) - 1000);
    const double bound = random.below(2) == 0 ? magnitude : -magnitude;
    const int digits = 1 + static_cast<int>(random.below(15));
    const std::string text = bound_text(bound, digits);
    const double read = std::strtod(text.c_str(), nullptr);
    EXPECT_LE(read, bound) << text;
    EXPECT_GE(read, bound - std::abs(bound) * std::pow(10, 1 - digits)) << text;
  }
}

}  // namespace
}  // namespace treewright
