#include "treewright/task/history.h"

#include <algorithm>
#include <cmath>

namespace treewright {

void record(std::vector<Progress>& history, const Progress& progress) {
  if (history.empty()) {
    history.push_back(progress);
    return;
  }
  // A part of the search may report its own best tree; the history stores the overall best.
  const Progress last = history.back();
  const bool better = progress.incumbent < last.incumbent;
  const Progress now{progress.seconds, std::min(last.incumbent, progress.incumbent), std::max(last.bound, progress.bound),
                     better ? progress.source : ' '};
  if (better || now.bound - last.bound >= 0.01 * std::abs(now.incumbent)) history.push_back(now);
}

}  // namespace treewright
