#include "treewright/data/costs/price_grid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace treewright {
namespace {

TEST(PriceGrid, SumsOfPricesAndErrorsAreExact) {
  for (const double total : {10.0, 1e6, 1e12}) {
    for (const double price : {1.0 / 3, 0.1, 2.0 / 7, 5.0}) {
      const double grid = price_on_grid(price, total);
      EXPECT_NEAR(grid, price, total * 1e-14);
      double sum = 0;
      for (int splits = 1; splits <= 15; ++splits) {
        sum += grid;
        EXPECT_EQ(sum, grid * splits);
        if (sum <= total) {
          EXPECT_EQ((sum + total) - total, sum);
        }
      }
    }
  }
}

TEST(PriceGrid, AVeryHighPriceIsCut) {
  EXPECT_GT(price_on_grid(1e300, 10), 10) << "no tree with a split pays at either price";
  EXPECT_TRUE(std::isfinite(price_on_grid(1e300, 10)));
}

TEST(PriceGrid, ATinyPriceStaysAPrice) {
  EXPECT_EQ(price_on_grid(0, 1e6), 0);
  const double grid = price_on_grid(1e-300, 1e6);
  EXPECT_GT(grid, 0);
  EXPECT_TRUE(same_optima(1e-300, grid, 1000)) << "either breaks ties only";
}

TEST(PriceGrid, OptimaDifferWhereAFractionLiesBetweenThePrices) {
  EXPECT_TRUE(same_optima(0.5, 0.5, 1000)) << "at a fraction, but the same price";
  EXPECT_TRUE(same_optima(0.334, 0.34, 3));
  EXPECT_TRUE(same_optima(0.1, 0.0999, 15)) << "one error for ten splits is a tie at the price itself";
  EXPECT_TRUE(same_optima(0.1, 0.1001, 15));
  EXPECT_FALSE(same_optima(0.0999, 0.1, 15)) << "a tie on the grid: the wrong one of two trees may be found";
  EXPECT_FALSE(same_optima(0.1001, 0.0999, 15));
  EXPECT_FALSE(same_optima(0.33, 0.34, 3)) << "one error for three splits";
  EXPECT_FALSE(same_optima(0.3299, 0.332, 100)) << "33 errors for 100 splits";
  EXPECT_TRUE(same_optima(0.33, 0.34, 2));
  EXPECT_FALSE(same_optima(1.9, 2.1, 1));
}

}  // namespace
}  // namespace treewright
