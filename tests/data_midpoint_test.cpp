#include "treewright/data/midpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "treewright/base/random.h"

namespace treewright {
namespace {

TEST(Midpoint, LiesInTheMiddle) {
  EXPECT_EQ(midpoint(1.0, 2.0), 1.5);
  EXPECT_EQ(midpoint(-3.0, 1.0), -1.0);
}

TEST(Midpoint, TakesTheUpperOfTwoNeighboringDoubles) {
  for (const double lower : {1.0, -1.0, 0.0, 5e-324, 0.1, -0.3, 1e300}) {
    const double upper = std::nextafter(lower, std::numeric_limits<double>::infinity());
    EXPECT_EQ(midpoint(lower, upper), upper) << lower;
  }
}

TEST(Midpoint, DoesNotOverflow) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(midpoint(-largest, largest), 0.0);
  EXPECT_EQ(midpoint(largest / 2, largest), 0.75 * largest);
}

TEST(Midpoint, SeparatesWhateverTheGap) {
  Random random(1);
  for (int trial = 0; trial < 10000; ++trial) {
    const double lower = random.uniform(-1, 1);
    double upper = lower;
    for (std::uint64_t step = random.below(4) + 1; step-- > 0;) upper = std::nextafter(upper, 2.0);
    const double threshold = midpoint(lower, upper);
    EXPECT_TRUE(lower < threshold && !(upper < threshold)) << lower << ' ' << upper;
  }
}

}  // namespace
}  // namespace treewright
