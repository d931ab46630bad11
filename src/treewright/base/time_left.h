#pragma once

#include <deque>
#include <limits>
#include <utility>

namespace treewright {

/// Estimates how long a run goes on, from the share of it that is done: at its rate in the second half of its time, since what was resumed
/// at its beginning took no time, and what comes first may be harder than the rest.
class TimeLeft {
 public:
  /// Seconds left when `share` is done after `seconds`; infinite while nothing is known. Both never fall.
  double update(double seconds, double share) {
    seen_.emplace_back(seconds, share);
    while (seen_.size() > 2 && seen_[1].first <= seconds / 2) seen_.pop_front();
    const auto& [then, before] = seen_.front();
    return share > before ? (seconds - then) * (1 - share) / (share - before) : std::numeric_limits<double>::infinity();
  }

 private:
  std::deque<std::pair<double, double>> seen_;  // seconds and shares
};

}  // namespace treewright
