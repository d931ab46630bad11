// Costs of labels in what trains many trees: the complexity path against every tree, tuning and auto against a recount on the rows kept
// aside.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/cost_case.h"
#include "support/path_corners.h"
#include "support/training.h"
#include "treewright/fit/check_origin.h"
#include "treewright/result.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::BruteForce;
using testing::CostCase;
using testing::iris;
using testing::magnitude;
using testing::ones;
using testing::shown;

using Sentences = std::vector<std::string>;

// A missed virginica costs five.
Dataset costly_iris() {
  Dataset data = iris();
  data.costs = {0, 1, 1, 1, 0, 1, 5, 5, 0};
  return data;
}

TEST(PathOfCosts, IsTheHullOfBruteForce) {
  Random random(41);
  std::size_t longest = 0;
  for (int round = 0; round < 500; ++round) {
    const CostCase drawn = round % 2 == 0 ? testing::draw_cost_matrix(random) : testing::draw_policy(random);
    Options options = testing::of_depth(drawn.depth);
    options.min_samples_leaf = 1 + static_cast<double>(random.below(2));
    const char* const scales[] = {"majority-errors", "rows", "errors"};
    options.alpha_scale = scales[random.below(3)];
    const double tolerance = 1e-9 * magnitude(drawn.data);
    const int most = (1 << drawn.depth) - 1;
    const std::vector<testing::PathCorner> expected = testing::path_corners(
        BruteForce(drawn.data, static_cast<std::int64_t>(options.min_samples_leaf)).best(drawn.depth, most), tolerance);
    const ComplexityPath path = complexity_path(drawn.data, options);
    ASSERT_EQ(path.status, Status::optimal) << shown(drawn);
    ASSERT_EQ(path.points.size(), expected.size()) << "round " << round << "\n" << shown(drawn);
    longest = std::max(longest, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const PathPoint& point = path.points[i];
      EXPECT_EQ(point.splits, expected[i].splits);
      EXPECT_NEAR(point.loss(), expected[i].loss, tolerance) << shown(drawn);
      EXPECT_EQ(point.loss(), *point.result.cost);
      EXPECT_EQ(check_claims(point.result, drawn.data), Sentences{}) << shown(drawn);
      EXPECT_EQ(check_origin(point.result, drawn.data), Sentences{}) << shown(drawn);
      EXPECT_EQ(point.result.status, Status::optimal);
    }
  }
  EXPECT_GE(longest, 4u);
}

TEST(PathOfCosts, OfOnesIsThatOfErrors) {
  Dataset data = iris();
  const ComplexityPath plain = complexity_path(data, {});
  data.costs = ones(3);
  const ComplexityPath path = complexity_path(data, {});
  ASSERT_EQ(path.points.size(), plain.points.size());
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    EXPECT_EQ(path.points[i].loss(), plain.points[i].errors);
    EXPECT_NEAR(path.points[i].alpha_low, plain.points[i].alpha_low, 1e-12);
    EXPECT_EQ(path.points[i].result.tree, plain.points[i].result.tree);
  }
}

TEST(PathOfCosts, OfCartHasThePruningsOfTheGains) {
  Random random(42);
  for (int round = 0; round < 100; ++round) {
    const CostCase drawn = round % 2 == 0 ? testing::draw_cost_matrix(random) : testing::draw_policy(random);
    const Options options = testing::options_of({{"method", "cart"}, {"max_depth", "3"}});
    for (const PathPoint& point : complexity_path(drawn.data, options).points) {
      Options inside = options;
      inside.ccp_alpha = std::isfinite(point.alpha_high) ? (point.alpha_low + point.alpha_high) / 2 : std::max(1.0, 2 * point.alpha_low);
      EXPECT_EQ(fit(drawn.data, inside).tree, point.result.tree) << shown(drawn);
    }
  }
}

TunePlan three_folds(const Dataset& data) {
  TunePlan plan;
  plan.folds = k_folds(data, 3);
  plan.axes = {{"max_depth", {"1", "2", "3"}}};
  return plan;
}

// What the labels of a tree cost, counted row by row.
double recounted(const Tree& tree, const Dataset& data) {
  double cost = 0;
  const std::vector<std::int32_t> labels = tree.predict(data);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::size_t line = data.row_costs.empty() ? static_cast<std::size_t>(data.labels[row]) : row;
    cost += data.weight(row) *
            (data.row_costs.empty() ? data.costs : data.row_costs)[line * data.classes() + static_cast<std::size_t>(labels[row])];
  }
  return cost;
}

void expect_least_mean_cost(const Dataset& data, const Options& options) {
  const TunePlan plan = three_folds(data);
  const TuneResult tuned = tune(data, options, plan);
  double least = std::numeric_limits<double>::infinity();
  for (const CurveStep& step : tuned.curve) least = std::min(least, -step.score);
  EXPECT_NEAR(-tuned.choice.step.score, least, 1e-12);
  EXPECT_NE(tuned.choice.why.find("the least mean cost"), std::string::npos) << tuned.choice.why;
  // The steps of the curve are means over the folds, of trees that are trained here once more.
  const auto setting = static_cast<std::size_t>(tuned.choice.step.setting);
  Options inside = options;
  inside.max_depth = std::stoll(plan.axes[0].values[setting]);
  inside.ccp_alpha = tuned.options.ccp_alpha;
  double mean = 0;
  for (const Fold& fold : plan.folds) {
    const Dataset valid = data.subset(fold.test);
    mean += recounted(fit(data.subset(fold.train), inside).tree, valid) / valid.total_weight() / 3;
  }
  // Of several trees of one cost another may be found, so that only the order of size is compared with certainty.
  EXPECT_NEAR(mean, least, 0.25 * std::abs(least) + 0.05);
  EXPECT_EQ(check_claims(tuned.result, data), Sentences{});
  EXPECT_EQ(*tuned.result.cost, recounted(tuned.result.tree, data));
}

TEST(TuneByCost, ChoosesTheLeastMeanCostOnRowsKeptAside) {
  for (const char* method : {"oct", "cart", "oct-h"}) expect_least_mean_cost(costly_iris(), testing::options_of({{"method", method}}));
  Dataset policy = costly_iris();
  for (std::size_t row = 0; row < policy.rows(); ++row) {
    for (std::size_t a = 0; a < 3; ++a) policy.row_costs.push_back(policy.costs[static_cast<std::size_t>(policy.labels[row]) * 3 + a] - 1);
  }
  policy.costs.clear();
  expect_least_mean_cost(policy, {});
}

TEST(TuneByCost, EveryScoreIsMinusTheMeanCost) {
  const Dataset data = costly_iris();
  TunePlan plan = three_folds(data);
  plan.axes = {{"ccp_alpha", {"0.01", "0.1"}}};
  const TuneResult tuned = tune(data, {}, plan);
  ASSERT_EQ(tuned.trees.size(), 6u);
  for (const TunedTree& tree : tuned.trees) {
    const Fold& fold = plan.folds[static_cast<std::size_t>(tree.scored.fold)];
    const Dataset valid = data.subset(fold.test), train = data.subset(fold.train);
    Options options;
    set_option(options, "ccp_alpha", plan.axes[0].values[static_cast<std::size_t>(tree.scored.setting)]);
    const Tree again = fit(train, options).tree;
    EXPECT_NEAR(tree.fitted, recounted(again, train), 1e-9);
    EXPECT_NEAR(shown_score(Scoring::cost, tree.scored.score), recounted(again, valid) / valid.total_weight(), 0.1);
  }
}

TEST(TuneByCost, OfOnesIsByAccuracy) {
  Dataset data = iris();
  const TuneResult plain = tune(data, {}, three_folds(data));
  data.costs = ones(3);
  const TuneResult tuned = tune(data, {}, three_folds(data));
  EXPECT_EQ(tuned.result.tree, plain.result.tree);
  EXPECT_EQ(tuned.options.ccp_alpha, plain.options.ccp_alpha);
  EXPECT_NEAR(tuned.choice.step.score, plain.choice.step.score - 1, 1e-12);
}

TEST(TuneByCost, IsTheDefaultOnlyWithCosts) {
  EXPECT_EQ(usual_scoring(iris()), Scoring::accuracy);
  EXPECT_EQ(usual_scoring(costly_iris()), Scoring::cost);
  EXPECT_EQ(scoring_named("cost"), Scoring::cost);
  TunePlan plan = three_folds(iris());
  plan.scoring = Scoring::cost;
  expect_error([&] { tune(iris(), {}, plan); }, {"scoring", "the labels have none"});
  Dataset data = costly_iris();
  plan.scoring = Scoring::accuracy;
  EXPECT_GT(tune(data, {}, plan).choice.step.score, 0.8);
  expect_error([&] { tune(data, testing::options_of({{"method", "svm1"}}), plan); }, {"method", "cannot minimize costs"});
}

TEST(AutoByCost, OfOnesChoosesAsByAccuracy) {
  Dataset data = iris();
  const Options options = testing::options_of({{"method", "auto"}, {"max_depth", "2"}});
  const Result plain = fit(data, options);
  data.costs = ones(3);
  const Result result = fit(data, options);
  EXPECT_EQ(result.method, plain.method);
  EXPECT_EQ(result.tree, plain.tree);
  ASSERT_EQ(result.candidates.size(), plain.candidates.size());
  for (std::size_t i = 0; i < plain.candidates.size(); ++i) {
    const CandidateScore &of_cost = result.candidates[i], &of_errors = plain.candidates[i];
    EXPECT_FALSE(of_errors.cost);
    ASSERT_TRUE(of_cost.cost);
    if (of_errors.parts > 0) {
      EXPECT_NEAR(*of_cost.cost, 1 - of_errors.accuracy, 1e-9);
    }
    EXPECT_NEAR(of_cost.behind, of_errors.behind, 1e-9);
    EXPECT_NEAR(of_cost.standard_error, of_errors.standard_error, 1e-9);
  }
}

TEST(AutoByCost, RacesByCost) {
  const Dataset data = costly_iris();
  for (const bool by_row : {false, true}) {
    Dataset rows = data;
    for (std::size_t row = 0; row < rows.rows() && by_row; ++row) {
      for (std::size_t a = 0; a < 3; ++a) rows.row_costs.push_back(rows.costs[static_cast<std::size_t>(rows.labels[row]) * 3 + a]);
    }
    if (by_row) rows.costs.clear();
    const Result result = fit(rows, testing::options_of({{"method", "auto"}, {"max_depth", "2"}}));
    EXPECT_EQ(check_claims(result, rows), Sentences{});
    EXPECT_EQ(check_origin(result, rows), Sentences{});
    EXPECT_NEAR(*result.cost, recounted(result.tree, rows), 1e-9);
    EXPECT_LT(*result.cost, 50);  // far from 100, the cost of the best single label
    EXPECT_NE(result.selection.find("mean cost"), std::string::npos) << result.selection;
    EXPECT_EQ(result.selection.find("accuracy"), std::string::npos) << result.selection;
    EXPECT_NE(result.selection.find("tao"), std::string::npos);
    const Result read = from_json(to_json(result), "memory");
    ASSERT_EQ(read.candidates.size(), result.candidates.size());
    EXPECT_EQ(read.candidates.front().cost, result.candidates.front().cost);
    // The chosen candidate is no more than a standard error behind the first, and not behind by more than it costs.
    const auto chosen =
        std::find_if(result.candidates.begin(), result.candidates.end(), [](const auto& c) { return c.reason == "chosen"; });
    ASSERT_NE(chosen, result.candidates.end());
    EXPECT_LE(chosen->behind, chosen->standard_error + 1e-9);
  }
}

}  // namespace
}  // namespace treewright
