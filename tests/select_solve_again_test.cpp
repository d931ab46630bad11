#include "treewright/select/solve_again.h"

#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"
#include "support/random_data.h"
#include "treewright/near_trees.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

TEST(SolveAgain, ConfirmsWhatIsTrue) {
  Random random(3);
  for (int round = 0; round < 30; ++round) {
    const Dataset data = testing::random_data(random, {30, 3, 3, true, true, 5});
    Options options;
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    options.min_samples_leaf = 1 + static_cast<double>(random.below(2));
    options.ccp_alpha = random.below(2) == 0 ? 0 : 0.05;
    if (random.below(3) == 0) options.max_splits = 2;
    options.method = random.below(4) == 0 ? "partition" : "oct";
    const Result result = fit(data, options);
    const select::SecondSolve second = select::solve_again(result, data, kNoLimit);
    EXPECT_EQ(second.broken, std::vector<std::string>{}) << testing::to_string(data);
    EXPECT_EQ(second.result.status, Status::optimal);
  }
}

TEST(SolveAgain, RefutesAFalseOptimumAndAFalseBound) {
  Random random(4);
  const Dataset data = testing::random_data(random, {30, 3, 2, false, false, 9});
  Options options;
  options.max_depth = 1;
  Result worse = fit(data, options);
  ASSERT_GT(worse.errors, 0);
  worse.max_depth = 3;  // the stump as if it were the optimum of depth three
  EXPECT_EQ(select::solve_again(worse, data, kNoLimit).broken.size(), 1u);
  options.max_depth = 3;
  Result high = fit(data, options);
  high.bound = high.objective + 1;
  EXPECT_EQ(select::solve_again(high, data, kNoLimit).broken.size(), 1u);
}

// What every tree pays hides what trees differ by, and tiny weights make all objectives tiny.
TEST(SolveAgain, RefutesATreeThatCostsALittleMore) {
  for (const double offset : {0.0, 1e6, 1e9}) {
    Random random(5);
    Dataset data = testing::random_data(random, {40, 3, 2, false, false, 9});
    data.weights.clear();
    for (const std::int32_t label : data.labels) {
      for (std::int32_t a = 0; a < 2; ++a) data.row_costs.push_back(offset + (a == label ? 0 : 1));
    }
    Options options;
    options.max_depth = 2;
    const Result best = fit(data, options);
    EXPECT_EQ(select::solve_again(best, data, kNoLimit).broken.size(), 0u) << offset;
    options.max_depth = 0;
    Result worse = fit(data, options);
    ASSERT_GT(*worse.cost, *best.cost);
    worse.max_depth = 2;
    EXPECT_EQ(select::solve_again(worse, data, kNoLimit).broken.size(), 1u) << offset;
    EXPECT_FALSE(closes_gap(*best.objective_function, worse.objective, best.bound, data)) << offset;
    EXPECT_TRUE(closes_gap(*best.objective_function, best.objective, best.bound, data)) << offset;
    // All trees are near: only those that cost as little are optimal.
    options.max_depth = 1;
    const NearTrees near = near_trees(data, options, {5, 50, false});
    for (const Result& tree : near.trees) EXPECT_EQ(tree.status == Status::optimal, *tree.cost == *near.trees[0].cost) << offset;
  }
  Random random(6);
  Dataset data = testing::random_data(random, {40, 3, 2, false, false, 9});
  data.weights.assign(data.rows(), 1e-22);
  Options options;
  options.max_depth = 2;
  options.alpha_scale = "errors";
  const Result best = fit(data, options);
  options.max_depth = 0;
  const Result worse = fit(data, options);
  ASSERT_GT(worse.errors, best.errors);
  EXPECT_FALSE(closes_gap(*best.objective_function, worse.objective, best.bound, data));
}

TEST(SolveAgain, RefusesOtherProblems) {
  Random random(5);
  const Dataset data = testing::random_data(random, {20, 2, 2, false, false, 9});
  Options options;
  options.method = "tao";
  const Result result = fit(data, options);
  expect_error([&] { select::solve_again(result, data, kNoLimit); }, {"tao", "cannot be solved again"});
}

}  // namespace
}  // namespace treewright
