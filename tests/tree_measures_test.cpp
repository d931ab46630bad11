#include "treewright/tree.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace treewright
