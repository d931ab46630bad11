#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "treewright/explain/markup.h"

namespace treewright::report {

// Texts of a chart are 12 units high (report.css). No chart is drawn smaller than 0.75 of its units, so that none is below 9 pixels, and
// none below 0.86 on paper.
inline std::string chart(double width, double height, const std::string& label, const std::string& content) {
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {0:.0f} {1:.0f}\" style=\"--w:{0:.0f}px\" role=\"img\" aria-label=\"{2}\">{3}</svg>", width,
      height, explain::escaped(label), content);
}

inline std::string text(double x, double y, const std::string& anchor, const std::string& content, const std::string& kind = "tick") {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", kind, x, y, anchor,
                     explain::escaped(content));
}

inline std::string line(double x1, double y1, double x2, double y2, const std::string& kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", kind, x1, y1, x2, y2);
}

/// Bars from `bottom` upwards: one path for each part, all its bars, stacked on those of the parts before it. `weight`: shape (parts x
/// bins). `kind`: the class of a part's path. "" where there is nothing to show.
std::string stacked_bars(const std::vector<std::vector<double>>& weight, const std::function<std::string(std::size_t)>& kind, double left,
                         double width, double bottom, double height, double gap);

}  // namespace treewright::report
