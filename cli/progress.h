#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "treewright/base/progress_table.h"
#include "treewright/progress.h"

namespace treewright::cli {

/// What incumbents and bounds are shown as: "errors" or "objective", and how many of them are 1.
struct ProgressUnit {
  std::string name;
  double scale;
};

/// Shows the progress of a run on standard error: one changing line on a terminal, otherwise a table. Either is renewed at least every two
/// seconds. From construction to destruction.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(ProgressUnit unit);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& news);

 private:
  void renew();
  void print_line(double seconds);
  double elapsed() const;

  ProgressUnit unit_;
  bool terminal_;
  ProgressTable table_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // of all below
  std::condition_variable ended_;
  bool end_ = false;
  std::optional<Progress> last_;
  char source_ = ' ';  // of the incumbent
  std::thread renewing_;
};

}  // namespace treewright::cli
