#include "treewright/report/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace treewright::report {
namespace {

TEST(Ticks, AreRoundNumbersOfTheRange) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(-3, 12, 3), (std::vector<double>{0, 5, 10}));
  EXPECT_EQ(ticks(0.02, 0.09, 4).front(), 0.02);
  EXPECT_TRUE(ticks(1, 1, 4).empty());
  EXPECT_TRUE(ticks(1e18, std::nextafter(1e18, 2e18), 4).empty()) << "numbers lie further apart than steps";
  for (double high = 1e-7; high < 1e9; high *= 1.7) {
    for (int wanted = 1; wanted < 9; ++wanted) {
      const std::vector<double> found = ticks(0, high, wanted);
      EXPECT_GE(static_cast<int>(found.size()), 1 + wanted / 2);
      EXPECT_LE(static_cast<int>(found.size()), 1 + 2 * wanted);
      EXPECT_LE(found.back(), high * (1 + 1e-9));
    }
  }
}

TEST(Ticks, LabelsOfAnAxisDoNotTouch) {
  const auto six = [](double) { return std::string("100000"); };
  EXPECT_EQ(ticks_across(25000, 160000, 4, 300, [](double) { return std::string("1"); }).size(), 7);
  EXPECT_EQ(ticks_across(25000, 160000, 4, 300, six), (std::vector<double>{50000, 100000, 150000}));
  EXPECT_EQ(ticks_across(25000, 160000, 4, 40, six), std::vector<double>{100000});
  EXPECT_TRUE(ticks_across(1, 1, 4, 300, six).empty());
}

TEST(Ticks, OfDatesAreWholeDays) {
  EXPECT_EQ(ticks(19000, 19002, 3, 1), (std::vector<double>{19000, 19001, 19002}));
  EXPECT_EQ(ticks(19000.5, 19001.5, 3, 1), std::vector<double>{19001});
}

}  // namespace
}  // namespace treewright::report
