#include "treewright/base/progress_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/bound_text.h"

namespace treewright {

namespace {

constexpr double kSecondsBetweenBounds = 0.5, kSecondsWithoutNews = 1.75;

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

}  // namespace

std::string duration(double seconds) {
  constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f}s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f}min", seconds / kMinute);
  return seconds < 2 * kDay ? fmt::format("{:.0f}h", seconds / kHour) : fmt::format("{:.0f}d", seconds / kDay);
}

double per_second(const Progress& progress) {
  return progress.seconds > 0 ? static_cast<double>(progress.subproblems) / progress.seconds : 0;
}

std::string ProgressTable::head() const {
  std::string legend;
  for (const IncumbentSource& source : kIncumbentSources) legend += fmt::format(", {} = {}", source.letter, source.name);
  return fmt::format(
      "{:>9}  {:>13} {:>13} {:>8} {:>6} {:>7} {:>7} {:>7} {:>14}   ({} of the best tree; found by: {}; done: bound / incumbent, over all "
      "depths; closed: share of the root's cuts, at the last depth; left: estimated time; facts: in the checkpoint)\n",
      "seconds", "incumbent", "bound", "gap", "done", "closed", "left", "facts", "subproblems/s", unit_, legend.substr(2));
}

std::string ProgressTable::line(const Progress& progress) {
  if (std::isinf(progress.incumbent) && std::isinf(progress.bound)) return "";  // nothing is known yet
  const bool news = !last_ || progress.incumbent != last_->incumbent || progress.bound != last_->bound;
  const double pause = news ? kSecondsBetweenBounds : kSecondsWithoutNews;
  if (last_ && progress.source == ' ' && progress.seconds < last_->seconds + pause) return "";
  const std::string head = last_ ? "" : this->head();
  last_ = progress;
  const double gap = (progress.incumbent - progress.bound) / std::max(std::abs(progress.incumbent), 1e-10);
  const double rate = per_second(progress);
  const std::string line = fmt::format("{}{} {:7.2f}  {:13.6g} {:>13} {:7.2f}%", head, progress.source, progress.seconds,
                                       progress.incumbent, bound_text(progress.bound, 6), 100 * gap);
  const std::string left = std::isfinite(progress.seconds_left) ? duration(progress.seconds_left) : "";
  if (progress.written > 0)
    return fmt::format("{}  proof {} written{}\n", line, percent(progress.written), left.empty() ? "" : ", " + left + " left");
  if (progress.done <= 0 && rate <= 0) return line + "\n";
  return fmt::format("{} {:>6} {:>7} {:>7} {:>7} {:>14}\n", line, progress.done > 0 ? percent(progress.done) : "",
                     progress.closed > 0 ? percent(progress.closed) : "", left, progress.facts > 0 ? std::to_string(progress.facts) : "",
                     rate > 0 ? fmt::format("{:.0f}", rate) : "");
}

}  // namespace treewright
