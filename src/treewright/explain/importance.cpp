#include "treewright/explain.h"

#include <utility>

#include "treewright/base/random.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/measures.h"

namespace treewright {

namespace {

template <class Value>
void shuffle(std::vector<Value>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

double lost_by_mean(const Dataset& data) {
  Tree leaf(data);
  leaf.tally(data);
  return leaf.node(Tree::root()).estimate.loss;
}

// A leaf that predicts no events loses infinitely much on a row with one, as soon as a shuffled value brings it there. Here it predicts as
// if it had seen half an event.
Tree with_half_events(const Tree& tree) {
  if (!tree.loss || *tree.loss == Loss::squared) return tree;
  std::vector<Node> nodes = tree.nodes();
  for (Node& node : nodes) {
    if (node.is_leaf() && node.estimate.value == 0 && node.estimate.exposure > 0) node.estimate.value = 0.5 / node.estimate.exposure;
  }
  return tree.with_nodes(std::move(nodes));
}

}  // namespace

std::vector<double> permutation_importance(const Tree& tree, const Dataset& data, int repeats, std::uint64_t seed) {
  need_target(tree, data);
  Dataset shuffled = data;
  const Tree judged = with_half_events(tree);
  const auto lost = [&](const Dataset& rows) { return tree.loss ? total_loss(judged, rows) : count_errors(judged, rows); };
  const double total = tree.loss ? lost_by_mean(data) : data.total_weight(), errors = lost(data);
  std::vector<double> importance(tree.features.size(), 0.0);
  for (const FeatureId feature : tree.features_used()) {
    Random random(seed);
    Column& column = shuffled.columns[+feature];
    for (int r = 0; r < repeats; ++r) {
      shuffle(column.values, random);
      shuffle(column.codes, random);
      importance[+feature] += (lost(shuffled) - errors) / (total > 0 ? total * repeats : 1);
    }
    column = data.columns[+feature];
  }
  return importance;
}

std::vector<double> drop_split_importance(const Tree& tree) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<double> below(nodes.size()), rise(nodes.size(), 0.0);
  for (std::size_t i = nodes.size(); i-- > 0;) {  // children lie behind their parents
    double alone = nodes[i].class_weight.empty() ? nodes[i].estimate.loss : -nodes[i].class_weight[nodes[i].label];
    for (const double w : nodes[i].class_weight) alone += w;
    below[i] = nodes[i].is_leaf() ? alone : below[+nodes[i].left] + below[+nodes[i].right];
    rise[i] = alone - below[i];
  }
  return rise;
}

}  // namespace treewright
