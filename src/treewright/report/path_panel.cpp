#include "treewright/report/path_panel.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/report/charts.h"
#include "treewright/tree/measures.h"

namespace treewright {

PathCorner corner_of(const PathPoint& point, const Dataset* test) {
  const Result& result = point.result;
  PathCorner corner{point.splits, result.loss ? 1 - result.explained() : point.loss(), point.alpha_low, point.alpha_high, {}};
  if (test != nullptr) corner.test_score = result.loss ? score_numbers(result.tree, *test).explained : accuracy(result.tree, *test);
  return corner;
}

}  // namespace treewright

namespace treewright::report {

std::string path_panel(const ReportParts& parts) {
  if (parts.path.empty()) return "";
  const Result& result = *parts.result;
  const auto splits = static_cast<std::int64_t>(result.tree.splits());
  const bool tested = parts.path.front().test_score.has_value();
  const bool squared = result.tree.loss == Loss::squared;
  const char* const loss = squared ? "1 − R2" : result.tree.loss ? "deviance" : result.cost ? "cost" : "errors";
  const char* const score = squared ? "R2" : result.tree.loss ? "deviance explained" : "accuracy";
  std::string out = fmt::format(
      "<table class=\"list\"><tr><th class=\"n\">splits</th><th class=\"n\">{}</th><th class=\"n\">{} from alpha</th><th "
      "class=\"n\">to</th>{}</tr>",
      loss, result.status == Status::heuristic ? "best found" : "optimal",
      tested ? fmt::format("<th class=\"n\">{} on test rows</th>", score) : "");
  for (const PathCorner& corner : parts.path) {
    out += fmt::format("<tr{}><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.4g}</td><td class=\"n\">{}</td>{}</tr>",
                       corner.splits == splits ? " class=\"here\"" : "", corner.splits, explain::plain(corner.errors), corner.alpha_low,
                       std::isfinite(corner.alpha_high) ? fmt::format("{:.4g}", corner.alpha_high) : "∞",
                       tested ? fmt::format("<td class=\"n\">{}</td>", result.tree.loss ? fmt::format("{:.4f}", *corner.test_score)
                                                                                        : explain::percent(*corner.test_score))
                              : "");
  }
  return report::path_chart(parts.path, splits, loss) + out +
         std::string(
             "</table><p class=\"soft\">Alpha is the price of a split: within its prices, no tree of another size is better. Sizes "
             "that are missing are best at no price. Marked: this tree's size.") +
         (result.tree.loss && !squared ? " The deviance is a share of that without splits." : "") +
         (tested ? " Figures of test rows stand here without intervals.</p>" : "</p>");
}

}  // namespace treewright::report
