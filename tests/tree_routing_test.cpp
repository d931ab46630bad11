#include "treewright/tree/routing.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/random_data.h"
#include "support/random_tree.h"

namespace treewright {
namespace {

// More rows than one block holds, with ties, categories and missing values.
Dataset many_rows(Random& random) {
  Dataset data = testing::random_data(random, {.max_rows = 10000, .max_features = 5, .categories = true, .missing = true});
  for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0, 1));
  return data;
}

TEST(Routing, AllRowsTogetherReachTheLeavesThatEachReachesAlone) {
  Random random(7);
  for (int trial = 0; trial < 40; ++trial) {
    const Dataset data = many_rows(random);
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(12)));
    const std::vector<NodeId> leaves = tree.apply(data);
    const std::vector<std::int32_t> labels = tree.predict(data);
    const std::vector<double> shares = tree.predict_proba(data);
    const std::size_t k = data.classes();
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const NodeId leaf = tree.route(data, row);
      ASSERT_EQ(leaves[row], leaf) << "row " << row;
      ASSERT_EQ(labels[row], tree.node(leaf).label);
      ASSERT_NEAR(std::accumulate(shares.begin() + static_cast<std::ptrdiff_t>(row * k),
                                  shares.begin() + static_cast<std::ptrdiff_t>((row + 1) * k), 0.0),
                  1, 1e-12);
    }
  }
}

TEST(Routing, CountsAreThoseOfWalksInTheOrderOfRows) {
  Random random(8);
  for (int trial = 0; trial < 40; ++trial) {
    const Dataset data = many_rows(random);
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(12)));
    std::vector<std::vector<double>> weight(tree.nodes().size(), std::vector<double>(data.classes(), 0.0));
    std::vector<std::int64_t> rows(tree.nodes().size(), 0);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      NodeId at = Tree::root();
      while (true) {
        ++rows[+at];
        weight[+at][data.labels[row]] += data.weight(row);
        const Node& node = tree.node(at);
        if (node.is_leaf()) break;
        at = goes_left(*node.split, data, row) ? node.left : node.right;
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(tree.nodes()[i].rows, rows[i]);
      EXPECT_EQ(tree.nodes()[i].class_weight, weight[i]) << "to the last bit";
    }
  }
}

TEST(Routing, WithoutLabelsNothingIsCounted) {
  Random random(9);
  Dataset data = many_rows(random);
  Tree tree = testing::random_tree(random, data, 3);
  data.labels.clear();
  EXPECT_EQ(tree.predict(data).size(), data.rows());
  tree.tally(data);
  for (const Node& node : tree.nodes()) EXPECT_EQ(node.rows, 0);
}

}  // namespace
}  // namespace treewright
