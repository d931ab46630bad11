#include "treewright/data/costs/response_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/sum_brute_force.h"
#include "treewright/base/random.h"

namespace treewright {
namespace {

using testing::leaf_loss;

Dataset with_values(std::vector<double> values, std::vector<double> weights = {}) {
  Dataset data;
  data.target_name = "price";
  data.response = Response{Loss::squared, std::move(values), {}};
  data.weights = std::move(weights);
  return data;
}

// The loss of the leaves [0, cut) and [cut, rows) on the grid, in its units.
long double loss_on_grid(const ResponseGrid& grid, std::size_t cut) {
  long double loss = 0, exposure = 0, amount = 0;
  for (std::size_t row = 0; row < grid.exposure.size(); ++row) {
    const long double a = grid.exposure[row], b = grid.amount[row];
    if (a > 0) loss += b * b / a;
    exposure += a;
    amount += b;
    if (row + 1 != cut && row + 1 != grid.exposure.size()) continue;
    if (exposure > 0) loss -= amount * amount / exposure;
    exposure = amount = 0;
  }
  return loss;
}

TEST(ResponseGrid, SumsAreExactInEveryOrder) {
  Random random(1);
  std::vector<double> values(500), weights(500);
  for (double& value : values) value = 1e9 + std::exp(30 * random.uniform());
  for (double& weight : weights) weight = random.uniform();
  ResponseGrid grid = response_grid(with_values(values, weights));
  for (std::vector<double>* numbers : {&grid.exposure, &grid.amount}) {
    const double sum = std::accumulate(numbers->begin(), numbers->end(), 0.0);
    for (int round = 0; round < 20; ++round) {
      random.shuffle(*numbers);
      EXPECT_EQ(std::accumulate(numbers->begin(), numbers->end(), 0.0), sum);
    }
  }
}

TEST(ResponseGrid, ItsBoundsAreNeverAboveTheLossOfTheData) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t rows = 2 + random.below(30);
    std::vector<double> values(rows), weights(random.below(2) == 0 ? 0 : rows);
    const double spread = std::pow(10, random.uniform(-6, 6)), center = random.below(2) == 0 ? 0 : 1e6 * spread * random.uniform();
    for (double& value : values) value = center + spread * (random.below(3) == 0 ? std::round(3 * random.uniform()) : random.uniform());
    for (double& weight : weights) weight = random.uniform() * std::pow(10, random.uniform(-3, 3));
    const Dataset data = with_values(values, weights);
    const ResponseGrid grid = response_grid(data);
    const std::size_t cut = random.below(rows);
    std::vector<std::size_t> left(cut), right(rows - cut), all(rows);
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::iota(right.begin(), right.end(), cut);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const long double loss = leaf_loss(data, left) + leaf_loss(data, right);
    const double bound = grid.units.at_least(static_cast<double>(loss_on_grid(grid, cut)));
    EXPECT_LE(bound, loss);
    EXPECT_GE(bound, loss - 1e-9L * leaf_loss(data, all)) << "and near it";
  }
}

TEST(ResponseGrid, TargetsNeedSquares) {
  expect_error([] { response_grid(with_values({1e200, 2})); }, {"price", "squares", "another unit"});
  expect_error([] { response_grid(with_values({1e-200, 0})); }, {"price", "squares"});
  EXPECT_EQ(response_grid(with_values({1e200, 1e200})).amount, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace treewright
