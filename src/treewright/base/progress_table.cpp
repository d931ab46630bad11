#include "treewright/base/progress_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

constexpr double kSecondsBetweenBounds = 0.5;

}  // namespace

std::string ProgressTable::head() const {
  std::string legend;
  for (const IncumbentSource& source : kIncumbentSources) legend += fmt::format(", {} = {}", source.letter, source.name);
  return fmt::format("{:>9}  {:>13} {:>13} {:>8}   ({} of the best tree; found by: {})\n", "seconds", "incumbent", "bound", "gap", unit_,
                     legend.substr(2));
}

std::string ProgressTable::line(const Progress& progress) {
  if (begun_ && progress.source == ' ' && progress.seconds < last_seconds_ + kSecondsBetweenBounds) return "";
  const std::string head = begun_ ? "" : this->head();
  begun_ = true;
  last_seconds_ = progress.seconds;
  const double gap = (progress.incumbent - progress.bound) / std::max(std::abs(progress.incumbent), 1e-10);
  return fmt::format("{}{} {:7.2f}  {:13.6g} {:13.6g} {:7.2f}%\n", head, progress.source, progress.seconds, progress.incumbent,
                     progress.bound, 100 * gap);
}

}  // namespace treewright
