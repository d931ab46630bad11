#include "treewright/explain/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/data/survival.h"
#include "treewright/explain/markup.h"

namespace treewright::explain {

namespace {

int digits_of(const Tree& tree, double value) {
  constexpr int kUsual = 4, kMost = 17;
  if (value == 0) return kUsual;
  const Estimate& all = tree.node(Tree::root()).estimate;
  const double spread = tree.loss == Loss::squared && all.weight > 0 ? std::sqrt(all.loss / all.weight) : 0;
  const int apart = spread > 0 ? static_cast<int>(std::ceil(std::log10(std::abs(value) / spread))) + 3 : 0;
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(value) + 0.5))) + 1;  // 9999.7 is written with five
  return std::clamp(std::max(apart, whole), kUsual, kMost);
}

}  // namespace

std::string value_text(const Tree& tree, double value) {
  return plain(value, digits_of(tree, value));
}

std::string prediction(const Tree& tree, const Node& node) {
  if (tree.loss) return value_text(tree, node.estimate.value);
  return printable(tree.class_names[static_cast<std::size_t>(node.label)]);
}

std::string spread(const Tree& tree, const Node& node) {
  const Estimate& of = node.estimate;
  if (tree.loss == Loss::squared) return "sd " + plain(of.weight > 0 ? std::sqrt(of.loss / of.weight) : 0.0, 3);
  const std::string events = plain(of.value * of.exposure);
  if (tree.loss == Loss::survival) {
    const std::optional<double> median = median_time(of.survival);
    const std::string half = !node.is_leaf() ? "" : median ? fmt::format(", half by {}", plain(*median)) : ", not half by the end";
    return fmt::format("{} event{}{}", events, events == "1" ? "" : "s", half);
  }
  return fmt::format("{} event{} in {}", events, events == "1" ? "" : "s", plain(of.exposure));
}

std::string estimate_words(const Tree& tree, const Node& leaf) {
  if (leaf.rows == 0) return "no training row is in its leaf";
  return fmt::format("{} of {} training row{} in its leaf, {}",
                     tree.loss == Loss::squared   ? "mean"
                     : tree.loss == Loss::poisson ? "rate"
                                                  : "relative hazard",
                     leaf.rows, leaf.rows == 1 ? "" : "s", spread(tree, leaf));
}

const char* explained_name(Loss loss) {
  return loss == Loss::squared ? "R2" : "share of the deviance";
}

}  // namespace treewright::explain
