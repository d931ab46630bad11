// A tree by a mixed-integer programme: model -> start -> solver -> tree -> recount.
//
// The solver's objective is not believed: the tree is counted on the raw rows, and where the two differ by more than rounding both are told
// and nothing is claimed. The start is in the race to the end, so that the answer is never worse than it.

#include "treewright/fit/train_mip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/formulate/oct.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"
#include "treewright/search/problem.h"
#include "treewright/tree/json.h"

namespace treewright {

namespace {

// Solvers work to 1e-6 a row; whole weights leave no doubt within a thousandth.
double tolerance_of(const MipTask& task, double objective) {
  bool whole = true;
  for (std::size_t row = 0; row < task.data.rows(); ++row) whole = whole && task.data.weight(row) == std::floor(task.data.weight(row));
  return whole ? 1e-3 : 1e-6 * std::max(1.0, objective) * std::sqrt(static_cast<double>(task.data.rows()));
}

std::unique_ptr<Formulation> formulation_of(const MipTask& task, Deadline& deadline) {
  FormulationOptions how;
  how.max_depth = static_cast<int>(task.options.max_depth);
  how.max_splits = task.options.max_splits;
  how.min_rows = task.min_rows;
  how.min_weight = task.min_weight;
  how.price = task.objective.split_price();
  how.rules = strengthening_without(task.options.disable);
  const auto losses = task.options.model == "p" ? OctFormulation::Losses::p : OctFormulation::Losses::oct;
  return std::make_unique<OctFormulation>(task.data, how, losses, deadline);
}

struct Start {
  Tree tree;
  std::vector<double> values;  // empty: the solver begins with nothing
};

Start start_of(const MipTask& task, const Formulation& formulation) {
  const std::string& name = task.options.warm_start;
  Start start{task.cart, {}};
  if (name == "none") {
    start.tree = Tree(task.data);
    start.tree.tally(task.data);
    return start;
  }
  if (name != "cart") {
    start.tree = from_json(read_file(name), name).tree;
    const Tree here(task.data);
    if (start.tree.features != here.features || start.tree.class_names != here.class_names) {
      throw Error(name, "was trained on other columns or classes than these data", "start from a tree of the same data, or use --warm-start cart");
    }
    start.tree.tally(task.data);
  }
  const std::optional<std::vector<double>> values = formulation.encode(start.tree);
  const std::vector<std::string> broken = values ? formulation.model().broken(*values) : std::vector<std::string>{};
  if (values && broken.empty()) {
    start.values = *values;
  } else if (name != "cart") {
    throw Error(name, values ? fmt::format("the tree breaks '{}' of the model", broken.front()) : "the tree is too deep or has splits the model has not",
                "start from a tree within the limits, or use --warm-start cart");
  }
  return start;
}

// Whether no split tells any rows apart: there is nothing to solve.
bool constant(const Dataset& data) {
  return encode(data, false).orderings.empty();
}

Result a_leaf(const MipTask& task) {
  Result result;
  result.tree = Tree(task.data);
  result.tree.tally(task.data);
  result.status = Status::optimal;
  result.bound = count_errors(result.tree, task.data) / task.objective.error_scale;
  result.proved = "no split tells the rows apart";
  return result;
}

}  // namespace

bool is_mip_method(std::string_view method) {
  return method == "oct-mip";
}

Result train_mip(const MipTask& task, Deadline& deadline, const ProgressListener& listener) {
  const double price = task.objective.split_price(), scale = task.objective.error_scale;
  const auto cost = [&](const Tree& tree) { return count_errors(tree, task.data) + price * static_cast<double>(tree.terms()); };
  const auto report = [&](const Progress& progress) {
    if (listener) listener({progress.seconds, progress.incumbent / scale, progress.bound / scale, progress.source});
  };

  if (constant(task.data)) return a_leaf(task);
  const std::unique_ptr<Formulation> formulation = formulation_of(task, deadline);
  const MipModel& model = formulation->model();
  if (!task.options.write_model.empty()) {
    write_file(task.options.write_model, task.options.write_model.ends_with(".mps") ? to_mps(model) : to_lp(model));
  }
  const Start start = start_of(task, *formulation);
  const double start_cost = cost(start.tree);
  report({deadline.elapsed(), start_cost, 0, 'C'});

  MipOptions how;
  how.solver = task.options.mip_solver;
  how.threads = static_cast<int>(task.options.n_jobs);
  how.seed = task.options.random_state;
  how.node_limit = task.options.node_limit;
  double best = start_cost;
  const MipSolution found = solve(model, start.values, how, deadline, [&](Progress progress) {
    // Without a start the solver may begin with worse.
    if (progress.incumbent >= best) progress.source = ' ';
    best = progress.incumbent = std::min(best, progress.incumbent);
    progress.bound = std::clamp(progress.bound, 0.0, best);
    report(progress);
  });

  Result result;
  result.tree = start.tree;
  result.status = found.status;
  result.bound = std::max(0.0, found.bound) / scale;
  result.proved = fmt::format("no tree of axis and category splits within the limits has an objective below the bound, as {} says",
                              how.solver == "highs" ? "HiGHS" : "the solver");
  if (restricts_subsets(task.data)) result.proved += fmt::format("; columns of more than {} levels split one level from the rest", kMaxSubsetLevels);
  if (!found.values.empty()) {
    const Tree tree = formulation->decode(found.values);
    const double counted = cost(tree), tolerance = tolerance_of(task, found.objective);
    if (counted < start_cost) result.tree = tree;
    // A tree may be better than its solution: splits that do not pay are taken back.
    if (counted > found.objective + tolerance) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; but its solution of {} is a tree of {} on the raw rows, so nothing is claimed", found.objective / scale, counted / scale);
    } else if (found.status == Status::optimal && std::min(counted, start_cost) < found.objective - tolerance) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; but there is a tree of {} below its optimum of {}, so nothing is claimed", std::min(counted, start_cost) / scale,
                                   found.objective / scale);
    }
    if (result.status == Status::optimal) result.bound = std::min(counted, start_cost) / scale;
  }
  if (result.status == Status::heuristic || result.status == Status::infeasible) {
    result.bound = 0;
    if (found.status == Status::infeasible) result.proved += "; but it says that the model has no solution, which the start refutes";
    result.status = Status::heuristic;
  }
  return result;
}

}  // namespace treewright
