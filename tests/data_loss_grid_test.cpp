#include "treewright/data/costs/loss_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "treewright/base/random.h"
#include "treewright/base/round_down.h"
#include "treewright/data/costs/costs.h"

namespace treewright {
namespace {

TEST(RoundDown, IsNeverAboveAndKeepsWhatIsExact) {
  EXPECT_EQ(sum_down(3, 4), 7);
  EXPECT_EQ(product_down(3, 7), 21);
  EXPECT_EQ(quotient_down(21, 7), 3);
  EXPECT_LT(quotient_down(1, 10), 0.1) << "the nearest double is above a tenth";
  EXPECT_EQ(quotient_down(1, 3), 1.0 / 3) << "and below one third";
  Random random(1);
  for (int round = 0; round < 10'000; ++round) {
    const double a = random.uniform(-9, 9) * std::pow(10.0, static_cast<double>(random.below(20))), b = random.uniform(0.1, 9);
    // With 64 bits or more, these are nearer than the last digit of a double.
    const long double sum = static_cast<long double>(a) + b, product = static_cast<long double>(a) * b;
    EXPECT_LE(sum_down(a, b), sum);
    EXPECT_GE(std::nextafter(sum_down(a, b), 1e300), sum);
    EXPECT_LE(product_down(a, b), product);
    EXPECT_LE(static_cast<long double>(quotient_down(a, b)) * b, a);
  }
}

TEST(LossGrid, UnitsAreErrors) {
  WholeWeights weights;
  EXPECT_EQ(LossGrid(weights).at_least(GridUnits(12)), 12);
  weights.unit = 0.1;
  const LossGrid tenths(weights);
  EXPECT_EQ(tenths.whole_units(0.29999999999999993), GridUnits(3));
  EXPECT_LE(tenths.at_least(GridUnits(3)), 0.3);
  EXPECT_NEAR(tenths.at_least(GridUnits(3)), 0.3, 1e-15);
}

TEST(LossGrid, WeightsThatAreNoMultiplesOfTheirUnitAsDoubles) {
  Dataset data;
  data.columns.emplace_back().values = {0, 1};
  data.labels = {0, 1};
  for (const auto& [light, heavy, units] : {std::tuple(0.05, 0.29, 5.0), std::tuple(0.03, 0.27, 1.0), std::tuple(0.1, 0.7, 1.0)}) {
    data.weights = {light, heavy};
    const WholeWeights weights = whole_weights(data);
    ASSERT_EQ(weights.rounding, 0);
    ASSERT_EQ(weights.multiple.front(), units);
    EXPECT_EQ(LossGrid(weights).whole_units(light), GridUnits(units)) << "a tree may err on the first row alone";
  }
}

// What forbids a label is most of every sum on the table, and nothing of what is stated of the costs.
TEST(LossGrid, WholeCostsAreExactBesideOnesThatForbid) {
  for (const double forbids : {1e5, 1e7, 1e9}) {
    Dataset data;
    data.columns.emplace_back().values = {0, 1};
    data.labels = {0, 1};
    data.class_names = {"a", "b", "c"};
    data.row_costs = {0, 2, forbids, forbids, 1, 3};
    const LossGrid grid = gains_table(data).grid;
    EXPECT_EQ(grid.off(), 0);
    const double errors_of_best = forbids + (forbids - 2) - forbids + (forbids - 1) + (forbids - 3) - (forbids - 1);
    EXPECT_EQ(grid.at_least(grid.whole_units(errors_of_best)), 1) << "labels a and b";
    EXPECT_EQ(grid.at_least(grid.whole_units(errors_of_best + 2)), 3) << "labels b and b";
    data.row_costs = {0, 0.2, forbids, forbids, 0.1, 0.3};
    const LossGrid of_tenths = gains_table(data).grid;
    EXPECT_LE(of_tenths.off(), 1e-15 * forbids + 1e-15);
    EXPECT_GT(of_tenths.off(), 0);
  }
}

}  // namespace
}  // namespace treewright
