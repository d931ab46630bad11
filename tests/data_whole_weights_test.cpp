#include "treewright/data/costs/whole_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/make_data.h"
#include "treewright/base/random.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

WholeWeights of(std::vector<double> weights) {
  Dataset data = make_data({numbers("x", std::vector<double>(weights.size(), 0))}, std::vector<std::int32_t>(weights.size(), 0));
  data.weights = std::move(weights);
  return whole_weights(data);
}

TEST(WholeWeights, NoWeightsCountOneEach) {
  const WholeWeights whole = whole_weights(make_data({numbers("x", {1, 2, 3})}, {0, 1, 0}));
  EXPECT_TRUE(whole.multiple.empty());
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(whole.of(row), 1);
  EXPECT_EQ(whole.unit, 1);
}

TEST(WholeWeights, FindsTheUnit) {
  struct {
    std::vector<double> weights, multiples;
  } cases[] = {
      {{1e-10, 1e-10}, {1, 1}},
      {{0.1, 0.3, 0.7, 0}, {1, 3, 7, 0}},
      {{1.0 / 3, 1, 4.0 / 3}, {1, 3, 4}},
      {{150 / 50.0, 150 / 40.0, 150 / 60.0}, {12, 15, 10}},
      {{6, 4, 10}, {3, 2, 5}},
      {{1e9, 1, 1}, {1e9, 1, 1}},
      {{0.001, 1e6, 0.03}, {1, 1e9, 30}},
      {{5e4, 4e-05}, {5e9, 4}},
      {{12345678.9, 0.0002}, {123456789000, 2}},
  };
  for (const auto& [weights, multiples] : cases) {
    const WholeWeights whole = of(weights);
    EXPECT_EQ(whole.multiple, multiples);
    EXPECT_EQ(whole.rounding, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(whole.multiple[i] * whole.unit, weights[i], 1e-15 * weights[i]);
  }
}

TEST(WholeWeights, SaysWhatItRounds) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> weights;
    for (int i = 0; i < 50; ++i) weights.push_back(std::exp(random.normal() * 5));
    const WholeWeights whole = of(weights);
    double rounding = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_EQ(whole.multiple[i], std::floor(whole.multiple[i]));
      rounding += std::abs(weights[i] - whole.multiple[i] * whole.unit);
    }
    EXPECT_EQ(rounding, whole.rounding);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    EXPECT_LE(rounding, 50 * 0x1p-50 * total);
    EXPECT_LT(std::accumulate(whole.multiple.begin(), whole.multiple.end(), 0.0), 0x1p52);
  }
}

}  // namespace
}  // namespace treewright
