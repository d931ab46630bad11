#include "treewright/grow/cost_complexity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "treewright/base/random.h"
#include "treewright/grow/cart.h"

namespace treewright {
namespace {

constexpr grow::Criterion kCriteria[] = {grow::Criterion::gini, grow::Criterion::entropy, grow::Criterion::misclassification};

Dataset random_data(Random& random, std::size_t rows, std::size_t classes, bool weighted) {
  Dataset data;
  data.columns.resize(2);
  data.columns[0].name = "x";
  data.columns[1].name = "y";
  for (std::size_t k = 0; k < classes; ++k) data.class_names.push_back(std::string(1, static_cast<char>('a' + k)));
  for (std::size_t row = 0; row < rows; ++row) {
    for (Column& column : data.columns) column.values.push_back(static_cast<double>(random.below(8)));
    data.labels.push_back(static_cast<std::int32_t>(random.below(classes)));
    if (weighted) data.weights.push_back(random.uniform(0.1, 2.0));
  }
  return data;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// A node's share of the tree's impurity.
double own_impurity(const Tree& tree, const Node& node, grow::Criterion criterion) {
  return grow::impurity(criterion, node.class_weight) * sum(node.class_weight) / sum(tree.nodes()[0].class_weight);
}

double leaf_impurity(const Tree& tree, grow::Criterion criterion) {
  double total = 0;
  for (const Node& node : tree.nodes()) total += node.is_leaf() ? own_impurity(tree, node, criterion) : 0;
  return total;
}

// Least impurity of the prunings of the branch at `id` with each number of leaves: all prunings, without any
// theory.
std::map<std::size_t, double> prunings(const Tree& tree, NodeId id, grow::Criterion criterion) {
  const Node& node = tree.node(id);
  std::map<std::size_t, double> best{{1, own_impurity(tree, node, criterion)}};
  if (node.is_leaf()) return best;
  const auto left = prunings(tree, node.left, criterion), right = prunings(tree, node.right, criterion);
  for (const auto& [leaves_left, impurity_left] : left) {
    for (const auto& [leaves_right, impurity_right] : right) {
      const auto [at, added] = best.try_emplace(leaves_left + leaves_right, impurity_left + impurity_right);
      if (!added) at->second = std::min(at->second, impurity_left + impurity_right);
    }
  }
  return best;
}

Tree pruned(Tree tree, grow::Criterion criterion, double alpha) {
  grow::prune_cost_complexity(tree, criterion, alpha);
  return tree;
}

// Whether `part` is `whole` with some branches collapsed.
bool is_pruning(const Tree& part, NodeId a, const Tree& whole, NodeId b) {
  const Node &x = part.node(a), &y = whole.node(b);
  if (x.class_weight != y.class_weight || x.rows != y.rows || x.label != y.label) return false;
  if (x.is_leaf()) return true;
  return x.split == y.split && is_pruning(part, x.left, whole, y.left) && is_pruning(part, x.right, whole, y.right);
}

// x = 0..7 with labels aaaabbab: the tree cuts at 3.5, then isolates the a at 6.
TEST(CostComplexity, ByHand) {
  Dataset data;
  data.columns.resize(1);
  data.columns[0].name = "x";
  data.columns[0].values = {0, 1, 2, 3, 4, 5, 6, 7};
  data.labels = {0, 0, 0, 0, 1, 1, 0, 1};
  data.class_names = {"a", "b"};
  const Tree full = grow::grow_cart(data);
  ASSERT_EQ(full.leaves(), 4u);
  const grow::PruningPath path = grow::cost_complexity_path(full, grow::Criterion::gini);
  // Gini times share of the rows: root (5 a, 3 b) 30/64, its right child (1 a, 3 b) 12/64, and below that (1
  // a, 1 b) 8/64. The last alone would pay from 8/64 on, the child with its two splits already from 6/64,
  // then the root from (30 - 12)/64.
  ASSERT_EQ(path.ccp_alphas.size(), 3u);
  EXPECT_DOUBLE_EQ(path.ccp_alphas[0], 0.0);
  EXPECT_DOUBLE_EQ(path.ccp_alphas[1], 3.0 / 32);
  EXPECT_DOUBLE_EQ(path.ccp_alphas[2], 18.0 / 64);
  EXPECT_DOUBLE_EQ(path.impurities[0], 0.0);
  EXPECT_DOUBLE_EQ(path.impurities[1], 12.0 / 64);
  EXPECT_DOUBLE_EQ(path.impurities[2], 30.0 / 64);
  EXPECT_EQ(pruned(full, grow::Criterion::gini, 0.09).leaves(), 4u);
  EXPECT_EQ(pruned(full, grow::Criterion::gini, 3.0 / 32).leaves(), 2u);
  EXPECT_EQ(pruned(full, grow::Criterion::gini, 0.28).leaves(), 2u);
  EXPECT_EQ(pruned(full, grow::Criterion::gini, 0.29).leaves(), 1u);
  EXPECT_EQ(grow::grow_cart(data, {.ccp_alpha = 0.1}), pruned(full, grow::Criterion::gini, 0.1));
}

TEST(CostComplexity, ASingleLeafHasAPathOfOneTree) {
  Dataset data;
  data.columns.resize(1);
  data.columns[0].values = {1, 1, 1, 1};
  data.labels = {0, 1, 1, 1};
  data.class_names = {"a", "b"};
  const grow::PruningPath path = grow::cost_complexity_path(grow::grow_cart(data), grow::Criterion::gini);
  EXPECT_EQ(path.ccp_alphas, std::vector<double>{0.0});
  EXPECT_EQ(path.impurities, std::vector<double>{0.375});
}

TEST(CostComplexity, ZeroAlphaRemovesSplitsWithoutGain) {
  Dataset data;
  data.columns.resize(1);
  data.columns[0].name = "x";
  data.columns[0].values = {0, 0, 1, 1};
  data.labels = {0, 1, 0, 1};
  data.class_names = {"a", "b"};
  EXPECT_EQ(grow::grow_cart(data).splits(), 1u);
  EXPECT_EQ(pruned(grow::grow_cart(data), grow::Criterion::gini, 0).splits(), 0u);
}

class CostComplexityBruteForce : public testing::TestWithParam<grow::Criterion> {};

TEST_P(CostComplexityBruteForce, EveryPrunedTreeIsTheCheapestPruning) {
  const grow::Criterion criterion = GetParam();
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Dataset data = random_data(random, 5 + random.below(40), 2 + random.below(2), trial % 2 == 1);
    const Tree full = grow::grow_cart(data, {.criterion = criterion});
    const grow::PruningPath path = grow::cost_complexity_path(full, criterion);
    SCOPED_TRACE(testing::Message() << "trial " << trial);

    ASSERT_EQ(path.ccp_alphas.size(), path.impurities.size());
    EXPECT_EQ(path.ccp_alphas[0], 0.0);
    EXPECT_TRUE(std::is_sorted(path.ccp_alphas.begin(), path.ccp_alphas.end()));
    EXPECT_TRUE(std::is_sorted(path.impurities.begin(), path.impurities.end(), [](double a, double b) { return a < b - 1e-12; }));
    EXPECT_NEAR(path.impurities.front(), leaf_impurity(full, criterion), 1e-12);
    EXPECT_NEAR(path.impurities.back(), own_impurity(full, full.nodes()[0], criterion), 1e-12);

    const std::map<std::size_t, double> cheapest = prunings(full, Tree::root(), criterion);
    Tree previous = full;
    for (std::size_t i = 0; i < path.ccp_alphas.size(); ++i) {
      const double alpha = path.ccp_alphas[i];
      const double next = i + 1 < path.ccp_alphas.size() ? path.ccp_alphas[i + 1] : alpha + 1;
      for (const double at : {alpha, (alpha + next) / 2}) {
        const Tree tree = pruned(full, criterion, at);
        double least = 1e9;
        for (const auto& [leaves, impurity] : cheapest) least = std::min(least, impurity + at * static_cast<double>(leaves));
        EXPECT_NEAR(leaf_impurity(tree, criterion) + at * static_cast<double>(tree.leaves()), least, 1e-12) << "alpha " << at;
        EXPECT_TRUE(is_pruning(tree, Tree::root(), previous, Tree::root())) << "alpha " << at;
        previous = tree;
      }
      if (next > alpha) {
        EXPECT_NEAR(leaf_impurity(pruned(full, criterion, alpha), criterion), path.impurities[i], 1e-12);
      }
    }
    EXPECT_EQ(previous.leaves(), 1u);
  }
}

std::string criterion_name(const testing::TestParamInfo<grow::Criterion>& info) {
  const char* names[] = {"gini", "entropy", "misclassification"};
  return names[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Criteria, CostComplexityBruteForce, testing::ValuesIn(kCriteria), criterion_name);

}  // namespace
}  // namespace treewright
