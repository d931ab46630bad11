#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/make_data.h"
#include "support/numbers_data.h"
#include "support/random_data.h"
#include "support/random_top.h"
#include "support/scratch_folder.h"
#include "support/sum_brute_force.h"
#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/data/losses.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/fit/check_proof.h"
#include "treewright/proof/file.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/json.h"
#include "treewright/task/loss_objective.h"

namespace treewright {
namespace {

using testing::Json;
using Problem = testing::TopProblem;

constexpr double kNone = std::numeric_limits<double>::infinity();

// The least errors of trees that begin so, with at most so many splits. Infinite where there are none.
std::vector<double> least_errors(const Problem& problem, const Json& top, const RowNumbers& rows, int depth, std::size_t splits) {
  const auto least = static_cast<std::size_t>(problem.options.min_samples_leaf);
  std::vector<double> best(splits + 1, kNone);
  Dataset data = problem.data.subset(rows);
  for (std::size_t i = 0; data.response && i < data.response->exposure.size(); ++i)  // of times to an event it follows from all rows
    data.response->exposure[i] = problem.data.response->exposure[static_cast<std::size_t>(rows[i])];
  if (rows.empty() || rows.size() < least || data.total_weight() < problem.least_weight - 1e-9) return best;
  if (top == "..." || top == "leaf") {
    const int levels = top == "leaf" ? 0 : depth;
    if (data.response) {
      testing::SumBruteForce trees(data, static_cast<std::int64_t>(least), 0);
      for (std::size_t k = 0; k <= splits; ++k) best[k] = static_cast<double>(trees.best(levels, static_cast<std::int64_t>(k)));
      return best;
    }
    testing::BruteForce trees(data, problem.options.min_samples_leaf, problem.least_weight);
    const std::vector<double> found = trees.best(levels, levels == 0 ? 0 : static_cast<int>(splits));
    for (std::size_t k = 0; k <= splits; ++k) best[k] = found[std::min(k, found.size() - 1)];
    return best;
  }
  if (depth == 0 || splits == 0) return best;
  RowNumbers sides[2];
  for (const std::int32_t row : rows) sides[testing::goes_left(top, problem.data, static_cast<std::size_t>(row)) ? 0 : 1].push_back(row);
  const auto left = least_errors(problem, top["left"], sides[0], depth - 1, splits - 1);
  const auto right = least_errors(problem, top["right"], sides[1], depth - 1, splits - 1);
  for (std::size_t k = 1; k <= splits; ++k) {
    for (std::size_t l = 0; l < k; ++l) best[k] = std::min(best[k], left[l] + right[k - 1 - l]);
  }
  return best;
}

double truth(const Problem& problem) {
  RowNumbers rows;
  for (std::size_t row = 0; row < problem.data.rows(); ++row) rows.push_back(static_cast<std::int32_t>(row));
  const int depth = static_cast<int>(problem.options.max_depth);
  const std::size_t all = std::min((std::size_t{1} << depth) - 1, problem.data.rows() + 8);
  const std::size_t splits = problem.options.max_splits < 0 ? all : std::min(all, static_cast<std::size_t>(problem.options.max_splits));
  const std::vector<double> errors = least_errors(problem, problem.top, rows, depth, splits);
  double best = kNone;
  for (std::size_t k = 0; k <= splits; ++k) best = std::min(best, errors[k] + problem.split_price * static_cast<double>(k));
  return best;
}

// Categories, ordered levels, missing values, weights, costs of labels, prices of splits, limits of all kinds.
Problem draw(Random& random) {
  const auto one_of = [&](std::uint64_t n) { return random.below(n) == 0; };
  Problem problem;
  Dataset& data = problem.data;
  do {
    data = testing::random_data(random, {20, 4, 3, one_of(2), one_of(2), 5, one_of(3)});
  } while (!testing::has_two_classes(data));
  const bool costs = one_of(4);
  if (one_of(3)) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(row < 2 ? 1 : static_cast<double>(random.below(4)));
  }
  for (std::size_t i = 0; costs && i < data.classes() * data.classes(); ++i) data.costs.push_back(static_cast<double>(random.below(5)));
  problem.options.max_depth = static_cast<std::int64_t>(1 + random.below(4));
  problem.options.min_samples_leaf = std::min(1 + static_cast<double>(random.below(3)), static_cast<double>(data.rows()));
  if (one_of(3)) problem.options.max_splits = static_cast<std::int64_t>(random.below(7));
  if (data.weights.empty() && one_of(5)) {
    problem.options.min_weight_fraction_leaf = 0.1;
    problem.least_weight = 0.1 * data.total_weight();
  }
  problem.options.alpha_scale = "errors";
  if (one_of(3)) problem.options.ccp_alpha = problem.split_price = 0.25 * static_cast<double>(1 + random.below(6));
  problem.top = testing::draw_top(data, random, 3);
  problem.options.top = problem.top.dump();
  return problem;
}

// The bytes of a proof of the result's bound, which says that it is optimal; "" where the problem has a limit on splits.
std::string proof_of(const Problem& problem, const Result& result) {
  if (problem.options.max_splits >= 0) return "";
  const testing::ScratchFolder folder;
  Options options = problem.options;
  options.proof = folder / "top.proof";
  options.verify = "yes";
  const Result shown = fit(problem.data, options);
  EXPECT_TRUE(shown.verified) << shown.proved << "\n" << problem.text();
  EXPECT_EQ(shown.objective, result.objective) << problem.text();
  if (shown.unwritten) return "";
  std::string bytes = read_file(options.proof);
  EXPECT_TRUE(check_proof(shown, problem.data, bytes, "proof").optimal) << problem.text();
  return bytes;
}

TEST(BelowTop, LengthyIsTheOptimumOverAllTreesThatBeginSo) {
  Random random(1828);
  int solved = 0, dearer = 0, divided = 0, proved = 0;
  for (int round = 0; round < 2000; ++round) {
    const Problem problem = draw(random);
    const std::string text = problem.text();
    if (text.find("\"...\"") == std::string::npos) continue;
    const double least = truth(problem);
    if (least == kNone) {
      EXPECT_THROW(fit(problem.data, problem.options), Error) << text;
      continue;
    }
    const Result result = fit(problem.data, problem.options);
    ++solved;
    ASSERT_EQ(result.status, Status::optimal) << text;
    ASSERT_NEAR(result.objective, least, 1e-9) << text;
    EXPECT_EQ(check_claims(result, problem.data), std::vector<std::string>()) << text;
    EXPECT_EQ(check_origin(result, problem.data), std::vector<std::string>()) << text;
    EXPECT_EQ(select::solve_again(result, problem.data, 60, {}).broken, std::vector<std::string>()) << text;
    proved += !proof_of(problem, result).empty();
    const Result read = from_json(to_json(result), "text");
    EXPECT_EQ(check_origin(read, problem.data), std::vector<std::string>()) << text;
    Options free = problem.options;
    free.top.clear();
    dearer += result.objective > fit(problem.data, free).objective + 1e-9;
    free = problem.options;
    free.max_splits = -1;
    divided += result.objective > fit(problem.data, free).objective + 1e-9;
    // A run that is stopped has a tree that begins so, and a bound.
    Options stopped = problem.options;
    stopped.node_limit = static_cast<std::int64_t>(random.below(3));
    FitHooks hooks;
    hooks.listener = [&](const Progress& news) {
      EXPECT_LE(news.bound, least + 1e-9) << text;
      EXPECT_GE(news.incumbent, least - 1e-9) << text;
    };
    fit(problem.data, problem.options, hooks);
    const Result early = fit(problem.data, stopped, hooks);
    EXPECT_LE(early.bound, least + 1e-9) << text;
    EXPECT_GE(early.objective, least - 1e-9) << text;
    EXPECT_EQ(check_origin(early, problem.data), std::vector<std::string>()) << text;
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(proved, 200);
  EXPECT_GT(dearer, 30) << "the tops are too good";
  EXPECT_GT(divided, 15) << "no limit on splits binds";
}

Problem draw_numbers(Random& random, Loss loss) {
  const auto one_of = [&](std::uint64_t n) { return random.below(n) == 0; };
  Problem problem;
  Dataset& data = problem.data;
  do {
    data = testing::random_numbers(random, {14, 3, 3, one_of(2), one_of(2), 5, one_of(3)}, loss);
  } while (data.rows() < 3);
  if (loss == Loss::survival) {
    for (std::size_t row = 0; row < data.rows(); ++row) {
      data.response->times.push_back(static_cast<double>(1 + random.below(6)));
      data.response->values[row] = row == 0 || random.below(3) > 0 ? 1 : 0;
    }
    set_hazards(data);
  }
  problem.options.max_depth = static_cast<std::int64_t>(1 + random.below(3));
  problem.options.min_samples_leaf = std::min(1 + static_cast<double>(random.below(3)), static_cast<double>(data.rows()));
  if (one_of(3)) problem.options.max_splits = static_cast<std::int64_t>(random.below(6));
  if (one_of(3)) problem.options.ccp_alpha = 0.02 * static_cast<double>(1 + random.below(6));
  RowNumbers rows;
  for (std::size_t row = 0; row < data.rows(); ++row) rows.push_back(static_cast<std::int32_t>(row));
  const double of_root = least_errors(problem, "leaf", rows, 0, 0).front();
  problem.split_price = problem.options.ccp_alpha * (of_root > 1e-12 ? of_root : 1);  // as LossObjective::scale_of
  problem.top = testing::draw_top(data, random, 2);
  problem.options.top = problem.top.dump();
  return problem;
}

TEST(BelowTop, LengthyOfNumbersIsTheOptimumOverAllTreesThatBeginSo) {
  Random random(1831);
  int solved = 0, stopped = 0, proved = 0;
  for (int round = 0; round < 2000; ++round) {
    const Problem problem = draw_numbers(random, kLosses[static_cast<std::size_t>(round % 3)]);
    const std::string text = problem.text();
    if (text.find("\"...\"") == std::string::npos) continue;
    const double least = truth(problem);
    if (least == kNone) {
      EXPECT_THROW(fit(problem.data, problem.options), Error) << text;
      continue;
    }
    const Result result = fit(problem.data, problem.options);
    const double scale = result.objective_function->error_scale(), off = 1e-9 * scale;
    ++solved;
    ASSERT_EQ(result.status, Status::optimal) << text;
    ASSERT_NEAR(result.objective * scale, least, off) << text;
    EXPECT_EQ(check_claims(result, problem.data), std::vector<std::string>()) << text;
    EXPECT_EQ(check_origin(result, problem.data), std::vector<std::string>()) << text;
    EXPECT_EQ(check_origin(from_json(to_json(result), "text"), problem.data), std::vector<std::string>()) << text;
    EXPECT_EQ(select::solve_again(result, problem.data, 60, {}).broken, std::vector<std::string>()) << text;
    proved += !proof_of(problem, result).empty();
    Options early = problem.options;
    early.node_limit = static_cast<std::int64_t>(random.below(3));
    const Result found = fit(problem.data, early);
    stopped += found.status != Status::optimal;
    EXPECT_LE(found.bound * scale, least + off) << text;
    EXPECT_GE(found.objective * scale, least - off) << text;
    EXPECT_EQ(check_origin(found, problem.data), std::vector<std::string>()) << text;
  }
  EXPECT_GT(solved, 400);
  EXPECT_GT(proved, 200);
  EXPECT_GT(stopped, 20);
}

// A category of more than 12 levels is split by the shares of all rows, wherever the top has put them: all trees that ask a 0/1 column
// first are the trees below its one split.
TEST(BelowTop, WideCategoriesAreSplitAsTheyAreWithoutATop) {
  Random random(1829);
  for (int round = 0; round < 60; ++round) {
    const std::size_t rows = 30 + random.below(20), levels = 13 + random.below(4);
    std::vector<std::string> names;
    std::vector<std::int32_t> codes, labels;
    std::vector<double> x;
    for (std::size_t level = 0; level < levels; ++level) names.push_back("l" + std::to_string(level));
    for (std::size_t row = 0; row < rows; ++row) {
      codes.push_back(static_cast<std::int32_t>(row < levels ? row : random.below(levels)));
      x.push_back(row < 2 ? static_cast<double>(row) : static_cast<double>(random.below(2)));
      labels.push_back(row < 3 ? static_cast<std::int32_t>(row) : static_cast<std::int32_t>(random.below(3)));
    }
    const Dataset data = testing::make_data({testing::categories("c", names, codes), testing::numbers("x", x)}, labels, 3);
    Options below, first;
    below.max_depth = first.max_depth = 2 + static_cast<std::int64_t>(random.below(2));
    below.min_samples_leaf = first.min_samples_leaf = 1 + static_cast<double>(random.below(2));
    below.top = R"({"column": "x", "below": 0.5, "left": "...", "right": "..."})";
    first.first_column = "x";
    const Result a = fit(data, below), b = fit(data, first);
    EXPECT_EQ(a.status, Status::optimal);
    EXPECT_EQ(a.errors, b.errors) << testing::to_string(data) << " depth " << below.max_depth << " leaf " << below.min_samples_leaf;
    EXPECT_EQ(select::solve_again(a, data, 60, {}).broken, std::vector<std::string>());
    EXPECT_NE(a.proved.find("by the share of a class"), std::string::npos);
    Options verified = below;
    verified.verify = "yes";
    const Result shown = fit(data, verified);
    EXPECT_TRUE(shown.verified) << shown.proved;
    EXPECT_EQ(shown.errors, a.errors);
    verified.max_splits = 3;
    expect_error([&] { fit(data, verified); }, {"top", "many levels"});
  }
}

// The same of numbers. x moves them so far, in every level, that each path asks it once: then it may as well come first.
TEST(BelowTop, WideCategoriesOfNumbersAreSplitAsTheyAreWithoutATop) {
  Random random(1832);
  for (int round = 0; round < 60; ++round) {
    const std::size_t levels = 13 + random.below(4), rows = 2 * levels + random.below(20);
    std::vector<std::string> names;
    std::vector<std::int32_t> codes;
    std::vector<double> x;
    Response response{Loss::squared, {}, {}};
    for (std::size_t level = 0; level < levels; ++level) names.push_back("l" + std::to_string(level));
    for (std::size_t row = 0; row < rows; ++row) {
      codes.push_back(static_cast<std::int32_t>(row < 2 * levels ? row / 2 : random.below(levels)));
      x.push_back(static_cast<double>(row < 2 * levels ? row % 2 : random.below(2)));
      response.values.push_back(1000 * x.back() + static_cast<double>(random.below(9)));
    }
    Dataset data = testing::make_data({testing::categories("c", names, codes), testing::numbers("x", x)}, {}, 0);
    data.response = response;
    Options below, free;
    below.max_depth = free.max_depth = 2 + static_cast<std::int64_t>(random.below(2));
    below.top = R"({"column": "x", "below": 0.5, "left": "...", "right": "..."})";
    const Result a = fit(data, below), b = fit(data, free);
    EXPECT_EQ(a.status, Status::optimal);
    EXPECT_NEAR(*a.loss, *b.loss, 1e-9 * b.objective_function->error_scale()) << "round " << round << " depth " << below.max_depth;
    below.verify = "yes";
    EXPECT_TRUE(fit(data, below).verified) << "round " << round;
  }
}

// Three given splits at half of what all rows lose each are more than the numbers of a proof hold. The result is optimal, and says so.
TEST(BelowTop, SplitsThatCostMoreThanAProofCanSayAreNoDefect) {
  Dataset data =
      testing::make_data({testing::numbers("x0", {0, 0, 1, 1, 1, 2, 1, 1, 2}), testing::numbers("x1", {0, 2, 2, 2, 2, 2, 0, 1, 1})}, {}, 0);
  data.response = Response{Loss::survival, {0, 1, 1, 0, 0, 1, 0, 1, 0}, {}};
  data.response->times = {2, 4, 0, 2, 2, 0, 5, 3, 3};
  set_hazards(data);
  Options options;
  options.max_depth = 2;
  options.ccp_alpha = 0.5;
  options.verify = "yes";
  options.top = R"({"column": "x0", "below": 1, "left": {"column": "x1", "below": 0.5, "left": "...", "right": "..."},
                    "right": {"column": "x0", "below": 1.5, "left": "...", "right": "leaf"}})";
  const Result result = fit(data, options);
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_FALSE(result.verified);
  EXPECT_NE(result.proved.find("cannot say what the given splits cost"), std::string::npos) << result.proved;
}

// A leaf that stays loses what is counted, but for last digits: what is far from 0 and differs little has many.
TEST(BelowTop, TheLossOfALeafThatStaysIsNoBoundToItsLastDigit) {
  Dataset data = testing::make_data({testing::numbers("x", {4, 0, 0, 0})}, {}, 0);
  data.response = Response{Loss::squared, {1e9 + 0.004, 1e9 + 0.005, 1e9 + 0.002, 1e9 + 0.001}, {}};
  testing::SumBruteForce trees(data, 1, 0);
  Options options;
  options.max_depth = 1;
  options.top = R"({"column": "x", "below": 4, "left": "leaf", "right": "..."})";
  const long double least = trees.best_below(Json::parse(options.top), 1, 1);
  const auto result_scale = static_cast<long double>(LossObjective::scale_of(data));
  FitHooks hooks;
  hooks.listener = [&](const Progress& news) { EXPECT_LE(news.bound * result_scale, least * (1 + 1e-14L)); };
  const Result result = fit(data, options, hooks);
  EXPECT_LE(result.bound * result_scale, least * (1 + 1e-14L));
}

Dataset some_rows() {
  return testing::make_data(
      {testing::numbers("x", {1, 2, 3, 4, 5, std::nan("")}), testing::categories("k", {"a", "b"}, {0, 1, 0, 1, 0, 1})}, {0, 0, 1, 1, 0, 1});
}

TEST(BelowTop, ThresholdsAndSidesOfMissingValuesStayAsGiven) {
  const Dataset data = some_rows();
  Options options;
  options.max_depth = 2;
  options.top = R"({"column": "x", "below": 2.123456789, "missing": "left", "left": "leaf", "right": "..."})";
  const Result result = fit(data, options);
  ASSERT_FALSE(result.tree.nodes().front().is_leaf());
  EXPECT_EQ(result.tree.nodes().front().axis()->threshold, 2.123456789);
  EXPECT_TRUE(result.tree.nodes().front().split->missing_left);
  EXPECT_TRUE(result.tree.node(result.tree.nodes().front().left).is_leaf());
  EXPECT_EQ(result.errors, 1);
  EXPECT_NE(result.proved.find("begins with the given splits"), std::string::npos);
}

TEST(BelowTop, WhatCannotBeIsRefusedAtItsPlace) {
  const Dataset data = some_rows();
  const auto with = [&](const std::string& top, const testing::Settings& others = {}) {
    return [&data, top, others] {
      Options options = testing::options_of(others);
      options.top = top;
      fit(data, options);
    };
  };
  const auto split = [](const std::string& rest) { return R"({"missing": "left", "left": "...", "right": "leaf", )" + rest + "}"; };
  expect_error(with("{"), {"option 'top'", "JSON"});
  expect_error(with("[]"), {"at the root", "neither a split"});
  expect_error(with(split(R"("column": "xx", "below": 3)")), {"no column 'xx'", "did you mean 'x'"});
  expect_error(with(split(R"("column": "x", "levels": ["a"])")), {"'x' is split by \"below\""});
  expect_error(with(split(R"("column": "k", "below": 3)")), {"'k' is split by the \"levels\""});
  expect_error(with(split(R"("column": "k", "levels": ["c"])")), {"no level 'c'"});
  expect_error(with(split(R"("column": "x", "below": "3")")), {"\"3\" is no number"});
  expect_error(with(split(R"("column": "x", "belov": 3)")), {"no key 'belov'", "below"});
  expect_error(with(R"({"column": "x", "below": 3, "left": "...", "right": "leaf"})"), {"missing values", "\"missing\": \"left\""});
  expect_error(with(R"({"column": "k", "levels": ["a"], "left": "...", "right": {"column": "k", "right": "..."}})"),
               {"right of the root", "'left' is missing"});
  const std::string good = split(R"("column": "x", "below": 3)");
  EXPECT_NO_THROW(with(good)());
  expect_error(with(split(R"("column": "x", "below": 30)")), {"place with 0 rows"});
  expect_error(with(good, {{"max_depth", "0"}}), {"has 1 levels, and max_depth is 0"});
  expect_error(with(good, {{"max_splits", "0"}}), {"has 1 splits, and max_splits is 0"});
  expect_error(with(good, {{"never_columns", "x"}}), {"never to be asked"});
  expect_error(with(good, {{"first_column", "x"}}), {"first_column"});
  expect_error(with(good, {{"max_columns", "1"}}), {"max_columns"});
  expect_error(with(good, {{"proof", "file.proof"}, {"max_splits", "2"}}), {"a proof file and a limit on splits"});
  expect_error(with(good, {{"method", "cart"}}), {"top"});
  const auto asks = [&](const std::string& column, const testing::Settings& others = {}) {
    return with(R"({"column": "k", "levels": ["a"], "left": {"column": ")" + column + R"("}, "right": "leaf"})", others);
  };
  EXPECT_NO_THROW(asks("x")());
  expect_error(asks("k"), {"top", "no split on 'k' parts the rows"});
  expect_error(asks("y"), {"left of the root", "no column 'y'"});
  expect_error(asks("x", {{"max_depth", "1"}}), {"has 2 levels, and max_depth is 1"});
  expect_error(asks("x", {{"max_splits", "2"}}), {"top", "a limit on splits"});
  expect_error(asks("x", {{"verify", "yes"}}), {"top", "no proof"});
  expect_error(asks("x", {{"min_weight_fraction_leaf", "0.1"}}), {"top", "a least weight"});
  expect_error(asks("x", {{"never_columns", "x"}}), {"never to be asked"});
}

// What all trees cost at least whose rows are in these places: those of a verified proof.
double truth_below(const Problem& problem, const proof::TopRows& top, std::int64_t depth) {
  std::size_t kind = 0, place = 0;
  const auto below = [&](auto&& self, std::int64_t levels) -> double {
    const proof::TopPlace::Kind of = top.kinds[kind++];
    if (of == proof::TopPlace::Kind::split) {
      const double left = self(self, levels - 1);
      return problem.split_price + left + self(self, levels - 1);
    }
    const std::vector<std::uint32_t>& rows = top.rows[place++];
    const int left = of == proof::TopPlace::Kind::leaf ? 0 : static_cast<int>(levels);
    const std::vector<double> errors =
        least_errors(problem, left == 0 ? "leaf" : "...", {rows.begin(), rows.end()}, left, (std::size_t{1} << left) - 1);
    double best = kNone;
    for (std::size_t k = 0; k < errors.size(); ++k) best = std::min(best, errors[k] + problem.split_price * static_cast<double>(k));
    return best;
  };
  return below(below, depth);
}

// Whoever knows the format changes the top, the bound, the limits and single bytes: what passes is true.
TEST(BelowTop, LengthyForgedProofsPassOnlyWhereTheyAreTrue) {
  using Kind = proof::TopPlace::Kind;
  Random random(1832);
  int passed = 0, refused = 0, others = 0;
  for (int round = 0; round < 4000; ++round) {
    const Problem problem = round % 4 == 0 ? draw_numbers(random, kLosses[static_cast<std::size_t>(round / 4 % 3)]) : draw(random);
    if (problem.top == "..." || problem.options.max_splits >= 0 || truth(problem) == kNone) continue;
    const Result result = fit(problem.data, problem.options);
    const std::string bytes = proof_of(problem, result);
    if (bytes.empty()) continue;
    const proof::Proof honest = proof::from_bytes(bytes, "honest");
    const proof::TopRows top = proof::verify(honest, problem.data, "honest").top;
    for (int change = 0; change < 40; ++change) {
      proof::Proof forged = honest;
      for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
        proof::TopPlace& place = forged.top[random.below(forged.top.size())];
        switch (random.below(8)) {
          case 0:
            forged.bound += static_cast<std::int64_t>(1 + random.below(static_cast<std::uint64_t>(honest.bound / 4 + 3)));
            break;
          case 1:
            forged.bound = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(honest.bound) + 1));
            break;
          case 2:
            if (place.kind != Kind::split) place.kind = place.kind == Kind::leaf ? Kind::open : Kind::leaf;
            break;
          case 3:
            if (place.kind == Kind::split) place.rank += static_cast<std::int64_t>(random.below(5)) - 2;
            break;
          case 4:
            if (place.kind == Kind::split) place.ordering = static_cast<std::int64_t>(random.below(forged.orderings.size() + 1));
            break;
          case 5:
            if (!forged.body.empty()) forged.body[random.below(forged.body.size())] = static_cast<char>(random.below(130));
            break;
          case 6:
            forged.depth += static_cast<std::int32_t>(random.below(3)) - 1;
            break;
          default:
            random.below(2) == 0 ? forged.body.insert(random.below(forged.body.size() + 1), 1, static_cast<char>(random.below(9)))
                                 : forged.body.erase(random.below(forged.body.size() + 1), 1);
        }
      }
      try {
        const proof::Proof read = proof::from_bytes(proof::to_bytes(forged, "test"), "forged");
        ASSERT_EQ(read.top, forged.top);
        const proof::Verified said = proof::verify(read, problem.data, "forged");
        const double least = truth_below(problem, said.top, read.depth);
        EXPECT_LE(said.bound, least * (1 + 1e-9) + 1e-9) << said.sentence << "\n" << problem.text();
        ++passed;
        if (said.top == top) continue;
        ++others;
        EXPECT_THROW(check_proof(result, problem.data, proof::to_bytes(forged, "test"), "forged"), Error) << said.sentence;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(passed, 2000);
  EXPECT_GT(refused, 5000);
  EXPECT_GT(others, 30);
}

}  // namespace
}  // namespace treewright
