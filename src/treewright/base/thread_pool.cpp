#include "treewright/base/thread_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "treewright/base/stop_point.h"

namespace treewright {

namespace {

/// One running parallel_for: which index is next and how many are done.
struct Loop {
  std::size_t count;
  const std::function<void(std::size_t)>* body;
  const StopScope* scope;  // of the caller
  std::size_t next = 0, finished = 0;
  std::exception_ptr failure;
};

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Loop*> open;  // loops with indices left to hand out; the newest (deepest) at the back
  std::vector<std::thread> workers;
  bool closing = false;

  // Runs one index of `loop`. Called and returns with the lock held.
  void run_one(Loop& loop, std::unique_lock<std::mutex>& lock) {
    const std::size_t index = loop.next++;
    if (loop.next == loop.count) open.erase(std::find(open.begin(), open.end(), &loop));
    lock.unlock();
    std::exception_ptr failure;
    try {
      const StopScope::Adopted scope(loop.scope);
      (*loop.body)(index);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !loop.failure) loop.failure = failure;
    ++loop.finished;
    if (loop.failure && loop.next < loop.count) {  // nobody will use what the indices that have not begun would do
      loop.finished += loop.count - std::exchange(loop.next, loop.count);
      open.erase(std::find(open.begin(), open.end(), &loop));
    }
    if (loop.finished == loop.count) changed.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return closing || !open.empty(); });
      if (closing) return;
      // Idle workers take the oldest loop, whose indices are the largest pieces of work.
      run_one(*open.front(), lock);
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (int i = 1; i < threads; ++i) state_->workers.emplace_back([this] { state_->work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(state_->mutex);
    state_->closing = true;
  }
  state_->changed.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const {
  return static_cast<int>(state_->workers.size()) + 1;
}

void ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (state_->workers.empty() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  Loop loop{count, &body, StopScope::current(), 0, 0, nullptr};
  std::unique_lock lock(state_->mutex);
  state_->open.push_back(&loop);
  state_->changed.notify_all();
  // The caller works on its own loop first; while others finish, it helps with the innermost other loop, whose tasks are small.
  while (loop.finished < loop.count) {
    if (loop.next < loop.count) {
      state_->run_one(loop, lock);
    } else if (!state_->open.empty()) {
      state_->run_one(*state_->open.back(), lock);
    } else {
      state_->changed.wait(lock, [&] { return loop.finished == loop.count || !state_->open.empty(); });
    }
  }
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace treewright
