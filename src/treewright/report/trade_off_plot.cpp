// The trade-off as a picture: false positives to the right, false negatives upwards. Below and left of the certified line is what no tree
// reaches. The two ends of the hull are often the leaves that label all rows alike, far away from all other corners: then the axis ends
// where the others do, and the line leaves the picture.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/report.h"
#include "treewright/report/ticks.h"
#include "treewright/report/trade_off_panel.h"

namespace treewright {

namespace {

constexpr double kWidth = 760, kHeight = 520, kLeft = 64, kRight = 24, kTop = 48, kBottom = 56;

// Every rule speaks of the picture alone, which may stand in a page.
constexpr const char* kStyle =
    "<style>\n"
    ".trade-off { --page: #fff; --ink: #1b1f26; --soft: #626a76; --line: #e2e2dc; --accent: #0b62a8; --bad: #b3420b; --other: #7a4a9e;\n"
    "  background: var(--page); font: 12px system-ui, -apple-system, \"Segoe UI\", Helvetica, Arial, sans-serif; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  .trade-off { --page: #1b1e25; --ink: #e9e9e6; --soft: #9aa2af; --line: #2d313a; --accent: #6db8f2; --bad: #f08a52; --other: "
    "#c79ae6; "
    "}\n}\n"
    ".trade-off text { fill: var(--soft); } .trade-off .name { fill: var(--ink); }\n"
    ".trade-off .title { fill: var(--ink); font-size: 14px; font-weight: 600; }\n"
    ".trade-off .grid { stroke: var(--line); } .trade-off .axis { fill: none; stroke: var(--soft); }\n"
    ".trade-off .forbidden { fill: var(--bad); fill-opacity: .13; }\n"
    ".trade-off .certified { fill: none; stroke: var(--bad); stroke-width: 1.5; } .trade-off .open { stroke-dasharray: 5 3; }\n"
    ".trade-off .found { fill: none; stroke: var(--accent); stroke-width: 2; }\n"
    ".trade-off .corner { fill: var(--page); stroke: var(--accent); stroke-width: 2; } .trade-off .chosen { fill: var(--accent); }\n"
    ".trade-off .number { fill: var(--accent); font-weight: 600; }\n"
    ".trade-off .greedy { fill: none; stroke: var(--other); stroke-width: 1.2; } .trade-off .thin { stroke-dasharray: 2 3; } .trade-off "
    ".mark { pointer-events: none; }\n"
    ".trade-off .tested { fill: none; stroke: var(--ink); stroke-width: 1.2; }\n</style>\n";

// Where an axis ends: behind the last corner, or behind the one before where that is much nearer.
double axis_end(double last, double before) {
  if (before > 0 && last > 3 * before) return 1.6 * before;
  return last > 0 ? 1.06 * last : 1;
}

class Picture {
 public:
  Picture(const TradeOff& trade_off, const TradeOffExtras& extras) : of_(trade_off), extras_(extras) {
    const std::size_t n = of_.corners.size(), next = n > 1 ? n - 2 : 0;
    const auto at = [&](std::size_t i) { return of_.corners[i].errors; };
    most_x_ = axis_end(at(n - 1).false_positives, at(next).false_positives);
    most_y_ = axis_end(at(0).false_negatives, at(std::min<std::size_t>(1, n - 1)).false_negatives);
  }

  std::string drawn() const {
    std::string out = fmt::format(
        "<svg class=\"trade-off\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n{2}<clipPath id=\"trade-off-plot\"><rect x=\"{3}\" y=\"{4}\" width=\"{5}\" "
        "height=\"{6}\"/></clipPath>\n",
        kWidth, kHeight, kStyle, kLeft - 8, kTop - 8, kWidth - kLeft - kRight + 16, kHeight - kTop - kBottom + 16);
    return out + title() + grid() + lines() + marks() + legend() + "</svg>\n";
  }

 private:
  double x(double errors) const { return kLeft + errors / most_x_ * (kWidth - kLeft - kRight); }
  double y(double errors) const { return kHeight - kBottom - errors / most_y_ * (kHeight - kTop - kBottom); }

  const Result& any() const { return of_.corners.front().result; }
  std::string positive() const { return explain::clean(any().tree.class_names[static_cast<std::size_t>(of_.positive)]); }
  std::string negative() const { return explain::clean(any().tree.class_names[static_cast<std::size_t>(1 - of_.positive)]); }
  bool proved() const { return of_.status == Status::optimal; }

  static std::string text(double at_x, double at_y, const char* anchor, const std::string& content, const char* kind = "") {
    return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", kind, at_x, at_y, anchor,
                       explain::escaped(content));
  }

  std::string title() const {
    const std::string limits = fmt::format("depth at most {}{}", any().max_depth,
                                           any().max_splits < 0 ? "" : fmt::format(", at most {} splits", any().max_splits));
    return text(kLeft, 22, "start", fmt::format("What trees of {} can reach on the training rows", limits), "title");
  }

  std::string grid() const {
    std::string out;
    const double right = kWidth - kRight, bottom = kHeight - kBottom;
    for (const double tick : report::ticks(0, most_x_, 7)) {
      out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\"/>\n", x(tick), kTop, bottom);
      out += text(x(tick), bottom + 17, "middle", explain::plain(tick));
    }
    for (const double tick : report::ticks(0, most_y_, 6)) {
      out += fmt::format("<line class=\"grid\" x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\"/>\n", y(tick), kLeft, right);
      out += text(kLeft - 8, y(tick) + 4, "end", explain::plain(tick));
    }
    out += fmt::format("<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>\n", kLeft, kTop, bottom, right);
    const std::string no = explain::shortened(negative(), 30), yes = explain::shortened(positive(), 30);
    out += text(right, bottom + 40, "end", fmt::format("false positives: “{}” labeled “{}”", no, yes), "name");
    return out + text(kLeft, kTop - 10, "start", fmt::format("false negatives: “{}” missed", yes), "name");
  }

  // Through the points, as far as they are in the picture.
  std::string path(const std::vector<ErrorPair>& points) const {
    std::string d;
    for (const ErrorPair& p : points)
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x(p.false_positives), y(p.false_negatives));
    return d;
  }

  std::string lines() const {
    std::vector<ErrorPair> found;
    for (const TradeOffCorner& corner : of_.corners) found.push_back(corner.errors);
    std::string out = "<g clip-path=\"url(#trade-off-plot)\">\n";
    out += fmt::format("<path class=\"forbidden\" d=\"{}L{:.1f} {:.1f}Z\"/>\n", path(of_.frontier), x(0), y(0));
    if (extras_.greedy.size() > 1) out += fmt::format("<path class=\"greedy thin\" d=\"{}\"/>\n", path(extras_.greedy));
    if (!proved()) out += fmt::format("<path class=\"certified open\" d=\"{}\"/>\n", path(of_.frontier));
    return out + fmt::format("<path class=\"found\" d=\"{}\"/>\n</g>\n", path(found));
  }

  bool inside(const ErrorPair& p) const { return p.false_positives <= most_x_ && p.false_negatives <= most_y_; }

  static std::string greedy_mark(double at_x, double at_y) {
    return fmt::format("<path class=\"greedy mark\" d=\"M{:.1f} {:.1f}l7.5 13h-15z\"/>\n", at_x, at_y - 9);
  }
  static std::string tested_mark(double at_x, double at_y) {
    return fmt::format("<path class=\"tested\" d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\"/>\n", at_x - 4, at_y - 4);
  }

  std::string marks() const {
    std::string out;
    for (const ErrorPair& p : extras_.tested)
      if (inside(p)) out += tested_mark(x(p.false_positives), y(p.false_negatives));
    double was_x = -100, was_y = -100;
    for (std::size_t i = 0; i < of_.corners.size(); ++i) {
      const TradeOffCorner& corner = of_.corners[i];
      if (!inside(corner.errors)) continue;
      const double at_x = x(corner.errors.false_positives), at_y = y(corner.errors.false_negatives);
      const bool here = extras_.chosen == i;
      out += fmt::format(
          "<circle class=\"corner{}\" data-choice=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>tree {}: {} false positives, {} "
          "missed</title></circle>\n",
          here ? " chosen" : "", i, at_x, at_y, here ? 6 : 4, i + 1, explain::plain(corner.errors.false_positives),
          explain::plain(corner.errors.false_negatives));
      if (std::hypot(at_x - was_x, at_y - was_y) < 17 && !here) continue;
      out += text(at_x + 7, at_y - 6, "start", std::to_string(i + 1), "number");
      was_x = at_x, was_y = at_y;
    }
    // Around the circles: where CART reaches a corner, both are seen.
    for (const ErrorPair& p : extras_.greedy)
      if (inside(p)) out += greedy_mark(x(p.false_positives), y(p.false_negatives));
    return out;
  }

  std::string legend() const {
    std::vector<std::pair<std::string, std::string>> entries;  // a mark around (0, 0), and its name
    entries.emplace_back("<rect class=\"forbidden\" x=\"-8\" y=\"-6\" width=\"16\" height=\"12\"/>\n",
                         fmt::format("no tree of depth {} gets below this line", any().max_depth));
    if (!proved()) entries.emplace_back("<path class=\"certified open\" d=\"M-8 0H8\"/>\n", "certified line; what lies above is open");
    entries.emplace_back("<circle class=\"corner\" r=\"4\"/>\n",
                         proved() ? "optimal trees, one for each range of ratios" : "best trees found");
    if (!extras_.greedy.empty()) entries.emplace_back(greedy_mark(0, 1), "CART, class weights of the same ratios");
    if (!extras_.tested.empty()) entries.emplace_back(tested_mark(0, 0), "these trees on test rows, scaled");
    std::string out;
    double at = kTop + 14;
    for (const auto& [mark, name] : entries) {
      out += fmt::format("<g transform=\"translate({} {})\">{}</g>\n", kWidth - kRight - 10, at, mark);
      out += text(kWidth - kRight - 24, at + 4, "end", name, "name");
      at += 25;
    }
    return out;
  }

  const TradeOff& of_;
  const TradeOffExtras& extras_;
  double most_x_ = 1, most_y_ = 1;
};

}  // namespace

std::string report::trade_off_drawing(const TradeOff& trade_off, const TradeOffExtras& extras) {
  return Picture(trade_off, extras).drawn();
}

std::string to_svg(const TradeOff& trade_off, const TradeOffExtras& extras) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + report::trade_off_drawing(trade_off, extras);
}

}  // namespace treewright
