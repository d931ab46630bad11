#include "treewright/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "treewright/data/read/written_dates.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/region.h"
#include "treewright/explain/rules.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

double printed(double value, int digits) {
  return std::strtod(explain::plain(value, digits).c_str(), nullptr);
}

std::string cell(const Tree& tree, FeatureId feature, double value, int digits = explain::kDigits) {
  const Feature& about = tree.features[+feature];
  if (about.notation == Notation::date) return date_text(value, finest_unit(value));
  if (about.has_levels()) return explain::printable(about.levels[static_cast<std::size_t>(value)]);
  return explain::plain(value, digits) + (about.notation == Notation::days ? " days" : "");
}

// The value that a split asks for, with the digits that tell its side.
std::string asked_of(const Split& split, bool left, const Tree& tree, const Dataset& data, std::size_t row) {
  const auto on_its_side = [&](double value, double threshold) {
    return explain::fewest_digits(explain::kDigits, [&](int digits) { return (printed(value, digits) < threshold) == left; });
  };
  const auto by_level = [&](FeatureId feature) { return cell(tree, feature, data.columns[+feature].code(row)); };
  const auto by_axis = [&](const AxisSplit& axis) {
    const Column& column = data.columns[+axis.feature];
    if (column.has_levels()) return by_level(axis.feature);
    return cell(tree, axis.feature, column.values[row], on_its_side(column.values[row], axis.threshold));
  };
  const auto by_plane = [&](const HyperplaneSplit& plane) {
    double sum = 0;
    for (const auto& term : plane.terms) sum += term.weight * term_value(term, data, row);
    return explain::plain(sum, on_its_side(sum, plane.threshold));
  };
  if (lacks_value(split, data, row)) return "missing";
  return match(split.rule, by_axis, by_plane, [&](const CategorySplit& set) { return by_level(set.feature); });
}

// What a tree loses without a split that saves so much.
std::string worse_by(const Tree& tree, double saved) {
  if (!tree.loss) return fmt::format("{} more error{}", explain::plain(saved), saved == 1 ? "" : "s");
  const double of_root = tree.node(Tree::root()).estimate.loss;
  return fmt::format("{} lower by {:.4f}", explain::explained_name(*tree.loss), of_root > 0 ? saved / of_root : 0);
}

// Of the label of the row's leaf.
double probability_of(const Tree& tree, const Dataset& data, std::size_t row) {
  const std::vector<std::int32_t> only = {static_cast<std::int32_t>(row)};
  return tree.predict_proba(data.subset(only))[static_cast<std::size_t>(tree.node(tree.route(data, row)).label)];
}

// What to do to the row, in as many digits as lead the row with the printed values to the same leaf.
std::string changes_of(const Counterfactual& way, const Tree& tree, const Dataset& data, std::size_t row) {
  const std::vector<std::int32_t> only = {static_cast<std::int32_t>(row)};
  const Dataset here = data.subset(only);
  const auto moves = [&](const Change& change) {
    const Feature& feature = tree.features[+change.feature];
    return !feature.has_levels() && feature.notation != Notation::date && !change.below;
  };
  const int digits = explain::fewest_digits(explain::kDigits, [&](int tried) {
    std::vector<Change> as_printed = way.changes;
    for (Change& change : as_printed) {
      if (moves(change)) change.to = printed(change.to, tried);
    }
    return tree.route(changed(here, as_printed), 0) == way.leaf;
  });
  const explain::Region region = explain::regions(tree)[+way.leaf];
  std::string out;
  for (const Change& change : way.changes) {
    const Feature& feature = tree.features[+change.feature];
    out += fmt::format("  {}: {} -> ", explain::printable(feature.called()), cell(tree, change.feature, change.from, digits));
    if (!change.below) {
      out += cell(tree, change.feature, change.to, digits) + "\n";
      continue;
    }
    const double low = region.limits[+change.feature].low;
    out += "below " + explain::number_text(*change.below, feature);
    out += std::isfinite(low) ? fmt::format(", at least {}\n", explain::number_text(low, feature)) : "\n";
  }
  return out;
}

// `goal`: what is changed to, in words.
std::string nearest(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train, const std::string& goal,
                    const WantedNumber& wanted = {}) {
  std::vector<double> scale(tree.features.size(), 1.0);
  for (std::size_t f = 0; train != nullptr && f < std::min(scale.size(), train->columns.size()); ++f)
    scale[f] = column_scale(train->columns[f]);
  const auto way = nearest_change(tree, data, row, scale, train, wanted);
  if (!way) return fmt::format("nearest change {}\n  none found: only the known values were changed\n", goal);
  return fmt::format(
             "nearest change {}: {} at distance {:.4g}{}\n", goal, explain::prediction(tree, tree.node(way->leaf)), way->distance,
             train != nullptr ? " (standard deviations; a change of category counts 1)" : " (raw units; a change of category counts 1)") +
         changes_of(*way, tree, data, row);
}

// Of a number, to a lower and to a higher one where nobody says what is wanted.
std::string nearest_numbers(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train, const WantedNumber& wanted) {
  const auto words = [](const char* than, double number) { return fmt::format("to {} {}", than, explain::plain(number)); };
  if (wanted.below || wanted.above) {
    const std::string goal = wanted.below ? words("below", *wanted.below) : words("above", *wanted.above);
    return nearest(tree, data, row, train,
                   wanted.below && wanted.above ? fmt::format("{} and above {}", goal, explain::plain(*wanted.above)) : goal, wanted);
  }
  const double here = tree.node(tree.route(data, row)).estimate.value;
  return nearest(tree, data, row, train, "to a lower number", {here, {}}) +
         nearest(tree, data, row, train, "to a higher number", {{}, here});
}

}  // namespace

std::string explain_row(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train, const WantedNumber& wanted) {
  need_aligned(tree, data, row);
  if (wanted.below || wanted.above) need_numbers(tree);
  if (train != nullptr) {
    need_aligned(tree, *train);
    need_target(tree, *train);
  }
  const NodeId leaf = tree.route(data, row);
  const Node& reached = tree.node(leaf);
  const double output = tree.loss ? reached.estimate.value : probability_of(tree, data, row);
  const std::string words = tree.loss ? explain::estimate_words(tree, reached) : explain::leaf_words(tree, reached, output);
  std::string out = fmt::format("{}: {}\n\npath\n", explain::prediction(tree, reached), words);
  const std::vector<double> saved = drop_split_importance(tree);
  bool planes = false;
  for (const Node& node : tree.nodes()) planes = planes || node.plane() != nullptr;
  for (NodeId at = Tree::root(); at != leaf;) {
    const Node& node = tree.node(at);
    const bool left = goes_left(*node.split, data, row);
    const bool plane = node.plane() != nullptr;
    const std::string answer =
        plane ? explain::side_of(explain::shortened_question(*node.split, tree), left) : explain::answer(*node.split, left, tree);
    out += fmt::format("  {}  (here {}; {} without this split)\n", answer, asked_of(*node.split, left, tree, data, row),
                       worse_by(tree, saved[+at]));
    at = left ? node.left : node.right;
  }
  if (tree.splits() > 0 || !tree.loss)
    out += "\n" + (tree.loss ? nearest_numbers(tree, data, row, train, wanted) : nearest(tree, data, row, train, "of label"));
  const std::vector<FeatureId> used = tree.features_used();
  if (!planes) {
    const ShapleyValues shapley = shapley_values(tree, data, row);
    const auto at = static_cast<std::size_t>(tree.loss ? 0 : reached.label);
    out += fmt::format("\nShapley values of {} (average {}, here {})\n", tree.loss ? "the prediction" : "its probability",
                       explain::plain(shapley.average[at], 4), explain::plain(output, 4));
    for (const FeatureId feature : used) {
      const double value = shapley.values[+feature][at];
      out += fmt::format("  {}  {}\n", tree.loss ? (value < 0 ? "" : "+") + explain::plain(value, 4) : fmt::format("{:+.4f}", value),
                         explain::printable(tree.features[+feature].called()));
    }
  }
  if (train != nullptr) {
    const std::vector<double> importance = permutation_importance(tree, *train);
    out += fmt::format("\npermutation importance of the tree's features ({})\n",
                       tree.loss ? fmt::format("fall of {}", explain::explained_name(*tree.loss)) : "rise of the error rate");
    for (const FeatureId feature : used)
      out += fmt::format("  {:.4f}  {}\n", importance[+feature], explain::printable(tree.features[+feature].called()));
  }
  return out;
}

}  // namespace treewright
