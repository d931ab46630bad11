#include "treewright/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/data/written_dates.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/rules.h"
#include "treewright/probabilities.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

std::string cell(const Tree& tree, FeatureId feature, double value) {
  const Feature& about = tree.features[+feature];
  if (about.date) return date_text(value, finest_unit(value));
  return about.kind == ColumnKind::numeric ? explain::plain(value) : explain::printable(about.levels[static_cast<std::size_t>(value)]);
}

std::string value_of(const Tree& tree, FeatureId feature, const Dataset& data, std::size_t row) {
  const Column& column = data.columns[+feature];
  if (column.missing(row)) return "missing";
  return cell(tree, feature, column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row]);
}

std::string asked_of(const Split& split, const Tree& tree, const Dataset& data, std::size_t row) {
  if (const auto* axis = std::get_if<AxisSplit>(&split.rule)) return value_of(tree, axis->feature, data, row);
  if (const auto* set = std::get_if<CategorySplit>(&split.rule)) return value_of(tree, set->feature, data, row);
  double sum = 0;
  for (const auto& term : std::get<HyperplaneSplit>(split.rule).terms) sum += term.weight * term_value(term, data, row);
  return std::isnan(sum) ? "missing" : explain::plain(sum);
}

std::string more_errors(double count) {
  return fmt::format("{} more error{}", explain::plain(count), count == 1 ? "" : "s");
}

std::string nearest(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train) {
  std::vector<double> scale(tree.features.size(), 1.0);
  for (std::size_t f = 0; train != nullptr && f < std::min(scale.size(), train->columns.size()); ++f)
    scale[f] = column_scale(train->columns[f]);
  const auto way = nearest_change(tree, data, row, scale);
  if (!way) return "nearest change of label\n  none: no change of the known values alters the label\n";
  std::string out = fmt::format(
      "nearest change of label: {} at distance {:.4g}{}\n", explain::printable(tree.class_names[tree.node(way->leaf).label]), way->distance,
      train != nullptr ? " (standard deviations; a change of category counts 1)" : " (raw units; a change of category counts 1)");
  for (const Change& change : way->changes) {
    out += fmt::format("  {}: {} -> {}\n", explain::printable(tree.features[+change.feature].name), cell(tree, change.feature, change.from),
                       change.below ? "below " + cell(tree, change.feature, *change.below) : cell(tree, change.feature, change.to));
  }
  return out;
}

}  // namespace

std::string explain_row(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train) {
  need_aligned(tree, data, row);
  if (train != nullptr) {
    need_aligned(tree, *train);
    need_labels(tree, *train);
  }
  const NodeId leaf = tree.route(data, row);
  const std::int32_t label = tree.node(leaf).label;
  const std::size_t cell = +leaf * tree.class_names.size() + static_cast<std::size_t>(label);
  const double share = node_probabilities(tree, 0)[cell], probability = node_probabilities(tree, tree.shrinkage)[cell];
  std::string out =
      fmt::format("{}: {} of the {} training row{} in its leaf belong to this class\n\npath\n", explain::printable(tree.class_names[label]),
                  explain::percent(share), tree.node(leaf).rows, tree.node(leaf).rows == 1 ? "" : "s");
  const std::vector<double> saved = drop_split_importance(tree);
  bool planes = false;
  for (const Node& node : tree.nodes()) planes = planes || (node.split && std::holds_alternative<HyperplaneSplit>(node.split->rule));
  for (NodeId at = Tree::root(); at != leaf;) {
    const Node& node = tree.node(at);
    const bool left = goes_left(*node.split, data, row);
    const bool plane = std::holds_alternative<HyperplaneSplit>(node.split->rule);
    const std::string answer =
        plane ? explain::side_of(explain::shortened_question(*node.split, tree), left) : explain::answer(*node.split, left, tree);
    out += fmt::format("  {}  (here {}; {} without this split)\n", answer, asked_of(*node.split, tree, data, row), more_errors(saved[+at]));
    at = left ? node.left : node.right;
  }
  out += "\n" + nearest(tree, data, row, train);
  const std::vector<FeatureId> used = tree.features_used();
  if (!planes) {
    const ShapleyValues shapley = shapley_values(tree, data, row);
    out += fmt::format("\nShapley values of its probability (average {:.4g}, here {:.4g})\n", shapley.average[label], probability);
    for (const FeatureId feature : used)
      out += fmt::format("  {:+.4f}  {}\n", shapley.values[+feature][label], explain::printable(tree.features[+feature].name));
  }
  if (train != nullptr) {
    const std::vector<double> importance = permutation_importance(tree, *train);
    out += "\npermutation importance of the tree's features (rise of the error rate)\n";
    for (const FeatureId feature : used)
      out += fmt::format("  {:.4f}  {}\n", importance[+feature], explain::printable(tree.features[+feature].name));
  }
  return out;
}

}  // namespace treewright
