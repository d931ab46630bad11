#include "treewright/report/beside_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "treewright/explain.h"
#include "treewright/explain/markup.h"
#include "treewright/export/svg.h"
#include "treewright/report/confusions.h"
#include "treewright/report/intervals.h"
#include "treewright/report/policy.h"
#include "treewright/tree/measures.h"

namespace treewright::report {

namespace {

constexpr std::size_t kShuffledColumns = 12;
constexpr std::size_t kMostCells = 2'000'000;  // that are shuffled without anybody asking

}  // namespace

std::string unused_columns(const Tree& tree) {
  constexpr std::size_t kMany = 12;
  std::vector<bool> used(tree.features.size(), false);
  for (const FeatureId column : tree.features_used()) used[+column] = true;
  std::string names;
  std::size_t unused = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    ++unused;
    names += (names.empty() ? "" : ", ") + explain::escaped(tree.features[i].called());
  }
  if (unused == 0) return "";
  if (unused <= kMany) return fmt::format("<p class=\"soft long\" id=\"unused\">Not used: {}.</p>", names);
  return fmt::format("<details class=\"soft\" id=\"unused\"><summary>Not used: {} columns</summary><p class=\"long\">{}.</p></details>",
                     unused, names);
}

std::string importance_panel(const ReportParts& parts) {
  const Tree& tree = parts.result->tree;
  const Dataset* const data = parts.test != nullptr ? parts.test : parts.train;
  const std::size_t asked = tree.features_used().size();
  if (data == nullptr || is_policy(*parts.result) || asked < 2 || asked * data->rows() > kMostCells) return unused_columns(tree);
  const std::vector<double> rise = permutation_importance(tree, *data);
  std::vector<FeatureId> columns = tree.features_used();
  std::ranges::stable_sort(columns, [&](FeatureId a, FeatureId b) { return rise[+a] > rise[+b]; });
  columns.resize(std::min(columns.size(), kShuffledColumns));
  const double most = std::max(rise[+columns.front()], 1e-12);
  const char* const below = tree.loss ? "rises" : "falls";
  std::string out = fmt::format(
      "<p class=\"soft\">By how many percentage points the {} on the {} rows if a column's values are shuffled. Below 0 it {}: chance, or "
      "a column that misleads. Means of ten shuffles, without intervals.</p>",
      !tree.loss                   ? "error rate rises"
      : tree.loss == Loss::squared ? "share of the squared error that is explained falls"
                                   : "share of the deviance that is explained falls",
      data == parts.test ? "test" : "training", below);
  out += "<table class=\"weights\">";
  for (const FeatureId column : columns) {
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td><svg class=\"share\" aria-hidden=\"true\" viewBox=\"0 0 100 8\" "
        "preserveAspectRatio=\"none\"><rect class=\"weight\" width=\"{:.1f}\" height=\"8\"/></svg></td></tr>",
        explain::escaped(tree.features[+column].called()), fmt::format("{:.3g}", 100 * rise[+column]),
        100 * std::max(0.0, rise[+column]) / most);
  }
  return out + "</table>" + unused_columns(tree);
}

namespace {

// Adds a line: its name, and what it says of a tree.
using AddLine = std::function<void(const std::string& name, const std::function<std::string(const Tree&)>& value)>;

void class_lines(const ReportParts& parts, const AddLine& line) {
  const Result& result = *parts.result;
  const Tree& tree = result.tree;
  const bool policy = is_policy(result);
  if (parts.test != nullptr && !policy)
    line("accuracy on test rows", [&](const Tree& one) { return explain::percent(accuracy(one, *parts.test)); });
  for (const Dataset* const data : {parts.test, parts.train}) {
    if (data == nullptr) continue;
    const char* const rows = data == parts.train ? "training" : "test";
    if (!policy) line(fmt::format("errors on {} rows", rows), [&](const Tree& one) { return explain::plain(count_errors(one, *data)); });
    if (result.cost && data->row_costs.empty() == !policy)
      line(fmt::format("cost on {} rows", rows),
           [&](const Tree& one) { return explain::plain(cost_on(result, *data)(one.predict(*data))); });
  }
  // What the tree was trained for, where that is not errors alone.
  const double price = result.objective_function->split_price();
  if (result.objective_function->of_counts(0, 0) && price > 0 && !result.cost) {
    line(fmt::format("these + {:.4g} for each {}", price, tree.terms() == tree.splits() ? "split" : "feature in a split"),
         [&](const Tree& one) { return explain::plain(count_errors(one, *parts.train) + price * static_cast<double>(one.terms())); });
  }
}

void number_lines(const ReportParts& parts, const AddLine& line) {
  const bool squared = parts.result->tree.loss == Loss::squared;
  for (const Dataset* const data : {parts.test, parts.train}) {
    if (data == nullptr) continue;
    const char* const rows = data == parts.train ? "training" : "test";
    const auto score = [data](const Tree& one) { return score_numbers(one, *data); };
    line(fmt::format("{} on {} rows", squared ? "R2" : "deviance explained", rows), [score](const Tree& one) {
      const double explained = score(one).explained;
      return std::isfinite(explained) ? fmt::format("{:.4f}", explained) : "–";
    });
    if (parts.result->tree.loss == Loss::survival) {
      line(fmt::format("concordance on {} rows", rows), [score](const Tree& one) {
        const std::optional<double> share = score(one).concordance;
        return share ? fmt::format("{:.4f}", *share) : "–";
      });
    } else {
      line(fmt::format("RMSE on {} rows", rows), [score](const Tree& one) { return explain::plain(score(one).rmse, 4); });
    }
  }
}

// By how much the tree explains more of the numbers of test rows than the other one, and how far that may be off.
std::string more_explained_text(const ReportParts& parts, const std::string& name) {
  if (!parts.result->tree.loss || parts.test == nullptr) return "";
  const std::vector<double> here = parts.result->tree.predict_values(*parts.test), there = parts.beside->tree.predict_values(*parts.test);
  const double more = score_numbers(here, *parts.test).explained - score_numbers(there, *parts.test).explained;
  const std::optional<Interval> interval = more_explained(here, there, *parts.test);
  if (!std::isfinite(more) || !interval) return "";
  return fmt::format(
      "<p class=\"soft\">{} on test rows: this tree less {} is {:.3f}, with 95 % confidence from {:.3f} to {:.3f} (by bootstrap of the "
      "rows). The other figures of this table have no intervals.</p>",
      parts.result->tree.loss == Loss::squared ? "R2" : "Deviance explained", name, more, interval->low, interval->high);
}

}  // namespace

std::string beside_panel(const ReportParts& parts) {
  if (parts.train == nullptr) return "";
  const Result& result = *parts.result;
  const Tree& tree = result.tree;
  Tree none = tree;
  none.collapse(Tree::root());
  std::vector<std::pair<std::string, const Tree*>> trees = {{"this tree", &tree}};
  if (parts.beside != nullptr) {
    std::string name = parts.beside->method;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    trees.emplace_back(explain::escaped(name), &parts.beside->tree);
  }
  if (tree.splits() > 0) trees.emplace_back("no split", &none);
  std::string out = "<table class=\"list\"><tr><th></th>";
  for (const auto& [name, any] : trees) out += "<th class=\"n\">" + name + "</th>";
  const AddLine line = [&](const std::string& name, const std::function<std::string(const Tree&)>& value) {
    out += fmt::format("</tr><tr><th scope=\"row\">{}</th>", name);
    for (const auto& [column, one] : trees) out += "<td class=\"n\">" + value(*one) + "</td>";
  };
  tree.loss ? number_lines(parts, line) : class_lines(parts, line);
  line("splits", [](const Tree& one) { return std::to_string(one.splits()); });
  line("depth", [](const Tree& one) { return std::to_string(one.depth()); });
  out += "</tr></table>";
  if (parts.beside != nullptr && parts.beside->status == Status::heuristic && parts.beside->max_depth <= result.max_depth)
    out += fmt::format("<p class=\"soft\">{}: by a heuristic on the same rows, with the same limit on depth.</p>", trees[1].first);
  if (parts.beside == nullptr) return out;
  out += more_explained_text(parts, trees[1].first);
  return out + "<details><summary>The tree of " + trees[1].first + "</summary><div class=\"canvas\">" +
         exports::tree_drawing(called_as(parts.beside->tree, tree), "b") + "</div></details>";
}

}  // namespace treewright::report
