#include "treewright/tree/measures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

// x < 2.5 ? a : (x < 5.5 ? b : a), on 8 rows of the classes a, b and c, where c never occurs in training.
struct Worked {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6, 7, 8})}, {0, 0, 1, 1, 0, 0, 0, 1}, 3);
  Tree tree{data};
  Worked() {
    const auto [left, right] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
    tree.split(right, {AxisSplit{FeatureId{0}, 5.5}, false});
    tree.tally(data);
    (void)left;
  }
};

TEST(Measures, Depths) {
  const Worked w;
  EXPECT_DOUBLE_EQ(average_depth(w.tree), (1 + 2 + 2) / 3.0);
  EXPECT_DOUBLE_EQ(expected_depth(w.tree, w.data), (2 * 1 + 6 * 2) / 8.0);
  const Tree leaf(w.data);
  EXPECT_EQ(average_depth(leaf), 0);
  EXPECT_EQ(expected_depth(leaf, w.data), 0);
  EXPECT_EQ(expected_depth(w.tree, Dataset{}), 0) << "no rows";
}

TEST(Measures, ConfusionMatrixAndAccuracies) {
  const Worked w;
  // Predicted: a a b b b a a a. True: a a b b a a a b.
  EXPECT_EQ(confusion_matrix(w.tree, w.data), (std::vector<std::vector<double>>{{4, 1, 0}, {1, 2, 0}, {0, 0, 0}}));
  EXPECT_DOUBLE_EQ(accuracy(w.tree, w.data), 6 / 8.0);
  EXPECT_DOUBLE_EQ(balanced_accuracy(w.tree, w.data), (4 / 5.0 + 2 / 3.0) / 2) << "class c does not occur and does not count";
}

TEST(Measures, WeightsCount) {
  Worked w;
  w.data.weights = {1, 1, 1, 1, 3, 1, 1, 0};
  EXPECT_DOUBLE_EQ(accuracy(w.tree, w.data), 6 / 9.0);
  EXPECT_DOUBLE_EQ(balanced_accuracy(w.tree, w.data), (4 / 7.0 + 1) / 2);
  w.data.weights.assign(8, 0);
  EXPECT_EQ(accuracy(w.tree, w.data), 0);
  EXPECT_EQ(balanced_accuracy(w.tree, w.data), 0);
}

// Known to R's binom and to scipy.
TEST(Measures, WilsonIntervals) {
  EXPECT_NEAR(wilson(47 / 52.0, 52).low, 0.7939036987986837, 1e-12);
  EXPECT_NEAR(wilson(47 / 52.0, 52).high, 0.9582256489474275, 1e-12);
  EXPECT_NEAR(wilson(0, 10).high, 0.27753279986288926, 1e-12);
  EXPECT_EQ(wilson(0, 10).low, 0);
  EXPECT_NEAR(wilson(1, 10).low, 1 - 0.27753279986288926, 1e-12);
  EXPECT_EQ(wilson(0.5, 0).low, 0) << "nothing is known";
  EXPECT_EQ(wilson(0.5, 0).high, 1);
}

TEST(Measures, OfOneClassAgainstTheOthers) {
  const Worked w;
  // Predicted: a a b b b a a a. True: a a b b a a a b.
  const std::vector<ClassMeasures> classes = class_measures(w.tree.predict(w.data), w.data);
  const ClassMeasures& b = classes[1];
  EXPECT_EQ(b.sensitivity.part_rows, 2);
  EXPECT_EQ(b.sensitivity.whole_rows, 3);
  EXPECT_DOUBLE_EQ(b.sensitivity.value(), 2 / 3.0);
  EXPECT_DOUBLE_EQ(b.specificity.value(), 4 / 5.0);
  EXPECT_DOUBLE_EQ(b.ppv.value(), 2 / 3.0);
  EXPECT_DOUBLE_EQ(b.npv.value(), 4 / 5.0);
  EXPECT_DOUBLE_EQ(b.f1(), 2 / 3.0);
  EXPECT_DOUBLE_EQ(b.lift(), (2 / 3.0) / (3 / 8.0));
  EXPECT_DOUBLE_EQ(classes[0].f1(), 0.8);
  EXPECT_DOUBLE_EQ(mean_f1(classes), (0.8 + 2 / 3.0) / 2) << "class c has no rows and no predictions";
  EXPECT_TRUE(std::isnan(classes[2].f1()) && std::isnan(classes[2].lift()) && std::isnan(classes[2].ppv.value()));
  EXPECT_EQ(right_rows(w.tree.predict(w.data), w.data).part_rows, 6);
}

// Expected values are those of scikit-learn.
TEST(Measures, WithWeights) {
  Worked w;
  w.data.weights = {1, 1, 1, 1, 3, 1, 1, 2.5};
  const std::vector<ClassMeasures> classes = class_measures(w.tree.predict(w.data), w.data);
  EXPECT_NEAR(classes[0].f1(), 0.59259259259259, 1e-12);
  EXPECT_NEAR(classes[1].f1(), 0.42105263157895, 1e-12);
  EXPECT_EQ(classes[1].sensitivity.part, 2);
  EXPECT_EQ(classes[1].sensitivity.whole, 4.5);
  EXPECT_EQ(classes[1].sensitivity.whole_rows, 3) << "rows are counted beside the weights";
  EXPECT_NEAR(auc(w.tree.predict_proba(w.data), w.data, 1), 0.5873015873015873, 1e-12);
  // Rows of one weight are as many as they are.
  Worked twice;
  twice.data.weights.assign(8, 2);
  const Share share = right_rows(twice.tree.predict(twice.data), twice.data);
  EXPECT_DOUBLE_EQ(share.interval().low, wilson(6 / 8.0, 8).low);
}

TEST(Measures, AreaUnderTheCurve) {
  const Worked w;
  EXPECT_NEAR(auc(w.tree.predict_proba(w.data), w.data, 1), 0.8, 1e-12);
  EXPECT_TRUE(std::isnan(auc(w.tree.predict_proba(w.data), w.data, 2)));
  const Dataset three = make_data({numbers("x", {0, 0, 0, 0, 0, 0})}, {0, 1, 2, 0, 1, 2}, 3);
  const std::vector<double> p = {.7, .2, .1, .3, .4, .3, .2, .2, .6, .3, .4, .3, .2, .2, .6, .2, .2, .6};
  EXPECT_NEAR(auc(p, three), 0.8125, 1e-12) << "one-vs-rest, macro";
}

TEST(Measures, AThresholdDecides) {
  const std::vector<double> p = {0.9, 0.1, 0.5, 0.5, 0.2, 0.8};
  EXPECT_EQ(decide(p, 1, 0.5), (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(decide(p, 1, 0.1), (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(decide(p, 0, 0.6), (std::vector<std::int32_t>{0, 1, 1}));
  Tree tree(make_data({numbers("x", {1, 2})}, {0, 1}));
  EXPECT_EQ(positive_class(tree, ""), 1);
  EXPECT_EQ(positive_class(tree, "a"), 0);
  expect_error([&] { positive_class(tree, "z"); }, {"'z' is no class", "'a' and 'b'"});
  expect_error([&] { positive_class(Worked().tree, ""); }, {"two classes", "has 3"});
}

}  // namespace
}  // namespace treewright
