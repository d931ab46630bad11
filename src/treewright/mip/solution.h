#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// For models that start from a search of their own. Throws Error where mip_start names another start.
void expect_own_start(const Options& options);

/// What a solver says of a model. `values` is empty where it has found no solution.
struct MipSolution {
  Status status = Status::heuristic;  ///< optimal, or the limit; heuristic = the solver claims nothing
  bool infeasible = false;            ///< the solver says that there is no solution
  std::vector<double> values;         ///< one per variable
  double objective = MipModel::kInfinity;
  double bound = -MipModel::kInfinity;  ///< no solution has a smaller objective
  std::int64_t nodes = 0;
};

}  // namespace treewright::mip
