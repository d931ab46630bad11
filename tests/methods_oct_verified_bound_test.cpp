// What is called optimal was proved to a checker: unasked where that costs little, else where it is asked for.

#include <gtest/gtest.h>

#include "expect_error.h"
#include "support/make_data.h"
#include "treewright/base/random.h"
#include "treewright/fit.h"
#include "treewright/result.h"

namespace treewright {
namespace {

Dataset noise(std::size_t rows, int columns) {
  Random random(7);
  std::vector<Column> made;
  for (int f = 0; f < columns; ++f) {
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) values.push_back(static_cast<double>(random.below(9)));
    made.push_back(testing::numbers("x" + std::to_string(f), values));
  }
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < rows; ++row) labels.push_back(static_cast<std::int32_t>(random.below(3)));
  return testing::make_data(made, labels, 3);
}

Options to_depth(std::int64_t depth, const std::string& verify) {
  Options options;
  options.max_depth = depth;
  options.verify = verify;
  return options;
}

TEST(ShownBound, SmallProblemsAreVerifiedUnasked) {
  for (const std::int64_t depth : {0, 1, 2, 3}) {
    const Result result = fit(noise(40, 3), to_depth(depth, "auto"));
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_TRUE(result.verified) << depth;
    EXPECT_TRUE(from_json(to_json(result), "json").verified);
  }
}

TEST(ShownBound, LargeOnesWhereItIsAskedFor) {
  const Dataset data = noise(30000, 20);
  EXPECT_FALSE(fit(data, to_depth(1, "auto")).verified);
  EXPECT_TRUE(fit(data, to_depth(1, "yes")).verified);
}

TEST(ShownBound, NotWhereItIsNotWanted) {
  const Result result = fit(noise(40, 3), to_depth(2, "no"));
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_FALSE(result.verified);
}

// Rewards are costs below 0. A proof speaks of costs, and training of what labels gain over the dearest one.
TEST(ShownBound, RewardsAreVerified) {
  Random random(11);
  Dataset data = noise(60, 3);
  for (std::size_t i = 0; i < data.rows() * data.classes(); ++i) data.row_costs.push_back(-1.0 - static_cast<double>(random.below(20)));
  for (const std::int64_t depth : {0, 1, 2, 3}) EXPECT_TRUE(fit(data, to_depth(depth, "auto")).verified) << depth;
}

// Work decides, whoever does it.
TEST(ShownBound, DoesNotDependOnThreads) {
  int verified = 0;
  for (const std::size_t rows : {30u, 100u, 300u, 1000u}) {
    Options options = to_depth(3, "auto");
    options.n_jobs = 1;
    const bool alone = fit(noise(rows, 5), options).verified;
    options.n_jobs = 3;
    EXPECT_EQ(fit(noise(rows, 5), options).verified, alone) << rows;
    verified += alone ? 1 : 0;
  }
  EXPECT_GT(verified, 0);
  EXPECT_LT(verified, 4);
}

TEST(ShownBound, AStoppedSearchIsNotVerified) {
  Options options = to_depth(4, "yes");
  options.node_limit = 5;
  const Result result = fit(noise(200, 5), options);
  EXPECT_EQ(result.status, Status::node_limit);
  EXPECT_FALSE(result.verified);
}

TEST(ShownBound, ALimitOnTheRowsOfLeavesIsShown) {
  Options options = to_depth(3, "yes");
  options.min_samples_leaf = 5;
  EXPECT_TRUE(fit(noise(40, 3), options).verified);
  options.min_samples_leaf = 1;
  options.min_weight_fraction_leaf = 0.1;
  EXPECT_TRUE(fit(noise(40, 3), options).verified);
}

TEST(ShownBound, AProofSpeaksOfTreesWithAnyFirstColumn) {
  Options options = to_depth(2, "yes");
  options.first_column = "x0";
  expect_error([&] { fit(noise(40, 3), options); }, {"verify", "first_column"});
  options.verify = "auto";
  EXPECT_FALSE(fit(noise(40, 3), options).verified);
}

}  // namespace
}  // namespace treewright
