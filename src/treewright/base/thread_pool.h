#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace treewright {

/// Threads that run indexed loops. A loop may start further loops from inside its body: a thread that waits for its own
/// loop helps with whatever is queued, so nesting neither deadlocks nor needs more threads.
///
/// Results must not depend on the number of threads: give the body nothing to share but its own index.
class ThreadPool {
 public:
  /// `threads`: 1 runs everything in the caller; 0 takes all cores.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Calls body(0..count-1) once each, in any order, and returns when all are done. The first exception a body throws
  /// is thrown again here, after those that had begun have finished; the others are not called.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace treewright
