#include "treewright/report/number_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/export/svg.h"
#include "treewright/report/svg_parts.h"
#include "treewright/report/ticks.h"

namespace treewright::report {

namespace {

std::string number_label(double tick) {
  return explain::plain(tick);
}

constexpr std::size_t kNumberBins = 26;
constexpr double kFar = std::numeric_limits<double>::max() / 8;

// Those of the right side on those of the left one.
std::string two_bars(const NumberBins& left, const NumberBins& right, double from, double width, double bottom, double height, double gap) {
  std::vector<std::vector<double>> sides = {left.weight};
  if (!right.weight.empty()) sides.push_back(right.weight);
  const auto kind = [](std::size_t side) { return side == 0 ? "values" : "values other"; };
  return stacked_bars(sides, kind, from, width, bottom, height, gap);
}

double place(double value, double low, double high, double from, double width) {
  return from + width * std::clamp((value - low) / (high - low), 0.0, 1.0);
}

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double next = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (at - static_cast<double>(below)) * (next - sorted[below]);
}

struct Axes {
  static constexpr double kLeft = 62, kRight = 404, kTop = 20, kBottom = 250;
  double low, high, last = high;  // of what is seen, and of what is predicted

  double x(double value) const { return place(value, low, last, kLeft, kRight - kLeft); }
  double y(double value) const { return kBottom - (kBottom - kTop) * std::clamp((value - low) / (high - low), 0.0, 1.0); }

  // With both names, and the line on which predicted and seen are equal.
  std::string drawn() const {
    std::string out = line(kLeft, kBottom, kRight, kBottom, "axis") + line(kLeft, kBottom, x(high), y(last), "cut");
    for (const double tick : ticks(low, high, 4))
      out += line(kLeft, y(tick), kRight, y(tick), "grid") + text(kLeft - 6, y(tick) + 4, "end", explain::plain(tick));
    for (const double tick : ticks_across(low, last, 4, kRight - kLeft, number_label))
      out += text(std::clamp(x(tick), kLeft + 8, kRight - 16), kBottom + 16, "middle", number_label(tick));
    return out + text(kRight, kBottom + 32, "end", "predicted") + text(kLeft, kTop - 8, "end", "seen");
  }
};

}  // namespace

NumberBins bins_for(std::vector<double> values) {
  NumberBins bins;
  bins.weight.assign(kNumberBins, 0);
  if (values.empty()) return bins;
  std::sort(values.begin(), values.end());
  const std::size_t tail = values.size() / 100;
  bins.low = std::clamp(values[tail], -kFar, kFar);
  bins.high = std::clamp(values[values.size() - 1 - tail], -kFar, kFar);
  if (!((bins.high - bins.low) / kNumberBins > 0)) {
    const double half = std::max(0.5, 1e-6 * std::abs(bins.low));
    bins.low -= half, bins.high += half;
  }
  return bins;
}

void add(NumberBins& bins, double value, double weight) {
  const auto most = static_cast<double>(bins.weight.size() - 1);
  const double at = std::floor((value - bins.low) / (bins.high - bins.low) * static_cast<double>(bins.weight.size()));
  bins.weight[static_cast<std::size_t>(std::clamp(at, 0.0, most))] += weight;
}

std::string small_bins(const NumberBins& left, const NumberBins& right, double mark) {
  constexpr double kWide = exports::kPictureWidth, kTall = exports::kPictureHeight;
  const std::string bars = two_bars(left, right, 0, kWide, kTall, kTall - 2, 0.4);
  if (bars.empty()) return "";
  const double at = place(mark, left.low, left.high, 0, kWide);
  return bars + line(0, kTall, kWide, kTall, "axis") + line(at, 0, at, kTall, "cut");
}

std::string bins_chart(const NumberBins& left, const NumberBins& right, double mark, const std::string& what, bool sides) {
  std::string out = two_bars(left, right, 10, 300, 92, 74, 1);
  if (out.empty()) return "";
  out += line(10, 92, 310, 92, "axis");
  for (const double tick : ticks_across(left.low, left.high, 4, 300, number_label)) {
    const double at = place(tick, left.low, left.high, 10, 300);
    out += line(at, 92, at, 95, "axis") + text(std::clamp(at, 16.0, 294.0), 106, "middle", number_label(tick));
  }
  const double at = place(mark, left.low, left.high, 10, 300);
  out += line(at, 14, at, 96, "cut");
  if (sides)
    out += "<rect class=\"values\" x=\"10\" y=\"2\" width=\"9\" height=\"9\"/>" + text(23, 11, "start", "yes") +
           "<rect class=\"values other\" x=\"56\" y=\"2\" width=\"9\" height=\"9\"/>" + text(69, 11, "start", "no");
  return chart(320, 110, what, out);
}

std::string small_rate(double rate, const Interval& interval, double most) {
  constexpr double kWide = exports::kPictureWidth, kTall = exports::kPictureHeight, kMiddle = kTall / 2;
  const auto x = [&](double value) { return place(value, 0, most, 2, kWide - 4); };
  return line(0, kTall, kWide, kTall, "axis") + line(x(interval.low), kMiddle, x(interval.high), kMiddle, "span") +
         fmt::format("<circle class=\"values\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>", x(rate), kMiddle);
}

std::string seen_chart(const std::vector<SeenLeaf>& leaves) {
  std::vector<double> all;
  for (const SeenLeaf& leaf : leaves) all.insert(all.end(), leaf.seen.begin(), leaf.seen.end());
  if (all.size() < 2) return "";
  const NumberBins range = bins_for(all);
  Axes axes{range.low, range.high};
  for (const SeenLeaf& leaf : leaves) axes.low = std::min(axes.low, leaf.predicted), axes.high = std::max(axes.high, leaf.predicted);
  constexpr std::size_t kMostDots = 1200, kMostBoxes = 24;
  constexpr double kWide = 7, kGolden = 0.618033988749895;
  // Every so many-th of the sorted numbers, so that the dots are spread as all are.
  const std::size_t step = (all.size() + kMostDots - 1) / kMostDots;
  std::string dots, boxes;
  std::size_t number = 0;
  for (const SeenLeaf& leaf : leaves) {
    if (leaf.seen.empty()) continue;
    std::vector<double> sorted = leaf.seen;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = step / 2; i < sorted.size(); i += step) {
      const double aside = 2 * kWide * (std::fmod(static_cast<double>(++number) * kGolden, 1) - 0.5);
      dots += fmt::format("M{:.1f} {:.1f}h0", axes.x(leaf.predicted) + aside, axes.y(sorted[i]));
    }
    if (leaves.size() > kMostBoxes) continue;
    const double x = axes.x(leaf.predicted), upper = axes.y(quantile(sorted, 0.75)), lower = axes.y(quantile(sorted, 0.25)),
                 median = axes.y(quantile(sorted, 0.5));
    boxes += fmt::format("<g><title>{}</title><rect class=\"quartiles\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\"/>",
                         explain::escaped(leaf.words), x - kWide, upper, 2 * kWide, std::max(1.0, lower - upper)) +
             line(x - kWide, median, x + kWide, median, "median") + "</g>";
  }
  return chart(420, 290, "numbers seen over the numbers predicted",
               axes.drawn() + fmt::format("<path class=\"points\" d=\"{}\"/>", dots) + boxes);
}

std::string rates_chart(const std::vector<SeenLeaf>& leaves, const std::string& what) {
  double most = 0, highest = 0, most_predicted = 0;
  for (const SeenLeaf& leaf : leaves) {
    most_predicted = std::max(most_predicted, leaf.predicted);
    most = std::max({most, leaf.predicted, leaf.observed});
    highest = std::max(highest, leaf.interval.high);
  }
  if (!(most > 0)) return "";
  if (!(most_predicted > 0)) most_predicted = most;
  // An interval that is far wider than the others are high goes on beyond the chart, which an arrow says.
  constexpr double kRoom = 1.05, kFarthest = 4;
  const Axes axes{0, kRoom * std::clamp(highest, most, kFarthest * most), kRoom * most_predicted};
  std::string points;
  for (const SeenLeaf& leaf : leaves) {
    const double x = axes.x(leaf.predicted);
    if (leaf.interval.high > axes.high)
      points += fmt::format("<path class=\"span beyond\" d=\"M{:.1f} {:.1f}l5 -7l5 7\"/>", x - 5, axes.kTop + 7);
    points += line(x, axes.y(leaf.interval.low), x, axes.y(leaf.interval.high), "span") +
              fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{}</title></circle>", x, axes.y(leaf.observed),
                          explain::escaped(leaf.words));
  }
  return chart(420, 290, what + "s seen over the " + what + "s predicted", axes.drawn() + points);
}

}  // namespace treewright::report
