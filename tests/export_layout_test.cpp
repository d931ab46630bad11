#include "treewright/export/layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"

namespace treewright {
namespace {

constexpr double kGap = 7, kRow = 50, kBox = 20;

struct Drawn {
  Tree tree;
  std::vector<double> widths;
  exports::Layout layout;
};

Drawn draw(Random& random, int splits) {
  const Dataset data = testing::random_data(random, {10, 2, 2});
  Drawn drawn{testing::random_tree(random, data, splits), {}, {}};
  for (std::size_t i = 0; i < drawn.tree.nodes().size(); ++i) drawn.widths.push_back(random.uniform(10, 60));
  drawn.layout = exports::tidy_layout(drawn.tree, drawn.widths, kGap, kRow, kBox);
  return drawn;
}

TEST(TidyLayout, BoxesOfALevelKeepTheirDistanceAndOrder) {
  Random random(51);
  for (int round = 0; round < 200; ++round) {
    const Drawn d = draw(random, static_cast<int>(random.below(30)));
    // From left to right: the order in which a walk that goes left first meets the nodes.
    std::vector<double> right_edge(d.tree.nodes().size() + 1, -1e9);
    const std::vector<int> depth = d.tree.depths();
    std::vector<NodeId> open = {Tree::root()};
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      const exports::Place at = d.layout.places[+id];
      EXPECT_EQ(at.y, kRow * depth[+id]);
      EXPECT_GE(at.x - d.widths[+id] / 2, right_edge[depth[+id]] + kGap - 1e-9);
      right_edge[depth[+id]] = at.x + d.widths[+id] / 2;
      EXPECT_GE(at.x - d.widths[+id] / 2, -1e-9);
      EXPECT_LE(at.x + d.widths[+id] / 2, d.layout.width + 1e-9);
      const Node& node = d.tree.node(id);
      if (node.is_leaf()) continue;
      EXPECT_NEAR(at.x, (d.layout.places[+node.left].x + d.layout.places[+node.right].x) / 2, 1e-9);
      open.insert(open.end(), {node.right, node.left});
    }
    EXPECT_EQ(d.layout.height, kRow * d.tree.depth() + kBox);
  }
}

TEST(TidyLayout, SiblingsAreAsNearAsTheirOutlinesAllow) {
  Random random(52);
  for (int round = 0; round < 100; ++round) {
    const Drawn d = draw(random, 1 + static_cast<int>(random.below(20)));
    const Node& root = d.tree.node(Tree::root());
    // Some level touches: the gap between the two subtrees of the root is nowhere less and somewhere equal to kGap.
    double least = 1e9;
    std::vector<double> right(61, -1e9), left(61, 1e9);
    const std::vector<int> depth = d.tree.depths();
    for (const bool first : {true, false}) {
      std::vector<NodeId> open = {first ? root.left : root.right};
      while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        const double x = d.layout.places[+id].x, half = d.widths[+id] / 2;
        if (first) right[depth[+id]] = std::max(right[depth[+id]], x + half);
        if (!first) left[depth[+id]] = std::min(left[depth[+id]], x - half);
        if (!d.tree.node(id).is_leaf()) open.insert(open.end(), {d.tree.node(id).left, d.tree.node(id).right});
      }
    }
    for (std::size_t k = 0; k < right.size(); ++k) least = std::min(least, left[k] - right[k]);
    EXPECT_NEAR(least, kGap, 1e-9);
  }
}

TEST(TidyLayout, EqualSubtreesAreDrawnAlikeAndALeafIsABox) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  Tree tree(data);
  const Split split{AxisSplit{FeatureId{0}, 2.5}, false};
  const auto [a, b] = tree.split(Tree::root(), split);
  const auto [a1, a2] = tree.split(a, split);
  const auto [b1, b2] = tree.split(b, split);
  const exports::Layout layout = exports::tidy_layout(tree, std::vector<double>(7, 30), kGap, kRow, kBox);
  const auto x = [&](NodeId id) { return layout.places[+id].x; };
  EXPECT_EQ(x(a1) - x(a), x(b1) - x(b));
  EXPECT_EQ(x(a2) - x(a), x(b2) - x(b));
  EXPECT_EQ(layout.width, 4 * 30 + 3 * kGap);
  const exports::Layout leaf = exports::tidy_layout(Tree(data), {30}, kGap, kRow, kBox);
  EXPECT_EQ(leaf.width, 30);
  EXPECT_EQ(leaf.height, kBox);
  EXPECT_EQ(leaf.places[0].x, 15);
}

}  // namespace
}  // namespace treewright
