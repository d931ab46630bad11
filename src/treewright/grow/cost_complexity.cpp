// Minimal cost-complexity pruning (Breiman, Friedman, Olshen & Stone 1984, ch. 3).
//
// R(t) is a node's impurity times its share of the weight or, where the target is a number, its loss as a share of the root's, R(T_t) the
// sum over the leaves below it. Collapsing t pays from g(t) = (R(t) - R(T_t)) / (leaves below t - 1) on. The path collapses the split of
// least g, again and again; the g so met ascend, and the tree between two of them minimizes R + alpha * leaves for every alpha between them
// (ibid., theorem 3.10). Among equal g the first in preorder goes first, as in scikit-learn, so an ancestor goes before its descendants.
//
// A collapse changes g of the ancestors only, so an ordered set of (g, preorder) costs O(splits * depth * log
// splits), where a scan for the minimum costs O(splits^2).

#include "treewright/grow/cost_complexity.h"

#include <algorithm>
#include <set>
#include <utility>

namespace treewright::grow {

namespace {

class WeakestLinks {
 public:
  WeakestLinks(const Tree& tree, Criterion criterion) : tree_(tree) {
    const std::size_t count = tree.nodes().size();
    own_.resize(count);
    branch_.resize(count);
    leaves_.assign(count, 1);
    parent_.assign(count, kNoNode);
    alive_.assign(count, true);
    const auto lost = [&](const Node& node) {
      return tree.loss ? node.estimate.loss : impurity(criterion, node.class_weight) * node.weight();
    };
    const Node& root = tree.node(Tree::root());
    const double total = tree.loss ? root.estimate.loss : root.weight();
    for (std::size_t i = 0; i < count; ++i) {
      const Node& node = tree.nodes()[i];
      own_[i] = total > 0 ? lost(node) / total : 0.0;
      if (!node.is_leaf()) parent_[+node.left] = parent_[+node.right] = NodeId{static_cast<std::int32_t>(i)};
    }
    branch_ = own_;
    number_in_preorder();
    for (std::size_t i = count; i-- > 0;) {
      if (!tree.nodes()[i].is_leaf()) enter(i);
    }
  }

  bool done() const { return links_.empty(); }
  double impurity_of_leaves() const { return branch_[0]; }

  /// The least alpha at which a collapse pays; never below an earlier one, which rounding could bring about.
  double next_alpha() const { return std::max(links_.begin()->first, alpha_); }

  /// The alpha of the last collapse.
  double alpha() const { return alpha_; }

  void collapse_next() {
    alpha_ = next_alpha();
    const std::size_t node = by_preorder_[links_.begin()->second];
    drop(node);
    branch_[node] = own_[node];
    leaves_[node] = 1;
    for (NodeId up = parent_[node]; up != kNoNode; up = parent_[+up]) {
      links_.erase(key(+up));
      enter(+up);
    }
  }

  bool alive(std::size_t node) const { return alive_[node]; }
  /// Whether the node is a leaf of what is left of the tree.
  bool collapsed(std::size_t node) const { return leaves_[node] == 1; }

 private:
  using Key = std::pair<double, std::int32_t>;

  void number_in_preorder() {
    preorder_.resize(tree_.nodes().size());
    std::vector<NodeId> stack{Tree::root()};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      stack.pop_back();
      preorder_[+id] = static_cast<std::int32_t>(by_preorder_.size());
      by_preorder_.push_back(+id);
      if (tree_.node(id).is_leaf()) continue;
      stack.push_back(tree_.node(id).right);
      stack.push_back(tree_.node(id).left);
    }
  }

  Key key(std::size_t node) const { return {(own_[node] - branch_[node]) / static_cast<double>(leaves_[node] - 1), preorder_[node]}; }

  // Sums up the children and makes the node a link.
  void enter(std::size_t node) {
    const auto left = +tree_.nodes()[node].left, right = +tree_.nodes()[node].right;
    branch_[node] = branch_[left] + branch_[right];
    leaves_[node] = leaves_[left] + leaves_[right];
    links_.insert(key(node));
  }

  // Takes the links of the subtree out of the set and buries what lies below its root.
  void drop(std::size_t top) {
    std::vector<std::size_t> stack{top};
    while (!stack.empty()) {
      const std::size_t node = stack.back();
      stack.pop_back();
      if (leaves_[node] == 1) continue;
      links_.erase(key(node));
      for (const NodeId child : {tree_.nodes()[node].left, tree_.nodes()[node].right}) {
        alive_[+child] = false;
        stack.push_back(+child);
      }
    }
  }

  const Tree& tree_;
  std::vector<double> own_, branch_;
  std::vector<std::int64_t> leaves_;
  std::vector<NodeId> parent_;
  std::vector<std::int32_t> preorder_, by_preorder_;
  std::vector<bool> alive_;
  std::set<Key> links_;
  double alpha_ = 0;
};

}  // namespace

PruningPath cost_complexity_path(const Tree& full, Criterion criterion) {
  WeakestLinks links(full, criterion);
  PruningPath path{{0.0}, {links.impurity_of_leaves()}};
  while (!links.done()) {
    links.collapse_next();
    path.ccp_alphas.push_back(links.alpha());
    path.impurities.push_back(links.impurity_of_leaves());
  }
  return path;
}

void prune_cost_complexity(Tree& tree, Criterion criterion, double ccp_alpha) {
  WeakestLinks links(tree, criterion);
  while (!links.done() && links.next_alpha() <= ccp_alpha) links.collapse_next();
  // One rebuild: Tree::collapse per collapsed split would copy the nodes each time.
  std::vector<Node> kept;
  std::vector<std::int32_t> renamed(tree.nodes().size(), -1);
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    if (!links.alive(i)) continue;
    renamed[i] = static_cast<std::int32_t>(kept.size());
    kept.push_back(tree.nodes()[i]);
    if (links.collapsed(i)) {
      kept.back().split.reset();
      kept.back().left = kept.back().right = kNoNode;
    }
  }
  for (Node& node : kept) {
    if (node.is_leaf()) continue;
    node.left = NodeId{renamed[+node.left]};
    node.right = NodeId{renamed[+node.right]};
  }
  tree = tree.with_nodes(std::move(kept));
}

}  // namespace treewright::grow
