// The tree as an outline: `to_text` with questions and counts, `to_plain_text` as scikit-learn's export_text has it.

#include "treewright/explain/outline.h"

#include <fmt/format.h>

#include "treewright/explain.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/rules.h"
#include "treewright/tree/aligned.h"

namespace treewright::explain {

namespace {

std::string leaf_text(const Node& node, const Tree& tree) {
  const std::string label_and_rows = fmt::format("{}  ({} row{}", prediction(tree, node), node.rows, node.rows == 1 ? "" : "s");
  if (!node.label_cost.empty()) return fmt::format("{}, cost {:.6g})", label_and_rows, node.label_cost[node.label]);
  const double total = node.weight();
  const std::string of_weight = total == static_cast<double>(node.rows) ? "" : fmt::format(" of weight {:.6g}", total);
  if (tree.loss) return fmt::format("{}{}, {})", label_and_rows, of_weight, spread(tree, node));
  const double correct = node.class_weight.empty() ? 0 : node.class_weight[node.label];
  return fmt::format("{}, {:.6g}{} correct)", label_and_rows, correct, of_weight);
}

void write(const Tree& tree, NodeId id, int digits, const std::string& indent, std::string& out) {
  const Node& node = tree.node(id);
  if (node.is_leaf()) {
    out += leaf_text(node, tree) + "\n";
    return;
  }
  out += shortened_question(*node.split, tree, digits) + fmt::format("  [{} rows]\n", node.rows);
  out += indent + "|- yes: ";
  write(tree, node.left, digits, indent + "|  ", out);
  out += indent + "`- no:  ";
  write(tree, node.right, digits, indent + "   ", out);
}

void write_plain(const Tree& tree, NodeId id, int digits, const std::string& indent, std::string& out) {
  const Node& node = tree.node(id);
  if (node.is_leaf()) {
    out += fmt::format("{}--- {}: {}\n", indent, tree.loss ? "value" : "class", prediction(tree, node));
    return;
  }
  for (const bool left : {true, false}) {
    out += indent + "--- " + answer(*node.split, left, tree, digits) + "\n";
    write_plain(tree, left ? node.left : node.right, digits, indent + "   |", out);
  }
}

}  // namespace

std::string to_plain_text(const Tree& tree, int digits) {
  std::string out;
  write_plain(tree, Tree::root(), digits, "|", out);
  return out;
}

}  // namespace treewright::explain

namespace treewright {

std::string to_text(const Tree& tree, int digits) {
  need_trained(tree);
  std::string out;
  explain::write(tree, Tree::root(), digits, "", out);
  return out;
}

}  // namespace treewright
