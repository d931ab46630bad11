// MM-SVM-OCT (model.h): a bound and a tree from MARGOT's search and then, if the user names one, a solver for mixed-integer programs with
// quadratic constraints. Scaling, categories, missing values and classes are as in MARGOT (methods/margot/rows.h).
//
// Bound. The largest of K numbers is at least their mean. So, with K the number of nodes of the complete tree,
//
//     max |w_t|^2 / 2 + c1 * slacks + c3 * splits  >=  1 / K (sum of |w_t|^2 / 2 + K c1 * slacks) + c3     for every tree that splits.
//
// MARGOT minimizes the bracket at C = K c1. So 1 / K of its bound, plus c3, is a bound here. (Other shares than 1 / K also give bounds, and
// the best shares give sharper ones.)
//
// Tree. Two trees are kept: MARGOT's, and that of Local SVM at C = c1 (DGMP23's Algorithm 1). For the leaf assignment of each, the
// hyperplanes are solved again for this objective (smallest_margin.h), and splits that do not pay are removed. A single leaf may be cheaper
// still. At depth 1 the result is the optimum. At larger depths a gap remains, because the margins of the optimum differ between nodes.
//
// A solver may close the gap. It receives the model, this start and the remaining time.

#include "treewright/methods/mm_svm/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"
#include "treewright/methods/margot/rows.h"
#include "treewright/methods/margot/search.h"
#include "treewright/methods/mm_svm/model.h"
#include "treewright/methods/mm_svm/objective.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"

namespace treewright::mm_svm {

namespace {

// Limits of the search: its share of the time, of which the solver or, without one, the hyperplanes that are solved again need the rest;
// and its number of nodes before a solver.
constexpr double kShareOfTime = 0.5, kShareAlone = 0.9;
constexpr std::int64_t kNodes = 10000;

struct Found {
  margot::MargotTree tree;
  double lower = 0;
  bool complete = false;  // the search has ended
};

// For each row, the node of the last level that it reaches.
std::vector<std::size_t> ways_of(const margot::MargotProblem& problem, const std::vector<Hyperplane>& planes) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < problem.target.size(); ++i) {
    std::size_t t = 0;
    for (int level = 1; level < problem.depth; ++level) {
      t = 2 * t + (planes[t].decision_value(problem.points.row(i)) >= 0 ? 2 : 1);
    }
    nodes.push_back(t);
  }
  return nodes;
}

// The best hyperplanes for a given leaf assignment, without splits that do not pay.
margot::MargotTree pruned(const margot::MargotProblem& problem, double split_price, const std::vector<std::size_t>& ways) {
  std::vector<bool> splits((std::size_t{1} << problem.depth) - 1, true);
  margot::MargotTree tree = mm_svm_tree(problem, split_price, ways, splits);
  for (std::size_t t = splits.size(); t-- > 0;) {
    std::vector<bool> fewer = splits;
    fewer[t] = false;
    margot::MargotTree other = mm_svm_tree(problem, split_price, ways, fewer);
    if (other.objective > tree.objective) continue;
    tree = std::move(other);
    splits = std::move(fewer);
  }
  return tree;
}

Found search(const margot::MargotProblem& problem, double split_price, double gap, int threads, Deadline& first, Deadline& deadline) {
  const std::size_t nodes = (std::size_t{1} << problem.depth) - 1;
  const auto count = static_cast<double>(nodes);
  margot::MargotProblem of_means = problem;
  for (double& cost : of_means.level_cost) cost *= count;
  const margot::MargotResult means = margot::solve_margot(of_means, first, gap, {}, threads);
  Deadline at_once = deadline.task(0);
  const margot::MargotResult local = margot::solve_margot(problem, at_once);
  const margot::MargotTree leaf = mm_svm_tree(problem, split_price, ways_of(problem, means.tree.planes), std::vector<bool>(nodes, false));
  Found found;
  found.tree = leaf;
  found.lower = std::min(leaf.objective, means.lower / count + split_price);
  found.complete = means.complete;
  for (margot::MargotTree tree : {means.tree, local.tree}) {
    tree.objective = mm_svm_cost(problem, split_price, tree.planes);
    if (tree.objective < found.tree.objective) found.tree = std::move(tree);
  }
  try {
    for (const margot::MargotResult& from : {means, local}) {
      margot::MargotTree tree = pruned(problem, split_price, ways_of(problem, from.tree.planes));
      if (tree.objective < found.tree.objective) found.tree = std::move(tree);
    }
  } catch (const Stopped&) {
    deadline.poll();
    found.complete = false;
  }
  return found;
}

// Improves `result` by the named solver, started from `found`. If the recount differs from the solver's value, its bound is not taken.
void improve_by_solver(const MmSvmFormulation& formulation, const margot::MargotRows& rows, const margot::MargotTree& found,
                       const Task& task, Result& result) {
  const Options& options = task.options;
  std::vector<double> start = formulation.encode(found);
  if (options.mip_start == "none" || !formulation.model().broken(start).empty()) start.clear();
  mip::MipOptions how = mip::MipOptions::from(options);
  how.node_limit = -1;  // the node limit applies to the search above
  const mip::MipSolution solved = mip::solve(formulation.model(), start, how, task.deadline, {});
  if (!solved.values.empty()) {
    const margot::MargotTree tree = formulation.decode(solved.values);
    if (tree.objective < found.objective) result.tree = margot::margot_tree(rows, tree, task.data, true);
  }
  result.status = solved.status;
  const double recounted = task.objective->of(result.tree, task.data), short_of = recounted - solved.bound;
  if ((solved.status == Status::optimal ? std::abs(short_of) : -short_of) > options.gap_tolerance * recounted) {
    result.status = Status::heuristic;
    result.proved +=
        fmt::format("; the solver's bound is {}, but its tree costs {}, so the solver claims nothing", solved.bound, recounted);
  } else if (solved.bound > result.bound) {
    result.bound = solved.bound;
    result.proved += ", as the solver says";
  }
}

Result train(const Task& task) {
  const Options& options = task.options;
  mip::expect_own_start(options);
  const auto& objective = task.objective_as<MmSvmObjective>();
  if (objective.levels > 0 && objective.slack_cost <= 0)
    throw option_error("level_costs", "the price of slack is 0, so every tree is optimal", "give a number above 0");
  margot::MargotObjective margins;
  margins.level_costs.assign(static_cast<std::size_t>(objective.levels), objective.slack_cost);
  const margot::MargotRows rows = margot::margot_rows(task.data, options, margins);
  if (rows.axes.empty() || options.max_depth == 0) return single_leaf(task, "no split separates the rows, or none is allowed");
  const bool by_solver = options.mip_solver != "highs";
  Deadline& deadline = task.deadline;
  Deadline first = by_solver ? deadline.within(kShareOfTime * deadline.remaining(), kNodes)
                             : deadline.within(kShareAlone * deadline.remaining(), deadline.work_left());
  const Found found =
      search(rows.problem, objective.split_price, options.gap_tolerance * (1 - 1e-6), static_cast<int>(options.n_jobs), first, deadline);
  if (!by_solver) deadline.poll(first.work());
  Result result;
  result.tree = margot::margot_tree(rows, found.tree, task.data, true);
  const double cost = objective.of(result.tree, task.data);
  task.report({deadline.elapsed(), cost, std::min(found.lower, cost), 'H'}, result.tree);
  result.bound = found.lower;
  // Neither proved nor stopped: rounding left a gap between the tree and its bound.
  const Deadline& ended = first.stopped() ? first : deadline;
  result.status = found.complete || !ended.stopped() ? Status::heuristic : ended.reason();
  result.proved = fmt::format(
      "no complete tree of depth {} with hyperplanes that leave every row at h >= 0 or h <= -{} has an objective below the bound "
      "(margins on columns scaled to [0, 1])",
      options.max_depth, rows.problem.epsilon);
  const auto closed = [&] {
    const double recounted = objective.of(result.tree, task.data);
    return recounted - result.bound <= options.gap_tolerance * recounted;
  };
  if (by_solver || !options.write_model.empty()) {
    try {
      const MmSvmFormulation formulation(rows.problem, objective.split_price, found.tree.objective);
      mip::write_model(formulation.model(), options.write_model);
      if (by_solver && !closed()) improve_by_solver(formulation, rows, found.tree, task, result);
    } catch (const Stopped&) {
      result.status = deadline.poll() ? deadline.reason() : Status::interrupted;
    }
  }
  if (closed()) result.status = Status::optimal;
  return result;
}

}  // namespace

std::vector<Method> methods() {
  Method method{"mm-svm",
                "margot",
                "MM-SVM-OCT (Blanco et al. 2022 without relabeling): the tree whose smallest margin is widest; a solver of quadratic rows "
                "closes the gap",
                true,
                joined({reads::kTree, reads::kRun, reads::kModel, {"level_costs", "ccp_alpha", "gap_tolerance"}}),
                &MmSvmObjective::kKind,
                train};
  method.empty_leaves = true;
  return {std::move(method)};
}

}  // namespace treewright::mm_svm
