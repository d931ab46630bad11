#include "treewright/mip/solve.h"

#include <algorithm>

#include "treewright/mip/external.h"
#include "treewright/mip/highs.h"

namespace treewright::mip {

MipSolution solve(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                  const ProgressListener& listener) {
  MipSolution solution = options.solver == "highs" ? solve_with_highs(model, start, options, deadline, listener)
                                                   : solve_with_command(model, start, options, deadline);
  if (solution.values.empty()) return solution;
  // No objective lies between the bound and the solution: they are the same.
  if (solution.bound > solution.objective - model.step) solution.status = Status::optimal;
  if (solution.status == Status::optimal) solution.bound = solution.objective;
  solution.bound = std::min(solution.bound, solution.objective);
  return solution;
}

}  // namespace treewright::mip
