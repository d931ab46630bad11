// fit(): checks, trains, recounts, and fills in the Result. It knows no algorithm.

#include "treewright/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <thread>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/base/round_down.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/system.h"
#include "treewright/fit/announcer.h"
#include "treewright/fit/fit_chosen.h"
#include "treewright/fit/fit_relaxed.h"
#include "treewright/fit/registry.h"
#include "treewright/fit/training_rows.h"
#include "treewright/grow/probability_model.h"
#include "treewright/grow/start_tree.h"
#include "treewright/probabilities.h"
#include "treewright/proof/certain_bound.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/decimals.h"
#include "treewright/tree/measures.h"

namespace treewright {

namespace {

int threads_used(const Options& options) {
  return options.n_jobs > 0 ? static_cast<int>(options.n_jobs) : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// Where there are no threads, the clock is what asks whether to stop (system.h): with a limit each poll looks at it.
double time_limit(const Options& options) {
  constexpr double kForever = 1e9;
  return system::has_threads() ? options.time_limit : std::min(options.time_limit, kForever);
}

std::int64_t node_limit(const Options& options) {
  return options.node_limit < 0 ? std::numeric_limits<std::int64_t>::max() : options.node_limit;
}

// By the method; where it was broken off at work that cannot be handed back half done, the best tree that it had reported, or one made at
// once: a leaf, or the best split on the column that is to be asked first.
Result trained(const Method& method, const Task& task, const TrainingRows& training) {
  // But for a proof, which the method writes, and for splits that are to be there.
  if (training.is_constant() && task.options.proof.empty() && !task.asked.first() && task.asked.top() == nullptr) {
    Result leaf = single_leaf(task, "no tree costs less: the same label is the cheapest one for every row");
    if (!method.exact) leaf.status = Status::heuristic;
    leaf.verified = method.reads_option("verify") && task.options.verify != "no";  // the recount shows it: nothing was searched
    task.report({task.deadline.elapsed(), leaf.bound, leaf.bound, 'C'});
    return leaf;
  }
  try {
    // A model that is to be written is wanted whatever time is left: only an interruption ends its building.
    const StopScope scope([&task] { return (task.options.write_model.empty() || task.deadline.interrupted()) && task.deadline.overdue(); });
    return (task.data.response ? method.train_numbers : method.train)(task);
  } catch (const Stopped&) {
    const std::optional<Tree>& tree = task.incumbent->tree();
    Result result = single_leaf(task, method.exact ? fmt::format("no objective is below {:.9g}", training.least_objective())
                                                   : "nothing: the method is a heuristic");
    if (tree && task.asked.hold(*tree)) {
      result.tree = *tree;
    } else if (const std::optional<FeatureId> first = task.asked.first()) {
      result.tree = grow::stump_that_asks(*first, task.data, task.min_rows);
    } else if (task.asked.top() != nullptr) {
      result.tree = grow::top_alone(task);
    }
    result.status = task.deadline.poll() ? task.deadline.reason() : Status::interrupted;
    result.bound = 0;
    return result;
  }
}

// Short thresholds, unless the objective looks at more of a threshold than the sides of the rows, as margins do.
void round_thresholds(const Task& task, const Objective& objective, Tree& tree) {
  Tree rounded = tree;
  treewright::round_thresholds(rounded, task.data);
  if (rounded != tree && objective.of(rounded, task.data) == objective.of(tree, task.data)) tree = std::move(rounded);
}

// A run may end before its method has a bound, or with a poor one.
void raise_bound(const Method& method, const Task& task, Result& result) {
  const Objective& objective = *result.objective_function;
  if (!method.exact || !result.stopped() || objective.kind() != ErrorObjective::kKind.name) return;
  const double scale = objective.error_scale();
  const double bound = proof::certain_bound(task.data, static_cast<int>(task.options.max_depth), objective.split_price()) / scale;
  if (bound <= result.bound) return;
  result.bound = bound;
  const std::string claim = fmt::format(
      "no tree of depth at most {} has an objective below the bound, by the weights of its classes and of rows with equal features",
      task.options.max_depth);
  result.proved = method.bounds_more(task.options) ? result.proved + "; " + claim : claim;
}

// Every claim is recounted on the raw rows before it is made.
void recount(const Task& task, Result& result) {
  const Objective& objective = *result.objective_function;
  if (result.tree.loss) {
    result.loss = total_loss(result.tree, task.data);
  } else {
    result.errors = count_errors(result.tree, task.data);
  }
  const std::optional<double> of_counts = objective.of_counts(result.errors, result.tree.terms());
  const bool counted = of_counts.has_value();
  result.objective = counted ? *of_counts : objective.of(result.tree, task.data);
  if (result.status == Status::optimal) {
    // A difference of the size of rounding is no disagreement. Weights without a common unit may leave such a gap, which is reported.
    const double off = std::abs(result.objective - result.bound);
    if (counted && off <= kRoundingOfSum * std::abs(result.objective)) result.bound = result.objective;
    if (!closes_gap(objective, result.objective, result.bound, task.data)) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; but the recount on the raw rows differs by {:.2g}, so optimality is not claimed", off);
    }
  }
  if (!task.asked.hold(result.tree)) {
    throw option_error("first_column", "the run was stopped before it had a tree that asks this column first", "give it more time");
  }
  result.verified = result.verified && result.status == Status::optimal;
  result.bound = std::min(result.bound, result.objective);
  assert(result.status != Status::optimal || closes_gap(objective, result.objective, result.bound, task.data));
}

// Fills in how the result was made.
void fill_in(const Method& method, const Task& task, const Dataset& data, Result& result) {
  const Options& options = task.options;
  result.method = method.name;
  // The method has chosen some of them.
  const auto chosen = result.options;
  for (const auto& [name, value] : options_set(options)) {
    const bool known = std::any_of(chosen.begin(), chosen.end(), [&name = name](const auto& option) { return option.first == name; });
    if (!known && method.reads_option(name) && std::find(reads::kKept.begin(), reads::kKept.end(), name) == reads::kKept.end())
      result.options.emplace_back(name, value);
  }
  result.seed = method.reads_option("random_state") ? options.random_state : 0;
  result.threads = method.reads_option("n_jobs") ? threads_used(options) : 1;
  result.min_leaf_rows = method.empty_leaves ? 0 : task.min_rows;
  result.min_leaf_weight = task.leaf_weight.least;
  result.max_depth = options.max_depth;
  result.max_splits = options.max_splits;
  result.rows = static_cast<std::int64_t>(data.rows());
  result.total_weight = data.total_weight();
  result.unequal_weights = data.is_weighted();
}

}  // namespace

Result fit(const Dataset& data, const Options& options, const FitHooks& hooks) {
  return fit_relaxed(data, options, hooks, {});
}

namespace {

// The data with class weights in the weights of their rows and without the columns that may not be asked; nothing where that is as given.
std::optional<Dataset> changed_by(const Options& options, const AskedColumns& columns, const Dataset& data) {
  if (options.class_weight.empty() && columns.never().empty()) return std::nullopt;
  Dataset changed = data;
  apply_class_weights(changed, options.class_weight);
  changed.validate_for_training();
  hide_columns(changed, columns.never());
  return changed;
}

// Of trees and of earlier results.
std::vector<const Tree*> starts_of(const FitHooks& hooks, const Dataset& data) {
  std::vector<const Tree*> starts = hooks.starts;
  for (const Result* result : hooks.earlier) starts.push_back(result == nullptr ? nullptr : &result->tree);
  for (const Tree* start : starts) {
    if (start == nullptr) throw Error("starts", "a tree or an earlier result is null", "give trees and results", ErrorKind::usage);
    if (start->class_names != data.class_names || start->loss != Tree(data).loss)
      throw Error("starts", "a tree has other classes, or another loss, than the data", "give trees that were trained on such rows",
                  ErrorKind::usage);
    need_aligned(*start, data);
  }
  return starts;
}

std::int64_t leaf_rows(const Options& options, const Dataset& data) {
  const std::int64_t least = min_leaf_rows(options.min_samples_leaf, data.rows()), rows = static_cast<std::int64_t>(data.rows());
  if (least <= rows) return least;
  throw option_error("min_samples_leaf", fmt::format("asks for {} rows in every leaf, but the data have {} rows", least, rows),
                     "use a smaller number, or a share below 1");
}

}  // namespace

Result fit_relaxed(const Dataset& data, const Options& asked, const FitHooks& hooks, const std::optional<Relaxation>& wider) {
  check_options(asked);
  const Options options = with_depth(asked, data);
  Deadline deadline(time_limit(options), node_limit(options), hooks.stop);
  deadline.limit_stall(options.stall_limit);
  if (hooks.elsewhere && !method_of(options).reads_option("checkpoint")) {
    throw option_error("method", fmt::format("{} does not run on several machines", method_of(options).label()),
                       "use oct, the exact search");
  }
  check_read(options);
  if (options.max_terms == 0)
    throw option_error("max_terms", "is 0, and a split asks about one column at least",
                       "allow one, or set max_depth to 0 for a single leaf");
  data.validate_for_training();
  const Method& method = method_of(options);
  if (data.response) check_takes_numbers(*data.response, options, method);
  if (method.choose != nullptr && (method.train == nullptr || is_undecided(options))) {
    if (data.has_costs()) check_takes_costs(data, options, method);
    return fit_chosen(method, data, options, hooks);
  }
  const AskedColumns columns(options, Tree(data).features);
  const std::optional<Dataset> changed = changed_by(options, columns, data);
  const Dataset* const used = changed ? &*changed : &data;
  const std::int64_t min_rows = leaf_rows(options, *used);
  // The result stores what the listener receives.
  std::vector<Progress> history;
  Announcer announcer(hooks.listener, deadline, history);
  const TrainingRows training(*used, options, method);
  const auto listener = [&](const Progress& progress) { announcer.tell(training.in_terms_of_data(progress)); };
  const std::vector<const Tree*> starts = starts_of(hooks, *used);
  Incumbent incumbent;
  const Task task{training.rows(),
                  options,
                  training.objective(),
                  min_rows,
                  training.leaf_weight(options.min_weight_fraction_leaf),
                  deadline,
                  listener,
                  hooks.stop,
                  starts,
                  hooks.earlier,
                  hooks.elsewhere,
                  &incumbent,
                  columns,
                  wider,
                  used};
  Result result = trained(method, task, training);
  // A method that has chosen options has said what its objective became.
  if (result.options.empty()) result.objective_function = task.objective;
  round_thresholds(task, *result.objective_function, result.tree);
  if (columns.top() != nullptr) columns.top()->restore(result.tree);
  set_curves(result.tree, task.data);
  if (!columns.never().empty()) result.tree.features = Tree(data).features;  // as they were before they were hidden
  set_decimals(result.tree, task.data);
  if (!result.tree.loss) result.tree.shrinkage = usual_shrinkage(*used);
  fill_in(method, task, *used, result);
  raise_bound(method, task, result);
  recount(task, result);
  training.put_in_terms_of_data(result);
  if (!result.tree.loss) result.tree.probability_model = grow::fit_probability_model(result.tree, *used);
  // The last news are about this tree, whatever its method has told.
  const Progress last{deadline.elapsed(), result.objective, result.bound, method.exact ? 'S' : 'H'};
  if (history.empty() || last.incumbent < history.back().incumbent - kLastDigits * std::abs(last.incumbent)) announcer.tell(last);
  announcer.end();
  result.history = std::move(history);
  result.bound += 0.0;  // -0 is 0, also in words
  result.seconds = deadline.elapsed();
  return result;
}

}  // namespace treewright
