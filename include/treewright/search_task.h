#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace treewright {

/// A task of an exact search that another machine can solve. The views are valid during the call.
struct SearchTask {
  std::string_view name;     ///< for people: "cut-f3-1250" is a cut of the fourth feature, after 1250 others
  std::string_view problem;  ///< rows and limits: the same bytes for all tasks of a search
  std::string_view task;     ///< different for each of them
};

/// Has tasks solved by other machines (tw_solver_solve). Each call begins the task, unless it has begun, waits up to so many seconds for
/// its answer and returns that, or "" if it is not there yet. With `seconds` 0 it only begins the task; below 0
/// the answer is not wanted any more. Called from several threads at once; what it throws ends the run.
using Elsewhere = std::function<std::string(const SearchTask& task, double seconds)>;

}  // namespace treewright
