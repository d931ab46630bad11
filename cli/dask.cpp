// A dask cluster for the command. Clients of dask are written in Python, so a Python program beside this one
// (python/treewright/distributed.py) talks to the cluster. The two exchange lines, each a JSON object:
//
//   to it     {"problem": bytes}               that many bytes follow: the problem of the tasks from here on
//             {"name", "task", "seconds"}      seconds > 0 begins a task that is waited for, 0 one for later; < 0 gives it up
//   from it   {"threads": count}               the cluster is reached
//             {"task", "answer"}
//             {"error": [where, what, fix]}    ends the run
//
// At the end of its input it cancels all tasks and ends.

#include "dask.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

namespace treewright::cli {

namespace {

std::string python() {
  const std::string named = system::environment("TREEWRIGHT_PYTHON");  // the command that pip installs sets it to its own Python
  return named.empty() ? system::python() : named;
}

Error no_python() {
  return Error("--dask", fmt::format("'{} -m treewright.distributed' does not run", python()),
               "pip install 'treewright[dask]' and use the command that comes with it, or name a Python that has both in TREEWRIGHT_PYTHON",
               ErrorKind::usage);
}

}  // namespace

DaskCluster::DaskCluster(const std::string& address) : python_({python(), "-m", "treewright.distributed", address}) {
  if (!python_.started()) throw no_python();
  listening_ = std::thread([this] { listen(); });
  std::unique_lock lock(mutex_);
  news_.wait(lock, [this] { return threads_ > 0 || error_; });
  if (!error_) return;
  const Error error = *error_;
  lock.unlock();
  python_.hang_up();
  listening_.join();
  throw error;
}

DaskCluster::~DaskCluster() {
  python_.say_no_more();
  listening_.join();
}

void DaskCluster::listen() {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const std::size_t got = python_.hear(buffer, sizeof buffer);
    if (got == 0) break;
    text.append(buffer, got);
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) take(text.substr(begin, end - begin));
    text.erase(0, begin);
  }
  std::lock_guard lock(mutex_);
  if (!error_) error_ = no_python();
  news_.notify_all();
}

void DaskCluster::take(const std::string& line) {
  const auto told = nlohmann::json::parse(line, nullptr, false);
  std::lock_guard lock(mutex_);
  if (told.contains("threads")) {
    threads_ = told["threads"].get<std::int64_t>();
  } else if (told.contains("answer")) {
    const auto at = answers_.find(told["task"].get_ref<const std::string&>());
    if (at != answers_.end()) at->second = told["answer"].get<std::string>();
  } else if (told.contains("error")) {
    const auto part = [&](std::size_t i) { return told["error"][i].get<std::string>(); };
    error_ = Error(part(0), part(1), part(2), ErrorKind::file);
  }
  news_.notify_all();
}

void DaskCluster::send(const SearchTask& task, double seconds) {
  if (task.problem != problem_) {
    problem_ = task.problem;
    answers_.clear();
    python_.say(nlohmann::json{{"problem", problem_.size()}}.dump() + "\n" + problem_);
  }
  python_.say(nlohmann::json{{"name", task.name}, {"task", task.task}, {"seconds", seconds}}.dump() + "\n");
}

std::string DaskCluster::solve(const SearchTask& task, double seconds) {
  std::unique_lock lock(mutex_);
  if (error_) throw Error(*error_);
  auto at = answers_.find(task.task);
  if (seconds < 0) {
    if (at == answers_.end()) return "";
    if (at->second.empty()) send(task, seconds);
    answers_.erase(at);
    return "";
  }
  if (at == answers_.end()) {
    send(task, seconds);
    at = answers_.emplace(task.task, "").first;
  }
  // `at` stays valid: no other thread gives up a task that this one waits for.
  news_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return error_ || !at->second.empty(); });
  if (error_) throw Error(*error_);
  if (seconds == 0 || at->second.empty()) return "";
  std::string answer = std::move(at->second);
  answers_.erase(at);
  return answer;
}

}  // namespace treewright::cli
