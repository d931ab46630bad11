#pragma once

#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/progress.h"

namespace treewright {

/// Passes the news of a run on to a listener, never from two threads at once, keeps its history, and tells the deadline of each better
/// incumbent. Where there are threads, a listener also hears when there is no news for half a second: the last news again, with the work
/// done since, or before the first news an infinite incumbent and no bound. What it throws then, in a thread of its own, stops the run, and
/// `end` throws it.
class Announcer {
 public:
  /// `listener` may be empty. All arguments must outlive the announcer.
  Announcer(const ProgressListener& listener, Deadline& deadline, std::vector<Progress>& history);
  ~Announcer();
  Announcer(const Announcer&) = delete;
  Announcer& operator=(const Announcer&) = delete;

  void tell(Progress news);

  /// No more calls after this one. Throws what the listener threw between two news.
  void end();

 private:
  void repeat();
  void stop_repeating();

  const ProgressListener& listener_;
  Deadline& deadline_;
  std::vector<Progress>& history_;
  std::mutex mutex_;  // of all below, and of the listener
  std::condition_variable ended_;
  bool end_ = false;
  double best_ = std::numeric_limits<double>::infinity();
  std::optional<Progress> last_;
  std::exception_ptr thrown_;  // by the listener, between two news
  std::thread repeating_;      // only where somebody listens, and where there are threads
};

}  // namespace treewright
