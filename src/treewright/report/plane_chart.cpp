// A split on two columns as a picture of the plane, in which it is a line.

#include "treewright/report/plane_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"
#include "treewright/export/svg.h"
#include "treewright/report/svg_parts.h"
#include "treewright/report/ticks.h"

namespace treewright::report {

namespace {

constexpr std::size_t kAcross = 24, kUp = 16;
constexpr double kFieldLeft = 52, kFieldRight = 310, kFieldTop = 22, kFieldBottom = 190;
constexpr double kFarthestEdge = 1e300;  // an edge: the distance of two must not overflow
constexpr std::size_t kLongestName = 36;

const HyperplaneSplit* drawn_plane(const Split& split, const Dataset& data) {
  const HyperplaneSplit* plane = split.plane();
  if (plane == nullptr || plane->terms.size() != 2) return nullptr;
  const auto numeric = [&](const auto& term) { return term.level < 0 && !data.columns[+term.feature].has_levels(); };
  return std::ranges::all_of(plane->terms, numeric) ? plane : nullptr;
}

std::size_t cell_of(double value, double low, double high, std::size_t cells) {
  const double part = (value / 2 - low / 2) / (high / 2 - low / 2);
  return static_cast<std::size_t>(std::clamp(std::floor(part * static_cast<double>(cells)), 0.0, static_cast<double>(cells - 1)));
}

struct Point {
  double x, y;
};

// Where the line enters and leaves the picture, whose sides are 0 and 1, and where "yes" lies as seen from it; nothing if it passes by.
struct Line {
  Point from, to, yes;
};

std::optional<Line> line_through(const PlaneCells& cells, const HyperplaneSplit& plane) {
  // a x + b y < c
  const double a = plane.terms[0].weight * (cells.high[0] - cells.low[0]), b = plane.terms[1].weight * (cells.high[1] - cells.low[1]);
  const double c = plane.threshold - plane.terms[0].weight * cells.low[0] - plane.terms[1].weight * cells.low[1];
  std::vector<Point> ends;
  const auto add = [&](Point end) {
    if (end.x >= 0 && end.x <= 1 && end.y >= 0 && end.y <= 1) ends.push_back(end);
  };
  for (const double side : {0.0, 1.0}) {
    add({side, (c - a * side) / b});
    add({(c - b * side) / a, side});
  }
  if (ends.size() < 2) return std::nullopt;
  const auto along = [&](const Point& end) { return end.x - (a * b > 0 ? end.y : -end.y); };
  const auto [least, most] =
      std::minmax_element(ends.begin(), ends.end(), [&](const Point& p, const Point& q) { return along(p) < along(q); });
  return Line{*least, *most, {-a, -b}};
}

double across(double part) {
  return kFieldLeft + (kFieldRight - kFieldLeft) * part;
}
double upward(double part) {
  return kFieldBottom - (kFieldBottom - kFieldTop) * part;
}

std::string line_chart(const Line& cut) {
  const double wide = kFieldRight - kFieldLeft, tall = kFieldBottom - kFieldTop;
  double dx = cut.yes.x / wide, dy = -cut.yes.y / tall;  // square to the line as drawn
  const double length = std::hypot(dx, dy);
  dx *= 14 / length, dy *= 14 / length;
  const double x = across((cut.from.x + cut.to.x) / 2), y = upward((cut.from.y + cut.to.y) / 2);
  std::string out = line(across(cut.from.x), upward(cut.from.y), across(cut.to.x), upward(cut.to.y), "cut");
  for (const auto& [sign, word] : {std::pair(1, "yes"), std::pair(-1, "no")}) {
    out += text(std::clamp(x + sign * dx, kFieldLeft + 12, kFieldRight - 12),
                std::clamp(y + sign * dy + 4, kFieldTop + 12, kFieldBottom - 4), "middle", word, "side");
  }
  return out;
}

std::string squares(const PlaneCells& cells) {
  const double wide = (kFieldRight - kFieldLeft) / kAcross, tall = (kFieldBottom - kFieldTop) / kUp;
  std::vector<double> total(kAcross * kUp, 0.0);
  for (const auto& of_class : cells.weight) {
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += of_class[i];
  }
  const double most = std::ranges::max(total);
  std::vector<double> drawn(total.size(), 0.0);
  std::string out;
  for (std::size_t k = 0; k < cells.weight.size(); ++k) {
    std::string path;
    for (std::size_t i = 0; i < total.size(); ++i) {
      if (cells.weight[k][i] <= 0) continue;
      const double part = std::max(0.3, std::sqrt(total[i] / most)), side = part * tall * 0.94, high = side * cells.weight[k][i] / total[i];
      const double x = kFieldLeft + wide * (static_cast<double>(i % kAcross) + 0.5) - side / 2;
      const double y = kFieldBottom - tall * (static_cast<double>(i / kAcross) + 0.5) + side / 2 - drawn[i];
      path += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", x, y, side, -high, -side);
      drawn[i] += high;
    }
    if (!path.empty()) out += fmt::format("<path class=\"{}\" d=\"{}\"/>", exports::color_class(k), path);
  }
  return out;
}

std::string tick_text(double tick, const Feature& feature) {
  return feature.notation == Notation::date ? explain::number_text(tick, feature) : explain::plain(tick);
}

std::string axes(const PlaneCells& cells, const Feature& x, const Feature& y) {
  const auto named = [](const Feature& feature) { return explain::shortened(explain::clean(feature.name), kLongestName); };
  std::string out =
      line(kFieldLeft, kFieldBottom, kFieldRight, kFieldBottom, "axis") + line(kFieldLeft, kFieldTop, kFieldLeft, kFieldBottom, "axis");
  for (const double tick : ticks(cells.low[0], cells.high[0], x.notation == Notation::date ? 2 : 4)) {
    const double at = across((tick - cells.low[0]) / (cells.high[0] - cells.low[0]));
    out += line(at, kFieldBottom, at, kFieldBottom + 3, "axis") +
           text(std::min(at, kFieldRight - 12), kFieldBottom + 15, "middle", tick_text(tick, x));
  }
  for (const double tick : ticks(cells.low[1], cells.high[1], 4)) {
    const double at = upward((tick - cells.low[1]) / (cells.high[1] - cells.low[1]));
    out += line(kFieldLeft - 3, at, kFieldLeft, at, "axis") + text(kFieldLeft - 6, at + 4, "end", tick_text(tick, y));
  }
  return out + text(kFieldRight, kFieldBottom + 30, "end", named(x) + " →") + text(4, 12, "start", "↑ " + named(y));
}

}  // namespace

std::optional<PlaneCells> plane_cells(const Split& split, const Dataset& data, const std::vector<std::size_t>& rows) {
  const HyperplaneSplit* plane = drawn_plane(split, data);
  if (plane == nullptr) return std::nullopt;
  std::vector<std::size_t> known;
  std::vector<double> values[2];
  for (const std::size_t row : rows) {
    const double x = term_value(plane->terms[0], data, row), y = term_value(plane->terms[1], data, row);
    if (std::isnan(x) || std::isnan(y)) continue;
    known.push_back(row);
    values[0].push_back(x);
    values[1].push_back(y);
  }
  if (known.empty()) return std::nullopt;
  PlaneCells cells;
  for (const int i : {0, 1}) {
    std::vector<double> sorted = values[i];
    std::ranges::sort(sorted);
    const auto [low, high] = central_range(sorted);
    cells.low[i] = std::clamp(low, -kFarthestEdge, kFarthestEdge);
    cells.high[i] = std::clamp(high, -kFarthestEdge, kFarthestEdge);
    if (!(cells.high[i] / 2 - cells.low[i] / 2 > 0)) return std::nullopt;
  }
  cells.weight.assign(data.classes(), std::vector<double>(kAcross * kUp, 0.0));
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::size_t column = cell_of(values[0][i], cells.low[0], cells.high[0], kAcross);
    const std::size_t line = cell_of(values[1][i], cells.low[1], cells.high[1], kUp);
    cells.weight[data.labels[known[i]]][line * kAcross + column] += data.weight(known[i]);
  }
  return cells;
}

std::string plane_chart(const PlaneCells& cells, const Split& split, const Tree& tree) {
  const HyperplaneSplit& plane = *split.plane();
  const std::optional<Line> cut = line_through(cells, plane);
  const Feature &x = tree.features[+plane.terms[0].feature], &y = tree.features[+plane.terms[1].feature];
  return chart(320, 224, "the two columns and the line between yes and no",
               squares(cells) + axes(cells, x, y) + (cut ? line_chart(*cut) : ""));
}

}  // namespace treewright::report
