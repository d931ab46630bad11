// Numbers that are claimed, at every scale: cases in which the last digits of some larger number were once taken for true ones, and others
// at random, against all trees in whole numbers.

#include <gtest/gtest.h>

#include "support/compare_tune.h"
#include "support/draw_numbers.h"
#include "support/make_data.h"

namespace treewright {
namespace {

using testing::Case;
using testing::make_data;
using testing::numbers;

Options of_depth(int depth) {
  Options options;
  options.max_depth = depth;
  options.n_jobs = 1;
  return options;
}

Dataset policy(std::vector<Column> columns, int labels, std::vector<double> costs) {
  Dataset data = make_data(std::move(columns), {}, labels);
  data.row_costs = std::move(costs);
  data.labels = std::vector<std::int32_t>(data.row_costs.size() / static_cast<std::size_t>(labels), 0);
  take_cheapest_labels(data);
  return data;
}

TEST(Numbers, ABoundIsNotAboveTheOptimumBesideCostsThatForbid) {
  const double never = 1e11;
  const Case cases[] = {
      {policy({numbers("x0", {0, 1, 2, 3, 1}), numbers("x1", {2, 1, 0, 1, 1})}, 4,
              {0, 2, never, never, never, 0, 0, never, 1, never, never, 0, never, 2, 3, 3, 0, 1, 0, 0}),
       of_depth(2)},
      {policy({numbers("x0", {0, 1, 2, 3, 4, 5, 6, 7, 0})}, 5, {0, 0,     2, 3, 0, 2,     0, 2, 0, 1, 0, 3, 0, 3, 3, 1, 0, 0, 2, 3, 3, 1, 0,
                                                                0, never, 0, 1, 0, never, 3, 0, 1, 0, 3, 1, 0, 2, 2, 1, 0, 0, 1, 0, 1, 0}),
       of_depth(3)},
  };
  for (Case c : cases) {
    for (c.options.node_limit = -1; c.options.node_limit < 20; ++c.options.node_limit)
      EXPECT_EQ(testing::compare_exact(c, fit(c.data, c.options)), "") << c.options.node_limit;
  }
}

TEST(Numbers, WhatColumnsAreWorthIsCountedInUnits) {
  Dataset data = make_data({numbers("x", {2, 0, 0, 2, 2, 0, 0, 1}), numbers("z", {0, 2, 2, 0, 0, 1, 0, 1})}, {0, 2, 2, 2, 1, 1, 1, 1}, 3);
  data.weights = {10000000007, 10000000005, 10000000009, 11672871146, 8674054570, 10000000000, 10000000005, 10000000003};
  for (int depth = 1; depth <= 3; ++depth) {
    const Case c{data, of_depth(depth)};
    EXPECT_EQ(testing::compare_worth(c, fit(c.data, c.options)), "");
  }
  const ColumnWorths worths = column_worth(data, of_depth(3));
  EXPECT_EQ(worths.best.bound, worths.best.cost);
}

TEST(Numbers, TreesExactlySoMuchWorseAreListed) {
  const Dataset data = policy({numbers("x0", {0, 1, 2, 3})}, 2, {50, 50.05, 50.01, 50.01, 50.02, 50.01, 50.03, 50.05});
  const NearTrees near = near_trees(data, of_depth(2), {0.01, 100, false});
  EXPECT_TRUE(near.complete());
  std::size_t worse = 0;
  for (const Result& result : near.trees) worse += result.objective > near.trees.front().objective + 1e-9;
  EXPECT_GT(worse, 0u);
  const Case c{data, of_depth(2)};
  EXPECT_EQ(testing::compare_near(c, fit(c.data, c.options)), "");
}

// The two rows with x = 2 cancel: they weigh for a limit on rows, and make no tree another one.
TEST(Numbers, NoFewerTreesAreListedUnderAWeakerLimit) {
  const Dataset data = make_data({numbers("x", {1, 1, 2, 2, 3, 3}), numbers("y", {0, 0, 1, 1, 0, 0})}, {0, 0, 0, 1, 1, 1});
  std::size_t before = 0;
  for (const int rows : {3, 2, 1}) {
    Options options = of_depth(2);
    options.min_samples_leaf = rows;
    const NearTrees near = near_trees(data, options, {0, 100, false});
    EXPECT_TRUE(near.complete());
    EXPECT_GE(near.trees.size(), before) << rows;
    before = near.trees.size();
  }
}

TEST(Numbers, AFirstColumnWithPricesIsProved) {
  Dataset data = make_data(
      {numbers("x0", {0, 0, 1, 0}), numbers("x1", {1, 0, 0, 0}), numbers("x2", {0, 0, 1, 1}), numbers("x3", {0, 0, 1, 1})}, {0, 0, 0, 1});
  data.weights = {100000, 1, 1, 100000};
  Case c{data, of_depth(2)};
  c.options.first_column = "x0";
  c.options.alpha_scale = "errors";
  c.options.ccp_alpha = 8;
  c.options.column_costs = "x1=5,x2=5,x3=5";
  const Result result = fit(c.data, c.options);
  EXPECT_EQ(result.status, Status::optimal) << result.bound << " " << result.objective;
  EXPECT_EQ(testing::compare_exact(c, result), "");
}

TEST(Numbers, ATradeOffThatIsNotProvedSaysWhy) {
  Dataset data = make_data({numbers("x", {0, 1, 2})}, {0, 1, 0});
  data.weights = {1, 1e9, 1};
  const TradeOff far = trade_off(data, "b", of_depth(1));
  EXPECT_EQ(far.status, Status::heuristic);
  EXPECT_NE(far.unsolved.find("row weights"), std::string::npos) << far.unsolved;
  data.weights = {1, 10, 1};
  EXPECT_EQ(trade_off(data, "b", of_depth(1)).unsolved, "");
}

// The claim of a second search is as sharp as the claim that it is compared with.
TEST(Numbers, ABoundThatIsALittleTooHighIsRefuted) {
  for (const double weight : {1.0, 1e5, 1e10}) {
    Dataset data = make_data({numbers("x", {0, 1, 2, 3, 4})}, {0, 1, 0, 1, 0});
    for (int row = 0; row < 5; ++row) data.weights.push_back(weight + row);
    Result result = fit(data, of_depth(1));
    ASSERT_EQ(result.status, Status::optimal);
    EXPECT_TRUE(select::solve_again(result, data, 10).broken.empty());
    for (const double share : {1e-6, 1e-10, 1e-13}) {
      Result high = result;
      high.bound = result.bound * (1 + share);
      EXPECT_EQ(select::solve_again(high, data, 10).broken.size(), 1u) << weight << " " << share;
    }
  }
}

TEST(Numbers, OfRandomCasesAreTrue) {
  const auto all = {testing::compare_exact, testing::compare_again,     testing::compare_worth, testing::compare_near,
                    testing::compare_path,  testing::compare_trade_off, testing::compare_tune};
  const char* const subjects[] = {"exact", "exact", "near", "trade_off"};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Case c = testing::draw_numbers(random, subjects[seed % 4]);
    try {
      const Result base = fit(c.data, c.options);
      for (const auto compare : all) ASSERT_EQ(compare(c, base), "") << seed;
    } catch (const Error&) {  // costs that differ too much, two classes that are none
    }
  }
  EXPECT_GT(testing::counts.exact, 200);
  EXPECT_GT(testing::counts.nears, 40);
  EXPECT_GT(testing::counts.trade_offs, 40);
  EXPECT_GT(testing::counts.tunes, 100);
}

}  // namespace
}  // namespace treewright
