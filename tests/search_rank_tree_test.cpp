#include "treewright/search/items/rank_tree.h"

#include <gtest/gtest.h>

namespace treewright {
namespace {

using search::RankTree;

TEST(RankTree, TheChildrenOfASplitAreWhatItWasMadeOf) {
  const RankTree leaf = RankTree::leaf(), stump = RankTree::split({1, 2, 3}, leaf, leaf), chain = RankTree::split({4, 5, 6}, stump, leaf);
  const auto nodes = [](const RankTree& tree) {
    std::vector<std::int32_t> orderings;
    for (const RankTree::Node& node : tree.nodes) orderings.push_back(node.ordering);
    return orderings;
  };
  for (const RankTree& left : {leaf, stump, chain}) {
    for (const RankTree& right : {leaf, stump, chain}) {
      const RankTree tree = RankTree::split({7, 0, 1}, left, right);
      const auto [first, second] = tree.children();
      EXPECT_EQ(nodes(first), nodes(left));
      EXPECT_EQ(nodes(second), nodes(right));
      EXPECT_EQ(tree.depth(), 1 + std::max(left.depth(), right.depth()));
    }
  }
  EXPECT_EQ(leaf.depth(), 0);
  EXPECT_EQ(chain.depth(), 2);
}

}  // namespace
}  // namespace treewright
