#include "treewright/show/text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace treewright {

namespace {

std::string leaf_text(const Node& node, const Tree& tree) {
  double total = 0;
  for (const double w : node.class_weight) total += w;
  const double right = node.class_weight.empty() ? 0 : node.class_weight[node.label];
  return fmt::format("{}  ({} row{}, {:.4g} of {:.6g} right)", printable(tree.class_names[node.label]), node.rows,
                     node.rows == 1 ? "" : "s", right, total);
}

void write(const Tree& tree, NodeId id, const std::string& indent, std::string& out) {
  const Node& node = tree.node(id);
  if (node.is_leaf()) {
    out += leaf_text(node, tree) + "\n";
    return;
  }
  out += question(*node.split, tree) + fmt::format("  [{} rows]\n", node.rows);
  out += indent + "|- yes: ";
  write(tree, node.left, indent + "|  ", out);
  out += indent + "`- no:  ";
  write(tree, node.right, indent + "   ", out);
}

}  // namespace

std::string printable(const std::string& name) {
  std::string clean;
  for (const char c : name) clean += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return clean;
}

std::string question(const Split& split, const Tree& tree) {
  // Where no training row lacked the value, the direction of missing ones is only a fallback for later rows.
  const auto or_missing = [&](FeatureId f) { return split.missing_left && tree.features[+f].has_missing ? " or missing" : ""; };
  const auto name = [&](FeatureId f) { return printable(tree.features[+f].name); };
  if (const auto* axis = std::get_if<AxisSplit>(&split.rule)) {
    if (axis->threshold == std::numeric_limits<double>::max()) return name(axis->feature) + " has a value?";
    if (axis->threshold == std::numeric_limits<double>::lowest()) return name(axis->feature) + " is missing?";
    return fmt::format("{} < {:.6g}{}?", name(axis->feature), axis->threshold, or_missing(axis->feature));
  }
  if (const auto* plane = std::get_if<HyperplaneSplit>(&split.rule)) {
    std::string sum;
    for (const auto& term : plane->terms) {
      sum += sum.empty() ? (term.weight < 0 ? "-" : "") : (term.weight < 0 ? " - " : " + ");
      sum += fmt::format("{:.4g}*{}", std::abs(term.weight), name(term.feature));
      if (term.level >= 0) sum += fmt::format("[{}]", printable(tree.features[+term.feature].levels[term.level]));
    }
    return fmt::format("{} < {:.6g}?", sum, plane->threshold);
  }
  const auto& set = std::get<CategorySplit>(split.rule);
  std::string levels;
  for (std::size_t i = 0; i < set.left.size(); ++i) {
    if (set.left[i]) levels += (levels.empty() ? "" : ", ") + printable(tree.features[+set.feature].levels[i]);
  }
  return fmt::format("{} in {{{}}}{}?", name(set.feature), levels, or_missing(set.feature));
}

std::string to_text(const Tree& tree) {
  std::string out;
  write(tree, Tree::root(), "", out);
  return out;
}

}  // namespace treewright
