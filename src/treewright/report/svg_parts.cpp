#include "treewright/report/svg_parts.h"

#include <algorithm>

namespace treewright::report {

std::string stacked_bars(const std::vector<std::vector<double>>& weight, const std::function<std::string(std::size_t)>& kind, double left,
                         double width, double bottom, double height, double gap) {
  const std::size_t bins = weight.empty() ? 0 : weight[0].size();
  std::vector<double> total(bins, 0.0);
  for (const auto& of_part : weight) {
    for (std::size_t b = 0; b < bins; ++b) total[b] += of_part[b];
  }
  const double most = bins == 0 ? 0 : *std::max_element(total.begin(), total.end());
  if (most <= 0) return "";
  std::vector<double> stacked(bins, 0.0);
  const double step = width / static_cast<double>(bins);
  std::string out;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    std::string path;
    for (std::size_t b = 0; b < bins; ++b) {
      if (weight[k][b] <= 0) continue;
      const double tall = height * weight[k][b] / most;
      path += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", left + step * static_cast<double>(b) + gap / 2,
                          bottom - stacked[b] - tall, step - gap, tall, gap - step);
      stacked[b] += tall;
    }
    if (!path.empty()) out += fmt::format("<path class=\"{}\" d=\"{}\"/>", kind(k), path);
  }
  return out;
}

}  // namespace treewright::report
