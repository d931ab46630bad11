#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "treewright/progress.h"

namespace treewright {

/// Time limit, work limit and the user's stop flag in one poll. Shared by all threads of one run. Once stopped, it stays stopped.
class Deadline {
  using Clock = std::chrono::steady_clock;

 public:
  /// Seconds after the limit, besides a share of it, or after the stop flag, in which a method may still end in order.
  static constexpr double kGrace = 0.1, kGraceShare = 0.01;
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  explicit Deadline(double seconds = kNoLimit, std::int64_t work_limit = std::numeric_limits<std::int64_t>::max(),
                    const std::atomic<bool>* stop_flag = nullptr)
      : Deadline(Clock::now(), seconds, work_limit, stop_flag) {}

  /// The same clock and stop flag for one of several tasks, with a limit on work and a count of its own.
  Deadline task(std::int64_t work_limit) const { return Deadline(start_, seconds_, work_limit, stop_flag_); }

  /// Adds `work` units and says whether to stop. Cheap enough for every subproblem, not for every row.
  bool poll(std::int64_t work = 0) {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    const std::int64_t done = work_.fetch_add(work, std::memory_order_relaxed) + work;
    if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) return stop(Status::interrupted);
    if (done > work_limit_) return stop(Status::node_limit);
    if (seconds_ < kNoLimit && elapsed() > seconds_) return stop(Status::time_limit);
    return false;
  }

  /// Whether a method that has not ended by itself is to be broken off: the time limit or the stop flag, and the grace. Work has none.
  bool overdue() {
    const double now = elapsed();
    if (now > seconds_ + kGrace + kGraceShare * seconds_) return true;
    if (stop_flag_ == nullptr || !stop_flag_->load(std::memory_order_relaxed)) return false;
    double never = kNoLimit;
    flag_seen_.compare_exchange_strong(never, now);
    return now > flag_seen_.load() + kGrace;
  }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  /// The limit that stopped the run; meaningless before `stopped()`.
  Status reason() const { return reason_.load(std::memory_order_relaxed); }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double remaining() const { return seconds_ - elapsed(); }
  std::int64_t work_left() const { return work_limit_ - work(); }
  std::int64_t work() const { return work_.load(std::memory_order_relaxed); }

 private:
  Deadline(Clock::time_point start, double seconds, std::int64_t work_limit, const std::atomic<bool>* stop_flag)
      : start_(start), seconds_(seconds), work_limit_(work_limit), stop_flag_(stop_flag) {}

  bool stop(Status reason) {
    bool expected = false;
    if (claimed_.compare_exchange_strong(expected, true)) {
      reason_.store(reason);
      stopped_.store(true);
    }
    return true;
  }

  Clock::time_point start_;
  double seconds_;
  std::int64_t work_limit_;
  const std::atomic<bool>* stop_flag_;
  std::atomic<std::int64_t> work_{0};
  std::atomic<bool> claimed_{false}, stopped_{false};
  std::atomic<Status> reason_{Status::time_limit};
  std::atomic<double> flag_seen_{kNoLimit};  // when the stop flag was first seen
};

}  // namespace treewright
