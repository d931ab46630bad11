#include "treewright/report/worth_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "treewright/explain/column_worth.h"
#include "treewright/explain/markup.h"

namespace treewright::report {

namespace {

constexpr std::size_t kListedColumns = 12;

std::string row_of(const ColumnWorths& worths, const ColumnWorth& column, const std::string& name, double most) {
  const double share = most > 0 ? 100 * least_loss(worths, column) / most : 0;
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td><svg class=\"share\" "
      "viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\"><rect class=\"weight\" width=\"{:.1f}\" height=\"8\"/></svg></td></tr>",
      explain::escaped(name), explain::least_cost(column.first, worths, "–"), explain::least_cost(column.never, worths, "–"),
      explain::worth(column, worths), share);
}

}  // namespace

std::string worth_panel(const ReportParts& parts) {
  if (parts.worths == nullptr) return "";
  const ColumnWorths& worths = *parts.worths;
  const char* const unit = worths.whole ? "errors" : "cost";
  const std::string head =
      "<table class=\"list\"><tr><th>column</th><th class=\"n\">asked first</th><th class=\"n\">never asked</th><th "
      "class=\"n\">worth</th><th></th></tr>";
  double most = 0;
  for (const ColumnWorth& column : worths.columns) most = std::max(most, least_loss(worths, column));
  std::string out = fmt::format(
      "<p class=\"soft\">The least {} of a tree of depth {} that asks the column first, and of one that never asks it; what is lost "
      "without it. "
      "The best tree has {}. {}</p>{}",
      unit, worths.max_depth, explain::least_cost(worths.best, worths),
      worths.status == Status::optimal ? "Every figure is proved." : "The time ended early: intervals are proved, and not all are closed.",
      head);
  const bool many = worths.columns.size() > kListedColumns + 1;
  for (std::size_t i = 0; i < worths.columns.size(); ++i) {
    if (i == kListedColumns && many)
      out += fmt::format("</table><details><summary>{} more columns</summary>{}", worths.columns.size() - i, head);
    const ColumnWorth& column = worths.columns[i];
    out += row_of(worths, column, parts.result->tree.features[static_cast<std::size_t>(+column.column)].called(), most);
  }
  return out + (many ? "</table></details>" : "</table>");
}

}  // namespace treewright::report
