// The cost of a hyperplane tree where nobody has given one. The tests choose by a stand-in, whose trees are as good as the test wants.

#include "treewright/methods/hyperplanes/choose_cost.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/make_data.h"
#include "support/training.h"
#include "treewright/base/deadline.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::iris;
using testing::make_data;
using testing::noise;
using testing::numbers;

// Rows 0 to 39; the second class are the last ten.
Dataset rows_on_a_line() {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 40; ++row) x.push_back(row), labels.push_back(row >= 30);
  return make_data({numbers("x", x)}, labels, 2);
}

// All rows get the second class from this place on.
Result split_at(const Dataset& train, double threshold) {
  Dataset turned = train;
  for (std::size_t row = 0; row < train.rows(); ++row) turned.labels[row] = train.columns[0].values[row] > threshold;
  Result result;
  result.tree = Tree(train);
  result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, threshold}, false});
  result.tree.tally(turned);
  return result;
}

Options undecided() {
  Options options;
  options.method = "tao";
  options.max_depth = 1;
  return options;
}

double chosen_by(const Trainer& trainer, const Options& options = undecided(), const Dataset& data = rows_on_a_line()) {
  Deadline deadline;
  return hyperplanes::choose_cost(data, options, deadline, trainer).options.svm_cost;
}

TEST(ChooseCost, TakesTheBestOnRowsLeftOut) {
  for (const double best : {0.01, 0.1, 1.0, 10.0}) {
    EXPECT_EQ(chosen_by([&](const Dataset& train, const Options& how) { return split_at(train, how.svm_cost == best ? 29.5 : 20.5); }),
              best);
  }
  EXPECT_EQ(chosen_by([](const Dataset& train, const Options&) { return split_at(train, 29.5); }), 0.01) << "the widest margins of equals";
}

TEST(ChooseCost, CountsWeightsOfClassesAndCosts) {
  // Cost 10 misses five rows of the second class, the others six of the first.
  const auto trainer = [](const Dataset& train, const Options& how) { return split_at(train, how.svm_cost == 10 ? 34.5 : 23.5); };
  EXPECT_EQ(chosen_by(trainer), 10);
  Options weighted = undecided();
  weighted.class_weight = "balanced";
  EXPECT_EQ(chosen_by(trainer, weighted), 0.01);
  Dataset costly = rows_on_a_line();
  costly.costs = {0, 1, 3, 0};
  EXPECT_EQ(chosen_by(trainer, undecided(), costly), 0.01);
  // The same costs by row.
  Dataset policy = rows_on_a_line();
  for (const std::int32_t label : policy.labels) {
    for (const double cost : {costly.costs[2 * label], costly.costs[2 * label + 1]}) policy.row_costs.push_back(cost);
  }
  EXPECT_EQ(chosen_by(trainer, undecided(), policy), 0.01);
}

TEST(ChooseCost, IsOneWithoutTime) {
  Deadline deadline(0, std::numeric_limits<std::int64_t>::max(), nullptr);
  const ChosenOptions choice = hyperplanes::choose_cost(rows_on_a_line(), undecided(), deadline,
                                                        [](const Dataset& train, const Options&) { return split_at(train, 1); });
  EXPECT_EQ(choice.options.svm_cost, 1);
  EXPECT_EQ(choice.ended, Status::time_limit);
}

TEST(ChooseCost, ATreeSaysItsCost) {
  Options options = undecided();
  options.restarts = 1;
  const Result result = fit(iris(), options);
  const auto cost =
      std::find_if(result.options.begin(), result.options.end(), [](const auto& option) { return option.first == "svm_cost"; });
  ASSERT_NE(cost, result.options.end());
  EXPECT_NE(result.selection.find("the cost " + cost->second + " is chosen by 4 folds"), std::string::npos) << result.selection;
  set_option(options, "svm_cost", cost->second);
  Tree again = fit(iris(), options).tree;
  again.shrinkage = result.tree.shrinkage;
  again.probability_model = result.tree.probability_model;  // folds have chosen these as well
  EXPECT_EQ(again, result.tree);
  EXPECT_TRUE(check_claims(result, iris()).empty());
}

// Where many trees are trained nobody chooses.
TEST(ChooseCost, IsOneOnPathsAndInTuning) {
  Options options;
  options.method = "oct-h";
  options.max_depth = 1;
  options.restarts = 0;
  Options one = options;
  one.svm_cost = 1;
  const ComplexityPath a = complexity_path(noise(), options), b = complexity_path(noise(), one);
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t i = 0; i < a.points.size(); ++i) EXPECT_EQ(a.points[i].result.tree, b.points[i].result.tree);
  EXPECT_TRUE(is_undecided(options));
  EXPECT_FALSE(is_undecided(decided(options)));
  EXPECT_EQ(decided(options).svm_cost, 1);
}

}  // namespace
}  // namespace treewright
