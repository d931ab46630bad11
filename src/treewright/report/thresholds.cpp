// What other decisions the same tree offers: of two classes, the positive one may be predicted where its probability is lower or higher
// than that of the other class. A tree has as many such decisions as leaves of different probabilities.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "treewright/data/costs/costs.h"
#include "treewright/explain/markup.h"
#include "treewright/probabilities.h"
#include "treewright/report/confusions.h"
#include "treewright/result.h"
#include "treewright/task/cost_objective.h"
#include "treewright/tree/measures.h"

namespace treewright::report {

namespace {

constexpr std::size_t kListedLevels = 12;

std::string cell(double value) {
  return fmt::format("<td class=\"n\">{}</td>", std::isnan(value) ? "–" : explain::percent(value));
}

// The probability in the fewest digits, three at least, with which `--threshold` chooses the same rows: no more than it is, and more than
// the next lower one.
std::string from(double level, double lower) {
  const double percent = 100 * level;
  const auto chooses_the_same = [&](const std::string& text) {
    const double read = std::strtod(text.c_str(), nullptr) / 100;
    return lower < read && read <= level;
  };
  const auto text = [&](int digits) {
    const std::string nearest = fmt::format("{:.{}g}", percent, digits);
    if (percent == 0 || chooses_the_same(nearest)) return nearest;
    const double last_place = std::pow(10, std::floor(std::log10(percent)) + 1 - digits);
    return fmt::format("{:.{}g}", percent - last_place / 2, digits);
  };
  return text(explain::fewest_digits(3, [&](int digits) { return chooses_the_same(text(digits)); })) + " %";
}

std::vector<double> descending(std::vector<double> levels) {
  std::sort(levels.begin(), levels.end(), std::greater<>());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

// The probabilities of the second class in the leaves.
std::vector<double> levels_of_leaves(const Tree& tree) {
  const std::vector<double> of_nodes = node_probabilities(tree, tree.shrinkage);
  std::vector<double> levels;
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    if (tree.nodes()[i].is_leaf()) levels.push_back(of_nodes[2 * i + 1]);
  }
  return descending(levels);
}

// Those of the rows, in descending order.
std::vector<double> levels_of_rows(const std::vector<double>& probabilities) {
  std::vector<double> levels;
  for (std::size_t row = 0; 2 * row < probabilities.size(); ++row) levels.push_back(probabilities[2 * row + 1]);
  std::sort(levels.begin(), levels.end(), std::greater<>());
  return levels;
}

// Of many some, as far apart in the order of the rows.
std::vector<double> some_of(const std::vector<double>& of_rows) {
  std::vector<double> levels;
  for (std::size_t i = 1; i <= kListedLevels; ++i) {
    const std::size_t rows = i * of_rows.size() / kListedLevels;
    if (rows > 0) levels.push_back(of_rows[rows - 1]);
  }
  return descending(levels);
}

}  // namespace

CostOfLabels cost_on(const Result& result, const Dataset& data) {
  if (!result.cost) return {};
  return [&](const std::vector<std::int32_t>& labels) { return cost_of(labels, data, costs_of(*result.objective_function)); };
}

std::string thresholds(const std::string& name, const Tree& tree, const Dataset& data, const CostOfLabels& cost_of_labels) {
  if (tree.class_names.size() != 2 || tree.splits() == 0) return "";
  const std::vector<double> probabilities = tree.predict_proba(data);
  const std::vector<double> all = tree.probability_model ? levels_of_rows(probabilities) : levels_of_leaves(tree);
  const std::vector<double> levels = tree.probability_model ? some_of(all) : all;
  const std::string positive = explain::escaped(tree.class_names[1]);
  std::string out = fmt::format(
      "<p class=\"soft\">On the {}, if “{}” is predicted wherever its probability is at least that of the first column; “rows” counts "
      "these. {}AUC "
      "(area under the ROC curve): {:.4f}.</p><table class=\"list\"><tr><th class=\"n\">from</th><th class=\"n\">rows</th>"
      "<th class=\"n\">sensitivity</th><th class=\"n\">specificity</th><th class=\"n\">PPV</th><th class=\"n\">lift</th>{}</tr>",
      name, positive,
      tree.probability_model ? "A row's probability depends on its leaf and on its distance to the hyperplanes. "
      : tree.shrinkage > 0   ? "A leaf's probability is its share of the class, drawn towards those of the nodes above. "
                             : "",
      auc(probabilities, data, 1), cost_of_labels ? "<th class=\"n\">cost</th>" : "");
  const std::vector<std::int32_t> own = tree.predict(data);
  bool marked = false;
  for (std::size_t i = 0; i < std::min(levels.size(), kListedLevels); ++i) {
    const std::vector<std::int32_t> labels = decide(probabilities, 1, levels[i]);
    const ClassMeasures one = class_measures(labels, data)[1];
    const auto lower = std::upper_bound(all.begin(), all.end(), levels[i], std::greater<>());
    const bool here = !marked && labels == own;
    marked = marked || here;
    out += fmt::format("<tr{}><td class=\"n\">{}</td><td class=\"n\">{}</td>{}{}{}<td class=\"n\">{}</td>{}</tr>",
                       here ? " class=\"here\"" : "", from(levels[i], lower == all.end() ? -1 : *lower), one.ppv.whole_rows,
                       cell(one.sensitivity.value()), cell(one.specificity.value()), cell(one.ppv.value()),
                       std::isnan(one.lift()) ? "–" : fmt::format("{:.2f}", one.lift()),
                       cost_of_labels ? fmt::format("<td class=\"n\">{}</td>", explain::plain(cost_of_labels(labels))) : "");
  }
  out += "</table>";
  if (marked) out += "<p class=\"soft\">Marked: as the tree itself decides.</p>";
  if (levels.size() > kListedLevels)
    out += fmt::format("<p class=\"soft\">The {} lower ones are left out.</p>", levels.size() - kListedLevels);
  return out;
}

}  // namespace treewright::report
