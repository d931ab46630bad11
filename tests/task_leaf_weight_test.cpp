#include "treewright/task/leaf_weight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/brute_force.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/fit.h"

namespace treewright {
namespace {

TEST(LeafWeight, EqualWeightsAreRows) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const Dataset data = testing::random_data(random, {30, 3, 3, false, false, 12});
    Options by_weight, by_rows;
    by_weight.min_weight_fraction_leaf = by_rows.min_samples_leaf = 0.2;
    const Result weight = fit(data, by_weight), rows = fit(data, by_rows);
    EXPECT_EQ(weight.status, Status::optimal);
    EXPECT_EQ(weight.tree, rows.tree);
  }
}

TEST(LeafWeight, TheBracketHoldsTheOptimum) {
  Random random(6);
  int proved = 0, open = 0;
  for (int round = 0; round < 300; ++round) {
    Dataset data = testing::random_data(random, {14, 3, 3, round % 2 == 0, false, 8});
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(1 + 2 * random.uniform());
    Options options;
    options.max_depth = 2;
    options.min_weight_fraction_leaf = 0.1 + 0.2 * random.uniform();
    options.alpha_scale = "errors";
    double total = 0;
    for (const double weight : data.weights) total += weight;
    const double best = testing::BruteForce(data, 1, options.min_weight_fraction_leaf * total).best(2, 3).back();
    const Result result = fit(data, options);
    for (const std::string& broken : check_claims(result, data)) ADD_FAILURE() << broken;
    EXPECT_GE(result.errors, best - 1e-9);
    EXPECT_LE(result.bound, best + 1e-9);
    (result.status == Status::optimal ? proved : open) += 1;
    if (result.status == Status::optimal) {
      EXPECT_NEAR(result.errors, best, 1e-9);
    }
  }
  EXPECT_GT(proved, 100);
  EXPECT_GT(open, 0) << "the data are too easy to test the repair";
}

// As taking away light splits one at a time from the root down does, on the rows that a tree is tallied on and on others.
TEST(LeafWeight, RepairLeavesNoLightLeaf) {
  Random random(8);
  int collapsed = 0;
  for (int round = 0; round < 300; ++round) {
    Dataset data = testing::random_data(random, {30, 3, 3, true, true, 12});
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(std::pow(10.0, static_cast<double>(random.below(4))));
    Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(9)));
    tree.tally(data);
    const LeafWeight limit = LeafWeight::from(0.3 * random.uniform(), data);
    Tree slow = tree, fast = tree, elsewhere = tree;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < slow.nodes().size() && !again; ++i) {
        if (slow.nodes()[i].is_leaf()) continue;
        for (const NodeId child : {slow.nodes()[i].left, slow.nodes()[i].right}) {
          double weight = 0;
          for (const double of_class : slow.node(child).class_weight) weight += of_class;
          again = again || weight < limit.least - limit.tolerance;
        }
        if (again) slow.collapse(NodeId{static_cast<std::int32_t>(i)});
      }
    }
    limit.repair(fast);
    EXPECT_EQ(fast, slow);
    EXPECT_TRUE(limit.holds(fast) || fast.splits() == 0);
    Dataset light = data;
    for (double& weight : light.weights) weight = 1;
    elsewhere.tally(light);
    limit.on(data).repair(elsewhere);
    elsewhere.tally(data);
    fast.tally(data);
    EXPECT_EQ(elsewhere, fast);
    collapsed += static_cast<int>(tree.splits() - fast.splits());
  }
  EXPECT_GT(collapsed, 200);
}

TEST(LeafWeight, LightRowsMakeNoLeafOfTheirOwn) {
  Dataset data;
  data.columns.push_back({"x", ColumnKind::numeric, {1, 2, 3, 4, 5, 6}, {}, {}});
  data.labels = {0, 0, 0, 0, 1, 1};
  data.class_names = {"heavy", "light"};
  data.weights = {1000, 1000, 1000, 1000, 0.001, 0.001};
  Options options;
  EXPECT_EQ(fit(data, options).tree.splits(), 1u);
  for (const char* method : {"oct", "cart"}) {
    options.method = method;
    options.min_weight_fraction_leaf = 0.01;
    const Result result = fit(data, options);
    EXPECT_EQ(result.tree.splits(), 0u);
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>());
  }
}

TEST(LeafWeight, AClaimThatDoesNotHoldIsFound) {
  Random random(4);
  const Dataset data = testing::random_data(random, {30, 3, 2, false, false, 12});
  Result result = fit(data, {});
  ASSERT_GT(result.tree.splits(), 0u);
  result.min_leaf_weight = static_cast<double>(data.rows());
  EXPECT_FALSE(check_claims(result, data).empty());
}

}  // namespace
}  // namespace treewright
