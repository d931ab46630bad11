#include "treewright/probabilities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "support/training.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

// x < 2.5 ? a : (x < 5.5 ? b : a), on 8 rows.
struct Worked {
  Dataset data;
  Tree tree;
  explicit Worked(int classes = 2, std::vector<double> weights = {})
      : data(make_data({numbers("x", {1, 2, 3, 4, 5, 6, 7, 8})}, {0, 0, 1, 1, 0, 0, 0, 1}, classes)), tree(data) {
    data.weights = std::move(weights);
    const auto [left, right] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
    tree.split(right, {AxisSplit{FeatureId{0}, 5.5}, false});
    tree.tally(data);
    (void)left;
  }
};

// Of class a in each node: the root, its children, the two leaves on the right.
void expect_of_first_class(const Tree& tree, double shrinkage, const std::vector<double>& expected) {
  const std::vector<double> found = node_probabilities(tree, shrinkage);
  const std::size_t k = tree.class_names.size();
  ASSERT_EQ(found.size(), expected.size() * k);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i * k], expected[i], 1e-15) << "node " << i;
    EXPECT_NEAR(found[i * k + 1], 1 - expected[i], 1e-15) << "node " << i;
  }
}

TEST(Probabilities, ByHand) {
  // Shares of a: 5/8 in the root, 1 and 3/6 in its children, 1/3 and 2/3 in the leaves on the right. The steps are divided by 1 + 2/8 below
  // the root and by 1 + 2/6 on the right: 5/8 + 3/8 * 0.8, 5/8 - 1/8 * 0.8, and from there 1/6 * 0.75 down and up.
  expect_of_first_class(Worked().tree, 2, {0.625, 0.925, 0.525, 0.4, 0.65});
  expect_of_first_class(Worked().tree, std::numeric_limits<double>::infinity(), {0.625, 0.625, 0.625, 0.625, 0.625});
}

TEST(Probabilities, WeightsCountAsRows) {
  Worked weighted(2, {2, 2, 2, 2, 2, 2, 2, 2});
  expect_of_first_class(weighted.tree, 4, {0.625, 0.925, 0.525, 0.4, 0.65});
}

TEST(Probabilities, NodeWithoutWeightHasThoseOfItsParent) {
  // Rows 3 to 5 weigh nothing. Shares of a: 4/5 in the root, 1 and 2/3 in its children.
  const Worked w(2, {1, 1, 0, 0, 0, 1, 1, 1});
  const double right = 0.8 + (2.0 / 3 - 0.8) / (1 + 1.0 / 5);
  expect_of_first_class(w.tree, 1, {0.8, 0.8 + 0.2 / (1 + 1.0 / 5), right, right, right});
  // Without shrinkage such a leaf names its label.
  expect_of_first_class(w.tree, 0, {0.8, 1, 2.0 / 3, 1, 2.0 / 3});
}

TEST(Probabilities, WithoutShrinkageThoseOfTheTree) {
  for (const Worked& w : {Worked(2), Worked(3), Worked(2, {1, 0.1, 0, 0, 0, 3, 1, 7})}) {
    EXPECT_EQ(predict_proba(w.tree, w.data, 0), w.tree.predict_proba(w.data)) << "to the last bit";
  }
}

TEST(Probabilities, AreDistributionsAndFollowTheDefinition) {
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Dataset data = testing::random_data(random, {40, 4, 3, true, true});
    const Tree tree = testing::random_tree(random, data, 6);
    const std::size_t k = tree.class_names.size();
    for (const double shrinkage : {0.1, 3.0, 1000.0}) {
      const std::vector<double> found = node_probabilities(tree, shrinkage);
      std::vector<double> expected(found.size());
      for (std::size_t node = 0; node < tree.nodes().size(); ++node) {
        const auto weight_of = [&](NodeId id) {
          return std::accumulate(tree.node(id).class_weight.begin(), tree.node(id).class_weight.end(), 0.0);
        };
        const Node& here = tree.nodes()[node];
        const double weight = weight_of(NodeId{static_cast<std::int32_t>(node)});
        double sum = 0;
        for (std::size_t c = 0; c < k; ++c) {
          if (node == 0) expected[c] = here.class_weight[c] / weight;
          EXPECT_NEAR(found[node * k + c], expected[node * k + c], 1e-12);
          EXPECT_GE(found[node * k + c], 0);
          sum += found[node * k + c];
          if (here.is_leaf()) continue;
          for (const NodeId child : {here.left, here.right}) {
            const double below = weight_of(child);
            const double step = below > 0 ? tree.node(child).class_weight[c] / below - here.class_weight[c] / weight : 0;
            expected[+child * k + c] = expected[node * k + c] + (weight > 0 ? step / (1 + shrinkage / weight) : 0);
          }
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
  }
}

// What is claimed of a tree says nothing of its probabilities.
TEST(Probabilities, ClaimsDoNotDependOnThem) {
  Options options;
  options.max_depth = 2;
  for (const char* method : {"oct", "cart", "tao"}) {
    options.method = method;
    Result result = fit(testing::iris(), options);
    const std::string claims = summary_json(result);
    const std::vector<std::int32_t> labels = result.tree.predict(testing::iris());
    for (const double shrinkage : {0.0, 1.0, 1e6}) {
      result.tree.shrinkage = shrinkage;
      EXPECT_EQ(summary_json(result), claims);
      EXPECT_EQ(result.tree.predict(testing::iris()), labels);
      const Result read = from_json(to_json(result), "memory");
      EXPECT_EQ(read.tree.shrinkage, shrinkage);
      EXPECT_FALSE(read.edited);
      EXPECT_EQ(check_claims(read, testing::iris()), std::vector<std::string>());
      EXPECT_EQ(check_origin(read, testing::iris()), std::vector<std::string>());
    }
  }
}

TEST(Probabilities, OneClass) {
  const Dataset data = make_data({numbers("x", {1, 2})}, {0, 0}, 1);
  Tree tree(data);
  tree.tally(data);
  EXPECT_EQ(predict_proba(tree, data, 10), (std::vector<double>{1, 1}));
  const ProbabilityScores scores = score_probabilities(predict_proba(tree, data, 10), data);
  EXPECT_EQ(scores.brier, 0);
  EXPECT_EQ(scores.log_loss, 0);
}

TEST(Probabilities, BadShrinkage) {
  const Worked w;
  expect_error([&] { node_probabilities(w.tree, -1); }, {"shrinkage", "-1"});
  expect_error([&] { node_probabilities(w.tree, std::nan("")); }, {"shrinkage"});
}

TEST(Probabilities, ScoresByHand) {
  // Of the true class: 0.925 twice, 0.6 twice, 0.4, 0.65 twice, 0.35.
  const double squares = 2 * 0.075 * 0.075 + 2 * 0.4 * 0.4 + 0.6 * 0.6 + 2 * 0.35 * 0.35 + 0.65 * 0.65;
  const double logs = 2 * std::log(0.925) + 2 * std::log(0.6) + std::log(0.4) + 2 * std::log(0.65) + std::log(0.35);
  const Worked two, three(3);
  const ProbabilityScores scores = score_probabilities(predict_proba(two.tree, two.data, 2), two.data);
  EXPECT_NEAR(scores.brier, squares / 8, 1e-15);
  EXPECT_NEAR(scores.log_loss, -logs / 8, 1e-15);
  const ProbabilityScores full = score_probabilities(predict_proba(three.tree, three.data, 2), three.data);
  EXPECT_NEAR(full.brier, 2 * squares / 8, 1e-15) << "the sum over all three classes";
  EXPECT_NEAR(full.log_loss, -logs / 8, 1e-15);
}

TEST(Probabilities, ScoresOfWeights) {
  Dataset data = make_data({numbers("x", {1, 2})}, {0, 1});
  data.weights = {3, 1};
  const std::vector<double> probabilities = {0.75, 0.25, 0.5, 0.5};
  const ProbabilityScores scores = score_probabilities(probabilities, data);
  EXPECT_DOUBLE_EQ(scores.brier, (3 * 0.0625 + 0.25) / 4);
  EXPECT_DOUBLE_EQ(scores.log_loss, -(3 * std::log(0.75) + std::log(0.5)) / 4);
  data.weights = {0, 0};
  EXPECT_EQ(score_probabilities(probabilities, data).log_loss, 0);
}

TEST(Probabilities, ImpossibleClassHasAFiniteLoss) {
  const Dataset data = make_data({numbers("x", {1})}, {1});
  EXPECT_DOUBLE_EQ(score_probabilities(std::vector<double>{1, 0}, data).log_loss, 52 * std::log(2.0));
  EXPECT_EQ(score_probabilities(std::vector<double>{1, 0}, data).brier, 1);
}

}  // namespace
}  // namespace treewright
