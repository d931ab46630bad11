#include "treewright/search/items/rank_tree.h"

#include <algorithm>
#include <cassert>

namespace treewright::search {

RankTree RankTree::split(Node root, const RankTree& left, const RankTree& right) {
  assert(root.ordering >= 0 && root.low < root.high && !left.nodes.empty() && !right.nodes.empty());
  RankTree tree{{root}};
  tree.nodes.insert(tree.nodes.end(), left.nodes.begin(), left.nodes.end());
  tree.nodes.insert(tree.nodes.end(), right.nodes.begin(), right.nodes.end());
  return tree;
}

int RankTree::depth() const {
  assert(!nodes.empty());
  if (nodes.front().ordering < 0) return 0;
  const auto [left, right] = children();
  return 1 + std::max(left.depth(), right.depth());
}

std::pair<RankTree, RankTree> RankTree::children() const {
  assert(nodes.size() >= 3 && nodes.front().ordering >= 0);
  // The left subtree ends where it has one more leaf than splits.
  std::size_t end = 1;
  for (int missing = 1; missing > 0; ++end) missing += nodes[end].ordering < 0 ? -1 : 1;
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(end);
  return {{{nodes.begin() + 1, middle}}, {{middle, nodes.end()}}};
}

Tree RankTree::to_tree(const Problem& problem, const Dataset& data, double split_price, bool keep_root) const {
  Tree tree(data);
  std::size_t next = 0;
  const auto build = [&](auto&& self, NodeId id) -> void {
    const Node& node = nodes[next++];
    if (node.ordering < 0) return;
    const auto [left, right] = tree.split(id, problem.orderings[node.ordering].cut(node.low, node.high, data));
    self(self, left);
    self(self, right);
  };
  build(build, Tree::root());
  tree.tally(data);
  tree.simplify(split_price, keep_root);
  tree.direct_unseen_missing(data);
  return tree;
}

}  // namespace treewright::search
