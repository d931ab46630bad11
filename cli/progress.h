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

/// Takes a terminal back to the start of a line that is to be written anew.
inline constexpr const char* kEraseLine = "\r\033[K";

/// What incumbents and bounds are shown as: "errors" or "objective", and how many of them are 1.
struct ProgressUnit {
  std::string name;
  double scale;
};

/// Where progress is shown. Off a terminal, `on_terminals` prints one line, once a run has lasted ten seconds: whoever waits knows that it
/// works, and what to do.
enum class ProgressOutput { on_terminals, always };

/// Shows the progress of a run on standard error: one changing line on a terminal, otherwise a table. Either is renewed at least every two
/// seconds. From construction to destruction.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(ProgressUnit unit, ProgressOutput shown = ProgressOutput::always);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& news);

 private:
  void renew();
  void print_line(double seconds);
  void print_once(std::unique_lock<std::mutex>& lock);
  bool has_tree() const;
  std::string state() const;
  double elapsed() const;

  ProgressUnit unit_;
  bool terminal_;
  bool table_shown_;
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
