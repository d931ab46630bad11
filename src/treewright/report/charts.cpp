#include "treewright/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/explain/claims.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"
#include "treewright/export/svg.h"
#include "treewright/report/svg_parts.h"
#include "treewright/report/ticks.h"
#include "treewright/tree/levels.h"

namespace treewright::report {

namespace {

// The line between the two sides; their names keep within the picture.
std::string cut_at(double x, double bottom) {
  const double yes = std::max(x - 4, 26.0), no = std::min(std::max(x + 4, yes + 8), 290.0);
  return line(x, 6, x, bottom, "cut") + text(std::min(yes, no - 8), 12, "end", "yes", "side") + text(no, 12, "start", "no", "side");
}

// Levels that go left first, so that one line parts them.
std::vector<std::size_t> left_first(const CategorySplit& set) {
  std::vector<std::size_t> order;
  for (const bool left : {true, false}) {
    for (std::size_t i = 0; i < set.left.size(); ++i) {
      if (set.left[i] == left) order.push_back(i);
    }
  }
  return order;
}

std::vector<std::vector<double>> in_order(const Histogram& histogram, const std::vector<std::size_t>& order) {
  std::vector<std::vector<double>> weight(histogram.weight.size());
  for (std::size_t k = 0; k < weight.size(); ++k) {
    for (const std::size_t level : order) weight[k].push_back(histogram.weight[k][level]);
  }
  return weight;
}

double share_on_the_left(const CategorySplit& set) {
  return static_cast<double>(std::ranges::count(set.left, true)) / static_cast<double>(std::max<std::size_t>(1, set.left.size()));
}

std::string level_chart(const Histogram& histogram, const CategorySplit& set, const Tree& tree) {
  const std::vector<std::size_t> order = left_first(set);
  const double step = 300.0 / static_cast<double>(std::max<std::size_t>(1, order.size()));
  std::string out = stacked_bars(in_order(histogram, order), exports::color_class, 10, 300, 92, 76, std::min(6.0, step / 4));
  if (out.empty()) return "";
  out += line(10, 92, 310, 92, "axis");
  const auto fits = static_cast<std::size_t>(std::max(1.0, step / 7.5));
  for (std::size_t i = 0; i < order.size() && step >= 16; ++i) {
    out += text(10 + step * (static_cast<double>(i) + 0.5), 106, "middle",
                explain::shortened(explain::clean(tree.features[+set.feature].levels[order[i]]), fits));
  }
  return out + cut_at(10 + 300 * share_on_the_left(set), 98);
}

std::string value_chart(const Histogram& histogram, const Feature* date) {
  const auto at = [&](double value) { return 10 + 300 * std::clamp((value - histogram.low) / (histogram.high - histogram.low), 0.0, 1.0); };
  std::string out = stacked_bars(histogram.weight, exports::color_class, 10, 300, 92, 76, 1);
  if (out.empty()) return "";
  out += line(10, 92, 310, 92, "axis");
  const auto label = [&](double tick) { return date != nullptr ? explain::number_text(tick, *date) : explain::plain(tick); };
  for (const double tick : ticks_across(histogram.low, histogram.high, date != nullptr ? 3 : 4, 300, label, date != nullptr ? 1 : 0)) {
    out += line(at(tick), 92, at(tick), 95, "axis");
    // The first and the last one keep within the picture.
    const double middle = date != nullptr ? std::clamp(at(tick), 36.0, 284.0) : at(tick);
    out += text(middle, 106, "middle", label(tick));
  }
  if (!histogram.last_left || !histogram.first_right) return out;
  const double a = at(*histogram.last_left), b = at(*histogram.first_right);
  out += fmt::format("<rect class=\"band\" x=\"{:.1f}\" y=\"14\" width=\"{:.1f}\" height=\"78\"/>", a, std::max(0.0, b - a));
  return out + cut_at(at(histogram.threshold), 96);
}

}  // namespace

std::string histogram_chart(const Histogram& histogram, const Split& split, const Tree& tree) {
  const auto set = level_split(split.rule, tree);
  const AxisSplit* axis = split.axis();
  const Feature* date =
      axis != nullptr && tree.features[+axis->feature].notation == Notation::date ? &tree.features[+axis->feature] : nullptr;
  std::string out = set ? level_chart(histogram, *set, tree) : value_chart(histogram, date);
  double lacking = 0;
  for (const double w : histogram.missing) lacking += w;
  if (out.empty() && lacking == 0) return "";
  if (lacking > 0) {
    out += text(10, 124, "start", fmt::format("missing: {} (go to “{}”)", explain::plain(lacking), split.missing_left ? "yes" : "no"));
    out += exports::class_bar(histogram.missing, 200, 116, 110, 7);
  }
  return chart(320, lacking > 0 ? 128 : 110, "what the split sees", out);
}

std::string small_histogram(const Histogram& histogram, const Split& split, const Tree& tree) {
  constexpr double kWide = exports::kPictureWidth, kTall = exports::kPictureHeight;
  const auto set = level_split(split.rule, tree);
  const std::string bars =
      stacked_bars(set ? in_order(histogram, left_first(*set)) : histogram.weight, exports::color_class, 0, kWide, kTall, kTall - 2, 0.4);
  if (bars.empty() || (!set && !(histogram.last_left && histogram.first_right))) return "";
  const double share = set ? share_on_the_left(*set) : (histogram.threshold - histogram.low) / (histogram.high - histogram.low);
  const double at = kWide * std::clamp(share, 0.0, 1.0);
  return bars + line(0, kTall, kWide, kTall, "axis") + line(at, 0, at, kTall, "cut");
}

std::string progress_chart(const Result& result) {
  std::vector<Progress> points = result.history;
  if (points.size() < 2) return "";  // nothing happened
  points.push_back({result.seconds, result.objective, result.bound, ' '});
  // Errors and costs alone are shown as such. A heuristic has no bound.
  const bool counts = explain::counts_alone(*result.objective_function);
  const double unit = counts ? result.objective_function->error_scale() : 1;
  for (Progress& p : points) {
    p.incumbent *= unit;
    p.bound = result.status == Status::heuristic ? std::numeric_limits<double>::infinity() : p.bound * unit;
  }
  double low = result.objective * unit, high = low, first = result.seconds;
  for (const Progress& p : points) {
    if (std::isfinite(p.incumbent)) high = std::max(high, p.incumbent);
    if (std::isfinite(p.bound)) low = std::min(low, p.bound);
    if (p.seconds > 0) first = std::min(first, p.seconds);
  }
  first = std::max(first, 1e-6);
  const double last = std::max(result.seconds, first * 10);
  if (high <= low) return "";
  const double left = 56, right = 404, top = 36, bottom = 164;  // the first mark stands below the name of the axis
  // Most happens early: time is drawn by its logarithm.
  const auto x = [&](double seconds) {
    return left + (right - left) * std::clamp(std::log(seconds / first) / std::log(last / first), 0.0, 1.0);
  };
  const auto y = [&](double value) { return bottom - (bottom - top) * std::clamp((value - low) / (high - low), 0.0, 1.0); };
  std::string out = line(left, bottom, right, bottom, "axis") +
                    text(4, 14, "start",
                         !counts       ? "objective"
                         : result.cost ? "cost"
                                       : "errors") +
                    text(right, bottom + 30, "end", "time, logarithmic");
  for (const double tick : ticks(low, high, 4)) {
    out += line(left, y(tick), right, y(tick), "grid") + text(left - 6, y(tick) + 4, "end", explain::plain(tick));
  }
  for (int e = -6; e <= 6; ++e) {
    const double tick = std::pow(10.0, e);
    if (tick < first || tick > last) continue;
    out += line(x(tick), bottom, x(tick), bottom + 4, "axis") + text(x(tick), bottom + 16, "middle",
                                                                     e < -3  ? fmt::format("{:g} µs", tick * 1e6)
                                                                     : e < 0 ? fmt::format("{:g} ms", tick * 1e3)
                                                                             : fmt::format("{:g} s", tick));
  }
  std::string incumbent, bound, between, marks;
  double was_incumbent = std::numeric_limits<double>::infinity();
  // The two are named at the left, where they are farthest apart, but not over a mark.
  const double tree_at = y(points.front().incumbent), bound_at = y(points.front().bound);
  constexpr double kNameWidth = 60;
  double name_at = left + 26;
  for (const Progress& p : points) {
    if (std::isfinite(p.incumbent)) {
      if (!incumbent.empty()) incumbent += fmt::format("H{:.1f}", x(p.seconds));
      incumbent += fmt::format("{}{:.1f} {:.1f}", incumbent.empty() ? "M" : "L", x(p.seconds), y(p.incumbent));
    }
    if (std::isfinite(p.bound)) {
      if (!bound.empty()) bound += fmt::format("H{:.1f}", x(p.seconds));
      bound += fmt::format("{}{:.1f} {:.1f}", bound.empty() ? "M" : "L", x(p.seconds), y(p.bound));
    }
    if (p.source != ' ' && p.incumbent != was_incumbent) {
      const double at = x(p.seconds);
      marks += text(at, y(p.incumbent) - 6, "middle", std::string(1, p.source), "mark");
      if (std::abs(y(p.incumbent) - tree_at) < 16 && at > name_at - 8 && at < name_at + kNameWidth) name_at = at + 12;
    }
    was_incumbent = p.incumbent;
  }
  if (!bound.empty()) out += fmt::format("<path class=\"bound\" d=\"{}\"/>", bound);
  out += fmt::format("<path class=\"incumbent\" d=\"{}\"/>", incumbent) + marks;
  out += text(std::min(name_at, right - kNameWidth), tree_at - 6, "start", "best tree", "incumbent-name");
  if (std::isfinite(points.front().bound))
    out += text(left + (std::abs(tree_at - bound_at) < 16 ? 100 : 26), bound_at - 6, "start", "bound", "bound-name");
  return chart(420, 200, "objective of the best tree and proved bound over time", out);
}

std::string path_chart(const std::vector<PathCorner>& path, std::int64_t splits, const std::string& loss) {
  if (path.size() < 2) return "";
  const double left = 56, right = 404, top = 22, bottom = 150;
  double most = 1;  // a path over features may end with fewer splits than before
  for (const PathCorner& corner : path) most = std::max(most, static_cast<double>(corner.splits));
  const double least = std::min(0.0, path.back().errors), worst = std::max(path.front().errors, least + 1e-12);  // costs may be negative
  const auto x = [&](double s) { return left + (right - left) * s / most; };
  const auto y = [&](double errors) { return bottom - (bottom - top) * (errors - least) / (worst - least); };
  std::string out = line(left, bottom, right, bottom, "axis"), d;
  for (const double tick : ticks(least, worst, 4))
    out += line(left, y(tick), right, y(tick), "grid") + text(left - 6, y(tick) + 4, "end", explain::plain(tick));
  for (const double tick : ticks(0, most, 6, 1)) out += text(x(tick), bottom + 16, "middle", explain::plain(tick));
  for (const PathCorner& corner : path)
    d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x(static_cast<double>(corner.splits)), y(corner.errors));
  out += fmt::format("<path class=\"incumbent\" d=\"{}\"/>", d);
  for (const PathCorner& corner : path) {
    out += fmt::format("<circle class=\"dot{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", corner.splits == splits ? " here" : "",
                       x(static_cast<double>(corner.splits)), y(corner.errors), corner.splits == splits ? 6 : 3.5);
  }
  return chart(420, 186, loss + " against splits", out + text(right, bottom + 30, "end", "splits") + text(4, top - 8, "start", loss));
}

std::string reliability_chart(const std::vector<ReliabilityBin>& bins) {
  const double left = 40, right = 240, top = 22, bottom = 222;
  const auto x = [&](double share) { return left + (right - left) * share; };
  const auto y = [&](double share) { return bottom - (bottom - top) * share; };
  std::string out = line(left, bottom, right, bottom, "axis") + line(x(0), y(0), x(1), y(1), "cut") +
                    text(4, top - 8, "start", "observed") + text(right, bottom + 30, "end", "predicted");
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    out += line(left, y(tick), right, y(tick), "grid") + text(left - 6, y(tick) + 4, "end", fmt::format("{:.0f} %", 100 * tick));
    out += text(x(tick), bottom + 16, "middle", fmt::format("{:.0f} %", 100 * tick));
  }
  std::string points;
  for (const ReliabilityBin& bin : bins) {
    const Interval interval = bin.observed.interval();
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(bin.predicted), y(bin.observed.value()));
    out += line(x(bin.predicted), y(interval.low), x(bin.predicted), y(interval.high), "axis");
  }
  out += fmt::format("<polyline class=\"incumbent\" points=\"{}\"/>", points);
  for (const ReliabilityBin& bin : bins) {
    out += fmt::format(
        "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{} of {} rows came true, {:.1f} % expected</title></circle>",
        x(bin.predicted), y(bin.observed.value()), bin.observed.part_rows, bin.observed.whole_rows, 100 * bin.predicted);
  }
  return chart(260, 260, "observed shares by predicted probability", out);
}

}  // namespace treewright::report
