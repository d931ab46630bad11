#include "treewright/explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/data/written_numbers.h"
#include "treewright/explain.h"
#include "treewright/explain/rules.h"

namespace treewright::explain {

namespace {

std::string leaf_text(const Node& node, const Tree& tree) {
  double total = 0;
  for (const double w : node.class_weight) total += w;
  const double correct = node.class_weight.empty() ? 0 : node.class_weight[node.label];
  // With row or class weights the counts are sums of weights, and say so.
  const std::string of = total == static_cast<double>(node.rows) ? "" : fmt::format(" of weight {:.6g}", total);
  return fmt::format("{}  ({} row{}, {:.6g}{} correct)", printable(tree.class_names[node.label]), node.rows, node.rows == 1 ? "" : "s",
                     correct, of);
}

void write(const Tree& tree, NodeId id, int digits, const std::string& indent, std::string& out) {
  const Node& node = tree.node(id);
  if (node.is_leaf()) {
    out += leaf_text(node, tree) + "\n";
    return;
  }
  out += question(*node.split, tree, digits) + fmt::format("  [{} rows]\n", node.rows);
  out += indent + "|- yes: ";
  write(tree, node.left, digits, indent + "|  ", out);
  out += indent + "`- no:  ";
  write(tree, node.right, digits, indent + "   ", out);
}

void write_plain(const Tree& tree, NodeId id, int digits, const std::string& indent, std::string& out) {
  const Node& node = tree.node(id);
  if (node.is_leaf()) {
    out += indent + "--- class: " + printable(tree.class_names[node.label]) + "\n";
    return;
  }
  for (const bool left : {true, false}) {
    out += indent + "--- " + answer(*node.split, left, tree, digits) + "\n";
    write_plain(tree, left ? node.left : node.right, digits, indent + "   |", out);
  }
}

}  // namespace

std::string printable(const std::string& name) {
  std::string clean;
  for (const char c : name) clean += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return clean;
}

std::string term_name(const HyperplaneSplit::Term& term, const Tree& tree) {
  const Feature& feature = tree.features[+term.feature];
  return printable(feature.name) + (term.level < 0 ? "" : fmt::format("[{}]", printable(feature.levels[term.level])));
}

std::string number_text(double value, const Feature& feature, int digits) {
  constexpr int kMost = 17;  // restore every double
  const bool known = feature.decimals >= 0 && digits == kDigits;
  if (feature.date) return date_text(value, feature.decimals != 0);
  const int whole = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  const int significant = known ? std::max(whole + feature.decimals, 1) : std::max(digits, whole + 1);
  return fmt::format("{:.{}g}", value, std::min(significant, std::max(kMost, digits)));
}

std::string level_set(const std::vector<bool>& chosen, const Feature& feature) {
  std::string levels;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const std::string name = printable(feature.levels[i]);
    const bool plain = !name.empty() && name.find_first_of(",{}'") == std::string::npos && name.front() != ' ' && name.back() != ' ';
    levels += (levels.empty() ? "" : ", ") + (plain ? name : "'" + name + "'");
  }
  return "{" + levels + "}";
}

std::string question(const Split& split, const Tree& tree, int digits) {
  // Where no training row lacked the value, the direction of missing ones is only a fallback for later rows.
  const auto or_missing = [&](FeatureId f) { return split.missing_left && tree.features[+f].has_missing ? " or missing" : ""; };
  const auto name = [&](FeatureId f) { return printable(tree.features[+f].name); };
  if (const auto* axis = std::get_if<AxisSplit>(&split.rule)) {
    if (axis->threshold == std::numeric_limits<double>::max()) return name(axis->feature) + " has a value?";
    if (axis->threshold == std::numeric_limits<double>::lowest()) return name(axis->feature) + " is missing?";
    return fmt::format("{} < {}{}?", name(axis->feature), number_text(axis->threshold, tree.features[+axis->feature], digits),
                       or_missing(axis->feature));
  }
  if (const auto* plane = std::get_if<HyperplaneSplit>(&split.rule)) {
    std::string sum;
    for (const auto& term : plane->terms) {
      sum += sum.empty() ? (term.weight < 0 ? "-" : "") : (term.weight < 0 ? " - " : " + ");
      sum += fmt::format("{:.{}g}*{}", std::abs(term.weight), digits - 2, term_name(term, tree));
    }
    return fmt::format("{} < {:.{}g}?", sum, plane->threshold, digits);
  }
  const auto& set = std::get<CategorySplit>(split.rule);
  return fmt::format("{} in {}{}?", name(set.feature), level_set(set.left, tree.features[+set.feature]), or_missing(set.feature));
}

std::string to_plain_text(const Tree& tree, int digits) {
  std::string out;
  write_plain(tree, Tree::root(), digits, "|", out);
  return out;
}

}  // namespace treewright::explain

namespace treewright {

std::string to_text(const Tree& tree, int digits) {
  std::string out;
  explain::write(tree, Tree::root(), digits, "", out);
  return out;
}

}  // namespace treewright
