#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

#include <gtest/gtest.h>

#include "support/make_data.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

// Class weights 3, 6.5 and 2: the majority class is right on 6.5 and wrong on 5.
Dataset weighted() {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 1, 1, 2}, 3);
  data.weights = {3, 5, 1.5, 2};
  return data;
}

TEST(Objective, EveryAlphaScale) {
  const auto scale = [](const char* name) {
    Options options;
    options.ccp_alpha = 0.1;
    options.alpha_scale = name;
    return ErrorObjective::from(options, weighted());
  };
  EXPECT_DOUBLE_EQ(scale("majority-errors").error_scale(), 5);
  EXPECT_DOUBLE_EQ(scale("baseline-correct").error_scale(), 6.5);
  EXPECT_DOUBLE_EQ(scale("rows").error_scale(), 11.5);
  EXPECT_DOUBLE_EQ(scale("errors").error_scale(), 1);
  const ErrorObjective objective = scale("baseline-correct");
  EXPECT_DOUBLE_EQ(objective.value(13, 3), 2 + 0.3);
  EXPECT_DOUBLE_EQ(objective.split_price(), 0.65);
}

TEST(Objective, MinimisingItIsMinimisingErrorsPlusThePriceOfSplits) {
  const ErrorObjective objective(0.2, 7);
  EXPECT_DOUBLE_EQ(objective.value(4, 2) * objective.error_scale(), 4 + 2 * objective.split_price());
}

TEST(Objective, RowsPerLeaf) {
  EXPECT_EQ(min_leaf_rows(1, 150), 1);
  EXPECT_EQ(min_leaf_rows(8, 150), 8);
  EXPECT_EQ(min_leaf_rows(7.2, 150), 8);
  EXPECT_EQ(min_leaf_rows(0, 150), 1) << "never below 1";
  EXPECT_EQ(min_leaf_rows(0.001, 150), 1);
  EXPECT_EQ(min_leaf_rows(0.05, 150), 8) << "7.5 rounds up";
  EXPECT_EQ(min_leaf_rows(0.1, 150), 15);
  // Shares whose product with the rows lies just above a whole number in doubles.
  EXPECT_EQ(min_leaf_rows(0.07, 100), 7);
  EXPECT_EQ(min_leaf_rows(0.55, 100), 55);
  EXPECT_EQ(min_leaf_rows(0.999, 3), 3);
}

TEST(Objective, ErrorsAreSumsOfWeights) {
  const Dataset data = weighted();
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 3.5}, false});
  tree.tally(data);
  EXPECT_DOUBLE_EQ(count_errors(tree, data), 3);
  Dataset plain = data;
  plain.weights.clear();
  EXPECT_DOUBLE_EQ(count_errors(tree, plain), 1);
  EXPECT_EQ(+left + +right, 3);
}

}  // namespace
}  // namespace treewright
