#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "treewright/base/system.h"
#include "treewright/error.h"
#include "treewright/search_task.h"

namespace treewright::cli {

/// The workers of a dask cluster. See dask.cpp.
class DaskCluster {
 public:
  /// Throws Error if the cluster cannot be reached, or if there is no Python with treewright and dask.
  explicit DaskCluster(const std::string& address);
  /// Ends all tasks.
  ~DaskCluster();
  DaskCluster(const DaskCluster&) = delete;
  DaskCluster& operator=(const DaskCluster&) = delete;

  /// As `Elsewhere` demands. Throws Error if the cluster has failed.
  std::string solve(const SearchTask& task, double seconds);

  /// Tasks that the workers solve at once.
  std::int64_t threads() const { return threads_; }

 private:
  void listen();
  void take(const std::string& line);
  void send(const SearchTask& task, double seconds);

  system::Partner python_;
  std::int64_t threads_ = 0;
  std::string problem_;
  std::mutex mutex_;  // of all below, and of what is said
  std::condition_variable news_;
  std::map<std::string, std::string, std::less<>> answers_;  // of the tasks that have begun; "" = not yet
  std::optional<Error> error_;
  std::thread listening_;
};

}  // namespace treewright::cli
