#include "treewright/export/latex.h"

#include <fmt/format.h>

#include "treewright/base/version.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"

namespace treewright::exports {

namespace {

std::string latex(const std::string& name) {
  std::string out;
  for (const char c : explain::clean(name)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '"':
        out += "\\textquotedbl{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '%':
      case '_':
        out += std::string("\\") + c;
        break;
      default:
        out += c;
    }
  }
  return out;
}

void write(const Tree& tree, NodeId id, const std::string& side, const std::string& indent, int digits, std::string& out) {
  const Node& node = tree.node(id);
  const std::string edge =
      side.empty() ? "" : fmt::format(", edge label={{node[midway, {}, font=\\scriptsize]{{{}}}}}", side == "yes" ? "left" : "right", side);
  if (node.is_leaf()) {
    out += fmt::format("{}[{{\\textbf{{{}}}\\\\{} rows}}, rounded corners, fill=black!6{}]\n", indent,
                       latex(tree.loss ? explain::prediction(tree, node) : tree.class_names[node.label]), node.rows, edge);
    return;
  }
  std::string asked = explain::question(*node.split, tree, digits);
  asked.pop_back();
  out += fmt::format("{}[{{{}\\\\{} rows}}{}\n", indent, latex(asked), node.rows, edge);
  write(tree, node.left, "yes", indent + "  ", digits, out);
  write(tree, node.right, "no", indent + "  ", digits, out);
  out += indent + "]\n";
}

}  // namespace

std::string to_latex(const Tree& tree, int digits) {
  std::string nodes;
  write(tree, Tree::root(), "", "  ", digits, nodes);
  return fmt::format(
      "% Made by treewright {}\n\\documentclass{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n"
      "\\usepackage{{graphicx}}\n\\usepackage{{forest}}\n\\pagestyle{{empty}}\n\\begin{{document}}\n\\noindent\\resizebox{{\\textwidth}}{{!"
      "}}{{%\n"
      "\\begin{{forest}}\n  for tree={{draw, align=center, font=\\sffamily, s sep=4mm, l "
      "sep=8mm}}\n{}\\end{{forest}}}}\n\\end{{document}}\n",
      version(), nodes);
}

}  // namespace treewright::exports
