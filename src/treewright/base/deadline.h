#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace treewright {

/// Why a method stopped, as told in the Result.
enum class Status { optimal, time_limit, interrupted, node_limit, infeasible, heuristic };

/// "optimal", "time_limit", ... as written in JSON.
const char* to_string(Status status);

/// Time, work and the user's stop flag in one poll. Shared by all threads of one run; once it has stopped it stays stopped.
class Deadline {
  using Clock = std::chrono::steady_clock;

 public:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  explicit Deadline(double seconds = kNoLimit, std::int64_t work_limit = std::numeric_limits<std::int64_t>::max(),
                    const std::atomic<bool>* stop_flag = nullptr)
      : Deadline(Clock::now(), seconds, work_limit, stop_flag) {}

  /// The same clock and stop flag for one of several tasks, with a limit on work and a count of its own.
  Deadline task(std::int64_t work_limit) const { return Deadline(start_, seconds_, work_limit, stop_flag_); }

  /// Adds `work` units and says whether to stop. Cheap enough for every sub-problem, not for every row.
  bool poll(std::int64_t work = 0) {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    const std::int64_t done = work_.fetch_add(work, std::memory_order_relaxed) + work;
    if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) return stop(Status::interrupted);
    if (done > work_limit_) return stop(Status::node_limit);
    if (seconds_ < kNoLimit && elapsed() > seconds_) return stop(Status::time_limit);
    return false;
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
};

}  // namespace treewright
