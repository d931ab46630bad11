#include "treewright/export/dot.h"

#include <fmt/format.h>

#include "treewright/explain/prediction.h"

namespace treewright::exports {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string to_dot(const Tree& tree, int digits) {
  std::string out = "digraph tree {\n  node [shape=box, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n";
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.is_leaf()) {
      out += fmt::format("  n{} [label={}, style=\"rounded,filled\", fillcolor=\"#e8eef7\", tooltip=\"{} rows\"];\n", i,
                         quoted(explain::prediction(tree, node)), node.rows);
      continue;
    }
    out += fmt::format("  n{} [label={}, tooltip=\"{} rows\"];\n", i, quoted(explain::question(*node.split, tree, digits)), node.rows);
    out += fmt::format("  n{} -> n{} [label=\"yes\"];\n  n{} -> n{} [label=\"no\"];\n", i, +node.left, i, +node.right);
  }
  return out + "}\n";
}

}  // namespace treewright::exports
