// The trade-off between two kinds of errors, for a reader who moves along it: the picture, a line for each corner and its tree. All of it
// can be read with scripts off; report.js adds the slider and shows the tree of one corner at a time.

#include "treewright/report/trade_off_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/report/choices.h"

namespace treewright::report {

namespace {

std::string ratios(const TradeOffCorner& corner) {
  if (!std::isfinite(corner.ratio_high)) return corner.ratio_low == 0 ? "any" : fmt::format("from {:.4g}", corner.ratio_low);
  return corner.ratio_low == 0 ? fmt::format("to {:.4g}", corner.ratio_high)
                               : fmt::format("{:.4g} to {:.4g}", corner.ratio_low, corner.ratio_high);
}

// Whether it makes as many errors of each kind. Class weights may be in the weights of the page's rows, and are not in the corner's.
bool is_as_good_as_page(const ReportParts& parts, const TradeOffCorner& corner) {
  const std::int32_t positive = parts.trade_off->positive;
  const ErrorPair here = error_pair(parts.result->tree, *parts.train, positive);
  const std::vector<double>& weights = parts.train->reading.class_weights;
  const auto equal = [&](double of_page, double of_corner, std::int32_t truth) {
    const double expected = of_corner * (weights.empty() ? 1 : weights[static_cast<std::size_t>(truth)]);
    return std::abs(of_page - expected) <= 1e-9 * std::max(1.0, expected);
  };
  return equal(here.false_positives, corner.errors.false_positives, 1 - positive) &&
         equal(here.false_negatives, corner.errors.false_negatives, positive);
}

// The two numbers of errors there: a cell.
std::string on_test_rows(const Tree& tree, const Dataset* test, std::int32_t positive) {
  if (test == nullptr) return "";
  const ErrorPair errors = error_pair(tree, *test, positive);
  return fmt::format("<td class=\"n\">{}, {}</td>", explain::plain(errors.false_positives), explain::plain(errors.false_negatives));
}

}  // namespace

std::string trade_off_panel(const ReportParts& parts) {
  if (parts.trade_off == nullptr || parts.trade_off->corners.empty()) return "";
  const TradeOff& found = *parts.trade_off;
  const Tree& any = found.corners.front().result.tree;
  const std::string positive = explain::escaped(any.class_names[static_cast<std::size_t>(found.positive)]);
  TradeOffExtras extras;
  extras.greedy = parts.greedy;
  std::string rows, trees;
  for (std::size_t i = 0; i < found.corners.size(); ++i) {
    const TradeOffCorner& corner = found.corners[i];
    const bool here = !extras.chosen && is_as_good_as_page(parts, corner);
    if (here) extras.chosen = i;
    const std::string numbers =
        fmt::format("<td class=\"n\">{}</td><td class=\"n\">{}</td>{}<td class=\"n\">{}</td><td class=\"n\">{}</td>",
                    explain::plain(corner.errors.false_positives), explain::plain(corner.errors.false_negatives),
                    on_test_rows(corner.result.tree, parts.test, found.positive), ratios(corner), corner.result.tree.splits());
    rows += fmt::format("<tr data-choice=\"{}\"{}><td class=\"n\">{}</td>{}<td>{}</td></tr>", i, here ? " class=\"here\"" : "", i + 1,
                        numbers, here ? "this tree" : "");
    const std::string line =
        fmt::format("Tree {}: {} false positives, {} missed (its percentages count a missed row as often as it costs)", i + 1,
                    explain::plain(corner.errors.false_positives), explain::plain(corner.errors.false_negatives));
    trees += choice_drawing(i, line, called_as(corner.result.tree, parts.result->tree), "t");
  }
  const char* const proved = found.status == Status::optimal ? "each is proved, and none is missing"
                                                             : "the time ended before all were found; the shaded region is proved";
  return fmt::format(
      "<p class=\"soft\">How many false positives is a missed row of “{0}” as bad as? For each answer the best tree is listed: {1}. No "
      "tree of depth {2} lies in the "
      "shaded region.</p>"
      "<div class=\"pair\"><div class=\"stage\">{3}</div><div class=\"moving\">{6}"
      "<table class=\"list\"><tr><th class=\"n\">tree</th><th class=\"n\">false<br>positives</th><th class=\"n\">missed</th>{7}"
      "<th class=\"n\">a missed row<br>is worth</th><th class=\"n\">splits</th><th></th></tr>{4}</table></div></div><div "
      "class=\"several\">{5}</div>",
      positive, proved, found.corners.front().result.max_depth, trade_off_drawing(found, extras), rows, trees,
      choice_slider("tree of the trade-off", "fewer false positives", "fewer missed"),
      parts.test == nullptr ? "" : "<th class=\"n\">both on<br>test rows</th>");
}

}  // namespace treewright::report
