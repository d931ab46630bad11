#include "treewright/report/survival_charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "treewright/explain.h"
#include "treewright/export/svg.h"
#include "treewright/report/svg_parts.h"
#include "treewright/report/ticks.h"

namespace treewright::report {

namespace {

// It falls at each step, and ends where nobody is observed any more.
template <class X, class Y>
std::string path_of(const std::vector<SurvivalStep>& steps, double end, const X& x, const Y& y) {
  std::string path = fmt::format("M{:.1f} {:.1f}", x(0), y(1));
  for (const SurvivalStep& step : steps) path += fmt::format("H{:.1f}V{:.1f}", x(step.time), y(step.share));
  return path + fmt::format("H{:.1f}", x(std::max(end, steps.empty() ? 0.0 : steps.back().time)));
}

}  // namespace

std::string series_class(std::size_t series) {
  constexpr std::size_t kApart = 8;  // colors that everybody can tell apart; further series are dashed
  return fmt::format("curve {}{}", exports::color_class(series % kApart),
                     series < kApart       ? ""
                     : series < 2 * kApart ? " dashed"
                                           : " dotted");
}

std::string series_key(std::size_t series) {
  return fmt::format("<svg class=\"key\" viewBox=\"0 0 22 10\" aria-hidden=\"true\"><path class=\"{}\" d=\"M0 5h22\"/></svg>",
                     series_class(series));
}

std::string curves_chart(const std::vector<LeafCurve>& leaves, double most, const std::string& time) {
  if (!(most > 0)) return "";
  constexpr double kLeft = 46, kRight = 546, kTop = 12, kBottom = 262;
  const auto x = [&](double at) { return kLeft + (kRight - kLeft) * std::clamp(at / most, 0.0, 1.0); };
  const auto y = [&](double share) { return kBottom - (kBottom - kTop) * std::clamp(share, 0.0, 1.0); };
  std::string out = line(kLeft, kBottom, kRight, kBottom, "axis");
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0})
    out += line(kLeft, y(tick), kRight, y(tick), "grid") + text(kLeft - 6, y(tick) + 4, "end", fmt::format("{:.0f} %", 100 * tick));
  for (const double tick : ticks(0, most, 6)) {
    out += line(x(tick), kBottom, x(tick), kBottom + 4, "axis") +
           text(std::min(x(tick), kRight - 10), kBottom + 17, "middle", explain::plain(tick));
  }
  out += text(kRight, kBottom + 33, "end", explain::shortened(explain::clean(time), 60));
  for (const LeafCurve& leaf : leaves) {
    out += fmt::format("<path class=\"{}\" d=\"{}\"><title>{}</title></path>", series_class(leaf.series),
                       path_of(leaf.steps, leaf.end, x, y), explain::escaped(leaf.words));
  }
  return chart(560, 300, "share without the event over time, of the rows of each leaf", out);
}

std::string small_curve(const std::vector<SurvivalStep>& steps, double end, double most, const std::string& kind) {
  if (!(most > 0)) return "";
  constexpr double kWide = exports::kPictureWidth, kTall = exports::kPictureHeight;
  const auto x = [&](double at) { return kWide * std::clamp(at / most, 0.0, 1.0); };
  const auto y = [&](double share) { return kTall - 1 - (kTall - 3) * std::clamp(share, 0.0, 1.0); };
  return line(0, kTall, kWide, kTall, "axis") + fmt::format("<path class=\"{}\" d=\"{}\"/>", kind, path_of(steps, end, x, y));
}

}  // namespace treewright::report
