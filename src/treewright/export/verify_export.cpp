#include "treewright/export/verify_export.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "treewright/error.h"
#include "treewright/explain/text.h"

namespace treewright::exports {

namespace {

// Whether the sum of the row is so near the threshold that rounding decides its side. A sum of n products, added in any order, with or
// without fused operations, is off by less than n eps sum |w x| (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section
// 3.1).
bool on_the_border(const HyperplaneSplit& plane, const Dataset& data, std::size_t row) {
  // A single product is rounded alike everywhere, and whole numbers are added without error.
  if (plane.terms.size() < 2) return false;
  double sum = 0, size = std::abs(plane.threshold);
  bool whole = true;
  for (const auto& term : plane.terms) {
    const double product = term.weight * term_value(term, data, row);
    sum += product;
    size += std::abs(product);
    whole = whole && product == std::floor(product);
  }
  if (whole && size < 1e15) return false;
  const double slack = static_cast<double>(plane.terms.size()) * std::numeric_limits<double>::epsilon() * size;
  return std::abs(sum - plane.threshold) <= slack;
}

}  // namespace

Tree as_read(const Tree& tree, const RoundTrip& threshold, const RoundTrip& weight) {
  std::vector<Node> nodes = tree.nodes();
  for (Node& node : nodes) {
    if (node.is_leaf()) continue;
    // Where digits are lost, dates are written by day and time.
    const auto axis = [&](AxisSplit& split) {
      if (tree.features[+split.feature].notation != Notation::date) split.threshold = threshold(split.threshold);
    };
    const auto plane = [&](HyperplaneSplit& split) {
      split.threshold = threshold(split.threshold);
      for (auto& term : split.terms) term.weight = weight(term.weight);
    };
    match(node.split->rule, axis, plane, [](CategorySplit&) {});
  }
  return tree.with_nodes(std::move(nodes));
}

double rounded(double value, int digits) {
  // The largest double has a meaning of its own and rounds to infinity.
  if (std::abs(value) == std::numeric_limits<double>::max()) return value;
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

// The tree as a person reads it. Dates are written so that no row changes sides.
static Tree as_shown(const Tree& tree, int digits) {
  std::vector<Node> nodes = tree.nodes();
  for (Node& node : nodes) {
    if (node.is_leaf()) continue;
    const auto axis = [&](AxisSplit& split) {
      const Feature& feature = tree.features[+split.feature];
      const bool number = std::abs(split.threshold) != std::numeric_limits<double>::max() &&
                          (feature.notation == Notation::plain || feature.notation == Notation::days);
      if (number) split.threshold = std::strtod(explain::number_text(split.threshold, feature, digits).c_str(), nullptr);
    };
    const auto plane = [&](HyperplaneSplit& split) {
      split.threshold = rounded(split.threshold, digits);
      for (auto& term : split.terms) term.weight = rounded(term.weight, digits - 2);
    };
    match(node.split->rule, axis, plane, [](CategorySplit&) {});
  }
  return tree.with_nodes(std::move(nodes));
}

int digits_needed(const Tree& tree, const Dataset& data) {
  const std::vector<NodeId> leaves = tree.apply(data);
  int digits = explain::kDigits;
  // 17 digits restore every double.
  while (digits < 19 && as_shown(tree, digits).apply(data) != leaves) ++digits;
  return digits;
}

void verify_export(const Tree& tree, const Tree& read, const Dataset& data, const std::string& what) {
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (read.route(data, row) != tree.route(data, row)) {
      throw Error(fmt::format("{}, row {}", what, row), "reaches another leaf in the exported tree than in treewright",
                  "choose a format that keeps all digits");
    }
    NodeId at = Tree::root();
    while (!tree.node(at).is_leaf()) {
      const Split& split = *tree.node(at).split;
      const HyperplaneSplit* plane = split.plane();
      if (plane != nullptr && !lacks_value(split, data, row) && on_the_border(*plane, data, row)) {
        throw Error(fmt::format("{}, row {}", what, row),
                    fmt::format("lies almost exactly on the hyperplane of node {}, so rounding would decide its label", +at),
                    "move the threshold of the hyperplane away from the row, or export as json");
      }
      at = goes_left(split, data, row) ? tree.node(at).left : tree.node(at).right;
    }
  }
}

}  // namespace treewright::exports
