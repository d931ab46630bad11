#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "treewright/progress.h"

namespace treewright {

/// Time limit, work limit, stall limit and the user's stop flag in one poll. Shared by all threads of one run. Once stopped, it stays
/// stopped.
class Deadline {
  using Clock = std::chrono::steady_clock;

 public:
  /// Seconds after the limit, besides a share of it, or after the stop flag, in which a method may still end in order.
  static constexpr double kGrace = 0.1, kGraceShare = 0.01;
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  explicit Deadline(double seconds = kNoLimit, std::int64_t work_limit = std::numeric_limits<std::int64_t>::max(),
                    const std::atomic<bool>* stop_flag = nullptr)
      : Deadline(Clock::now(), seconds, work_limit, stop_flag) {}

  /// The same clock, stop flag and stall limit for one of several tasks, with a limit on work and a count of its own.
  Deadline task(std::int64_t work_limit) const { return Deadline(*this, start_, seconds_, work_limit); }

  /// A part of the run with limits of its own on time, from now on, and on work. Stop flag and stall limit are the run's.
  Deadline within(double seconds, std::int64_t work_limit = std::numeric_limits<std::int64_t>::max()) const {
    return Deadline(*this, Clock::now(), seconds, work_limit);
  }

  /// From the first note_improvement() on, the run and its parts stop when none has come for so many seconds. Before the parts are made.
  void limit_stall(double seconds) { stall_seconds_ = seconds; }
  /// There is a better incumbent.
  void note_improvement() { improved_->store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed); }

  /// Stops the run and its parts as the user's stop flag does. From any thread.
  void interrupt() { interrupted_->store(true, std::memory_order_relaxed); }

  /// Adds `work` units and says whether to stop. Cheap enough for every subproblem, not for every row.
  bool poll(std::int64_t work = 0) {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    const std::int64_t done = work_.fetch_add(work, std::memory_order_relaxed) + work;
    if (interrupted()) return stop(Status::interrupted);
    if (done > work_limit_) return stop(Status::node_limit);
    if (seconds_ < kNoLimit && elapsed() > seconds_) return stop(Status::time_limit);
    if (stall_seconds_ < kNoLimit && stalled()) return stop(Status::time_limit);
    return false;
  }

  /// Whether a method that has not ended by itself is to be broken off: the time limit or the stop flag, and the grace. Work has none.
  bool overdue() {
    const double now = elapsed();
    if (now > seconds_ + kGrace + kGraceShare * seconds_) return true;
    if (!interrupted()) return false;
    double never = kNoLimit;
    flag_seen_.compare_exchange_strong(never, now);
    return now > flag_seen_.load() + kGrace;
  }

  /// Whether the user has asked to stop, be it before or after a limit has.
  bool interrupted() const {
    return (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) || interrupted_->load(std::memory_order_relaxed);
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
  Deadline(const Deadline& run, Clock::time_point start, double seconds, std::int64_t work_limit)
      : start_(start),
        seconds_(seconds),
        work_limit_(work_limit),
        stop_flag_(run.stop_flag_),
        stall_seconds_(run.stall_seconds_),
        improved_(run.improved_),
        interrupted_(run.interrupted_) {}

  bool stalled() const {
    const Clock::rep last = improved_->load(std::memory_order_relaxed);
    return last != kNever && Clock::now() - Clock::time_point(Clock::duration(last)) > std::chrono::duration<double>(stall_seconds_);
  }

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
  double stall_seconds_ = kNoLimit;
  static constexpr Clock::rep kNever = std::numeric_limits<Clock::rep>::min();
  std::atomic<Clock::rep> improved_here_{kNever};
  std::atomic<Clock::rep>* improved_ = &improved_here_;  // the run's: when the incumbent was last improved
  std::atomic<bool> interrupted_here_{false};
  std::atomic<bool>* interrupted_ = &interrupted_here_;  // the run's
  std::atomic<std::int64_t> work_{0};
  std::atomic<bool> claimed_{false}, stopped_{false};
  std::atomic<Status> reason_{Status::time_limit};
  std::atomic<double> flag_seen_{kNoLimit};  // when the stop flag was first seen
};

}  // namespace treewright
