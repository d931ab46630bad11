// Probabilities that change with the distance to hyperplanes: the formula by hand, and what must not depend on them.

#include "treewright/grow/probability_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_tree.h"
#include "treewright/base/random.h"
#include "treewright/fit.h"
#include "treewright/grow/choose_probabilities.h"
#include "treewright/probabilities.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/tree_json.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

Split plane(std::vector<HyperplaneSplit::Term> terms, double threshold, bool missing_left = false) {
  return {HyperplaneSplit{std::move(terms), threshold}, missing_left};
}

// Classes that change slowly along x + y; noise in z.
Dataset slope(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x, y, z;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < rows; ++i) {
    x.push_back(random.uniform(-3, 3));
    y.push_back(random.uniform(-3, 3));
    z.push_back(random.uniform(-3, 3));
    labels.push_back(random.uniform(0, 1) < 1 / (1 + std::exp(-x.back() - y.back())) ? 1 : 0);
  }
  return make_data({numbers("x", x), numbers("y", y), numbers("z", z)}, labels, 2);
}

TEST(ProbabilityModel, TheFormulaByHand) {
  const Dataset data = make_data({numbers("x", {0, 1, 4, std::nan("")}), numbers("y", {0, 1, 5, 1})}, {0, 1, 1, 0}, 2);
  Tree tree(data);
  tree.split(Tree::root(), plane({{FeatureId{0}, 1.0}, {FeatureId{1}, 2.0}}, 2.0, true));
  tree.tally(data);
  // The plane adds 1.5 to the second class at its distance of 4; the leaves have logits of their own.
  tree.probability_model = ProbabilityModel{{0, 1.5, 0, -1, 0, 2}, {4, 0, 0}};
  const std::vector<double> found = tree.predict_proba(data);
  // Sums of 0, 3, 14 and none: distances of -1/2, 1/4, 1 (kept there) and 0.
  const std::vector<double> logits = {-1 - 0.75, 2 + 0.375, 2 + 1.5, -1};
  for (std::size_t row = 0; row < 4; ++row) {
    EXPECT_NEAR(found[2 * row + 1], 1 / (1 + std::exp(-logits[row])), 1e-15) << row;
    EXPECT_NEAR(found[2 * row] + found[2 * row + 1], 1, 1e-15);
  }
  EXPECT_EQ(tree_from(tree_json(tree)), tree);
  // The label of its leaf stays the most probable class, be it by a hair.
  tree.probability_model->logits = {0, 0, 0, 5, 0, 2};
  EXPECT_EQ(tree.predict(data)[0], 0);
  EXPECT_NEAR(tree.predict_proba(data)[0], 0.5, 1e-5);
  EXPECT_GT(tree.predict_proba(data)[0], tree.predict_proba(data)[1]);
}

TEST(ProbabilityModel, ARowFarFromThePlaneIsSurer) {
  const Dataset train = slope(400, 1), later = slope(2000, 2);
  Tree tree(train);
  tree.split(Tree::root(), plane({{FeatureId{0}, 1.0}, {FeatureId{1}, 1.0}}, 0));
  tree.tally(train);
  const double of_leaves = score_probabilities(tree.predict_proba(later), later).log_loss;
  tree.probability_model = grow::fit_probability_model(tree, train);
  ASSERT_TRUE(tree.probability_model);
  const std::vector<double> found = tree.predict_proba(later);
  EXPECT_LT(score_probabilities(found, later).log_loss, of_leaves - 0.03);
  EXPECT_GT(tree.probability_model->logits[1], 0);
  const double reach = tree.probability_model->reach[0];
  EXPECT_NEAR(reach, std::sqrt(6.0), 0.3);  // of a sum of two that are uniform in [-3, 3]
}

TEST(ProbabilityModel, TreesWithoutHyperplanesAndPoliciesHaveNone) {
  Dataset data = slope(50, 3);
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 0.5}, false});
  tree.tally(data);
  EXPECT_FALSE(grow::fit_probability_model(tree, data));
  EXPECT_FALSE(fit(data, Options{.max_depth = 2}).tree.probability_model);
  EXPECT_TRUE(fit(data, Options{.method = "tao", .max_depth = 2}).tree.probability_model);
  // Nor where costs give a leaf another label than that of its majority.
  data.costs = {0, 1, 5, 0};
  tree.split(NodeId{1}, plane({{FeatureId{0}, 1.0}, {FeatureId{1}, 1.0}}, 0));
  tree.tally(data);
  const auto other = [](const Node& node) { return node.is_leaf() && node.class_weight[node.label] < node.class_weight[1 - node.label]; };
  ASSERT_TRUE(std::any_of(tree.nodes().begin(), tree.nodes().end(), other));
  EXPECT_FALSE(grow::fit_probability_model(tree, data));
  data.costs = {0, 1, 1, 0};
  tree.tally(data);
  EXPECT_TRUE(grow::fit_probability_model(tree, data));
}

TEST(ProbabilityModel, ItGoesWhenTheSplitsChange) {
  const Dataset data = slope(60, 4);
  Tree tree = fit(data, Options{.method = "tao", .max_depth = 2}).tree;
  ASSERT_TRUE(tree.probability_model);
  Tree cut = tree;
  cut.collapse(Tree::root());
  EXPECT_FALSE(cut.probability_model);
  EXPECT_FALSE(tree.with_nodes(tree.nodes()).probability_model);
  Tree longer = tree;
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    if (!tree.nodes()[i].is_leaf()) continue;
    longer.split(NodeId{static_cast<std::int32_t>(i)}, {AxisSplit{FeatureId{2}, 0}, false});
    break;
  }
  EXPECT_FALSE(longer.probability_model);
}

TEST(ProbabilityModel, LabelsAndClaimsDoNotDependOnIt) {
  const Dataset data = slope(120, 5);
  const Result result = fit(data, Options{.method = "oct-h", .max_depth = 2});
  Tree without = result.tree;
  without.probability_model.reset();
  EXPECT_EQ(without.predict(data), result.tree.predict(data));
  EXPECT_EQ(count_errors(without, data), result.errors);
  // A shrinkage that is asked for is that of the leaves.
  EXPECT_EQ(predict_proba(result.tree, data, 3), predict_proba(without, data, 3));
}

TEST(ProbabilityModel, WeightsCountAsCopies) {
  Dataset once = slope(80, 6), twice = once;
  std::vector<std::int32_t> rows(once.rows());
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<std::int32_t> all = rows;
  rows.insert(rows.end(), all.begin(), all.end());
  twice = once.subset(rows);
  once.weights.assign(once.rows(), 2.0);
  Tree tree(once);
  tree.split(Tree::root(), plane({{FeatureId{0}, 1.0}, {FeatureId{1}, 1.0}}, 0));
  tree.tally(once);
  const auto a = grow::fit_probability_model(tree, once), b = grow::fit_probability_model(tree, twice);
  ASSERT_TRUE(a && b);
  for (std::size_t i = 0; i < a->logits.size(); ++i) EXPECT_NEAR(a->logits[i], b->logits[i], 1e-3) << i;
}

TEST(ProbabilityModel, FoldsChooseAStrongPenaltyWhereTreesOverfit) {
  // Labels are coins: a tree of hyperplanes separates them, and new rows are as likely of each class.
  Random random(7);
  std::vector<double> x[4];
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 120; ++i) {
    for (auto& column : x) column.push_back(random.normal());
    labels.push_back(static_cast<std::int32_t>(random.below(2)));
  }
  const Dataset data = make_data({numbers("a", x[0]), numbers("b", x[1]), numbers("c", x[2]), numbers("d", x[3])}, labels, 2);
  const std::vector<Fold> folds = k_folds(data, 4);
  std::vector<Tree> trees;
  for (const Fold& fold : folds)
    trees.push_back(fit(data.subset(fold.train), Options{.method = "tao", .max_depth = 3, .svm_cost = 10}).tree);
  const grow::ProbabilityChoice choice = grow::choose_probabilities(data, folds, trees);
  EXPECT_TRUE(choice.cost ? *choice.cost <= 0.03 : choice.shrinkage >= 10) << grow::in_words(choice, data);
}

TEST(ProbabilityModel, TheShrinkageOfLeastLossOnRowsThatTreesHadNotSeen) {
  Random random(9);
  for (int round = 0; round < 10; ++round) {
    Dataset data = slope(60, 100 + round);
    if (round % 2 == 1) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 3));
    }
    const std::vector<Fold> folds = k_folds(data, 3);
    std::vector<Tree> trees;
    for (const Fold& fold : folds) {
      Tree tree = testing::random_tree(random, data.subset(fold.train), 3);
      tree.tally(data.subset(fold.train));
      trees.push_back(std::move(tree));
    }
    const auto loss = [&](double multiple) {
      double sum = 0;
      for (std::size_t i = 0; i < folds.size(); ++i) {
        const Dataset train = data.subset(folds[i].train), valid = data.subset(folds[i].test);
        const std::vector<double> shares = predict_proba(trees[i], valid, multiple * usual_shrinkage(train));
        for (std::size_t row = 0; row < valid.rows(); ++row)
          sum += valid.weight(row) * log_loss_of(shares[2 * row + static_cast<std::size_t>(valid.labels[row])]);
      }
      return sum;
    };
    const double best = loss(grow::choose_probabilities(data, folds, trees).shrinkage);
    for (const double multiple : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0}) EXPECT_LE(best, loss(multiple) + 1e-9);
  }
}

TEST(ProbabilityModel, FilesWithBrokenOnesAreRefused) {
  const Dataset data = slope(60, 8);
  const nlohmann::ordered_json good = tree_json(fit(data, Options{.method = "tao", .max_depth = 1}).tree);
  const auto broken = [&](const auto& change) {
    nlohmann::ordered_json json = good;
    change(json["nodes"]);
    EXPECT_ANY_THROW(tree_from(json)) << json.dump();
  };
  EXPECT_NO_THROW(tree_from(good));
  broken([](auto& nodes) { nodes[0]["reach"] = -1; });
  broken([](auto& nodes) { nodes[0].erase("logits"); });
  broken([](auto& nodes) { nodes[1]["logits"] = {1}; });
  broken([](auto& nodes) { nodes[1]["logits"] = {1, "a"}; });
  broken([](auto& nodes) { nodes[1]["logits"] = {1, nullptr}; });
}

}  // namespace
}  // namespace treewright
