#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "treewright/base/bound_text.h"
#include "treewright/base/system.h"
#include "treewright/explain/claims.h"

namespace treewright::cli {

namespace {

constexpr double kSecondsOfALine = 0.25;
constexpr double kSecondsOfPatience = 10;

std::size_t terminal_width() {
  constexpr std::size_t kUsual = 80;
  const std::size_t width = system::terminal_width(2);
  return width > 1 ? width : kUsual;
}

std::string_view name_of(char source) {
  for (const IncumbentSource& known : kIncumbentSources) {
    if (known.letter == source) return known.name;
  }
  return "";
}

}  // namespace

ProgressDisplay::ProgressDisplay(ProgressUnit unit, ProgressOutput shown)
    : unit_(std::move(unit)),
      terminal_(system::can_erase_lines()),
      table_shown_(!terminal_ && shown == ProgressOutput::always),
      table_(unit_.name),
      renewing_([this] { renew(); }) {}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  renewing_.join();
  if (terminal_) fmt::print(stderr, "{}", kEraseLine);
}

double ProgressDisplay::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProgressDisplay::show(const Progress& news) {
  const std::lock_guard lock(mutex_);
  last_ = news;
  last_->incumbent *= unit_.scale;
  last_->bound *= unit_.scale;
  if (news.source != ' ') source_ = news.source;
  if (table_shown_) fmt::print(stderr, "{}", table_.line(*last_));
}

void ProgressDisplay::renew() {
  std::unique_lock lock(mutex_);
  if (!terminal_ && !table_shown_) {
    print_once(lock);
    return;
  }
  const auto pause = std::chrono::duration<double>(kSecondsOfALine);
  while (!ended_.wait_for(lock, pause, [this] { return end_; })) {
    const double now = elapsed();
    if (terminal_) {
      print_line(now);
    } else if (last_) {
      last_->seconds = now;
      last_->source = ' ';
      fmt::print(stderr, "{}", table_.line(*last_));
    }
  }
}

void ProgressDisplay::print_once(std::unique_lock<std::mutex>& lock) {
  if (ended_.wait_for(lock, std::chrono::duration<double>(kSecondsOfPatience), [this] { return end_; })) return;
  fmt::print(stderr, "treewright: still at work after {:.0f} s ({}); -v shows the progress, --time-limit SECONDS ends the run\n",
             kSecondsOfPatience, state());
  std::fflush(stderr);
}

bool ProgressDisplay::has_tree() const {
  return last_ && std::isfinite(last_->incumbent);
}

std::string ProgressDisplay::state() const {
  if (!has_tree()) return "no tree yet";
  const double gap = (last_->incumbent - last_->bound) / std::max(std::abs(last_->incumbent), 1e-10);
  return fmt::format("{} {:.6g}, bound {}, gap {}", unit_.name, last_->incumbent, bound_text(last_->bound, 6), explain::gap_text(gap, 3));
}

void ProgressDisplay::print_line(double seconds) {
  std::string line = fmt::format("{:.0f} s  {}", seconds, state());
  if (last_) {
    const double rate = per_second(*last_);
    if (last_->written > 0) {
      line += fmt::format(", proof {:.0f} % written", 100 * last_->written);
    } else if (last_->done > 0) {
      line += fmt::format(", {:.0f} % done", 100 * last_->done);
    }
    if (std::isfinite(last_->seconds_left)) line += fmt::format(", about {} left", duration(last_->seconds_left));
    if (rate > 0) line += fmt::format(", {:.0f} subproblems/s", rate);
    if (has_tree()) line += fmt::format("  (best tree by {})", name_of(source_));
  }
  // A line that wraps could not be erased.
  fmt::print(stderr, "{}{}", kEraseLine, line.substr(0, terminal_width() - 1));
  std::fflush(stderr);
}

}  // namespace treewright::cli
