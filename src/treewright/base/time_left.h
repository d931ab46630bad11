#pragma once

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace treewright {

/// Estimates how long a run goes on, from the share of it that is done: at its rate in the second half of its time, since what was resumed
/// at its beginning took no time, and what comes first may be harder than the rest. Nothing is said while the rate has not settled: a
/// number that jumps is worse than none.
class TimeLeft {
 public:
  /// Seconds left when `share` is done after `seconds`; infinite while nothing is known. Both never fall.
  double update(double seconds, double share) {
    seen_.emplace_back(seconds, share);
    while (seen_.size() > 2 && seen_[1].first <= seconds / 2) seen_.pop_front();
    if (seen_.size() < 3) return std::numeric_limits<double>::infinity();
    // The rate since the beginning of the second half, and that since its middle.
    std::size_t middle = 1;
    while (middle + 2 < seen_.size() && seen_[middle].first < (seen_.front().first + seconds) / 2) ++middle;
    const double long_rate = rate(seen_.front(), seen_.back()), short_rate = rate(seen_[middle], seen_.back());
    constexpr double kSettled = 1.5;
    const double slow = std::min(long_rate, short_rate), fast = std::max(long_rate, short_rate);
    return slow > 0 && fast <= kSettled * slow ? (1 - share) / slow : std::numeric_limits<double>::infinity();
  }

 private:
  using Seen = std::pair<double, double>;  // seconds and share
  static double rate(const Seen& from, const Seen& to) {
    return to.first > from.first ? (to.second - from.second) / (to.first - from.first) : 0;
  }

  std::deque<Seen> seen_;
};

}  // namespace treewright
