// Exact Shapley values of a tree's class probabilities (Shapley 1953; for trees Lundberg et al., "From local explanations to global
// understanding with explainable AI for trees", Nature Machine Intelligence 2, 2020: the path-dependent value function).
//
// The game: v(S) is the mean probability when only the features in S are known. A split on a known feature is followed; at any other split
// the row goes to both sides, by the shares of the training weight. So v is a sum over leaves, and each leaf's part is a product over the
// features on its path,
//
//     v_leaf(S) = p_leaf * product over f in S of one_f * product over f not in S of share_f,
//
// where one_f is 1 if the row answers all of f's splits on the path towards the leaf, else 0, and share_f is the product of the shares
// at f's splits. A feature that is not on the path changes nothing, so only the d features on the path play, and
//
//     phi_f = p_leaf * (one_f - share_f) * sum over k of k! (d-1-k)! / d! * e_k,
//
// with e_k the sum over all sets T of k other features of the products of one in T and share outside: the coefficient of t^k in the product
// of (share_g + one_g t) over g != f. O(d^3) for a leaf of d features; no subset is ever listed. Leaves add up, because
// Shapley values are linear.

#include "treewright/explain.h"

#include <algorithm>

#include "treewright/error.h"
#include "treewright/probabilities.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

struct Player {
  std::int32_t feature = 0;
  double one = 1, share = 1;
};

// The probabilities of each node, or its number. Shape (nodes, outputs).
std::vector<double> outputs_of(const Tree& tree) {
  if (!tree.loss) return node_probabilities(tree, tree.shrinkage);
  std::vector<double> values;
  for (const Node& node : tree.nodes()) values.push_back(node.estimate.value);
  return values;
}

class Explanation {
 public:
  Explanation(const Tree& tree, const Dataset& data, std::size_t row)
      : tree_(tree), data_(data), row_(row), of_nodes_(outputs_of(tree)), outputs_(of_nodes_.size() / tree.nodes().size()) {
    result_.values.assign(tree.features.size(), std::vector<double>(outputs_, 0.0));
    result_.average.assign(outputs_, 0.0);
  }

  ShapleyValues run() {
    descend(Tree::root(), {});
    return result_;
  }

 private:
  double weight(NodeId id) const { return tree_.node(id).weight(); }

  void descend(NodeId id, const std::vector<Player>& path) {
    const Node& node = tree_.node(id);
    if (node.is_leaf()) {
      leaf(id, path);
      return;
    }
    const std::optional<FeatureId> asked = node.split->feature();
    if (!asked) {
      throw Error("tree", "has hyperplane splits, which use several features at once",
                  "Shapley values need a tree of thresholds and categories");
    }
    const std::int32_t feature = +*asked;
    const bool left = goes_left(*node.split, data_, row_);
    const double below = weight(node.left) + weight(node.right);
    for (const bool side : {true, false}) {
      const NodeId child = side ? node.left : node.right;
      std::vector<Player> longer = path;
      auto player = std::find_if(longer.begin(), longer.end(), [&](const Player& p) { return p.feature == feature; });
      if (player == longer.end()) player = longer.insert(longer.end(), {feature, 1, 1});
      player->share *= below > 0 ? weight(child) / below : 0.5;
      if (side != left) player->one = 0;
      descend(child, longer);
    }
  }

  void leaf(NodeId id, const std::vector<Player>& path) {
    const std::size_t d = path.size();
    double reached = 1;
    for (const Player& player : path) reached *= player.share;
    std::vector<double> probability;
    for (std::size_t k = 0; k < outputs_; ++k) {
      probability.push_back(of_nodes_[+id * outputs_ + k]);
      result_.average[k] += reached * probability[k];
    }
    for (std::size_t f = 0; f < d; ++f) {
      std::vector<double> e = {1};  // product of (share + one t) over the others
      for (std::size_t g = 0; g < d; ++g) {
        if (g == f) continue;
        e.push_back(0);
        for (std::size_t k = e.size(); k-- > 0;) e[k] = path[g].share * e[k] + (k > 0 ? path[g].one * e[k - 1] : 0);
      }
      double sum = 0, chance = 1.0 / static_cast<double>(d);  // k! (d-1-k)! / d!
      for (std::size_t k = 0; k < d; ++k) {
        sum += chance * e[k];
        if (k + 1 < d) chance *= static_cast<double>(k + 1) / static_cast<double>(d - 1 - k);
      }
      for (std::size_t k = 0; k < probability.size(); ++k) {
        result_.values[path[f].feature][k] += probability[k] * (path[f].one - path[f].share) * sum;
      }
    }
  }

  const Tree& tree_;
  const Dataset& data_;
  std::size_t row_;
  std::vector<double> of_nodes_;
  std::size_t outputs_;
  ShapleyValues result_;
};

}  // namespace

ShapleyValues shapley_values(const Tree& tree, const Dataset& data, std::size_t row) {
  need_aligned(tree, data, row);
  return Explanation(tree, data, row).run();
}

}  // namespace treewright
