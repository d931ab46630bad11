#include "treewright/fit/announcer.h"

#include <chrono>

#include "treewright/base/infinity.h"
#include "treewright/base/system.h"
#include "treewright/task/history.h"

namespace treewright {

namespace {

constexpr double kSecondsOfSilence = 0.5;

}  // namespace

Announcer::Announcer(const ProgressListener& listener, Deadline& deadline, std::vector<Progress>& history)
    : listener_(listener), deadline_(deadline), history_(history) {
  if (listener_ && system::has_threads()) repeating_ = std::thread([this] { repeat(); });
}

Announcer::~Announcer() {
  stop_repeating();
}

void Announcer::end() {
  stop_repeating();
  if (thrown_) std::rethrow_exception(thrown_);
}

void Announcer::stop_repeating() {
  if (!repeating_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  repeating_.join();
}

void Announcer::tell(Progress news) {
  const std::lock_guard lock(mutex_);
  news.subproblems = deadline_.work();
  if (news.incumbent < best_) {
    best_ = news.incumbent;
    deadline_.note_improvement();
  }
  record(history_, news);
  last_ = news;
  if (thrown_) std::rethrow_exception(thrown_);
  if (listener_) listener_(news);
}

void Announcer::repeat() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::duration<double>(kSecondsOfSilence), [this] { return end_; })) {
    const double now = deadline_.elapsed();
    if (last_ && now < last_->seconds + kSecondsOfSilence) continue;
    Progress again = last_.value_or(Progress{now, kInfinity, -kInfinity, ' '});
    again.seconds = now;
    again.source = ' ';
    again.subproblems = deadline_.work();
    last_ = again;
    try {
      listener_(again);
    } catch (...) {
      thrown_ = std::current_exception();
      deadline_.interrupt();
      return;
    }
  }
}

}  // namespace treewright
