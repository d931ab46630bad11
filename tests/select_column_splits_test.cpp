#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/asked_brute_force.h"
#include "support/cost_case.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_top.h"
#include "support/training.h"
#include "treewright/column_worth.h"
#include "treewright/fit/check_origin.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/objective.h"
#include "treewright/task/tree_top.h"

namespace treewright {
namespace {

using testing::Json;
using Problem = testing::TopProblem;

constexpr double kNone = std::numeric_limits<double>::infinity();

// The least cost of trees that begin so: each place by trying every tree on its rows. Infinite where there is none.
double least_cost(const Problem& problem, const Json& top, const RowNumbers& rows, int depth) {
  const auto least = static_cast<std::int64_t>(problem.options.min_samples_leaf);
  const Dataset data = problem.data.subset(rows);
  if (static_cast<std::int64_t>(rows.size()) < std::max<std::int64_t>(1, least)) return kNone;
  const int splits = (1 << depth) - 1;
  if (top == "leaf") return testing::BruteForce(data, least).best_cost(0, 0, 0);
  if (top == "...") return testing::BruteForce(data, least).best_cost(depth, splits, problem.split_price);
  const auto named = std::ranges::find(data.columns, top["column"].get<std::string>(), &Column::name);
  if (top.size() == 1)
    return testing::AskedBruteForce(data, least)
        .first(static_cast<std::size_t>(named - data.columns.begin()), depth, splits, problem.split_price);
  if (depth == 0) return kNone;
  RowNumbers sides[2];
  for (const std::int32_t row : rows) sides[testing::goes_left(top, problem.data, static_cast<std::size_t>(row)) ? 0 : 1].push_back(row);
  return problem.split_price + least_cost(problem, top["left"], sides[0], depth - 1) +
         least_cost(problem, top["right"], sides[1], depth - 1);
}

// The top with something in the marked place.
Json with(Json top, const Json& part) {
  const auto put = [&](const auto& self, Json& at) -> void {
    if (at == "?") {
      at = part;
    } else if (at.is_object() && at.contains("left")) {
      self(self, at["left"]);
      self(self, at["right"]);
    }
  };
  put(put, top);
  return top;
}

double truth(const Problem& problem, const Json& part) {
  RowNumbers rows;
  for (std::size_t row = 0; row < problem.data.rows(); ++row) rows.push_back(static_cast<std::int32_t>(row));
  return least_cost(problem, with(problem.top, part), rows, static_cast<int>(problem.options.max_depth));
}

// Marks one of the places, and lets another one ask a column now and then.
void mark(Json& top, const Dataset& data, Random& random) {
  std::vector<Json*> places;
  const auto collect = [&](const auto& self, Json& at) -> void {
    if (at.is_string()) {
      places.push_back(&at);
    } else {
      self(self, at["left"]);
      self(self, at["right"]);
    }
  };
  collect(collect, top);
  const std::size_t marked = random.below(places.size());
  *places[marked] = "?";
  const std::size_t other = random.below(3 * places.size());
  if (other < places.size() && other != marked) *places[other] = {{"column", data.columns[random.below(data.features())].name}};
}

// Categories, ordered levels, missing values, weights, costs of labels, prices of splits, limits.
Problem draw(Random& random) {
  const auto one_of = [&](std::uint64_t n) { return random.below(n) == 0; };
  Problem problem;
  Dataset& data = problem.data;
  do {
    data = testing::random_data(random, {18, 4, 3, one_of(2), one_of(2), 5, one_of(3)});
  } while (!testing::has_two_classes(data));
  if (one_of(3)) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(row < 2 ? 1 : static_cast<double>(random.below(4)));
  }
  if (one_of(4)) data.costs = testing::random_costs(random, data.classes());
  if (data.costs.empty() && one_of(6)) {
    for (std::size_t i = 0; i < data.rows() * data.classes(); ++i) data.row_costs.push_back(static_cast<double>(random.below(9)));
  }
  problem.options.max_depth = static_cast<std::int64_t>(1 + random.below(4));
  problem.options.min_samples_leaf = std::min(1 + static_cast<double>(random.below(3)), static_cast<double>(data.rows()));
  problem.options.alpha_scale = "errors";
  if (one_of(3)) problem.options.ccp_alpha = problem.split_price = 0.25 * static_cast<double>(1 + random.below(6));
  problem.top = testing::draw_top(data, random, 2);
  mark(problem.top, data, random);
  problem.options.top = problem.top.dump();
  return problem;
}

void expect_true_claims(const LeastCost& least, const Dataset& data, const std::string& text) {
  if (!least.result) return;
  EXPECT_EQ(check_claims(*least.result, data), std::vector<std::string>()) << text;
  EXPECT_EQ(check_origin(*least.result, data), std::vector<std::string>()) << text;
}

TEST(ColumnSplits, LengthyAreTheOptimumOverAllTreesThatBeginSo) {
  Random random(2112);
  int solved = 0, columns = 0, dearer = 0, stopped = 0;
  for (int round = 0; round < 3000; ++round) {
    const Problem problem = draw(random);
    const Dataset& data = problem.data;
    const std::string text = problem.text();
    const double best = truth(problem, "...");
    if (best == kNone) {
      EXPECT_THROW(column_splits(data, problem.options), Error) << text;
      continue;
    }
    const ColumnSplits found = column_splits(data, problem.options);
    const double off = 1e-9 * testing::magnitude(data);
    ++solved;
    ASSERT_EQ(found.status, Status::optimal) << text;
    ASSERT_EQ(found.columns.size(), data.features()) << text;
    EXPECT_NEAR(found.best.cost, best, off) << text;
    EXPECT_NEAR(found.leaf.cost, truth(problem, "leaf"), off) << text;
    Options limited = problem.options;
    limited.node_limit = static_cast<std::int64_t>(random.below(3));
    const ColumnSplits early = column_splits(data, limited);
    stopped += early.status != Status::optimal;
    EXPECT_LE(early.best.bound, best + off) << text;
    double before = -kNone;
    for (const ColumnSplit& column : found.columns) {
      const double least = truth(problem, {{"column", column.name}});
      ASSERT_EQ(column.least.status == Status::infeasible, least == kNone) << text << column.name;
      ASSERT_EQ(column.split.has_value(), least != kNone) << text << column.name;
      EXPECT_GE(column.least.cost, before) << text;
      before = column.least.cost;
      const auto same = std::ranges::find(early.columns, column.name, &ColumnSplit::name);
      ASSERT_NE(same, early.columns.end());
      EXPECT_LE(same->least.bound, least + off) << text << column.name;
      EXPECT_GE(same->least.cost, least - off) << text << column.name;
      expect_true_claims(same->least, data, text);
      if (least == kNone) continue;
      ++columns;
      dearer += least > best + off;
      ASSERT_NEAR(column.least.cost, least, off) << text << column.name;
      ASSERT_LE(column.least.bound, least + off) << text << column.name;
      EXPECT_EQ(column.split->feature(), column.column) << text;
      expect_true_claims(column.least, data, text);
      EXPECT_EQ(select::solve_again(*column.least.result, data, 60, {}).broken, std::vector<std::string>()) << text << column.name;
      Json split = top_split(*column.split, column.least.result->tree);
      split["left"] = split["right"] = "...";
      Options taken = problem.options;
      taken.top = with(problem.top, split).dump();
      const Result result = fit(data, taken);
      EXPECT_NEAR(result.objective * result.objective_function->error_scale(), least, off) << text << taken.top;
    }
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(columns, 1500);
  EXPECT_GT(dearer, 500) << "the columns are too good";
  EXPECT_GT(stopped, 100);
}

TEST(ColumnSplits, AreToldOneByOneAndDoNotDependOnThreads) {
  Options options;
  options.max_depth = 2;
  options.top = R"({"column": "x1", "below": 0.5, "left": "?", "right": "..."})";
  std::vector<std::string> texts;
  for (const int threads : {1, 4}) {
    options.n_jobs = threads;
    std::vector<std::string> told;
    std::string text;
    const ColumnSplits found =
        column_splits(testing::noise(), options, {}, [&](const ColumnSplit& split, std::int64_t known, std::int64_t all) {
          told.push_back(split.name);
          EXPECT_EQ(known, static_cast<std::int64_t>(told.size()));
          EXPECT_LE(known, all);
        });
    EXPECT_EQ(static_cast<std::int64_t>(told.size()) + 2, found.solves);
    if (threads == 1) {
      EXPECT_EQ(told.front(), found.columns.front().name) << "the column of the best tree is known at once";
    }
    for (const ColumnSplit& split : found.columns)
      text += split.name + top_split(*split.split, found.best.result->tree).dump() + std::to_string(split.least.cost);
    texts.push_back(text);
  }
  EXPECT_EQ(texts.front(), texts.back());
}

TEST(ColumnSplits, AStoppedRunHasBoundsAndClaimsNothing) {
  std::atomic<bool> stop = true;
  FitHooks hooks;
  hooks.stop = &stop;
  Options options;
  options.max_depth = 3;
  options.top = R"("?")";
  const ColumnSplits found = column_splits(testing::noise(), options, hooks);
  EXPECT_EQ(found.status, Status::interrupted);
  for (const ColumnSplit& split : found.columns) EXPECT_NE(split.least.status, Status::optimal);
}

TEST(ColumnSplits, WideCategoriesAreLeftOut) {
  std::vector<std::string> names;
  std::vector<std::int32_t> codes, labels;
  std::vector<double> x;
  for (int level = 0; level < 13; ++level) names.push_back("l" + std::to_string(level));
  for (int row = 0; row < 39; ++row) {
    codes.push_back(row % 13);
    x.push_back(row % 4);
    labels.push_back(row % 3 == 0 ? 1 : 0);
  }
  const Dataset data = testing::make_data({testing::categories("wide", names, codes), testing::numbers("x", x)}, labels, 2);
  Options options;
  options.max_depth = 2;
  options.top = R"("?")";
  const ColumnSplits found = column_splits(data, options);
  EXPECT_EQ(found.left_out, std::vector<std::string>{"wide"});
  ASSERT_EQ(found.columns.size(), 1u);
  EXPECT_EQ(found.columns.front().name, "x");
  options.top = R"({"column": "wide"})";
  expect_error([&] { fit(data, options); }, {"top", "'wide', a category of more than 12 levels"});
}

TEST(ColumnSplits, WhatCannotBeAskedIsRefused) {
  const auto with = [](const std::string& top, const testing::Settings& others = {}) {
    return [top, others] {
      Options options = testing::options_of(others);
      options.top = top;
      column_splits(testing::noise(), options);
    };
  };
  expect_error(with("{"), {"top", "is not JSON"});
  expect_error(with(R"("...")"), {"top", "marks no place"});
  expect_error(with(R"({"column": "x1", "below": 0.5, "left": "?", "right": "?"})"), {"top", "more than one place"});
  expect_error(with(R"({"column": "y", "below": 0.5, "left": "?", "right": "..."})"), {"top", "no column 'y'"});
  expect_error(with(R"("?")", {{"max_splits", "3"}}), {"max_splits", "couples the places"});
  expect_error(with(R"("?")", {{"first_column", "x1"}}), {"first_column"});
  expect_error(with(R"("?")", {{"min_weight_fraction_leaf", "0.1"}}), {"min_weight_fraction_leaf"});
}

}  // namespace
}  // namespace treewright
