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
#include "treewright/formulate/binoct.h"
#include "treewright/formulate/fair.h"
#include "treewright/formulate/oct.h"
#include "treewright/formulate/oct_h.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"
#include "treewright/search/problem.h"
#include "treewright/tree/json.h"

namespace treewright {

namespace {

// Solvers work to 1e-6 a row; whole weights leave no doubt within a thousandth.
double tolerance_of(const MipTask& task, double objective) {
  bool whole = task.options.fairness == 0;
  for (std::size_t row = 0; row < task.data.rows(); ++row) whole = whole && task.data.weight(row) == std::floor(task.data.weight(row));
  return whole ? 1e-3 : 1e-6 * std::max(1.0, objective) * std::sqrt(static_cast<double>(task.data.rows()));
}

// The column that fairness is about; the first where it is not asked for.
FeatureId protected_column(const MipTask& task) {
  if (task.options.fairness == 0) return FeatureId{0};
  for (std::size_t f = 0; f < task.data.features(); ++f) {
    if (task.data.columns[f].name == task.options.protected_column) return FeatureId{static_cast<std::int32_t>(f)};
  }
  throw Error("option 'protected_column'", fmt::format("there is no column '{}'", task.options.protected_column),
              "name the column whose groups are to be treated alike");
}

bool with_fairness(const MipTask& task) {
  return task.options.method == "fair" && task.options.fairness > 0;
}

double total_weight(const Dataset& data) {
  double total = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) total += data.weight(row);
  return total;
}

// What the model minimises, counted on the raw rows.
double cost_of(const MipTask& task, const Tree& tree) {
  double cost = count_errors(tree, task.data) + task.objective.split_price() * static_cast<double>(tree.terms());
  if (with_fairness(task))
    cost += task.options.fairness * total_weight(task.data) * discrimination_index(tree, task.data, protected_column(task));
  return cost;
}

MipOptions solver_of(const MipTask& task) {
  MipOptions how;
  how.solver = task.options.mip_solver;
  how.threads = static_cast<int>(task.options.n_jobs);
  how.seed = task.options.random_state;
  how.node_limit = task.options.node_limit;
  return how;
}

FormulationOptions formulation_options(const MipTask& task) {
  FormulationOptions how;
  how.max_depth = static_cast<int>(task.options.max_depth);
  how.max_splits = task.options.max_splits;
  how.min_rows = task.min_rows;
  how.min_weight = task.min_weight;
  how.price = task.objective.split_price();
  how.rules = strengthening_without(task.options.disable);
  return how;
}

std::unique_ptr<Formulation> formulation_of(const MipTask& task, Deadline& deadline) {
  const FormulationOptions how = formulation_options(task);
  if (task.options.method == "binoct") {
    const auto refuse = [](const char* option, bool set) {
      if (set)
        throw Error(fmt::format("option '{}'", option), "BinOCT has nothing of the kind: it is the complete tree of least errors",
                    "leave it out, or use --method oct-mip");
    };
    refuse("ccp_alpha", how.price > 0);
    refuse("max_splits", how.max_splits >= 0);
    refuse("min_samples_leaf", how.min_rows > 1);
    refuse("min_weight_fraction_leaf", how.min_weight > 0);
    return std::make_unique<BinoctFormulation>(task.data, how);
  }
  if (task.options.method == "fair")
    return std::make_unique<FairFormulation>(task.data, how, protected_column(task), task.options.fairness, deadline);
  if (task.options.method == "oct-h-mip") return std::make_unique<OctHFormulation>(task.data, how, task.options.mu);
  const auto losses = task.options.model == "p" ? OctFormulation::Losses::p : OctFormulation::Losses::oct;
  return std::make_unique<OctFormulation>(task.data, how, losses, deadline);
}

struct Start {
  Tree tree;
  std::vector<double> values;  // empty: the solver begins with nothing
};

// CART's tree for axis models; for hyperplanes the better of that and BD17's greedy tree.
Start start_of(const MipTask& task, const Formulation& formulation, Deadline& deadline) {
  const std::string& name = task.options.mip_start;
  const bool from_file = name != "auto" && name != "cart" && name != "none";
  std::vector<Tree> candidates;
  if (name == "auto" || name == "cart") candidates.push_back(task.cart);
  if (name == "auto" && task.options.method == "oct-h-mip") {
    candidates.push_back(greedy_oct_h(task.data, formulation_options(task), task.options.mu, solver_of(task), task.options.start_time_limit,
                                      deadline, task.stop));
  }
  if (name == "none") candidates.emplace_back(task.data);
  if (from_file) {
    candidates.push_back(from_json(read_file(name), name).tree);
    const Tree here(task.data);
    if (candidates[0].features != here.features || candidates[0].class_names != here.class_names) {
      throw Error(name, "was trained on other columns or classes than these data",
                  "start from a tree of the same data, or use --warm-start cart");
    }
  }
  for (Tree& tree : candidates) tree.tally(task.data);
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Tree& a, const Tree& b) { return cost_of(task, a) < cost_of(task, b); });
  Start start{candidates.front(), {}};
  for (const Tree& tree : candidates) {
    if (name == "none" || !start.values.empty()) break;
    const std::optional<std::vector<double>> values = formulation.encode(tree);
    const std::vector<std::string> broken = values ? formulation.model().broken(*values) : std::vector<std::string>{};
    if (values && broken.empty()) {
      start.values = *values;
    } else if (from_file) {
      throw Error(name,
                  values ? fmt::format("the tree breaks '{}' of the model", broken.front())
                         : "the tree is too deep or has splits the model has not",
                  "start from a tree within the limits, or use --warm-start cart");
    }
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

Result train_mip(const MipTask& task, Deadline& deadline, const ProgressListener& listener) {
  const double scale = task.objective.error_scale;
  const auto report = [&](const Progress& progress) {
    if (listener) listener({progress.seconds, progress.incumbent / scale, progress.bound / scale, progress.source});
  };

  if (constant(task.data)) return a_leaf(task);
  const std::unique_ptr<Formulation> formulation = formulation_of(task, deadline);
  const MipModel& model = formulation->model();
  if (!task.options.write_model.empty()) {
    write_file(task.options.write_model, task.options.write_model.ends_with(".mps") ? to_mps(model) : to_lp(model));
  }
  const Start start = start_of(task, *formulation, deadline);
  const double start_cost = cost_of(task, start.tree);
  report({deadline.elapsed(), start_cost, 0, 'C'});

  const MipOptions how = solver_of(task);
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
  const std::string who = how.solver == "highs" ? "HiGHS" : "the solver";
  if (task.options.method == "oct-h-mip") {
    result.proved = fmt::format(
        "no tree of hyperplanes within the limits that leave {} between their sides (features scaled to [0, 1]) has an objective below "
        "the bound, as {} says",
        task.options.mu, who);
  } else {
    result.proved = fmt::format("no tree of axis and category splits within the limits has an objective below the bound, as {} says", who);
    if (restricts_subsets(task.data))
      result.proved += fmt::format("; columns of more than {} levels split one level from the rest", kMaxSubsetLevels);
  }
  if (!found.values.empty()) {
    const Tree tree = formulation->decode(found.values);
    const double counted = cost_of(task, tree), tolerance = tolerance_of(task, found.objective);
    if (counted < start_cost) result.tree = tree;
    // A tree may be better than its solution: splits that do not pay are taken back.
    if (counted > found.objective + tolerance) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; but its solution of {} is a tree of {} on the raw rows, so nothing is claimed",
                                   found.objective / scale, counted / scale);
    } else if (found.status == Status::optimal && std::min(counted, start_cost) < found.objective - tolerance) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; but there is a tree of {} below its optimum of {}, so nothing is claimed",
                                   std::min(counted, start_cost) / scale, found.objective / scale);
    }
    if (result.status == Status::optimal) result.bound = std::min(counted, start_cost) / scale;
  }
  if (result.status == Status::heuristic) {
    result.bound = 0;
    if (found.infeasible) result.proved += "; but it says that the model has no solution, which the start refutes";
  }
  if (with_fairness(task)) {
    // The result's objective is errors and splits alone, of which the solver has proved nothing.
    const double scaled = std::max(0.0, found.bound) / total_weight(task.data);
    result.proved = fmt::format(
        "of errors and splits nothing; errors + fairness is {} of the total weight (discrimination index {} of '{}'){}",
        cost_of(task, result.tree) / total_weight(task.data), discrimination_index(result.tree, task.data, protected_column(task)),
        task.options.protected_column,
        result.status == Status::heuristic ? "" : fmt::format("; no tree within the limits has less than {}, as {} says", scaled, who));
    if (result.status == Status::optimal) result.status = Status::heuristic;
    result.bound = 0;
  }
  return result;
}

}  // namespace treewright
