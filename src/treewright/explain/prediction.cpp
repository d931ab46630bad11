#include "treewright/explain/prediction.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/explain/markup.h"

namespace treewright::explain {

std::string prediction(const Tree& tree, const Node& node) {
  return tree.loss ? plain(node.estimate.value) : printable(tree.class_names[static_cast<std::size_t>(node.label)]);
}

std::string spread(const Tree& tree, const Node& node) {
  const Estimate& of = node.estimate;
  if (tree.loss == Loss::squared) return fmt::format("sd {:.3g}", of.weight > 0 ? std::sqrt(of.loss / of.weight) : 0.0);
  const std::string events = plain(of.value * of.exposure);
  return fmt::format("{} event{} in {}", events, events == "1" ? "" : "s", plain(of.exposure));
}

std::string estimate_words(const Tree& tree, const Node& leaf) {
  if (leaf.rows == 0) return "no training row is in its leaf";
  return fmt::format("{} of {} training row{} in its leaf, {}", tree.loss == Loss::squared ? "mean" : "rate", leaf.rows,
                     leaf.rows == 1 ? "" : "s", spread(tree, leaf));
}

const char* explained_name(Loss loss) {
  return loss == Loss::squared ? "R2" : "share of the deviance";
}

}  // namespace treewright::explain
