// Fits where the target is a number: the objective, its claims, and what is refused.

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/numbers_data.h"
#include "treewright/explain.h"
#include "treewright/explain/facts.h"
#include "treewright/export.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/near_trees.h"
#include "treewright/report.h"
#include "treewright/tree/measures.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;
using testing::random_numbers;

Dataset houses() {
  Dataset data = make_data({numbers("size", {1, 2, 3, 4}), numbers("age", {9, 3, 9, 4})}, {}, 0);
  data.target_name = "price";
  data.response = Response{Loss::squared, {10, 14, 40, 46}, {}};
  return data;
}

Options cart(int depth = 1) {
  Options options;
  options.method = "cart";
  options.max_depth = depth;
  return options;
}

TEST(FitLoss, ObjectiveIsOneLessR2AndThePriceOfSplits) {
  Options options = cart();
  options.ccp_alpha = 0.01;
  const Result result = fit(houses(), options);
  EXPECT_EQ(result.loss, 26);
  EXPECT_DOUBLE_EQ(result.explained(), 1 - 26.0 / 987);
  EXPECT_DOUBLE_EQ(result.objective, 26.0 / 987 + 0.01);
  EXPECT_EQ(result.objective_function->formula(), "squared error / 987 + 0.01 × splits");
  EXPECT_EQ(result.status, Status::heuristic);
  EXPECT_EQ(check_all_claims(result, houses()), std::vector<std::string>());
}

TEST(FitLoss, RowsOfOneRateLoseNothing) {
  Dataset data = make_data({numbers("x", {1, 0, 0})}, {}, 0);
  data.response = Response{Loss::poisson, {2, 0, 0}, {1000000001, 1000000002, 1000000004}};
  data.weights = {3, 0, 0};
  Options options;
  options.max_depth = 1;
  EXPECT_EQ(fit(data, options).status, Status::optimal) << "the loss of one row is the last digit of a logarithm";
}

TEST(FitLoss, HighPricesLeaveNoSplit) {
  Options options = cart(3);
  options.ccp_alpha = 1;
  EXPECT_EQ(fit(houses(), options).tree.splits(), 0);
  options.ccp_alpha = 0;
  options.min_impurity_decrease = 0.02;  // the second and third split take 8 / 987 and 18 / 987
  EXPECT_EQ(fit(houses(), options).tree.splits(), 1);
}

TEST(FitLoss, FilesBringBackTheTree) {
  Random random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const Loss loss = trial % 2 == 0 ? Loss::squared : Loss::poisson;
    const Dataset data = random_numbers(random, {.categories = true, .missing = true}, loss);
    const Result result = fit(data, cart(2));
    const Result read = from_json(to_json(result), "a file");
    EXPECT_EQ(read.tree, result.tree);
    EXPECT_EQ(read.loss, result.loss);
    EXPECT_EQ(to_json(read), to_json(result));
    EXPECT_EQ(check_all_claims(read, data), std::vector<std::string>());
  }
}

void expect_broken(Result result, const std::string& part) {
  const std::vector<std::string> broken = check_all_claims(result, houses());
  std::string all;
  for (const std::string& sentence : broken) all += sentence + "\n";
  EXPECT_NE(all.find(part), std::string::npos) << "found: " << all << "expected: " << part;
}

// No worse than CART's, whose tree is the start, and the status survives the recount on the raw rows.
TEST(FitLoss, TheExactSearchProvesTheBestTree) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const Dataset data = random_numbers(random, {30, 3, 3, true, true, 8}, round % 2 == 0 ? Loss::squared : Loss::poisson);
    Options options;
    options.max_depth = 1 + round % 4;
    options.ccp_alpha = round % 3 == 0 ? 0 : 0.02;
    options.min_samples_leaf = round % 5 == 0 ? 2 : 1;
    const Result best = fit(data, options);
    EXPECT_EQ(best.status, Status::optimal) << best.proved;
    EXPECT_LE(best.bound, best.objective);
    EXPECT_NEAR(best.bound, best.objective, 1e-9);
    options.method = "cart";
    EXPECT_LE(best.objective, fit(data, options).objective + 1e-12);
  }
}

TEST(FitLoss, FalseClaimsAreFound) {
  const Result honest = fit(houses(), cart());
  const auto with_node = [&](const auto& change) {
    std::vector<Node> nodes = honest.tree.nodes();
    change(nodes[1]);
    Result changed = honest;
    changed.tree = honest.tree.with_nodes(std::move(nodes));
    return changed;
  };
  Result changed = honest;
  changed.loss = 25;
  expect_broken(changed, "the loss is 26 by recount, but 25 is claimed");
  changed = honest;
  changed.objective -= 0.01;
  expect_broken(changed, "the objective is");
  expect_broken(with_node([](Node& node) { node.estimate.value += 0.5; }), "the value of node 1 is 12 by recount, 12.5 is stored");
  expect_broken(with_node([](Node& node) { node.estimate.loss = 7; }), "the loss of node 1 is 8 by recount, 7 is stored");
  expect_broken(with_node([](Node& node) { node.estimate.weight = 3; }), "the weight of node 1");
  expect_broken(with_node([](Node& node) { node.rows = 3; }), "node 1 holds 2 rows by recount, but 3 are stored");
  changed = honest;
  changed.status = Status::optimal;
  expect_broken(changed, "method 'cart' proves nothing");
}

TEST(FitLoss, WhatIsAboutClassesIsRefused) {
  const Dataset data = houses();
  Options options = cart();
  options.method = "margot";
  expect_error([&] { (void)fit(data, options); }, {"'margot", "the target is a number (loss squared)", "cart"});
  options.method = "auto";
  expect_error([&] { (void)fit(data, options); }, {"'auto", "the target is a number"});
  options = cart();
  options.class_weight = "balanced";
  expect_error([&] { (void)fit(data, options); }, {"class_weight", "where the target is a number"});
  options = cart();
  options.alpha_scale = "rows";
  expect_error([&] { (void)fit(data, options); }, {"alpha_scale", "where the target is a number"});
  options = cart();
  const Result result = fit(data, options);
  expect_error([&] { (void)export_tree(result, "sql-probabilities"); }, {"sql-probabilities writes trees that predict classes", "json"});
  const Dataset labeled = make_data(data.columns, {0, 1, 0, 1});
  FitHooks hooks;
  hooks.starts = {&result.tree};
  expect_error([&] { (void)fit(labeled, options, hooks); }, {"another loss"});
}

TEST(FitLoss, TextsTellTheNumber) {
  const Dataset data = houses();
  const Result result = fit(data, cart());
  EXPECT_EQ(to_text(result.tree), "size < 2.5?  [4 rows]\n|- yes: 12  (2 rows, sd 2)\n`- no:  43  (2 rows, sd 3)\n");
  EXPECT_EQ(export_tree(result, "text"), "|--- size < 2.5\n|   |--- value: 12\n|--- size >= 2.5\n|   |--- value: 43\n");
  const std::string facts = explain::facts(result, &data);
  EXPECT_NE(facts.find("R2        0.9737 on the training rows (root mean squared error 2.54951)\n"), std::string::npos) << facts;
  const std::string reasons = explain_row(result.tree, data, 0, &data);
  EXPECT_NE(reasons.find("12: mean of 2 training rows in its leaf, sd 2\n"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("R2 lower by 0.9737 without this split"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("Shapley values of the prediction (average 27.5, here 12)\n  -15.5  size\n"), std::string::npos) << reasons;
  EXPECT_NE(reasons.find("permutation importance of the tree's features (fall of R2)"), std::string::npos) << reasons;
}

TEST(FitLoss, ValuesThatDifferAreToldApart) {
  Dataset data = houses();
  for (double& value : data.response->values) value = 1e9 + value / 10;
  EXPECT_EQ(to_text(fit(data, cart()).tree),
            "size < 2.5?  [4 rows]\n|- yes: 1000000001.2  (2 rows, sd 0.2)\n`- no:  1000000004.3  (2 rows, sd 0.3)\n");
}

TEST(FitLoss, RatesAreTold) {
  Dataset data = houses();
  data.response = Response{Loss::poisson, {1, 2, 0, 9}, {2, 4, 1, 3}};
  const Result result = fit(data, cart());
  EXPECT_EQ(to_text(result.tree).find("size < 3.5?  [4 rows]\n"), 0);
  EXPECT_NE(to_text(result.tree).find("3  (1 row, 9 events in 3)"), std::string::npos) << to_text(result.tree);
  EXPECT_NE(explain::facts(result, &data).find("of the deviance of the training rows"), std::string::npos);
}

TEST(FitLoss, PartsOfNumbersAreDrawnAtRandom) {
  const std::vector<double> halves = {0.5, 0.5};
  const std::vector<RowNumbers> parts = split_rows(houses(), halves);
  EXPECT_EQ(parts[0].size(), 2);
  EXPECT_EQ(k_folds(houses(), 2).size(), 2);
}

}  // namespace
}  // namespace treewright
