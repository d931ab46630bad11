// scikit-learn's min_weight_fraction_leaf, for methods that count rows: a limit on the weight of leaves, bracketed by two limits on their
// rows.
//
// A leaf of weight `least` holds at least least / (heaviest row) rows, and any least / (lightest row) rows weigh enough. So the optimum
// under the first limit on rows is a lower bound, and every tree under the second satisfies the weight limit. If all rows weigh the same,
// the two coincide and the bracket is exact. Otherwise it often closes as well: if the tree under the first limit happens to satisfy the
// weight limit, it is optimal.

#include "treewright/task/leaf_weight.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace treewright {

LeafWeight LeafWeight::from(double share, const Dataset& data) {
  assert(0 <= share && share <= 1);
  LeafWeight limit;
  double total = 0, heaviest = 0, lightest = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double weight = data.weight(row);
    total += weight;
    heaviest = std::max(heaviest, weight);
    lightest = std::min(lightest, weight);
  }
  limit.least = share * total;
  limit.tolerance = 1e-9 * limit.least;
  if (limit.least <= 0) return limit;
  const auto rows = [&](double each) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil((limit.least - limit.tolerance) / each)));
  };
  limit.rows_needed = rows(heaviest);
  if (lightest > 0 && limit.least / lightest <= static_cast<double>(data.rows())) limit.rows_sufficient = rows(lightest);
  return limit;
}

LeafWeight LeafWeight::on(const Dataset& data) const {
  LeafWeight limit = *this;
  limit.weighed = &data;
  return limit;
}

std::vector<double> LeafWeight::weights_of_nodes(const Tree& tree) const {
  Tree there;
  if (weighed != nullptr) there = tree, there.tally(*weighed);
  std::vector<double> weights;
  for (const Node& node : (weighed != nullptr ? there : tree).nodes()) weights.push_back(node.weight());
  return weights;
}

bool LeafWeight::holds(const Tree& tree) const {
  if (least <= 0) return true;
  const std::vector<double> weights = weights_of_nodes(tree);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (tree.nodes()[i].is_leaf() && !is_enough(weights[i])) return false;
  }
  return true;
}

void LeafWeight::repair(Tree& tree) const {
  if (least <= 0) return;
  const std::vector<double> weights = weights_of_nodes(tree);
  std::vector<std::int32_t> parts_too_little;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (!node.is_leaf() && !(is_enough(weights[+node.left]) && is_enough(weights[+node.right])))
      parts_too_little.push_back(static_cast<std::int32_t>(i));
  }
  // The last one first: a collapse moves only nodes that come behind.
  for (auto i = parts_too_little.rbegin(); i != parts_too_little.rend(); ++i) tree.collapse(NodeId{*i});
}

}  // namespace treewright
