#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <utility>

namespace treewright {

/// Estimates how long a run goes on, from the share of it that is done: at its rate in the second half of its time, since what was resumed
/// at its beginning took no time, and what comes first may be harder than the rest. Nothing is said before half is done, or where the rate
/// has changed by more than a quarter since a quarter of the time: most searches slow down or speed up, and a number that is wrong by
/// a factor is worse than none.
class TimeLeft {
 public:
  /// Seconds left when `share` is done after `seconds`; infinite while nothing is known. Both never fall.
  double update(double seconds, double share) {
    seen_.emplace_back(seconds, share);
    while (seen_.size() > 2 && seen_[1].first <= seconds / 4) seen_.pop_front();
    const Seen quarter = at(seconds / 4), half = at(seconds / 2), late = at(seconds * 3 / 4), now = seen_.back();
    const auto [slow, fast] = std::minmax({rate(quarter, half), rate(half, late), rate(late, now)});
    constexpr double kSettled = 1.25, kLeast = 0.5;
    const bool settled = share >= kLeast && slow > 0 && fast <= kSettled * slow;
    return settled ? (1 - share) / rate(half, now) : std::numeric_limits<double>::infinity();
  }

 private:
  using Seen = std::pair<double, double>;  // seconds and share
  static double rate(const Seen& from, const Seen& to) {
    return to.first > from.first ? (to.second - from.second) / (to.first - from.first) : 0;
  }
  // What was last seen by then.
  Seen at(double seconds) const {
    const auto later = std::upper_bound(seen_.begin(), seen_.end(), seconds, [](double t, const Seen& seen) { return t < seen.first; });
    return later == seen_.begin() ? seen_.front() : *std::prev(later);
  }

  std::deque<Seen> seen_;  // the first of them by a quarter of the time
};

}  // namespace treewright
