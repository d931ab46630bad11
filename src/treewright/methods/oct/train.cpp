// Method oct: the optimal axis tree (BD17 problem (1)) by the exact search, started from CART's tree or the caller's. Where it is asked
// for, a proof of the bound is written (shown_bound.cpp).

#include <fmt/format.h>

#include <algorithm>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/time_left.h"
#include "treewright/grow/start_tree.h"
#include "treewright/methods/oct/checkpoint.h"
#include "treewright/methods/oct/column_sets.h"
#include "treewright/methods/oct/method.h"
#include "treewright/methods/oct/shown_bound.h"
#include "treewright/search/exact.h"
#include "treewright/search/items/problem.h"

namespace treewright::oct {

namespace {

std::string claim(const Task& task) {
  const Options& options = task.options;
  const double least = task.leaf_weight.least;
  const std::string asked = task.asked.in_words();
  const std::string limits = fmt::format(
      "depth at most {}{}{}{}{}{}", options.max_depth, options.max_splits < 0 ? "" : fmt::format(", at most {} splits", options.max_splits),
      task.min_rows > 1 ? fmt::format(", at least {} rows in every leaf", task.min_rows) : "",
      least > 0 ? fmt::format(", weight at least {} in every leaf", least) : "", asked.empty() ? "" : ", ", asked);
  const std::string restriction = search::restriction_of_family(task.data);
  return fmt::format("no tree of axis and category splits ({}{}{}) has an objective below the bound", limits,
                     restriction.empty() ? "" : "; ", restriction);
}

// What does not go together with the column that is asked first.
void check_first_column(const Task& task) {
  if (!task.asked.first()) return;
  const Options& options = task.options;
  const auto refuse = [](bool wrong, const char* problem, const char* fix) {
    if (wrong) throw option_error("first_column", problem, fix);
  };
  refuse(options.max_depth == 0 || options.max_splits == 0, "needs a split, and none is allowed", "allow a depth and splits of at least 1");
  refuse(options.min_weight_fraction_leaf > 0, "cannot be used with a least weight of leaves", "use min_samples_leaf");
  refuse(static_cast<bool>(task.elsewhere), "cannot be used on several machines", "leave out the cluster");
}

// What does not go together with a choice of columns.
void check_column_sets(const Task& task) {
  const char* const option = task.asked.most() >= 0 ? "max_columns" : "column_costs";
  const auto refuse = [&](bool wrong, const char* what) {
    if (wrong) throw option_error(option, fmt::format("cannot be used with {}", what), fmt::format("leave out {}", what));
  };
  refuse(is_proof_wanted(task.options), "a proof");
  refuse(!task.options.checkpoint.empty(), "a checkpoint");
  refuse(static_cast<bool>(task.elsewhere), "a cluster");
}

// The best tree on any columns that may be asked, whatever they cost.
Result train_on_all_columns(const Task& task) {
  const Options& options = task.options;
  const auto& objective = task.objective_as<ErrorObjective>();
  const double price = objective.split_price(), scale = objective.error_scale();
  const LeafWeight& leaf_weight = task.leaf_weight;
  Deadline& deadline = task.deadline;
  Checkpoint checkpoint(task);
  const auto cost = [&](const Tree& tree) { return errors_and_splits(tree, task.data, price); };
  const auto within = [&](Tree tree) {
    leaf_weight.repair(tree);
    tree.simplify(price);
    return tree;
  };
  double best = std::numeric_limits<double>::infinity();  // cost of the best tree within the limits that was reported
  const auto report = [&](Progress progress, const Tree* better) {
    // The search knows the limit on the weight of leaves only as one on their rows.
    const bool is_light = better != nullptr && !leaf_weight.holds(*better);
    const Tree tree = better == nullptr ? Tree() : is_light ? within(*better) : *better;
    const double found = better == nullptr ? best : is_light ? cost(tree) : progress.incumbent;
    const bool is_better = found < best;
    best = std::min(best, found);
    if (!is_better) progress.source = ' ';
    progress.incumbent = best / scale;
    progress.bound = std::min(progress.bound, best) / scale;
    progress.facts = checkpoint.size();
    is_better ? task.report(progress, tree) : task.report(progress);
  };
  TimeLeft left;
  const search::TreeListener report_search = [&](Progress progress, const Tree* better) {
    progress.seconds_left = left.update(progress.seconds, progress.closed);
    report(progress, better);
  };
  search::ExactSearchOptions how;
  how.max_depth = static_cast<int>(options.max_depth);
  how.max_splits = options.max_splits;
  how.split_price = price;
  how.threads = static_cast<int>(options.n_jobs);
  how.rules = search::rules_without(options.disable);
  // A proof speaks of all rows.
  if (is_proof_wanted(options)) how.rules.core_rows = false;
  how.elsewhere = &task.elsewhere;
  how.first = task.asked.first();
  how.wider = task.wider;
  const auto search = [&](std::int64_t min_rows) {
    const Tree start = grow::start_tree(task, min_rows);
    report({deadline.elapsed(), cost(start), 0, 'C'}, &start);
    how.min_rows = min_rows;
    how.ledger = checkpoint.ledger(min_rows);
    try {
      return search::search_exact(task.data, how, start, deadline, report_search);
    } catch (const Stopped&) {  // before there was anything to search
      deadline.poll();
      search::ExactSearchResult nothing;
      nothing.tree = start;
      nothing.lower = certain_bound(task);
      return nothing;
    }
  };

  const search::ExactSearchResult found = search(std::max(task.min_rows, leaf_weight.rows_needed));
  Result result;
  result.tree = found.tree;
  result.bound = found.lower / scale;
  result.status = found.complete ? Status::optimal : deadline.stopped() ? deadline.reason() : Status::heuristic;
  if (!leaf_weight.holds(found.tree)) {
    // The tree found under the necessary row limit violates the weight limit: repair it, then also try the sufficient limit.
    result.tree = within(found.tree);
    if (leaf_weight.rows_sufficient > 0) {
      const Tree other = within(search(std::max(task.min_rows, leaf_weight.rows_sufficient)).tree);
      if (cost(other) < cost(result.tree)) result.tree = other;
    }
    const bool closed = cost(result.tree) - found.lower <= found.rounding + kLastDigits * found.lower;
    if (result.status == Status::optimal && !closed) result.status = Status::heuristic;
  }
  result.proved = claim(task);
  show_bound(
      task, how, found, checkpoint, [&](const Progress& progress) { report(progress, nullptr); }, result);
  return result;
}

Result train(const Task& task) {
  check_proof_is_possible(task);
  check_first_column(task);
  if (!chooses_columns(task)) return train_on_all_columns(task);
  check_column_sets(task);
  Result result = train_on_column_sets(task, train_on_all_columns);
  result.proved = claim(task);
  return result;
}

}  // namespace

std::vector<Method> methods() {
  Method method{
      "oct",
      "axis",
      "the optimal axis tree by exact search (BD17 problem (1)): depth, rows per leaf, alpha or splits, weights, categories, missing "
      "values",
      true,
      joined({reads::kTree,
              reads::kLeaves,
              reads::kErrors,
              reads::kRun,
              reads::kKept,
              {"disable", "first_column", "never_columns", "max_columns", "column_costs"}}),
      &ErrorObjective::kKind,
      train};
  method.takes_costs = true;
  return {method};
}

}  // namespace treewright::oct
