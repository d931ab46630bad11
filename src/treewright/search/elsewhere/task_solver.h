#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "treewright/search/node/node_search.h"

namespace treewright::search {

/// What a TaskSolver on another machine is made from.
std::string to_bytes(const Problem& problem, const SearchLimits& limits);
/// A task in words that a TaskSolver understands. `candidate`: of a cut; else null.
std::string to_text(const TaskPath& task, const Candidate* candidate);

/// Solves tasks of a search that runs on another machine. See task_solver.cpp.
class TaskSolver {
 public:
  /// Throws Error if the bytes are of another version of treewright, or damaged.
  explicit TaskSolver(std::string_view bytes);

  /// The fact that it shows, as text for `fact_from`, or "" if `stop` (may be null) was set. May be called from several threads at once.
  /// Throws Error if the text is no task of this problem.
  std::string solve(std::string_view task, const std::atomic<bool>* stop) const;

 private:
  struct Contents {
    Problem problem;
    SearchLimits limits;
  };
  static Contents read(std::string_view bytes);

  std::vector<SubproblemResult> solve_cut(const TaskPath& path, const nlohmann::json& neighbors, Deadline& deadline) const;
  SubproblemResult solve_trial(const NodeTask& task, Deadline& deadline) const;

  const Contents contents_;
  const Problem& problem_ = contents_.problem;
  const SearchLimits& limits_ = contents_.limits;
  const NodeSearch nodes_{problem_, limits_};
  const Subset ranked_;
  const std::optional<Subset> packed_;
  mutable std::optional<SolvedSets> solved_sets_;
};

}  // namespace treewright::search
