// A tree by a mixed-integer program: model, start, solver, tree, recount.
//
// The solver's objective is not trusted. The tree is counted on the raw rows; if the two values differ by more than rounding, the result
// states both and claims nothing. The result is never worse than the start.

#include "treewright/formulate/solve_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/base/file.h"
#include "treewright/base/stop_point.h"
#include "treewright/error.h"
#include "treewright/grow/start_tree.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"
#include "treewright/search/exact.h"
#include "treewright/search/items/problem.h"
#include "treewright/task/json.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright::formulate {

namespace {

double least_weight(const Dataset& data) {
  double least = std::numeric_limits<double>::infinity();
  for (const double weight : data.weights) least = weight > 0 ? std::min(least, weight) : least;
  return least;
}

// Solvers allow a constraint to be broken by 1e-6, whatever stands in it: rows that weigh little more could be misclassified for nothing.
void check_weights(const Dataset& data) {
  constexpr double kLeast = 1e-4;
  const double least = least_weight(data);
  if (least >= kLeast) return;
  throw Error("weights", fmt::format("a row weighs {:.3g}, and a solver of mixed-integer programs knows sums up to 1e-6 only", least),
              fmt::format("multiply all weights by the same number, so that none but 0 is below {}", kLeast));
}

// They also take a binary variable of 1e-6 for 0, and constraints multiply it by the total weight: beyond a million times the smallest
// weight, HiGHS called trees optimal that misclassify such a row too many.
bool weights_differ_too_much(const Dataset& data) {
  constexpr double kMost = 1e6;
  return !data.weights.empty() && data.total_weight() > kMost * least_weight(data);
}

struct Start {
  Tree tree;
  std::vector<double> values;  // empty: the solver begins with nothing
};

// Which limit a tallied tree breaks, or "".
std::string beyond_limits(const Task& task, const Tree& tree) {
  const auto splits = static_cast<std::int64_t>(tree.splits());
  if (tree.depth() > task.options.max_depth) return fmt::format("{} levels, more than {}", tree.depth(), task.options.max_depth);
  if (task.options.max_splits >= 0 && splits > task.options.max_splits)
    return fmt::format("{} splits, more than {}", splits, task.options.max_splits);
  return missing_in_leaf(task, tree);
}

// Without its useless splits. It may become the result, so it is held to the limits itself, not the tree near it that the model encodes.
Tree tree_of_file(const Task& task, const std::string& name) {
  Tree tree = tree_from_json(read_file(name), name);
  const Tree here(task.data);
  if (tree.features != here.features || tree.class_names != here.class_names) {
    throw Error(name, "was trained on other columns or classes than these data",
                "start from a tree of the same data, or use warm_start=cart");
  }
  tree.tally(task.data);
  tree.simplify();
  const std::string beyond = beyond_limits(task, tree);
  if (!beyond.empty()) {
    throw Error(name, fmt::format("the tree has {}", beyond), "start from a tree within the limits, or use warm_start=cart");
  }
  return tree;
}

// The tree that mip_start names, tallied. It needs no model: where that does not get ready, this tree is the answer.
Tree first_tree(const Task& task) {
  const std::string& name = task.options.mip_start;
  Tree tree(task.data);
  if (name == "auto" || name == "cart") {
    tree = grow::start_tree(task, task.min_rows);
    task.leaf_weight.repair(tree);
  } else if (name != "none") {
    tree = tree_of_file(task, name);
  }
  tree.tally(task.data);
  return tree;
}

// The caller's trees that are within the limits. Those with axis splits have been looked at: they are in the first tree.
std::vector<Tree> given_trees(const Task& task) {
  std::vector<Tree> within;
  for (const Tree* given : task.starts) {
    Tree tree = *given;
    tree.tally(task.data);
    if (beyond_limits(task, tree).empty()) within.push_back(std::move(tree));
  }
  return within;
}

// The cheapest of the first tree, the caller's and the model's own, and the cheapest point of the model that encodes one of them.
Start start_of(const Task& task, const TreeModel& model, Tree first, Deadline& deadline) {
  const std::string& name = task.options.mip_start;
  const bool from_file = name != "auto" && name != "cart" && name != "none";
  std::vector<Tree> candidates{std::move(first)};
  if (name == "auto" && model.greedy) {
    for (Tree& tree : given_trees(task)) candidates.push_back(std::move(tree));
    Tree greedy = model.greedy(deadline);
    greedy.tally(task.data);
    if (missing_in_leaf(task, greedy).empty()) candidates.push_back(std::move(greedy));
  }
  // The others have few errors, and what a model counts besides may cost them more than these.
  if (name == "auto" && model.extra_cost) {
    Tree leaf(task.data);
    leaf.tally(task.data);
    candidates.push_back(std::move(leaf));
  }
  const auto cheapest = std::ranges::min_element(candidates, {}, [&](const Tree& tree) { return model_cost(task, model, tree); });
  Start start{*cheapest, {}};
  if (name == "none") return start;
  std::vector<const Tree*> trees;
  for (const Tree& tree : candidates) trees.push_back(&tree);
  start.values = model.formulation->cheapest_point(trees);
  if (from_file && start.values.empty()) {
    const std::optional<std::vector<double>> values = model.formulation->encode(*cheapest);
    throw Error(name,
                values ? fmt::format("the tree breaks '{}' of the model", model.formulation->model().broken(*values).front())
                       : "the tree is too deep or has splits the model has not",
                "start from a tree within the limits, or use warm_start=cart");
  }
  return start;
}

// Takes a better tree of all rows, and its point of the model where it has one. The solver begins with nothing where the user says so.
void take(Tree tree, const TreeModel& model, const std::string& mip_start, Start& start) {
  start.tree = std::move(tree);
  if (mip_start == "none") return;
  std::vector<double> values = model.formulation->cheapest_point(std::array{&std::as_const(start.tree)});
  const auto cost = [&](const std::vector<double>& point) { return model.formulation->model().objective(point); };
  if (!values.empty() && (start.values.empty() || cost(values) < cost(start.values))) start.values = std::move(values);
}

// Takes the solver's tree where it is better, and its claim where the recount agrees. `result` has the start and the solver's status and
// bound.
void judge(const Task& task, const TreeModel& model, const mip::MipSolution& found, double start_cost, Result& result) {
  const double scale = task.objective->error_scale();
  if (!found.values.empty()) {
    const Tree tree = model.formulation->decode(found.values);
    const double counted = model_cost(task, model, tree), tolerance = solver_tolerance(task.data, found.objective, !model.extra_cost);
    const std::string missing = missing_in_leaf(task, tree);
    if (counted < start_cost && missing.empty()) result.tree = tree;
    // A tree may be better than its solution: splits that do not pay are taken back.
    if (!missing.empty()) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; but its solution has {}, counted on the raw rows, so nothing is claimed", missing);
    } else if (counted > found.objective + tolerance) {
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
}

// Without the solver: the run ended before the model was ready for it, or the tree costs nothing.
Result unsolved(Tree tree, Status status) {
  Result result;
  result.tree = std::move(tree);
  result.status = status;
  result.proved = "no objective is below 0";
  return result;
}

// Nothing is claimed where the model does not say what it seems to.
void doubt(const Task& task, const TreeModel& model, Result& result) {
  const std::string words = weights_differ_too_much(task.data)
                                ? "the total weight is more than a million times the smallest, which a solver takes for 0"
                                : model.trees_without;
  if (words.empty() || result.status == Status::heuristic) return;
  if (result.status == Status::optimal) result.status = Status::heuristic;
  result.bound = 0;
  result.proved += fmt::format("; but {}, so nothing is claimed", words);
}

}  // namespace

std::string missing_in_leaf(const Task& task, const Tree& tree) {
  if (tree.splits() == 0) return "";
  std::int64_t rows = std::numeric_limits<std::int64_t>::max();
  for (const Node& node : tree.nodes()) {
    if (node.is_leaf()) rows = std::min(rows, node.rows);
  }
  if (rows < task.rows_needed()) return fmt::format("a leaf with {} of the {} rows it needs", rows, task.rows_needed());
  return task.leaf_weight.holds(tree) ? "" : fmt::format("a leaf of less weight than {}", task.leaf_weight.least);
}

double solver_tolerance(const Dataset& data, double objective, bool counts) {
  // Solvers work to 1e-6 a row; whole weights leave no doubt within a thousandth.
  bool whole = counts;
  for (std::size_t row = 0; row < data.rows(); ++row) whole = whole && data.weight(row) == std::floor(data.weight(row));
  return whole ? 1e-3 : 1e-6 * std::max(1.0, objective) * std::sqrt(static_cast<double>(data.rows()));
}

bool meets(double bound, double cost) {
  return bound > cost - 1e-6 * std::max(1.0, cost);
}

double model_cost(const Task& task, const TreeModel& model, const Tree& tree) {
  const double cost = count_errors(tree, task.data) + task.objective_as<ErrorObjective>().split_price() * static_cast<double>(tree.terms());
  return model.extra_cost ? cost + model.extra_cost(tree) : cost;
}

FormulationOptions formulation_options(const Task& task) {
  FormulationOptions how;
  how.max_depth = static_cast<int>(task.options.max_depth);
  how.max_splits = task.options.max_splits;
  how.min_rows = task.min_rows;
  how.min_weight = task.leaf_weight.least;
  how.price = task.objective_as<ErrorObjective>().split_price();
  how.rules = strengthening_without(task.options.disable);
  return how;
}

Result solve_model(const Task& task, const std::function<TreeModel(Deadline&)>& build) {
  check_weights(task.data);
  if (search::make_problem(task.data, false).orderings.empty()) return single_leaf(task, "no split tells the rows apart");
  // The limit on nodes is the solver's.
  Deadline deadline = task.deadline.within(task.deadline.remaining());
  const double scale = task.objective->error_scale();
  const auto progress_of = [&](double cost, double bound, char source) {
    return Progress{deadline.elapsed(), cost / scale, bound / scale, source};
  };
  const Tree first = first_tree(task);
  TreeModel model;
  Start start;
  try {
    // A model that is to be written is wanted whatever time is left for solving it.
    const StopScope building([&] { return task.options.write_model.empty() && deadline.poll(); });
    model = build(deadline);
    mip::write_model(model.formulation->model(), task.options.write_model);
    start = start_of(task, model, first, deadline);
  } catch (const Stopped&) {
    task.report(progress_of(model_cost(task, {}, first), 0, 'C'), first);
    return unsolved(first, deadline.poll() ? deadline.reason() : Status::interrupted);
  }
  double start_cost = model_cost(task, model, start.tree);
  task.report(progress_of(start_cost, 0, 'C'), start.tree);
  if (start_cost == 0) return unsolved(std::move(start.tree), Status::optimal);

  const mip::MipOptions how = mip::MipOptions::from(task.options);
  Result result;
  result.proved = fmt::format("{}, as {} says", model.proved, how.solver == "highs" ? "HiGHS" : "the solver");
  double known = 0;
  if (model.known && model.trees_without.empty()) {
    // The model of all rows has the rest of the time.
    constexpr double kShare = 0.75;
    Deadline some = deadline.within(kShare * deadline.remaining());
    Known found = model.known(start.tree, some);
    known = found.bound;
    if (model_cost(task, model, found.tree) < start_cost) take(std::move(found.tree), model, task.options.mip_start, start);
    start_cost = model_cost(task, model, start.tree);
  }
  if (meets(known, start_cost) || (known > 0 && deadline.poll())) {
    result.tree = std::move(start.tree);
    result.status = meets(known, start_cost) ? Status::optimal : deadline.reason();
    result.bound = std::min(known, start_cost) / scale;
    doubt(task, model, result);
    return result;
  }

  double best = start_cost;
  const mip::MipSolution found = mip::solve(model.formulation->model(), start.values, how, deadline, [&](const Progress& progress) {
    // Without a start the solver may begin with worse.
    const char source = progress.incumbent < best ? progress.source : ' ';
    best = std::min(best, progress.incumbent);
    task.report(progress_of(best, std::min(std::max(progress.bound, known), best), source));
  });
  result.tree = start.tree;
  result.status = found.status;
  result.bound = std::max(known, found.bound) / scale;
  judge(task, model, found, start_cost, result);
  doubt(task, model, result);
  return result;
}

Tree searched_start(const Task& task, Deadline& deadline) {
  constexpr std::int64_t kSubproblems = 10000;
  constexpr double kShare = 0.1;
  search::ExactSearchOptions how;
  how.max_depth = static_cast<int>(task.options.max_depth);
  how.max_splits = task.options.max_splits;
  how.min_rows = task.min_rows;
  how.split_price = task.objective_as<ErrorObjective>().split_price();
  Deadline some = deadline.within(kShare * deadline.remaining(), kSubproblems);
  Tree tree = search::search_exact(task.data, how, grow::start_tree(task, task.min_rows), some).tree;
  task.leaf_weight.repair(tree);
  return tree;
}

std::string axis_claim(const Dataset& data) {
  const std::string restriction = search::restriction_of_family(data);
  return fmt::format("no tree of axis and category splits within the limits{} has an objective below the bound",
                     restriction.empty() ? "" : fmt::format(" ({})", restriction));
}

}  // namespace treewright::formulate
