#pragma once

#include <functional>

namespace treewright {

/// Thrown by `stop_point` where a run is over. It tells nothing: whoever holds the best tree catches it and says why.
struct Stopped {};

/// While it lives, each `stop_point` of this thread asks `over`, and every scope around it. A ThreadPool hands its caller's scope to
/// its workers.
class StopScope {
 public:
  explicit StopScope(std::function<bool()> over);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// The innermost scope of this thread, or nullptr.
  static const StopScope* current();

  /// Another thread works for the one of `scope`, which may be nullptr.
  class Adopted {
   public:
    explicit Adopted(const StopScope* scope);
    ~Adopted();
    Adopted(const Adopted&) = delete;
    Adopted& operator=(const Adopted&) = delete;

   private:
    const StopScope* before_;
  };

 private:
  friend void stop_point();

  std::function<bool()> over_;
  const StopScope* outer_;
};

/// Stands in every loop of a technique whose rounds add up to more than some milliseconds, and that has nothing to hand back half done.
/// Throws Stopped when the run of this thread is over; does nothing outside of a scope. As cheap as Deadline::poll.
void stop_point();

}  // namespace treewright
