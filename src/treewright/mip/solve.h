#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/mip/model.h"
#include "treewright/options.h"
#include "treewright/progress.h"

namespace treewright::mip {

struct MipOptions {
  /// "highs": the solver in this process, where the library was built with it. Anything else: a command (see external.h).
  std::string solver = "highs";
  int threads = 1;  ///< 0 = as many as the solver likes
  std::int64_t seed = 0;
  std::int64_t node_limit = -1;  ///< branch-and-bound nodes; -1 = no limit (in process only)

  /// Reads mip_solver, n_jobs, random_state and node_limit.
  static MipOptions from(const Options& options);
};

/// What a solver says of a model. `values` is empty where it has found no solution.
struct MipSolution {
  Status status = Status::heuristic;  ///< optimal, or the limit; heuristic = the solver claims nothing
  bool infeasible = false;            ///< the solver says that there is no solution
  std::vector<double> values;         ///< one per variable
  double objective = MipModel::kInfinity;
  double bound = -MipModel::kInfinity;  ///< no solution has a smaller objective
  std::int64_t nodes = 0;
};

/// Whether "highs" is in this build.
bool has_highs();

/// Whether "highs" still works on a model that a deadline has ended: it cannot be broken off between its callbacks. It stops by itself;
/// a program that will not wait for that ends by std::_Exit.
bool highs_was_left_behind();

/// Minimises `model`. `start`: values of all variables to begin with, or empty. `deadline` ends the run (time is wall clock), `listener` hears
/// incumbents (source 'M') and bounds. Throws Error when the solver is missing, cannot take the model, or fails.
MipSolution solve(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                  const ProgressListener& listener = {});

}  // namespace treewright::mip
