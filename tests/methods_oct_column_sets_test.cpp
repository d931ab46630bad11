#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/asked_brute_force.h"
#include "support/random_data.h"
#include "support/training.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/json.h"

namespace treewright {
namespace {

struct Problem {
  Dataset data;
  Options options;
  std::vector<double> prices;
  double split_price = 0;
  std::string text;

  double truth() const {
    const int depth = static_cast<int>(options.max_depth);
    const int splits = options.max_splits < 0 ? (1 << depth) - 1 : static_cast<int>(options.max_splits);
    const std::size_t most = options.max_columns < 0 ? data.features() : static_cast<std::size_t>(options.max_columns);
    const testing::AskedBruteForce trees(data, static_cast<std::int64_t>(options.min_samples_leaf));
    return trees.of_few(most, prices, depth, splits, split_price);
  }
};

// Categories, missing values, weights, prices of splits and columns, limits of all kinds, twins of columns, costs of labels.
Problem draw(Random& random) {
  Problem problem;
  Dataset& data = problem.data;
  const auto one_of = [&](std::uint64_t n) { return random.below(n) == 0; };
  do {
    data = testing::random_data(random, {16, 4, 3, one_of(2), one_of(2), 4});
  } while (!testing::has_two_classes(data));
  if (one_of(3)) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(row < 2 ? 1 : static_cast<double>(random.below(4)));
  }
  if (one_of(4)) {
    data.columns.push_back(data.columns.front());
    data.columns.back().name = "twin";
  }
  const bool costs = one_of(4);
  if (costs) {
    for (std::size_t i = 0; i < data.classes() * data.classes(); ++i) data.costs.push_back(static_cast<double>(random.below(5)));
  }
  problem.options.max_depth = static_cast<std::int64_t>(random.below(4));
  if (!costs) problem.options.min_samples_leaf = std::min(1 + static_cast<double>(random.below(3)), static_cast<double>(data.rows()));
  if (one_of(4)) problem.options.max_splits = static_cast<std::int64_t>(random.below(5));
  problem.options.alpha_scale = "errors";
  if (one_of(3)) problem.options.ccp_alpha = problem.split_price = 0.25 * static_cast<double>(1 + random.below(6));
  if (!one_of(4)) problem.options.max_columns = static_cast<std::int64_t>(random.below(4));
  problem.prices.assign(data.features(), 0.0);
  if (one_of(2)) {
    for (std::size_t f = 0; f < data.features(); ++f) {
      problem.prices[f] = 0.5 * static_cast<double>(random.below(5));
      problem.options.column_costs += (f == 0 ? "" : ",") + data.columns[f].name + "=" + std::to_string(problem.prices[f]);
    }
  }
  problem.text = testing::to_string(data) + "max_columns " + std::to_string(problem.options.max_columns) + " depth " +
                 std::to_string(problem.options.max_depth) + " splits " + std::to_string(problem.options.max_splits) + " prices " +
                 problem.options.column_costs;
  return problem;
}

TEST(ColumnSets, AreTheOptimumOverAllTrees) {
  Random random(2718);
  int limited = 0;
  for (int round = 0; round < 400; ++round) {
    const Problem problem = draw(random);
    const Result result = fit(problem.data, problem.options);
    ASSERT_EQ(result.status, Status::optimal) << problem.text;
    EXPECT_NEAR(result.objective, problem.truth(), 1e-9) << problem.text;
    EXPECT_EQ(check_claims(result, problem.data), std::vector<std::string>()) << problem.text;
    EXPECT_EQ(check_origin(result, problem.data), std::vector<std::string>()) << problem.text;
    EXPECT_EQ(select::solve_again(result, problem.data, 60, {}).broken, std::vector<std::string>()) << problem.text;
    const Result read = from_json(to_json(result), "text");
    EXPECT_EQ(check_claims(read, problem.data), std::vector<std::string>()) << problem.text;
    EXPECT_EQ(check_origin(read, problem.data), std::vector<std::string>()) << problem.text;
    Options free = problem.options;
    free.max_columns = -1;
    free.column_costs.clear();
    const double best = fit(problem.data, free).objective;
    EXPECT_GE(result.objective, best - 1e-9);
    limited += result.objective > best + 1e-9;
  }
  EXPECT_GT(limited, 100) << "the data are too easy";
}

// The least cost of a tree that asks `first` first, over all sets of so many columns with it; nothing where there is none.
std::optional<double> best_with_first(const Problem& problem, std::size_t first) {
  std::optional<double> best;
  const std::size_t features = problem.data.features();
  for (std::size_t set = 0; set < (std::size_t{1} << features); ++set) {
    if ((set >> first & 1) == 0 || std::popcount(set) > problem.options.max_columns) continue;
    Options options = problem.options;
    options.max_columns = -1;
    options.column_costs.clear();
    options.first_column = problem.data.columns[first].name;
    double price = 0;
    for (std::size_t f = 0; f < features; ++f) {
      if ((set >> f & 1) != 0)
        price += problem.prices[f];
      else
        options.never_columns += (options.never_columns.empty() ? "" : ",") + problem.data.columns[f].name;
    }
    try {
      const double objective = fit(problem.data, options).objective + price;
      best = best ? std::min(*best, objective) : objective;
    } catch (const Error&) {  // no split on it parts the rows within the limits
    }
  }
  return best;
}

TEST(ColumnSets, WithAColumnThatIsAskedFirst) {
  Random random(577);
  int solved = 0, refused = 0, of_one = 0;
  for (int round = 0; round < 300; ++round) {
    Problem problem = draw(random);
    if (problem.options.max_columns < 1 || problem.options.max_depth < 1 || problem.options.max_splits == 0) continue;
    const std::size_t first = random.below(problem.data.features());
    const std::optional<double> truth = best_with_first(problem, first);
    problem.options.first_column = problem.data.columns[first].name;
    if (!truth) {
      EXPECT_THROW(fit(problem.data, problem.options), Error) << problem.text;
      ++refused;
      continue;
    }
    const Result result = fit(problem.data, problem.options);
    EXPECT_EQ(result.status, Status::optimal) << problem.text << " first " << first;
    EXPECT_NEAR(result.objective, *truth, 1e-9) << problem.text << " first " << first;
    of_one += problem.options.max_columns == 1;
    ++solved;
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(of_one, 20);
  EXPECT_GT(refused, 0);
}

TEST(ColumnSets, AStoppedRunStatesATrueBound) {
  Random random(31);
  int stopped = 0;
  for (int round = 0; round < 200; ++round) {
    Problem problem = draw(random);
    problem.options.max_depth = 3;
    problem.options.node_limit = static_cast<std::int64_t>(random.below(200));
    const Result result = fit(problem.data, problem.options);
    const double truth = problem.truth();
    EXPECT_LE(result.bound, truth + 1e-9) << problem.text;
    EXPECT_GE(result.objective, truth - 1e-9) << problem.text;
    EXPECT_EQ(check_claims(result, problem.data), std::vector<std::string>()) << problem.text;
    stopped += result.status != Status::optimal;
  }
  EXPECT_GT(stopped, 10);
}

TEST(ColumnSets, ARunWithoutTimeHasAGreedyTree) {
  Options options;
  options.max_depth = 2;
  options.max_columns = 1;
  options.node_limit = 0;
  const Result result = fit(testing::iris(), options);
  EXPECT_EQ(result.status, Status::node_limit);
  EXPECT_LT(result.errors, 10) << "a single leaf has 100";
}

TEST(ColumnSets, TheSameForAnyNumberOfThreads) {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    Problem problem = draw(random);
    const Result one = fit(problem.data, problem.options);
    problem.options.n_jobs = 3;
    EXPECT_EQ(fit(problem.data, problem.options).tree, one.tree) << problem.text;
  }
}

TEST(ColumnSets, FewerColumnsMakeMoreErrors) {
  const Dataset iris = testing::iris();
  const auto errors = [&](std::int64_t most) {
    Options options = testing::options_of({{"max_columns", std::to_string(most)}});
    return fit(iris, options).errors;
  };
  EXPECT_EQ(errors(0), 100);
  EXPECT_EQ(errors(1), 6);
  EXPECT_EQ(errors(2), 2);
  EXPECT_EQ(errors(3), 1);
  // Petal length alone would do, and costs more than the width by more than the errors that it saves.
  const Result cheap = fit(iris, testing::options_of({{"max_depth", "2"}, {"column_costs", "petal_length=5"}, {"alpha_scale", "errors"}}));
  EXPECT_EQ(cheap.tree.features_used(), std::vector<FeatureId>{FeatureId{3}});
  EXPECT_EQ(cheap.objective, 6);
  EXPECT_NE(cheap.objective_function->formula().find("prices of columns"), std::string::npos);
}

// A tree of hyperplanes may be better than every tree that the search knows, and is none of them.
TEST(ColumnSets, AStartOfAnotherFamilyIsNotTaken) {
  std::vector<double> x, y;
  std::vector<std::int32_t> above;
  for (int i = 0; i < 36; ++i) {
    x.push_back(i % 6);
    y.push_back(i / 6 + 0.5);
    above.push_back(i / 6 + 0.5 > i % 6);
  }
  const Dataset data = testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, above);
  const Result planes = testing::train(data, {{"method", "tao"}, {"max_depth", "1"}});
  const Options options = testing::options_of({{"max_depth", "1"}, {"max_columns", "2"}});
  const Result alone = fit(data, options);
  ASSERT_LT(planes.errors, alone.errors);
  FitHooks hooks;
  hooks.starts = {&planes.tree};
  const Result started = fit(data, options, hooks);
  EXPECT_EQ(started.tree, alone.tree);
  EXPECT_EQ(started.objective, alone.objective);
}

TEST(ColumnSets, WhatDoesNotGoTogetherIsRefused) {
  const Dataset iris = testing::iris();
  const auto fitted = [&](const testing::Settings& options) { return [&iris, options] { fit(iris, testing::options_of(options)); }; };
  expect_error(fitted({{"max_columns", "2"}, {"proof", "x.proof"}}), {"max_columns", "proof"});
  expect_error(fitted({{"max_columns", "2"}, {"verify", "yes"}}), {"max_columns", "proof"});
  expect_error(fitted({{"max_columns", "2"}, {"checkpoint", "facts"}}), {"max_columns", "checkpoint"});
  expect_error(fitted({{"max_columns", "0"}, {"first_column", "petal_width"}}), {"max_columns", "asked first"});
  expect_error(fitted({{"column_costs", "petal=2"}}), {"column_costs", "no column of this name"});
  expect_error(fitted({{"column_costs", "petal_width=-2"}}), {"column_costs", ">= 0"});
  expect_error(fitted({{"column_costs", "petal_width"}}), {"column_costs", "NAME=PRICE"});
  expect_error(fitted({{"max_columns", "2"}, {"method", "cart"}}), {"max_columns"});
}

}  // namespace
}  // namespace treewright
