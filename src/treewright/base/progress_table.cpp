#include "treewright/base/progress_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

constexpr double kSecondsBetweenBounds = 0.5, kSecondsWithoutNews = 1.75;

}  // namespace

double per_second(const Progress& progress) {
  return progress.seconds > 0 ? static_cast<double>(progress.subproblems) / progress.seconds : 0;
}

std::string ProgressTable::head() const {
  std::string legend;
  for (const IncumbentSource& source : kIncumbentSources) legend += fmt::format(", {} = {}", source.letter, source.name);
  return fmt::format(
      "{:>9}  {:>13} {:>13} {:>8} {:>6} {:>14}   ({} of the best tree; found by: {}; done: bound / incumbent, over all depths)\n",
      "seconds", "incumbent", "bound", "gap", "done", "subproblems/s", unit_, legend.substr(2));
}

std::string ProgressTable::line(const Progress& progress) {
  const bool news = !last_ || progress.incumbent != last_->incumbent || progress.bound != last_->bound;
  const double pause = news ? kSecondsBetweenBounds : kSecondsWithoutNews;
  if (last_ && progress.source == ' ' && progress.seconds < last_->seconds + pause) return "";
  const std::string head = last_ ? "" : this->head();
  last_ = progress;
  const double gap = (progress.incumbent - progress.bound) / std::max(std::abs(progress.incumbent), 1e-10);
  const double rate = per_second(progress);
  const std::string done = progress.done > 0 ? fmt::format("{:.0f}%", 100 * progress.done) : "",
                    work_rate = rate > 0 ? fmt::format("{:.0f}", rate) : "";
  const std::string work = done.empty() && work_rate.empty() ? "" : fmt::format(" {:>6} {:>14}", done, work_rate);
  return fmt::format("{}{} {:7.2f}  {:13.6g} {:13.6g} {:7.2f}%{}\n", head, progress.source, progress.seconds, progress.incumbent,
                     progress.bound, 100 * gap, work);
}

}  // namespace treewright
