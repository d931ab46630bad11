#include "treewright/report/path_panel.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/report/charts.h"

namespace treewright::report {

std::string path_panel(const ReportParts& parts) {
  if (parts.path.empty()) return "";
  const Result& result = *parts.result;
  const auto splits = static_cast<std::int64_t>(result.tree.splits());
  const bool tested = parts.path.front().test_accuracy >= 0;
  const char* const loss = result.cost ? "cost" : "errors";
  std::string out = fmt::format(
      "<table class=\"list\"><tr><th class=\"n\">splits</th><th class=\"n\">{}</th><th class=\"n\">{} from alpha</th><th "
      "class=\"n\">to</th>{}</tr>",
      loss, result.status == Status::heuristic ? "best found" : "optimal", tested ? "<th class=\"n\">accuracy on test rows</th>" : "");
  for (const PathCorner& corner : parts.path) {
    out += fmt::format("<tr{}><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.4g}</td><td class=\"n\">{}</td>{}</tr>",
                       corner.splits == splits ? " class=\"here\"" : "", corner.splits, explain::plain(corner.errors), corner.alpha_low,
                       std::isfinite(corner.alpha_high) ? fmt::format("{:.4g}", corner.alpha_high) : "∞",
                       tested ? fmt::format("<td class=\"n\">{}</td>", explain::percent(corner.test_accuracy)) : "");
  }
  return report::path_chart(parts.path, splits, loss) + out +
         "</table><p class=\"soft\">Alpha is the price of a split: within its prices, no tree of another size is better. Sizes that are "
         "missing are best at no price. Marked: this tree's size.</p>";
}

}  // namespace treewright::report
