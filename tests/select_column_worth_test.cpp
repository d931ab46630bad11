#include "treewright/column_worth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "expect_error.h"
#include "support/asked_brute_force.h"
#include "support/cost_case.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/training.h"
#include "treewright/explain/column_worth.h"
#include "treewright/fit/check_origin.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/asked_columns.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::AskedBruteForce;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Problem {
  Dataset data;
  Options options;
  double price = 0;
  std::string text;

  int depth() const { return static_cast<int>(options.max_depth); }
  int splits() const { return options.max_splits < 0 ? (1 << depth()) - 1 : static_cast<int>(options.max_splits); }
  double first(std::size_t column) const { return truth().first(column, depth(), splits(), price); }
  double never(std::size_t column) const { return truth().never(column, depth(), splits(), price); }
  AskedBruteForce truth() const { return AskedBruteForce(data, static_cast<std::int64_t>(options.min_samples_leaf)); }
};

// Categories, missing values, weights (zero among them), prices, limits of all kinds, and rows of equal features that cancel.
Problem draw(Random& random) {
  Problem problem;
  Dataset& data = problem.data;
  const auto one_of = [&](std::uint64_t n) { return random.below(n) == 0; };
  do {
    data = testing::random_data(random, {16, 4, 3, one_of(2), one_of(2), 5});
  } while (!testing::has_two_classes(data));
  if (one_of(3)) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(row < 2 ? 1 : static_cast<double>(random.below(4)));
  }
  if (one_of(4)) {  // another column with the same order of the rows
    data.columns.push_back(data.columns.front());
    data.columns.back().name = "twin";
  }
  problem.options.max_depth = 1 + static_cast<std::int64_t>(random.below(4));
  problem.options.min_samples_leaf = std::min(1 + static_cast<double>(random.below(3)), static_cast<double>(data.rows()));
  if (one_of(4)) problem.options.max_splits = 1 + static_cast<std::int64_t>(random.below(5));
  if (one_of(3)) {
    problem.price = 0.25 * static_cast<double>(1 + random.below(6));
    problem.options.ccp_alpha = problem.price;
    problem.options.alpha_scale = "errors";
  }
  problem.text = testing::to_string(data);
  return problem;
}

std::size_t at(const ColumnWorth& column) {
  return static_cast<std::size_t>(+column.column);
}

void expect_true_claims(const LeastCost& least, const Problem& problem) {
  if (!least.result) return;
  EXPECT_EQ(check_claims(*least.result, problem.data), std::vector<std::string>()) << problem.text;
  EXPECT_EQ(check_origin(*least.result, problem.data), std::vector<std::string>()) << problem.text;
  EXPECT_TRUE(AskedColumns::of(*least.result).hold(least.result->tree)) << problem.text;
}

// The tree has to pay for its first split, however much that is.
TEST(ColumnWorth, TheFirstColumnAtAnyPrice) {
  const Dataset data = parse_csv("a,b,y\n0,0,p\n0,1,p\n1,0,q\n1,1,q\n", "t.csv");
  for (const double price : {0.5, 10.0, 100.0, 1e7}) {
    for (const int depth : {1, 2, 3}) {
      Options options;
      options.max_depth = depth;
      options.first_column = "b";
      options.alpha_scale = "errors";
      options.ccp_alpha = price;
      const Result result = fit(data, options);
      EXPECT_EQ(result.status, Status::optimal) << price;
      EXPECT_EQ(result.objective, depth > 1 && price < 1 ? 3 * price : 2 + price);
      EXPECT_EQ(result.bound, result.objective);
    }
  }
}

TEST(ColumnWorth, IsTheOptimumOverAllTrees) {
  Random random(1984);
  int lost = 0;
  for (int round = 0; round < 150; ++round) {
    const Problem problem = draw(random);
    const ColumnWorths found = column_worth(problem.data, problem.options);
    ASSERT_EQ(found.status, Status::optimal) << problem.text;
    ASSERT_EQ(found.columns.size(), problem.data.features());
    for (const ColumnWorth& column : found.columns) {
      const double first = problem.first(at(column)), never = problem.never(at(column));
      EXPECT_NEAR(column.never.cost, never, 1e-9) << problem.text << column.name << " depth " << problem.depth();
      EXPECT_EQ(column.first.status == Status::infeasible, std::isinf(first)) << problem.text << column.name;
      if (std::isfinite(first)) {
        EXPECT_NEAR(column.first.cost, first, 1e-9) << problem.text << column.name << " depth " << problem.depth();
      }
      EXPECT_NEAR(least_loss(found, column), never - found.best.cost, 1e-9);
      lost += never > found.best.cost + 1e-9;
      expect_true_claims(column.first, problem);
      expect_true_claims(column.never, problem);
    }
  }
  EXPECT_GT(lost, 50) << "the data are too easy";
}

TEST(ColumnWorth, OfCostsIsTheOptimumOverAllTrees) {
  Random random(1985);
  int lost = 0;
  for (int round = 0; round < 150; ++round) {
    Problem problem = draw(random);
    Dataset& data = problem.data;
    if (round % 2 == 0) {
      data.costs = testing::random_costs(random, data.classes());
    } else {
      for (std::size_t i = 0; i < data.rows() * data.classes(); ++i) data.row_costs.push_back(static_cast<double>(random.below(9)) - 4);
    }
    const double tolerance = 1e-9 * testing::magnitude(data);
    const ColumnWorths found = column_worth(data, problem.options);
    ASSERT_EQ(found.status, Status::optimal) << problem.text;
    EXPECT_FALSE(found.whole);
    for (const ColumnWorth& column : found.columns) {
      const double first = problem.first(at(column)), never = problem.never(at(column));
      EXPECT_NEAR(column.never.cost, never, tolerance) << problem.text << column.name << " depth " << problem.depth();
      if (std::isfinite(first)) {
        EXPECT_NEAR(column.first.cost, first, tolerance) << problem.text << column.name << " depth " << problem.depth();
      }
      lost += never > found.best.cost + tolerance;
      expect_true_claims(column.first, problem);
      expect_true_claims(column.never, problem);
    }
  }
  EXPECT_GT(lost, 50) << "the data are too easy";
}

// Each of the two options alone, which know nothing of the optimum of all trees; and with every pruning rule off.
TEST(ColumnWorth, IsThatOfFitsOfTheirOwn) {
  Random random(17);
  for (int round = 0; round < 60; ++round) {
    const Problem problem = draw(random);
    for (std::size_t f = 0; f < problem.data.features(); ++f) {
      Options never = problem.options;
      never.never_columns = problem.data.columns[f].name;
      const Result without = fit(problem.data, never);
      const double scale = without.objective_function->error_scale();
      EXPECT_EQ(without.status, Status::optimal);
      EXPECT_NEAR(without.objective * scale, problem.never(f), 1e-9) << problem.text << f;
      EXPECT_EQ(select::solve_again(without, problem.data, kInfinity).broken, std::vector<std::string>{}) << problem.text;
      if (std::isinf(problem.first(f))) continue;
      Options first = problem.options;
      first.first_column = problem.data.columns[f].name;
      const Result begun = fit(problem.data, first);
      EXPECT_EQ(begun.status, Status::optimal);
      EXPECT_NEAR(begun.objective * scale, problem.first(f), 1e-9) << problem.text << f;
      const select::SecondSolve again = select::solve_again(begun, problem.data, kInfinity);
      EXPECT_EQ(again.broken, std::vector<std::string>{}) << problem.text;
      EXPECT_NEAR(again.result.objective, problem.first(f), 1e-9) << problem.text << f;
    }
  }
}

// Two columns at once, and start trees that break what is asked.
TEST(ColumnWorth, OptionsGoTogetherAndStartTreesAreLookedAt) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const Problem problem = draw(random);
    if (problem.data.features() < 3) continue;
    const Result best = fit(problem.data, problem.options);
    const AskedBruteForce truth = problem.truth();
    const double wanted = truth.first_without(0, {1, 2}, problem.depth(), problem.splits(), problem.price);
    if (std::isinf(wanted)) continue;
    Options options = problem.options;
    options.first_column = problem.data.columns[0].name;
    options.never_columns = problem.data.columns[2].name + "," + problem.data.columns[1].name;
    FitHooks hooks;
    hooks.starts = {&best.tree};
    const Result result = fit(problem.data, options, hooks);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_NEAR(result.objective * result.objective_function->error_scale(), wanted, 1e-9) << problem.text;
    EXPECT_EQ(check_claims(result, problem.data), std::vector<std::string>()) << problem.text;
    EXPECT_EQ(check_origin(result, problem.data), std::vector<std::string>()) << problem.text;
    EXPECT_EQ(result.tree.features, best.tree.features);
  }
}

// A side of the root may hold nothing but rows that cancel with others, or that weigh nothing.
TEST(ColumnWorth, CountsARootThatPartsRowsWithoutWeight) {
  using testing::make_data;
  using testing::numbers;
  const Dataset cancelling = make_data({numbers("x", {0, 0, 0, 1, 1}), numbers("y", {0, 0, 1, 2, 2})}, {0, 0, 1, 0, 1});
  Options options;
  options.max_depth = 2;
  options.first_column = "x";
  EXPECT_EQ(fit(cancelling, options).errors, 1);
  options.max_depth = 1;
  EXPECT_EQ(fit(cancelling, options).errors, 2);
  Dataset weightless = make_data({numbers("x", {0, 0, 1}), numbers("y", {0, 1, 1})}, {0, 1, 0});
  weightless.weights = {1, 1, 0};
  options.max_depth = 2;
  EXPECT_EQ(fit(weightless, options).errors, 0);
}

TEST(ColumnWorth, FindsOutNoMoreThanIsAsked) {
  Random random(8);
  int cut = 0;
  for (int round = 0; round < 100; ++round) {
    const Problem problem = draw(random);
    const double most = static_cast<double>(random.below(3));
    const ColumnWorths found = column_worth(problem.data, problem.options, {}, most);
    EXPECT_EQ(found.status, Status::optimal);
    for (const ColumnWorth& column : found.columns) {
      for (const bool is_first : {true, false}) {
        const LeastCost& least = is_first ? column.first : column.never;
        const double truth = is_first ? problem.first(at(column)) : problem.never(at(column));
        if (least.status == Status::infeasible) continue;
        EXPECT_LE(least.bound, truth + 1e-9) << problem.text;
        if (truth <= found.best.cost + most + 1e-9) {
          EXPECT_NEAR(least.cost, truth, 1e-9) << problem.text;
          EXPECT_EQ(least.status, Status::optimal) << problem.text;
        } else if (least.beyond) {
          EXPECT_GT(least.bound, found.best.cost + most) << problem.text;
          ++cut;
        } else {
          EXPECT_NEAR(least.cost, truth, 1e-9) << problem.text;
        }
      }
    }
  }
  EXPECT_GT(cut, 20);
}

TEST(ColumnWorth, IsTheSameForAnyNumberOfThreads) {
  Options options;
  options.max_depth = 3;
  const auto with = [&](std::int64_t threads) {
    options.n_jobs = threads;
    return column_worth(testing::noise(), options, {}, 2);
  };
  const ColumnWorths one = with(1), five = with(5);
  ASSERT_EQ(one.columns.size(), five.columns.size());
  for (std::size_t i = 0; i < one.columns.size(); ++i) {
    EXPECT_EQ(one.columns[i].name, five.columns[i].name);
    for (const auto least : {&ColumnWorth::first, &ColumnWorth::never}) {
      const LeastCost &x = one.columns[i].*least, &y = five.columns[i].*least;
      EXPECT_EQ(x.cost, y.cost);
      EXPECT_EQ(x.bound, y.bound);
      EXPECT_EQ(x.status, y.status);
      EXPECT_EQ(x.result->tree, y.result->tree);
    }
  }
}

TEST(ColumnWorth, ALimitLeavesIntervals) {
  Options options;
  options.max_depth = 4;
  const std::vector<double> limits = {0, 0.05, 0.3};
  Options whole = options;
  whole.max_depth = 2;  // the optimum of depth four is bounded by nothing that is quick to find
  for (const double limit : limits) {
    options.time_limit = limit;
    const ColumnWorths found = column_worth(testing::noise(), options);
    for (const ColumnWorth& column : found.columns) {
      for (const LeastCost* least : {&column.first, &column.never}) {
        EXPECT_LE(least->bound, least->cost);
        EXPECT_GE(least->bound, found.best.bound);
        EXPECT_TRUE(!least->result || check_claims(*least->result, testing::noise()).empty());
      }
    }
  }
  std::atomic<bool> stop{true};
  FitHooks hooks;
  hooks.stop = &stop;
  const ColumnWorths found = column_worth(testing::noise(), whole, hooks);
  EXPECT_EQ(found.status, Status::interrupted);
}

TEST(ColumnWorth, OfAColumnThatNoProvedTreeLeavesOutIsAnInterval) {
  ColumnWorths found;
  found.best = {0, 29, Status::node_limit, nullptr};
  found.columns.resize(2);
  found.columns[0].never = found.best;  // the best tree does not ask it
  found.columns[1].never = {5, 28, Status::node_limit, nullptr};
  found.columns[1].used = true;
  EXPECT_EQ(least_found(found), 28);
  EXPECT_EQ(explain::worth(found.columns[0], found), "0 to 29");
  EXPECT_EQ(explain::worth(found.columns[1], found), "0 to 28");
  found.best.status = Status::optimal;
  EXPECT_EQ(explain::worth(found.columns[0], found), "0");
}

// A fit that is stopped at any work returns a tree that asks the column first, and a bound that holds.
TEST(ColumnWorth, StopsWithATreeThatKeepsToTheColumn) {
  Random random(12);
  for (int round = 0; round < 40; ++round) {
    const Problem problem = draw(random);
    if (std::isinf(problem.first(0))) continue;
    Options options = problem.options;
    options.first_column = problem.data.columns[0].name;
    options.node_limit = static_cast<std::int64_t>(random.below(20));
    const Result result = fit(problem.data, options);
    const double scale = result.objective_function->error_scale();
    EXPECT_LE(result.bound * scale, problem.first(0) + 1e-9) << problem.text;
    EXPECT_GE(result.objective * scale, problem.first(0) - 1e-9) << problem.text;
    EXPECT_EQ(check_origin(result, problem.data), std::vector<std::string>()) << problem.text;
  }
}

TEST(ColumnWorth, RefusesWhatItCannotAnswer) {
  const Dataset& iris = testing::iris();
  const auto with = [&](const testing::Settings& settings) { return [&iris, settings] { testing::train(iris, settings); }; };
  expect_error(with({{"first_column", "petal_lenght"}}), {"first_column", "petal_lenght", "did you mean 'petal_length'"});
  expect_error(with({{"never_columns", "petal_length,x"}}), {"never_columns", "'x'"});
  expect_error(with({{"first_column", "petal_width"}, {"never_columns", "petal_width"}}), {"first, and never"});
  expect_error(with({{"first_column", "petal_width"}, {"max_splits", "0"}}), {"first_column", "needs a split"});
  expect_error(with({{"first_column", "petal_width"}, {"min_samples_leaf", "76"}}), {"petal_width", "at least 76 rows"});
  expect_error(with({{"first_column", "petal_width"}, {"min_weight_fraction_leaf", "0.1"}}), {"least weight"});
  expect_error(with({{"first_column", "petal_width"}, {"verify", "yes"}}), {"verify", "first column"});
  expect_error(with({{"never_columns", "petal_width"}, {"proof", "file"}}), {"proof", "never to be asked"});
  expect_error(with({{"first_column", "petal_width"}, {"method", "tao"}}), {"first_column", "oct"});
  const auto worth = [&](const testing::Settings& settings) {
    return [&iris, settings] { column_worth(iris, testing::options_of(settings)); };
  };
  expect_error(worth({{"method", "cart"}}), {"method", "oct"});
  expect_error(worth({{"first_column", "petal_width"}}), {"first_column"});
  expect_error(worth({{"never_columns", "petal_width"}}), {"never_columns"});
  expect_error(worth({{"checkpoint", "file"}}), {"checkpoint"});
  expect_error([&] { complexity_path(iris, testing::options_of({{"never_columns", "petal_width"}})); }, {"never_columns"});
}

TEST(AskedColumns, NamesMayHaveCommas) {
  std::vector<Feature> columns;
  for (const char* name : {"a", "b", "a,b", "c,"}) columns.emplace_back().name = name;
  const auto asked = [&](const char* first, const char* never) {
    return AskedColumns(testing::options_of({{"first_column", first}, {"never_columns", never}}), columns);
  };
  EXPECT_EQ(asked("", "a,b").never(), std::vector<FeatureId>{FeatureId{2}});
  EXPECT_EQ(asked("", "b,a").never(), (std::vector<FeatureId>{FeatureId{0}, FeatureId{1}}));
  EXPECT_EQ(asked("", "c,,a").never(), (std::vector<FeatureId>{FeatureId{0}, FeatureId{3}}));
  EXPECT_EQ(asked("a,b", "b,a").in_words(), "asks 'a,b' first and never asks 'a', 'b'");
}

}  // namespace
}  // namespace treewright
