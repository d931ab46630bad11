#include "treewright/select/solve_again.h"

#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"
#include "support/random_data.h"

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
