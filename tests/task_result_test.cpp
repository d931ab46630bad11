#include "treewright/result.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <string_view>

#include "support/make_data.h"
#include "support/training.h"
#include "treewright/explain/claims.h"
#include "treewright/fit.h"
#include "treewright/task/history.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

Dataset some_data() {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6, 7, 8})}, {0, 0, 0, 1, 1, 1, 1, 0});
  data.weights = {1, 1, 0.5, 1, 1, 1, 1, 0.25};
  return data;
}

Result some_result() {
  Options options;
  options.max_depth = 2;
  options.max_splits = 2;
  options.min_samples_leaf = 2;
  options.ccp_alpha = 0.01;
  return fit(some_data(), options);
}

std::string sentences(const std::vector<std::string>& broken) {
  std::string all;
  for (const std::string& sentence : broken) all += sentence + "\n";
  return all;
}

TEST(Claims, HoldForATrainedTree) {
  EXPECT_EQ(sentences(check_claims(some_result(), some_data())), "");
}

void expect_caught(const char* sentence, const std::function<void(Result&)>& lie) {
  Result result = some_result();
  lie(result);
  const std::string caught = sentences(check_claims(result, some_data()));
  EXPECT_NE(caught.find(sentence), std::string::npos) << "wanted: " << sentence << "\ngot: " << caught;
}

TEST(Claims, EveryFalseOneIsCaught) {
  ASSERT_GE(some_result().tree.splits(), 1u);
  expect_caught("the tree was trained on 9", [](Result& r) { r.rows = 9; });
  expect_caught("but it was", [](Result& r) { r.total_weight += 0.001; });
  expect_caught("are claimed", [](Result& r) { r.errors += 0.001; });
  expect_caught("is claimed", [](Result& r) { r.objective += 0.001; });
  const auto with = [](double more_alpha, double more_scale) {
    return [=](Result& r) {
      const Objective& was = *r.objective_function;
      r.objective_function = std::make_shared<ErrorObjective>(was.price() + more_alpha, was.error_scale() * more_scale);
    };
  };
  expect_caught("is claimed", with(0.001, 1));
  expect_caught("is claimed", with(0, 2));
  expect_caught("lies above the objective", [](Result& r) { r.bound = r.objective + 0.001; });
  expect_caught("the status is optimal, but the gap is", [](Result& r) { r.bound = r.objective - 0.001; });
  expect_caught(", but 0 is allowed", [](Result& r) { r.max_depth = 0; });
  expect_caught("splits, but 0 are allowed", [](Result& r) { r.max_splits = 0; });
  expect_caught("8 are required", [](Result& r) { r.min_leaf_rows = 8; });
  const auto with_nodes = [](Result& r, const std::function<void(std::vector<Node>&)>& change) {
    std::vector<Node> nodes = r.tree.nodes();
    change(nodes);
    r.tree = Tree::from_nodes(r.tree.features, r.tree.class_names, r.tree.target_name, nodes);
  };
  expect_caught("are stored", [&](Result& r) { with_nodes(r, [](auto& nodes) { ++nodes.back().rows; }); });
  expect_caught("class weights", [&](Result& r) { with_nodes(r, [](auto& nodes) { nodes.back().class_weight[0] += 0.5; }); });
  expect_caught("by recount", [&](Result& r) { with_nodes(r, [](auto& nodes) { nodes.back().label = 1 - nodes.back().label; }); });
  expect_caught("by recount",
                [&](Result& r) { with_nodes(r, [](auto& nodes) { std::get<AxisSplit>(nodes[0].split->rule).threshold = 100; }); });
}

TEST(Claims, OtherDataAreCaught) {
  Dataset other = some_data();
  other.labels[0] = 1;
  EXPECT_NE(sentences(check_claims(some_result(), other)), "");
  Dataset fewer = some_data();
  const std::vector<std::int32_t> rows = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_NE(sentences(check_claims(some_result(), fewer.subset(rows))), "");
}

TEST(Claims, AHeuristicMayHaveAGapAndALeafMayBeTheWholeTree) {
  Result result = some_result();
  result.status = Status::heuristic;
  result.bound = 0;
  EXPECT_EQ(sentences(check_claims(result, some_data())), "");
  Options options;
  options.max_depth = 0;
  options.min_samples_leaf = 8;
  EXPECT_EQ(sentences(check_claims(fit(some_data(), options), some_data())), "");
}

TEST(History, KeepsTheBestAndThinsTheBounds) {
  std::vector<Progress> history;
  record(history, {0, 10, 0, 'C'});
  record(history, {1, 12, 0, 'S'});  // a part's own best, worse than the best of all
  record(history, {2, 8, 0.01, 'S'});
  record(history, {3, 8, 0.05, ' '});  // not worth a line
  record(history, {4, 8, 0.1, ' '});
  record(history, {5, 8, 0.02, ' '});  // a bound never falls
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[1].incumbent, 8);
  EXPECT_EQ(history[1].source, 'S');
  EXPECT_EQ(history[2].bound, 0.1);
  EXPECT_EQ(history[2].source, ' ');
}

TEST(History, OfAFitEndsAtItsObjective) {
  const Result result = fit(some_data(), Options());
  ASSERT_FALSE(result.history.empty());
  EXPECT_EQ(result.history.front().source, 'C');
  EXPECT_NEAR(result.history.back().incumbent, result.objective, 1e-12);
}

// Trees of two levels or two splits are solved at once, and cart makes one tree: their listeners hear of it all the same.
TEST(History, OfAFitWithoutNewsOnTheWayEndsAtItsObjectiveToo) {
  const auto ends = [](const char* method, std::int64_t depth, std::int64_t splits, std::int64_t threads) {
    SCOPED_TRACE(fmt::format("{} {} {} {}", method, depth, splits, threads));
    Options options;
    options.method = method;
    options.max_depth = depth;
    options.max_splits = splits;
    if (std::string_view(method) == "oct") options.n_jobs = threads;
    Progress told{};
    FitHooks hooks;
    hooks.listener = [&](const Progress& progress) { told = progress; };
    const Result result = fit(testing::iris(), options, hooks);
    ASSERT_FALSE(result.history.empty());
    EXPECT_NEAR(result.history.back().incumbent, result.objective, 1e-12);
    EXPECT_NEAR(told.incumbent, result.objective, 1e-12);
    EXPECT_EQ(told.incumbent, result.history.back().incumbent);
    if (result.status == Status::optimal) {
      EXPECT_NEAR(told.bound, result.bound, 1e-12);
    }
  };
  for (const std::int64_t depth : {0, 1, 2, 3}) {
    for (const std::int64_t threads : {1, 2}) ends("oct", depth, -1, threads);
    ends("cart", depth, -1, 1);
  }
  for (const std::int64_t splits : {1, 2, 3}) ends("oct", 3, splits, 1);
}

// Weights are often scaled until they sum to the number of rows.
TEST(Result, WeightsOfMeanOneAreWeights) {
  Dataset data = some_data();
  data.weights.assign(data.rows(), 1);
  EXPECT_FALSE(fit(data, {}).weighted());
  data.weights[0] = 0.5, data.weights[1] = 1.5;
  Result result = fit(data, {});
  EXPECT_TRUE(result.weighted());
  EXPECT_TRUE(from_json(to_json(result), "t").weighted());
  EXPECT_NE(explain::headline(result).find(" errors that weigh less than "), std::string::npos) << explain::headline(result);
  result.unequal_weights = false;
  EXPECT_NE(sentences(check_claims(result, data)).find("which the tree file does not say"), std::string::npos);
}

TEST(Result, GapAndAccuracy) {
  Result result;
  EXPECT_EQ(result.accuracy(), 0) << "no rows";
  result.objective = 4;
  result.bound = 3;
  result.errors = 2;
  result.total_weight = 8;
  EXPECT_DOUBLE_EQ(result.gap(), 0.25);
  EXPECT_DOUBLE_EQ(result.accuracy(), 0.75);
  result.bound = 5;
  EXPECT_EQ(result.gap(), 0) << "never negative";
  result.objective = result.bound = 0;
  EXPECT_EQ(result.gap(), 0);
}

}  // namespace
}  // namespace treewright
