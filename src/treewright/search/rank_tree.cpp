#include "treewright/search/rank_tree.h"

namespace treewright::search {

RankTree RankTree::split(Node root, const RankTree& left, const RankTree& right) {
  RankTree tree{{root}};
  tree.nodes.insert(tree.nodes.end(), left.nodes.begin(), left.nodes.end());
  tree.nodes.insert(tree.nodes.end(), right.nodes.begin(), right.nodes.end());
  return tree;
}

Tree RankTree::to_tree(const Problem& problem, const Dataset& data, double split_price) const {
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
  tree.simplify(split_price);
  tree.direct_unseen_missing(data);
  return tree;
}

}  // namespace treewright::search
