// Other trees that are nearly as good, the best of each set of columns: a line for each and its drawing. All of it can be read with scripts
// off; report.js shows one tree at a time.

#include "treewright/report/near_panel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "treewright/explain/claims.h"
#include "treewright/explain/markup.h"
#include "treewright/report/choices.h"
#include "treewright/report/confusions.h"
#include "treewright/tree/measures.h"

namespace treewright::report {

namespace {

std::string columns_of(const Tree& tree) {
  std::vector<std::string> names;
  for (const FeatureId column : tree.features_used())
    names.push_back(explain::escaped(explain::shortened(tree.features[static_cast<std::size_t>(+column)].called(), 40)));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string completeness(const NearTrees& near) {
  if (near.complete()) return "These are all.";
  return near.status == Status::optimal ? fmt::format("These are the {} best of more.", near.trees.size())
                                        : "The time ended before all were found.";
}

// What the tree costs there, or how many errors it makes: a cell.
std::string on_test_rows(const Result& other, const Dataset* test) {
  if (test == nullptr) return "";
  const CostOfLabels cost = cost_on(other, *test);
  return fmt::format("<td class=\"n\">{}</td>", explain::plain(cost ? cost(other.tree.predict(*test)) : count_errors(other.tree, *test)));
}

}  // namespace

std::string near_panel(const ReportParts& parts) {
  if (parts.near == nullptr || parts.near->trees.empty()) return "";
  const NearTrees& near = *parts.near;
  const Result& first = near.trees.front();
  const std::string unit = explain::counted(first);
  const std::vector<FeatureId> here = parts.result->tree.features_used();
  std::string rows, trees;
  for (std::size_t i = 0; i < near.trees.size(); ++i) {
    const Result& other = near.trees[i];
    const std::string cost = explain::plain(other.objective * other.objective_function->error_scale());
    const Tree tree = called_as(other.tree, parts.result->tree);
    const std::string columns = columns_of(tree);
    const bool is_here = other.tree.features_used() == here;
    rows += fmt::format(
        "<tr data-choice=\"{}\"{}><td class=\"n\">{}</td><td class=\"n\">{}</td>{}<td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>", i,
        is_here ? " class=\"here\"" : "", i + 1, cost, on_test_rows(other, parts.test), other.tree.splits(), columns,
        is_here ? "this tree's columns" : "");
    trees += choice_drawing(i, fmt::format("Tree {}: {}, asks {}", i + 1, unit == "errors" ? cost + " errors" : unit + " " + cost, columns),
                            tree, "n");
  }
  const std::string within = explain::plain(near.within);
  return fmt::format(
      "<p class=\"soft\">Trees of depth {0} {1} than the best one, which has {2}: the best tree of each set of columns. {3}</p>"
      "<div class=\"pair\"><div class=\"moving\">{7}"
      "<table class=\"list\"><tr><th class=\"n\">tree</th><th class=\"n\">{4}</th>{8}<th "
      "class=\"n\">splits</th><th>columns</th><th></th></tr>"
      "{5}</table></div><div class=\"stage several\">{6}</div></div>",
      first.max_depth,
      unit == "errors" ? fmt::format("with at most {} error{} more", within, near.within == 1 ? "" : "s")
                       : fmt::format("that cost at most {} more", within),
      explain::plain(near.best), completeness(near), unit, rows, trees, choice_slider("tree of the list", "the best", "further from it"),
      parts.test == nullptr ? "" : "<th class=\"n\">on test rows</th>");
}

}  // namespace treewright::report
