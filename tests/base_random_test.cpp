#include "treewright/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {
namespace {

// Trees are the same on every machine only if these numbers are: 0 and 1234567 are the generator's published
// test seeds.
TEST(Random, GoldenValues) {
  Random zero(0);
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fULL);
  Random known(1234567);
  EXPECT_EQ(known.next(), 6457827717110365317ULL);
  EXPECT_EQ(known.next(), 3203168211198807973ULL);
}

TEST(Random, SameSeedSameNumbers) {
  Random a(5), b(5), c(6);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
}

TEST(Random, UniformStaysInRangeAndHasItsMean) {
  Random random(1);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform(-3, 5);
    ASSERT_GE(u, -3);
    ASSERT_LT(u, 5);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 1, 0.1);
}

TEST(Random, BelowReachesEveryValueEquallyOften) {
  Random random(2);
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 7000; ++i) ++seen.at(random.below(7));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.05);
}

TEST(Random, ShuffleKeepsTheItemsAndMovesEach) {
  Random random(4);
  std::vector<int> at_first(5, 0);
  for (int round = 0; round < 5000; ++round) {
    std::vector<int> items(5);
    std::iota(items.begin(), items.end(), 0);
    random.shuffle(items);
    ++at_first[items[0]];
    std::sort(items.begin(), items.end());
    ASSERT_EQ(items, (std::vector<int>{0, 1, 2, 3, 4}));
  }
  for (const int count : at_first) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace treewright
