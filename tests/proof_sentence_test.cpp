#include "treewright/proof/sentence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace treewright::proof {
namespace {

TEST(ProofSentence, NumbersAreRoundedToTheSafeSide) {
  EXPECT_EQ(rounded_down(0), "0");
  EXPECT_EQ(rounded_down(-0.0), "0");
  EXPECT_EQ(rounded_down(7), "7");
  EXPECT_EQ(rounded_down(0.5), "0.5");
  EXPECT_EQ(rounded_down(1.0 / 3), "0.333333333333");
  EXPECT_EQ(rounded_up(1.0 / 3), "0.333333333334");
  EXPECT_EQ(rounded_down(-1.0 / 3), "-0.333333333334");
  EXPECT_EQ(rounded_up(-1.0 / 3), "-0.333333333333");
  EXPECT_EQ(rounded_down(std::nextafter(2.0, 1.0)), "1.999999999999");
  EXPECT_EQ(rounded_up(std::nextafter(2.0, 1.0)), "2");
  EXPECT_EQ(rounded_up(std::nextafter(10.0, 1.0)), "10");
  EXPECT_EQ(rounded_down(5e-324), "0");
  EXPECT_EQ(rounded_up(5e-324), "0.000000000001");
  EXPECT_EQ(rounded_down(-5e-324), "-0.000000000001");
  EXPECT_EQ(rounded_up(-5e-324), "0");
  EXPECT_EQ(rounded_down(9007199254740993.0), "9007199254740992");
  EXPECT_EQ(rounded_down(0.1), "0.1");
}

}  // namespace
}  // namespace treewright::proof
