#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace treewright {

/// Why a method stopped.
enum class Status { optimal, time_limit, interrupted, node_limit, infeasible, heuristic };

/// "optimal", "time_limit", ... as written in JSON.
const char* to_string(Status status);

/// An algorithm that finds incumbents, and its letter in logs.
struct IncumbentSource {
  char letter;
  const char* name;
};

inline constexpr IncumbentSource kIncumbentSources[] = {
    {'C', "a greedy tree"}, {'H', "a heuristic"},         {'L', "look-ahead"},
    {'S', "exact search"},  {'P', "a round on clusters"}, {'M', "MIP solver"},
};

/// One line of a solver's log. The library never prints; it calls a listener.
struct Progress {
  double seconds;    ///< since the start of the run
  double incumbent;  ///< objective of the best tree so far; infinite = there is none yet
  double bound;      ///< proved lower bound on the objective; minus infinite before the first news
  char source;       ///< who found the incumbent: a letter of kIncumbentSources, or ' ' where only the bound rose, or nothing changed
  std::int64_t subproblems = 0;  ///< solved so far
  double done = 0;               ///< exact search: bound / incumbent, as a mean over the depths that it solves one after the other
  double closed = 0;             ///< exact search: share of the root's cuts that need no more work, at the last depth
  double seconds_left = std::numeric_limits<double>::infinity();  ///< estimated, by `closed` or `written`; infinite = unknown
  std::int64_t facts = 0;                                         ///< in the checkpoint
  double written = 0;                                             ///< share of the proof's parts that are written, after the search
};

using ProgressListener = std::function<void(const Progress&)>;

}  // namespace treewright
