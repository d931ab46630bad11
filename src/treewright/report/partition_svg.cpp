// Clusters of rows with two features as a picture, like the figures of Ales, Hure & Lambert 2024.
//
// Hulls by Andrew's monotone chain (1979), n log n for a cluster. Their outlines are thick with round joins, so two rows, or rows on a
// line, also show as a line.

#include "treewright/report/partition_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/error.h"
#include "treewright/explain/markup.h"
#include "treewright/export/svg.h"

namespace treewright::report {

namespace {

constexpr double kWidth = 720, kHeight = 560, kLeft = 64, kRight = 20, kTop = 40, kBottom = 52;

struct Place {
  double x, y;
  auto operator<=>(const Place&) const = default;
};

// Corners of the convex hull, in order; all places where there are fewer than three.
std::vector<Place> hull_of(std::vector<Place> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (places.size() < 3) return places;
  const auto turns_right = [](const Place& a, const Place& b, const Place& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 0;
  };
  std::vector<Place> hull;
  for (const bool lower : {true, false}) {
    const std::size_t begin = hull.size();
    for (const Place& place : places) {
      while (hull.size() >= begin + 2 && turns_right(hull[hull.size() - 2], hull.back(), place)) hull.pop_back();
      hull.push_back(place);
    }
    hull.pop_back();
    if (lower) std::reverse(places.begin(), places.end());
  }
  return hull;
}

// One column along one side of the picture.
struct Axis {
  double low = std::numeric_limits<double>::infinity(), high = -low, from, to;

  Axis(const Column& column, double begin, double end) : from(begin), to(end) {
    for (const double value : column.values) {
      if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
    }
  }
  double at(double value) const {
    return low < high ? from + (to - from) * ((value / 2 - low / 2) / (high / 2 - low / 2)) : (from + to) / 2;
  }
};

std::string axis_labels(const Axis& x, const Axis& y, const Dataset& data) {
  std::string out;
  for (int i = 0; i <= 4; ++i) {
    const double part = i / 4.0, of_x = x.low * (1 - part) + x.high * part, of_y = y.low * (1 - part) + y.high * part;
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.4g}</text>\n", x.at(of_x), kHeight - kBottom + 22, of_x);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n", kLeft - 12, y.at(of_y) + 4, of_y);
  }
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (kLeft + kWidth - kRight) / 2, kHeight - 10,
                     explain::escaped(explain::shortened(explain::clean(data.columns[0].name), 60)));
  const double middle = (kTop + kHeight - kBottom) / 2;
  return out + fmt::format("<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1f})\">{1}</text>\n", middle,
                           explain::escaped(explain::shortened(explain::clean(data.columns[1].name), 60)));
}

std::string legend(const Dataset& data) {
  std::string out;
  double x = kLeft;
  for (std::size_t k = 0; k < data.classes() && x < kWidth - 120; ++k) {
    const std::string name = explain::shortened(explain::clean(data.class_names[k]), 24);
    out += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"18\" r=\"5\"/><text x=\"{:.1f}\" y=\"22\">{}</text>\n",
                       exports::color_class(k), x, x + 9, explain::escaped(name));
    x += 30 + 7.4 * static_cast<double>(explain::characters(name));
  }
  return out;
}

}  // namespace

std::string to_svg(const Dataset& data, const reduce::DataPartition& partition) {
  const auto is_numeric = [](const Column& column) { return !column.has_levels(); };
  if (data.features() != 2 || !std::all_of(data.columns.begin(), data.columns.end(), is_numeric)) {
    throw Error("the picture of the clusters",
                fmt::format("needs two numeric columns besides the target; columns in the data: {}{}", data.features(),
                            data.features() == 2 ? ", not both numeric" : ""),
                "leave the others out with --drop");
  }
  const Axis x(data.columns[0], kLeft, kWidth - kRight), y(data.columns[1], kHeight - kBottom, kTop);
  const auto place_of = [&](const Dataset& rows, std::size_t row) {
    return Place{x.at(rows.columns[0].values[row]), y.at(rows.columns[1].values[row])};
  };
  const Dataset centers = reduce::barycenters(data, partition);
  std::string hulls, dots, rings;
  for (std::size_t g = 0; g < partition.size(); ++g) {
    const std::string color = exports::color_class(centers.labels[g]);
    std::vector<Place> places;
    for (const std::int32_t row : partition.clusters[g]) {
      if (data.columns[0].missing(row) || data.columns[1].missing(row)) continue;
      places.push_back(place_of(data, row));
      dots += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>\n", exports::color_class(data.labels[row]),
                          places.back().x, places.back().y);
    }
    if (places.size() < 2) continue;
    std::string path;
    for (const Place& corner : hull_of(places)) path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", corner.x, corner.y);
    hulls += fmt::format("<g class=\"hull {}\"><title>cluster {}: {} rows, {}</title><path d=\"{}Z\"/></g>\n", color, g, places.size(),
                         explain::escaped(explain::clean(data.class_names[centers.labels[g]])), path);
    const Place center = place_of(centers, g);
    if (!std::isnan(center.x) && !std::isnan(center.y)) {
      rings += fmt::format("<circle class=\"ring\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.4\"/>\n", center.x, center.y);
    }
  }
  const std::string count = fmt::format("{} rows in {} clusters", data.rows(), partition.size());
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n<style>\n{2}.hull path {{ fill-opacity: .16; stroke: var(--k); "
      "stroke-opacity: "
      ".55; stroke-width: 7; stroke-linejoin: round; }}\n.ring {{ fill: none; stroke: #1b1f26; stroke-width: 1.3; }}\ntext {{ fill: "
      "#1b1f26; "
      "}}\n</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n<rect x=\"{3}\" y=\"{4}\" width=\"{5}\" height=\"{6}\" "
      "fill=\"none\" "
      "stroke=\"#c3c7cf\"/>\n{7}{8}<text x=\"{9}\" y=\"22\" text-anchor=\"end\">{10}</text>\n{11}{12}{13}</svg>\n",
      kWidth, kHeight, exports::palette_css(), kLeft - 8, kTop - 8, kWidth - kLeft - kRight + 16, kHeight - kTop - kBottom + 16,
      axis_labels(x, y, data), legend(data), kWidth - kRight, count, hulls, dots, rings);
}

}  // namespace treewright::report
