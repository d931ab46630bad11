#include "treewright/export/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/rules.h"
#include "treewright/export/layout.h"

namespace treewright::exports {

namespace {

constexpr double kBox = 48, kLeaf = 62, kRow = 104, kGap = 14, kMargin = 10;
constexpr std::size_t kColors = 32;
constexpr std::size_t kLongestClass = 12;  // characters, in the box of a split

// How wide text of 12 pixels is about: boxes must exist before any browser measures.
double text_width(const std::string& text) {
  return 7.4 * static_cast<double>(explain::characters(text));
}

// A long name gives way to the threshold behind it.
std::string fitted(const std::string& asked) {
  const std::size_t rule = std::min(asked.rfind(" < "), asked.size());
  const std::size_t kept = explain::characters(asked.substr(rule));
  if (kept > kLongestLabel / 2) return explain::shortened(asked, kLongestLabel);
  return explain::shortened(asked.substr(0, rule), kLongestLabel - kept) + asked.substr(rule);
}

// The lines in the box of a node.
struct Label {
  std::string head, rows, share;
};

// A class that is called by a number is called a class, since numbers of rows stand beside it.
std::string name_of(const Tree& tree, const Node& node) {
  if (tree.loss) return explain::prediction(tree, node);
  const std::string& name = tree.class_names[node.label];
  const bool number = !name.empty() && name.find_first_not_of("0123456789.+-") == std::string::npos;
  return (number ? "class " : "") + explain::clean(name);
}

// Of numbers the tint of a leaf is the stronger, the larger its number is among those of the leaves.
std::string tint_of(const Tree& tree, const Node& leaf) {
  if (!tree.loss) return "";
  double low = leaf.estimate.value, high = low;
  for (const Node& node : tree.nodes()) {
    if (!node.is_leaf()) continue;
    low = std::min(low, node.estimate.value);
    high = std::max(high, node.estimate.value);
  }
  return fmt::format(" style=\"fill-opacity:{:.2f}\"", high > low ? 0.05 + 0.45 * (leaf.estimate.value - low) / (high - low) : 0.14);
}

Label label_of(const Tree& tree, const Node& node, const explain::PlaneNames& names, int digits) {
  const std::string rows = fmt::format("{} row{}", node.rows, node.rows == 1 ? "" : "s");
  if (!node.is_leaf()) {
    std::string asked = explain::clean(explain::short_question(*node.split, tree, names, digits));
    asked.pop_back();
    const double all = static_cast<double>(std::max<std::int64_t>(1, tree.node(Tree::root()).rows));
    return {
        fitted(asked),
        fmt::format("{}{}: {}", rows, node.rows < all ? fmt::format(" ({})", explain::percent(static_cast<double>(node.rows) / all)) : "",
                    explain::shortened(name_of(tree, node), kLongestClass)),
        ""};
  }
  if (tree.loss) return {name_of(tree, node), rows, explain::spread(tree, node)};
  double total = 0;
  for (const double w : node.class_weight) total += w;
  const double right = node.class_weight.empty() ? 0 : node.class_weight[node.label];
  const std::string third = !node.label_cost.empty() ? explain::for_each_row(explain::mean_cost(node, node.label))
                            : total > 0              ? explain::percent(right / total)
                                                     : "–";
  return {explain::shortened(name_of(tree, node), kLongestLabel), rows, third};
}

std::vector<Label> labels_of(const Tree& tree, int digits) {
  std::vector<Label> labels;
  const explain::PlaneNames names = explain::plane_names(tree, kLongestLabel);
  for (const Node& node : tree.nodes()) labels.push_back(label_of(tree, node, names, digits));
  return labels;
}

std::vector<double> widths_of(const std::vector<Label>& labels) {
  std::vector<double> widths;
  for (const Label& label : labels)
    widths.push_back(std::max({64.0, text_width(label.head) + 20, text_width(label.rows) + 12, text_width(label.share) + 12}));
  return widths;
}

}  // namespace

std::string color_class(std::size_t label) {
  return fmt::format("c{}{}", label % kColors, label >= kColors ? " pale" : "");
}

std::string palette_css() {
  const char* colors[kColors] = {"#0072b2", "#e69f00", "#00c3bd", "#983d6b", "#9db865", "#c03c06", "#9762f8", "#866b4b",
                                 "#7a7a85", "#0000fc", "#00fc00", "#fc0ce4", "#54249c", "#fc0060", "#484800", "#f0d8a8",
                                 "#9cf078", "#781818", "#a890fc", "#008400", "#b40084", "#fc8478", "#543060", "#e4d8f0",
                                 "#00483c", "#fc0018", "#b4f000", "#00f0a8", "#fc84f0", "#56b4e9", "#008454", "#f0e454"};
  std::string out;
  for (std::size_t i = 0; i < kColors; ++i) out += fmt::format(".c{} {{ fill: {}; --k: {}; }}\n", i, colors[i], colors[i]);
  return out + ".pale { opacity: .5; }\n";
}

std::string class_bar(const std::vector<double>& weights, double x, double y, double width, double height) {
  double total = 0;
  for (const double w : weights) total += w;
  std::string out;
  for (std::size_t k = 0; k < weights.size() && total > 0; ++k) {
    const double part = width * weights[k] / total;
    if (part <= 0) continue;
    out += fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\"/>", color_class(k), x, y, part,
                       height);
    x += part;
  }
  return out;
}

double drawing_height(const Tree& tree) {
  return kRow * tree.depth() + kLeaf + 2 * kMargin;
}

double drawing_width(const Tree& tree) {
  return tidy_layout(tree, widths_of(labels_of(tree, explain::kDigits)), kGap, kRow, kLeaf).width + 2 * kMargin;
}

std::string tree_drawing(const Tree& tree, const std::string& prefix, int digits, const std::vector<std::string>& pictures) {
  const std::vector<Label> labels = labels_of(tree, digits);
  std::vector<double> widths = widths_of(labels);
  const double more = pictures.empty() ? 0 : kPictureHeight + 4, box = kBox + more;
  bool in_leaves = false;
  for (std::size_t i = 0; i < pictures.size(); ++i) in_leaves = in_leaves || (tree.nodes()[i].is_leaf() && !pictures[i].empty());
  const double leaf = kLeaf + (in_leaves ? more : 0);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (!pictures[i].empty()) widths[i] = std::max(widths[i], kPictureWidth + 20);
  }
  const Layout layout = tidy_layout(tree, widths, kGap, kRow + more, leaf);
  const double all = std::max(1.0, static_cast<double>(tree.node(Tree::root()).rows));
  const double width = layout.width + 2 * kMargin, height = layout.height + 2 * kMargin;
  std::string edges, nodes;
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    const double x = layout.places[i].x + kMargin, y = layout.places[i].y + kMargin;
    if (!node.is_leaf()) {
      for (const bool yes : {true, false}) {
        const NodeId child = yes ? node.left : node.right;
        const double cx = layout.places[+child].x + kMargin, cy = layout.places[+child].y + kMargin, from = y + box,
                     middle = (from + cy) / 2;
        edges += fmt::format(
            "<g class=\"edge\" id=\"{}e{}\" data-up=\"{}\"><path d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" "
            "stroke-width=\"{:.1f}\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
            prefix, +child, i, x, from, x, middle, cx, middle, cx, cy, 1.2 + 10 * static_cast<double>(tree.node(child).rows) / all,
            cx + (yes ? -18.0 : 18.0), cy - 8, yes ? "yes" : "no");
      }
    }
    const double w = widths[i], tall = node.is_leaf() ? leaf : box;
    nodes += fmt::format(
        "<g class=\"node{}\" id=\"{}n{}\" transform=\"translate({:.1f} {:.1f})\" data-w=\"{:.0f}\"><title>{}</title>"
        "<rect class=\"box\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"{}\"/>",
        node.is_leaf() ? " leaf" : "", prefix, i, x, y, w,
        explain::escaped(node.is_leaf() ? name_of(tree, node) : explain::question(*node.split, tree, digits)), -w / 2, w, tall,
        node.is_leaf() ? 12 : 6);
    if (node.is_leaf()) {
      nodes += fmt::format("<rect class=\"tint {}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" rx=\"12\"{}/>", color_class(node.label),
                           -w / 2, w, tall, tint_of(tree, node));
    }
    nodes += fmt::format("<text class=\"head\" y=\"18\">{}</text><text class=\"tail\" y=\"32\">{}</text>", explain::escaped(labels[i].head),
                         explain::escaped(labels[i].rows));
    if (node.is_leaf()) nodes += fmt::format("<text class=\"tail\" y=\"46\">{}</text>", labels[i].share);
    if (!pictures.empty() && !pictures[i].empty())
      nodes += fmt::format("<g class=\"seen\" transform=\"translate({:.0f} {})\">{}</g>", -kPictureWidth / 2, node.is_leaf() ? 54 : 36,
                           pictures[i]);
    nodes += class_bar(node.class_weight, -w / 2 + 10, tall - 10, w - 20, 5) + "</g>\n";
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tree\" id=\"{}tree\" data-box=\"{:.0f}\" data-row=\"{:.0f}\" data-leaf=\"{:.0f}\" "
      "viewBox=\"0 0 {:.0f} "
      "{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\">\n<g class=\"edges\">{}</g>\n<g class=\"nodes\">{}</g>\n</svg>",
      prefix, box, kRow + more, leaf, width, height, width, height, edges, nodes);
}

std::string to_svg(const Tree& tree, int digits) {
  std::string drawing = tree_drawing(tree, "", digits);
  const std::string style =
      "<style>\n" + palette_css() +
      ".tree { font: 12px system-ui, -apple-system, \"Segoe UI\", Helvetica, Arial, sans-serif; background: #fff; }\n"
      ".edge path { fill: none; stroke: #c3c7cf; } .edge text { fill: #7b818c; font-size: 10px; text-anchor: middle; }\n"
      ".box { fill: #fff; stroke: #9aa1ad; } .tint { fill-opacity: .14; } .head { font-weight: 600; fill: #1b1f26; }\n"
      ".tail { fill: #5d6470; font-size: 11px; } .node text { text-anchor: middle; }\n</style>\n";
  drawing.insert(drawing.find('\n') + 1, style);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + drawing + "\n";
}

}  // namespace treewright::exports
