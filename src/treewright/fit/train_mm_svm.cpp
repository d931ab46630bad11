// MM-SVM-OCT by a solver for mixed-integer programmes with quadratic rows: the model of formulate/mm_svm.h from a start, and back to a tree in
// raw units. Scaling, categories, missing values and classes are MARGOT's (train_margot.h).
//
// The start is Local SVM (DGMP23's Algorithm 1 for MARGOT with C = c1 at every level), its planes solved again for this objective, without the
// splits that do not pay; or a single leaf, where that is cheaper.

#include "treewright/fit/train_mm_svm.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/fit/train_margot.h"
#include "treewright/formulate/mm_svm.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"

namespace treewright {

namespace {

// The node of the last level that each row goes to.
std::vector<std::size_t> reaches(const MargotProblem& problem, const std::vector<MargotTree::Plane>& planes) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < problem.target.size(); ++i) {
    std::size_t t = 0;
    for (int level = 1; level < problem.depth; ++level) {
      double h = planes[t].offset;
      for (std::size_t j = 0; j < problem.points.axes; ++j) h += planes[t].weights[j] * problem.points.row(i)[j];
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
    nodes.push_back(t);
  }
  return nodes;
}

MargotTree first_tree(const MargotProblem& problem, double split_price) {
  Deadline at_once(Deadline::kNoLimit, 0);
  const std::vector<std::size_t> sides = reaches(problem, solve_margot(problem, at_once).tree.planes);
  const std::size_t nodes = (std::size_t{1} << problem.depth) - 1;
  MargotTree best = mm_svm_tree(problem, split_price, sides, std::vector<bool>(nodes, false));
  std::vector<bool> splits(nodes, true);
  MargotTree tree = mm_svm_tree(problem, split_price, sides, splits);
  for (std::size_t t = nodes; t-- > 0;) {
    std::vector<bool> fewer = splits;
    fewer[t] = false;
    MargotTree other = mm_svm_tree(problem, split_price, sides, fewer);
    if (other.objective > tree.objective) continue;
    tree = std::move(other);
    splits = std::move(fewer);
  }
  if (tree.objective < best.objective) best = std::move(tree);
  return best;
}

}  // namespace

Result train_mm_svm(const Dataset& data, const Options& options, const Objective& objective, Deadline& deadline,
                    const ProgressListener& listener) {
  if (!objective.level_costs.empty() && objective.level_costs[0] <= 0)
    throw Error("option 'level_costs'", "a slack that costs nothing leaves nothing to train", "give a number above 0");
  Options of_rows = options;
  of_rows.ccp_alpha = 0;
  const MargotRows rows = margot_rows(data, of_rows, objective);
  Result result;
  if (rows.axes.empty() || options.max_depth == 0) {
    result.tree = Tree(data);
    result.tree.tally(data);
    result.status = Status::optimal;
    result.bound = objective.of(result.tree, data);
    result.proved = "no split tells the rows apart, or none is allowed";
    return result;
  }
  MargotTree best = first_tree(rows.problem, objective.alpha);
  const MmSvmFormulation formulation(rows.problem, objective.alpha, best.objective);
  const MipModel& model = formulation.model();
  if (!options.write_model.empty()) write_file(options.write_model, options.write_model.ends_with(".mps") ? to_mps(model) : to_lp(model));
  if (options.mip_solver == "highs") {
    throw Error("option 'mip_solver'", "method 'mm-svm' has quadratic rows and integers, which HiGHS does not take together",
                "name the command of a solver that does, such as SCIP: docs/mip.md has some");
  }
  std::vector<double> start = formulation.encode(best);
  if (options.mip_start == "none" || !model.broken(start).empty()) start.clear();
  if (listener) listener({deadline.elapsed(), best.objective, 0, 'H'});
  MipOptions how;
  how.solver = options.mip_solver;
  how.threads = static_cast<int>(options.n_jobs);
  how.seed = options.random_state;
  const MipSolution found = solve(model, start, how, deadline, {});
  if (!found.values.empty()) {
    MargotTree tree = formulation.decode(found.values);
    if (tree.objective < best.objective) best = std::move(tree);
  }
  result.tree = margot_tree(rows, best, data, true);
  result.status = found.status;
  result.bound = std::max(0.0, found.bound);
  result.proved = fmt::format(
      "no complete tree of hyperplanes that leave every row at h >= 0 or h <= -{} has an objective below the bound "
      "(margins on columns scaled to [0, 1]), as the solver says",
      rows.problem.epsilon);
  const double recounted = objective.of(result.tree, data);
  if (result.status == Status::optimal && std::abs(recounted - result.bound) > options.gap_tolerance * recounted) {
    result.status = Status::heuristic;
    result.proved +=
        fmt::format("; but the tree found costs {} against the solver's bound of {}, so nothing is claimed", recounted, result.bound);
    result.bound = 0;
  }
  return result;
}

}  // namespace treewright
