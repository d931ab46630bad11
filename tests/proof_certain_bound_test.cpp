#include "treewright/proof/certain_bound.h"

#include <gtest/gtest.h>

#include <atomic>

#include "support/brute_force.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/fit.h"
#include "treewright/result.h"

namespace treewright {
namespace {

TEST(CertainBound, IsBelowTheBestOfAllTrees) {
  Random random(91);
  int tight = 0;
  for (int round = 0; round < 300; ++round) {
    Dataset data = testing::random_data(random, {14, 2, 6, true, true, 3});
    if (round % 3 == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(static_cast<double>(random.below(4)) + 0.5);
    }
    for (int depth = 0; depth <= 3; ++depth) {
      for (const double price : {0.0, 0.3, 2.0}) {
        const double best = testing::BruteForce(data).best_cost(depth, (1 << depth) - 1, price);
        const double bound = proof::certain_bound(data, depth, price);
        EXPECT_LE(bound, best + 1e-9) << "round " << round << ", depth " << depth << ", price " << price;
        tight += bound > 0 && best - bound < 1e-9 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(tight, 300);
}

TEST(CertainBound, CountsEqualRowsAndMissingValues) {
  const double none = std::nan("");
  const Dataset data = testing::make_data(
      {testing::numbers("x", {1, 1, 1, none, none, 0.0, -0.0}), testing::numbers("y", {2, 2, 2, 3, 3, 1, 1})}, {0, 0, 1, 0, 1, 1, 0});
  EXPECT_NEAR(proof::certain_bound(data, 6, 0), 3, 1e-9);
}

// A run that ends at once has a bound all the same.
TEST(CertainBound, IsThatOfAStoppedRun) {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 90; ++row) {
    x.push_back(row / 2);
    labels.push_back(row % 9);
  }
  const Dataset data = testing::make_data({testing::numbers("x", x)}, labels, 9);
  const std::atomic<bool> stop = true;
  FitHooks hooks;
  hooks.stop = &stop;
  for (const char* method : {"oct", "partition"}) {
    Options options;
    options.method = method;
    options.max_depth = 2;
    const Result result = fit(data, options, hooks);
    EXPECT_EQ(result.status, Status::interrupted) << method;
    EXPECT_NEAR(result.bound, 50.0 / 80, 1e-9) << method << ": five of nine classes are lost";
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << method;
  }
}

}  // namespace
}  // namespace treewright
