// What auto compares candidates by, and the shrinkage that it chooses.

#include "treewright/methods/auto/gains.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "support/training.h"
#include "treewright/base/deadline.h"
#include "treewright/fit.h"
#include "treewright/methods/auto/method.h"
#include "treewright/methods/auto/race.h"
#include "treewright/probabilities.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::iris;
using testing::make_data;
using testing::numbers;

constexpr const char* kScorings[] = {"accuracy", "balanced-accuracy", "f1", "log-loss", "auc"};

Dataset weighted_rows(Random& random) {
  Dataset data = testing::random_data(random, {30, 3, 4, true, true});
  data.weights.clear();
  for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.2, 3));
  return data;
}

// The score as the measures of a tree have it.
double score_of(const Tree& tree, const Dataset& rows, const std::string& scoring) {
  if (scoring == "balanced-accuracy") return balanced_accuracy(tree, rows);
  if (scoring == "f1") return mean_f1(class_measures(tree.predict(rows), rows));
  if (scoring == "log-loss") return -score_probabilities(tree.predict_proba(rows), rows).log_loss;
  if (scoring == "auc") return auc(tree.predict_proba(rows), rows);
  return accuracy(tree, rows);
}

TEST(AutoGains, TheirMeanIsTheScoreAndTheyAreItsDerivatives) {
  Random random(71);
  for (int round = 0; round < 40; ++round) {
    const Dataset train = weighted_rows(random);
    Tree tree = testing::random_tree(random, train, 3);
    tree.shrinkage = 2;
    Dataset rows = train;
    for (std::int32_t& label : rows.labels) label = static_cast<std::int32_t>(random.below(rows.classes()));
    for (const std::string scoring : kScorings) {
      const std::vector<double> gains = automatic::gains_of(tree, rows, scoring);
      const double score = score_of(tree, rows, scoring), total = rows.total_weight();
      if (std::isnan(score)) continue;
      double sum = 0;
      for (std::size_t row = 0; row < gains.size(); ++row) sum += rows.weight(row) * gains[row];
      EXPECT_NEAR(sum / total, score, 1e-9) << scoring;
      for (std::size_t row = 0; row < gains.size(); ++row) {
        constexpr double kStep = 1e-5;
        Dataset more = rows, less = rows;
        more.weights[row] += kStep;
        less.weights[row] -= kStep;
        const double derivative = (score_of(tree, more, scoring) - score_of(tree, less, scoring)) / (2 * kStep);
        EXPECT_NEAR((gains[row] - score) / total, derivative, 1e-5) << scoring << " row " << row;
      }
    }
  }
}

TEST(AutoGains, RowsOfOneClassHaveNoArea) {
  const Dataset data = make_data({numbers("x", {1, 2, 3})}, {0, 0, 0}, 2);
  Tree tree(data);
  tree.tally(data);
  EXPECT_EQ(automatic::gains_of(tree, data, "auc"), std::vector<double>(3, 0.5));
}

// 100 rows in order, the last 20 of the second class. A tree that takes rows from 55 on for it finds them all, and is right on 75 rows; a
// leaf is on 80.
TEST(AutoGains, TheRaceIsDecidedByTheScoring) {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 100; ++row) x.push_back(row), labels.push_back(row >= 80);
  const Dataset data = make_data({numbers("x", x)}, labels, 2);
  const auto trainer = [](const Dataset& train, const Options& how) {
    Result result;
    result.tree = Tree(train);
    Dataset turned = train;
    if (how.method == "oct") {
      result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 54.5}, false});
      for (std::size_t row = 0; row < train.rows(); ++row) turned.labels[row] = train.columns[0].values[row] > 54.5;
    }
    result.tree.tally(turned);
    return result;
  };
  for (const std::string scoring : {"accuracy", "balanced-accuracy", "f1", "auc"}) {
    Options options;
    options.method = "auto";
    options.max_depth = 1;
    options.n_jobs = 1;
    options.scoring = scoring;
    Deadline deadline;
    automatic::Race race(data, options, deadline, trainer, Deadline::kNoLimit);
    race.run();
    EXPECT_EQ(race.leader()->options.method == "oct", scoring != "accuracy") << scoring;
  }
}

TEST(AutoGains, ResultsTellTheScoring) {
  Options options;
  options.method = "auto";
  options.max_depth = 1;
  options.restarts = 0;
  options.scoring = "log-loss";
  const Result result = fit(iris(), options);
  EXPECT_NE(result.selection.find(", log loss 0."), std::string::npos) << result.selection;
  ASSERT_TRUE(result.candidates.front().score.has_value());
  EXPECT_LT(*result.candidates.front().score, 0) << "large is good";
  EXPECT_EQ(from_json(to_json(result), "memory").candidates.front().score, result.candidates.front().score);
  Dataset costly = iris();
  costly.costs = {0, 1, 1, 1, 0, 1, 5, 5, 0};
  expect_error([&] { fit(costly, options); }, {"scoring", "costs"});
}

TEST(AutoGains, ChoosesTheShrinkageByTheFolds) {
  Options options;
  options.method = "auto";
  options.max_depth = 1;
  options.restarts = 0;
  // A rule without exceptions needs no caution; of few rows, half of them wrong, leaves say little.
  Random random(73);
  std::vector<double> x;
  std::vector<std::int32_t> sure, doubtful;
  for (int row = 0; row < 60; ++row) {
    x.push_back(row);
    sure.push_back(row >= 30);
    doubtful.push_back(row >= 30 ? random.below(4) < 3 : random.below(4) < 1);
  }
  const Result of_sure = fit(make_data({numbers("x", x)}, sure, 2), options);
  const Result of_doubtful = fit(make_data({numbers("x", x)}, doubtful, 2), options);
  for (const Result* result : {&of_sure, &of_doubtful}) {
    const std::string how =
        result->tree.probability_model ? "by the distances" : fmt::format("with a shrinkage of {:g} rows\n", result->tree.shrinkage);
    EXPECT_NE(result->selection.find(how), std::string::npos) << result->selection;
  }
  EXPECT_LT(of_sure.tree.shrinkage, of_doubtful.tree.shrinkage);
}

}  // namespace
}  // namespace treewright
