#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/data/fingerprint.h"
#include "treewright/data/losses.h"
#include "treewright/result.h"
#include "treewright/tree/measures.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::numbers;
using testing::SumBruteForce;

Dataset drawn(Random& random, Loss loss, std::size_t rows) {
  std::vector<double> a, b, values, exposure;
  for (std::size_t row = 0; row < rows; ++row) {
    a.push_back(static_cast<double>(random.below(5)));
    b.push_back(static_cast<double>(random.below(4)));
    const double noise = static_cast<double>(random.below(6));
    values.push_back(loss == Loss::squared ? 4 * a.back() - 3 * b.back() + noise : static_cast<double>(random.below(2)) + a.back());
    exposure.push_back(1 + static_cast<double>(random.below(3)));
  }
  Dataset data = testing::make_data({numbers("a", a), numbers("b", b)}, {}, 0);
  data.target_name = "y";
  data.response = Response{loss, values, loss == Loss::squared ? std::vector<double>() : exposure};
  if (loss == Loss::survival) {
    // The larger a, the earlier; some of the rows are censored, and times are tied.
    data.response->times.clear();
    for (std::size_t row = 0; row < rows; ++row) {
      data.response->times.push_back(9 - a[row] + exposure[row]);
      data.response->values[row] = row % 4 == 0 ? 0 : 1;
    }
    set_hazards(data);
  }
  return data;
}

// The corners of the lower hull of (splits, least loss), by trying every tree.
std::vector<std::pair<std::int64_t, double>> hull(const Dataset& data, int depth) {
  SumBruteForce all(data, 1, 0);
  std::vector<std::pair<std::int64_t, double>> corners;
  const auto slope = [](const auto& p, const auto& q) { return (p.second - q.second) / static_cast<double>(q.first - p.first); };
  for (std::int64_t splits = 0; splits < 1 << depth; ++splits) {
    const std::pair<std::int64_t, double> next(splits, static_cast<double>(all.best(depth, splits)));
    if (!corners.empty() && next.second >= corners.back().second - 1e-7) continue;
    while (corners.size() >= 2 && slope(corners[corners.size() - 2], corners.back()) <= slope(corners.back(), next) + 1e-9)
      corners.pop_back();
    corners.push_back(next);
  }
  return corners;
}

TEST(TuneNumbers, ThePathIsTheHullOfAllTrees) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = drawn(random, kLosses[static_cast<std::size_t>(round) % kLosses.size()], 8 + random.below(9));
    Options options;
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(2));
    const auto expected = hull(data, static_cast<int>(options.max_depth));
    const ComplexityPath path = complexity_path(data, options);
    EXPECT_EQ(path.status, Status::optimal);
    ASSERT_EQ(path.points.size(), expected.size()) << "round " << round;
    const double scale = expected[0].second;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const PathPoint& point = path.points[i];
      EXPECT_EQ(point.splits, expected[i].first);
      EXPECT_NEAR(point.loss(), expected[i].second, 1e-7 * scale);
      EXPECT_EQ(check_claims(point.result, data), std::vector<std::string>());
      if (i + 1 < expected.size()) {
        const double tie = (expected[i].second - expected[i + 1].second) / static_cast<double>(expected[i + 1].first - expected[i].first);
        EXPECT_NEAR(point.alpha_low, tie / scale, 1e-7);
        EXPECT_EQ(point.alpha_low, path.points[i + 1].alpha_high);
      }
    }
  }
}

TEST(TuneNumbers, ThePathOfCartHoldsItsPrunings) {
  Random random(4);
  const Dataset data = drawn(random, Loss::squared, 60);
  Options options;
  options.method = "cart";
  options.max_depth = 4;
  const ComplexityPath path = complexity_path(data, options);
  ASSERT_GT(path.points.size(), 3u);
  for (const PathPoint& point : path.points) {
    options.ccp_alpha = std::isfinite(point.alpha_high) ? (point.alpha_low + point.alpha_high) / 2 : point.alpha_low + 1;
    EXPECT_EQ(fit(data, options).tree, point.result.tree);
  }
}

TunePlan three_folds(const Dataset& data) {
  TunePlan plan;
  plan.folds.resize(3);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (std::size_t fold = 0; fold < 3; ++fold) {
      RowNumbers& part = row % 3 == fold ? plan.folds[fold].test : plan.folds[fold].train;
      part.push_back(static_cast<std::int32_t>(row));
    }
  }
  return plan;
}

// The score of the chosen alpha is the mean of what single fits at it reach on the rows kept aside.
TEST(TuneNumbers, ScoresAreThoseOfSingleFits) {
  Random random(5);
  const std::pair<Loss, std::vector<Scoring>> kinds[] = {{Loss::squared, {Scoring::r2, Scoring::rmse, Scoring::mae}},
                                                         {Loss::poisson, {Scoring::deviance, Scoring::rmse}},
                                                         {Loss::survival, {Scoring::concordance, Scoring::deviance}}};
  for (const auto& [loss, scorings] : kinds) {
    const Dataset data = drawn(random, loss, 90);
    EXPECT_EQ(usual_scoring(data), scorings.front());
    for (const Scoring scoring : scorings) {
      TunePlan plan = three_folds(data);
      plan.scoring = scoring_named(name_of(scoring));
      plan.axes = {{"max_depth", {"1", "2"}}};
      Options options;
      options.min_samples_leaf = 10;
      const TuneResult tuned = tune(data, options, plan);
      EXPECT_EQ(tuned.status, Status::optimal);
      Options chosen = tuned.options;
      double mean = 0;
      for (const Fold& fold : plan.folds) {
        const NumberScores scores = score_numbers(fit(data.subset(fold.train), chosen).tree, data.subset(fold.test));
        mean += (scoring == Scoring::r2            ? scores.explained
                 : scoring == Scoring::rmse        ? -scores.rmse
                 : scoring == Scoring::mae         ? -scores.mae
                 : scoring == Scoring::concordance ? scores.concordance.value()
                                                   : -2 * scores.mean_loss) /
                3;
      }
      EXPECT_NEAR(tuned.choice.step.score, mean, 1e-9) << name_of(scoring);
      EXPECT_EQ(shown_score(scoring, tuned.choice.step.score) > 0, true);
      EXPECT_EQ(
          tuned.choice.why.starts_with(is_loss(scoring) ? "the least mean " + std::string(name_of(scoring)) : "the highest mean score"),
          true);
      EXPECT_EQ(check_claims(tuned.result, data), std::vector<std::string>());
    }
  }
}

TEST(TuneNumbers, OneStandardErrorTakesTheSmallestTreeThatIsAsGood) {
  Random random(6);
  const Dataset data = drawn(random, Loss::squared, 90);
  TunePlan plan = three_folds(data);
  Options options;
  options.max_depth = 3;
  const TuneResult best = tune(data, options, plan);
  plan.rule = choice_rule_named("one-se");
  const TuneResult small = tune(data, options, plan);
  const double enough = best.choice.step.score - best.choice.step.standard_error;
  double fewest = std::numeric_limits<double>::infinity();
  for (const CurveStep& step : small.curve) {
    if (step.score >= enough) fewest = std::min(fewest, step.splits);
  }
  EXPECT_EQ(small.choice.step.splits, fewest);
  EXPECT_LE(fewest, best.choice.step.splits);
  EXPECT_GE(small.choice.step.score, enough);
  EXPECT_TRUE(small.choice.why.starts_with("the fewest splits ("));
  plan.folds.resize(1);
  expect_error([&] { tune(data, options, plan); }, {"rule", "one-se", "two folds"});
}

// A leaf without events is certain that there are none: an event on the other rows is infinitely unlikely.
TEST(TuneNumbers, AnEventWhereNoneWasPossibleIsWorseThanAnything) {
  Dataset data = testing::make_data({numbers("a", {0, 0, 1, 1, 0, 1})}, {}, 0);
  data.response = Response{Loss::poisson, {0, 0, 4, 6, 1, 5}, {}};
  TunePlan plan;
  plan.folds = {{{0, 1, 2, 3}, {4, 5}}};
  Options options;
  options.max_depth = 1;
  const TuneResult tuned = tune(data, options, plan);
  EXPECT_EQ(tuned.curve.front().score, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(tuned.choice.step.score));
  EXPECT_EQ(tuned.choice.step.splits, 0);
}

// Prunings of one grown tree, whose claims hold, chosen by the concordance on the rows kept aside.
TEST(TuneNumbers, TimesHaveThePathOfCart) {
  Random random(8);
  const Dataset data = drawn(random, Loss::survival, 120);
  Options options;
  options.method = "cart";
  options.min_samples_leaf = 8;
  const ComplexityPath path = complexity_path(data, options);
  ASSERT_GE(path.points.size(), 3u);
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    const PathPoint& point = path.points[i];
    EXPECT_EQ(check_claims(point.result, data), std::vector<std::string>());
    if (i == 0) continue;
    EXPECT_GT(point.splits, path.points[i - 1].splits);
    EXPECT_GT(point.result.explained(), path.points[i - 1].result.explained());
    EXPECT_EQ(point.alpha_high, path.points[i - 1].alpha_low);
  }
  TunePlan plan = three_folds(data);
  plan.rule = choice_rule_named("one-se");
  const TuneResult tuned = tune(data, options, plan);
  EXPECT_GT(tuned.choice.step.score, 0.7);
  EXPECT_GE(tuned.result.tree.splits(), 1u);
}

TEST(TuneNumbers, AFoldOfEqualNumbersHasNoR2) {
  Random random(9);
  Dataset data = drawn(random, Loss::squared, 30);
  for (const std::size_t row : {0, 4, 7}) data.response->values[row] = 0.1;
  TunePlan plan;
  plan.folds = {{{}, {0, 4, 7}}};
  for (std::int32_t row = 0; row < 30; ++row) {
    if (row != 0 && row != 4 && row != 7) plan.folds[0].train.push_back(row);
  }
  expect_error([&] { tune(data, {}, plan); }, {"scoring", "r2 is not defined", "rmse"});
  plan.scoring = Scoring::rmse;
  EXPECT_LE(tune(data, {}, plan).choice.step.score, 0);
}

TEST(TuneNumbers, AFoldWithoutPairsHasNoConcordance) {
  Random random(9);
  Dataset data = drawn(random, Loss::survival, 30);
  TunePlan plan;
  plan.folds = {{{}, {0, 4}}};  // both are censored
  for (std::int32_t row = 0; row < 30; ++row) {
    if (row != 0 && row != 4) plan.folds[0].train.push_back(row);
  }
  expect_error([&] { tune(data, {}, plan); }, {"scoring", "concordance is not defined", "deviance"});
  plan.scoring = Scoring::deviance;
  EXPECT_LE(tune(data, {}, plan).choice.step.score, 0);
}

TEST(TuneNumbers, ScoringsAreOfTheirTarget) {
  Random random(7);
  const Dataset prices = drawn(random, Loss::squared, 30), events = drawn(random, Loss::poisson, 30);
  TunePlan plan = three_folds(prices);
  plan.scoring = Scoring::accuracy;
  expect_error([&] { tune(prices, {}, plan); }, {"scoring", "accuracy", "r2, rmse or mae"});
  plan.scoring = Scoring::deviance;
  expect_error([&] { tune(prices, {}, plan); }, {"scoring", "deviance", "squared error"});
  plan.scoring = Scoring::concordance;
  expect_error([&] { tune(events, {}, plan); }, {"scoring", "concordance", "use deviance"});
  plan.scoring = Scoring::rmse;
  expect_error([&] { tune(drawn(random, Loss::survival, 30), {}, plan); }, {"scoring", "rmse", "use concordance or deviance"});
  plan.scoring = Scoring::r2;
  expect_error([&] { tune(events, {}, plan); }, {"scoring", "r2", "use deviance"});
  Dataset classes = prices;
  classes.response.reset();
  classes.class_names = {"no", "yes"};
  for (std::size_t row = 0; row < prices.rows(); ++row) classes.labels.push_back(row % 2 == 0 ? 0 : 1);
  expect_error([&] { tune(classes, {}, plan); }, {"scoring", "r2", "accuracy"});
}

TEST(TuneNumbers, ACheckpointKnowsItsNumbers) {
  Random random(8);
  const Dataset data = drawn(random, Loss::poisson, 30);
  Dataset other = data;
  other.response->exposure[3] += 1;
  EXPECT_NE(fingerprint(data), fingerprint(other));
  other = data;
  other.response->values[3] += 1;
  EXPECT_NE(fingerprint(data), fingerprint(other));
}

}  // namespace
}  // namespace treewright
