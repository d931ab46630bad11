// Method oct: the optimal axis tree (BD17 problem (1)) by the exact search, started from CART's tree or the caller's. The bound is then
// proved where that is asked for or cheap (verified_bound.cpp).

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "treewright/base/error.h"
#include "treewright/base/round_down.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/time_left.h"
#include "treewright/data/wide_category.h"
#include "treewright/grow/start_tree.h"
#include "treewright/methods/oct/below_top.h"
#include "treewright/methods/oct/checkpoint.h"
#include "treewright/methods/oct/column_sets.h"
#include "treewright/methods/oct/method.h"
#include "treewright/methods/oct/verified_bound.h"
#include "treewright/search/exact.h"
#include "treewright/search/items/problem.h"
#include "treewright/search/items/split_family.h"
#include "treewright/tree/measures.h"

namespace treewright::oct {

namespace {

std::string claim(const Task& task) {
  const Options& options = task.options;
  const double least = task.leaf_weight.least;
  const std::string asked = task.asked.in_words();
  const std::string limits = fmt::format(
      "depth at most {}{}{}{}{}{}", options.max_depth, options.max_splits < 0 ? "" : fmt::format(", at most {} splits", options.max_splits),
      task.min_rows > 1 ? fmt::format(", at least {} rows in every leaf", task.min_rows) : "",
      least > 0 ? fmt::format(", weight at least {:.10g} in every leaf", least) : "", asked.empty() ? "" : ", ", asked);
  const std::string restriction = search::restriction_of_family(task.family_rows());
  return fmt::format("no tree of axis and category splits ({}{}{}) has an objective below the bound", limits,
                     restriction.empty() ? "" : "; ", restriction);
}

// Throws Error where `first_column` meets an option that excludes it.
void check_first_column(const Task& task) {
  if (!task.asked.first()) return;
  const Options& options = task.options;
  const auto refuse = [](bool wrong, const char* problem, const char* fix) {
    if (wrong) throw option_error("first_column", problem, fix);
  };
  refuse(options.max_depth == 0 || options.max_splits == 0, "needs a split, and none is allowed", "allow a depth and splits of at least 1");
  refuse(options.min_weight_fraction_leaf > 0, "cannot be used with a least weight of leaves", "use min_samples_leaf");
  refuse(static_cast<bool>(task.elsewhere), "cannot be used on several machines", "leave out the cluster");
  // Its sets of levels are those of means, and the stump to begin with is one of shares (search/first_trees/stump_on.cpp).
  refuse(task.data.response && is_wide_category(task.data.columns[static_cast<std::size_t>(+*task.asked.first())]),
         "is a category of many levels, and the target is a number", "name another column");
}

// The same for a limit on the number of columns, or prices of columns.
void check_column_sets(const Task& task) {
  const char* const option = task.asked.most() >= 0 ? "max_columns" : "column_costs";
  const auto refuse = [&](bool wrong, const char* what) {
    if (wrong) throw option_error(option, fmt::format("cannot be used with {}", what), fmt::format("leave out {}", what));
  };
  refuse(is_proof_wanted(task.options), "a proof");
  refuse(!task.options.checkpoint.empty(), "a checkpoint");
  refuse(static_cast<bool>(task.elsewhere), "a cluster");
}

// The family of all training rows where the task has some of them, else null. `made` holds it.
const search::SplitFamily* family_of_all(const Task& task, std::optional<search::SplitFamily>& made) {
  return task.all_rows == nullptr ? nullptr : &made.emplace(*task.all_rows);
}

// The best tree without a limit on the number of columns and without prices of columns.
class Training {
 public:
  explicit Training(const Task& task)
      : task_(task),
        price_(task.objective->split_price()),
        scale_(task.objective->error_scale()),
        checkpoint_(task),
        how_(options_of(task)) {
    how_.family = family_of_all(task, family_);
  }

  Result run() {
    checkpoint_.begin();
    const LeafWeight& leaf_weight = task_.leaf_weight;
    const search::ExactSearchResult found = search(std::max(task_.min_rows, leaf_weight.rows_needed));
    Result result;
    result.tree = found.tree;
    result.bound = quotient_down(found.lower, scale_);
    // Nothing costs less than nothing, however soon the run has ended.
    const bool done = found.complete || cost(found.tree) == 0;
    result.status = done ? Status::optimal : task_.deadline.stopped() ? task_.deadline.reason() : Status::heuristic;
    if (!leaf_weight.holds(found.tree)) {
      // The tree found under the necessary row limit violates the weight limit: repair it, then also try the sufficient limit.
      result.tree = within_weight(found.tree);
      if (leaf_weight.rows_sufficient > 0) {
        most_bound_ = found.lower;  // the second search bounds fewer trees
        const Tree other = within_weight(search(std::max(task_.min_rows, leaf_weight.rows_sufficient)).tree);
        if (cost(other) < cost(result.tree)) result.tree = other;
      }
      const bool closed = cost(result.tree) - found.lower <= found.rounding + kRoundingOfSum * found.lower;
      if (result.status == Status::optimal && !closed) result.status = Status::heuristic;
    }
    result.proved = claim(task_);
    how_.min_rows = std::max(task_.min_rows, leaf_weight.rows_needed);  // as in the search that gave the bound
    show_bound(
        task_, how_, found, checkpoint_, [&](const Progress& progress) { report(progress, nullptr); }, result);
    if (checkpoint_.unwritten()) {
      result.proved += fmt::format("; the checkpoint ends before the run: {}", checkpoint_.unwritten()->what());
      result.unwritten = checkpoint_.unwritten();
    }
    return result;
  }

 private:
  double cost(const Tree& tree) const { return errors_and_splits(tree, task_.data, price_); }

  static search::ExactSearchOptions options_of(const Task& task) {
    const Options& options = task.options;
    search::ExactSearchOptions how;
    how.max_depth = static_cast<int>(options.max_depth);
    how.max_splits = options.max_splits;
    how.split_price = task.objective->split_price();
    how.threads = static_cast<int>(options.n_jobs);
    how.rules = search::rules_without(options.disable);
    // A proof cannot hold a bound from a few rows.
    if (is_proof_wanted(options)) how.rules.core_rows = false;
    how.elsewhere = &task.elsewhere;
    how.first = task.asked.first();
    how.wider = task.wider;
    return how;
  }

  Tree within_weight(Tree tree) const {
    task_.leaf_weight.repair(tree);
    tree.simplify(price_);
    return tree;
  }

  void report(Progress progress, const Tree* better) {
    // The search knows the limit on the weight of leaves only as one on their rows.
    const bool is_light = better != nullptr && !task_.leaf_weight.holds(*better);
    const Tree tree = better == nullptr ? Tree() : is_light ? within_weight(*better) : *better;
    const double found = better == nullptr ? best_ : is_light ? cost(tree) : progress.incumbent;
    const bool is_better = found < best_;
    best_ = std::min(best_, found);
    if (!is_better) progress.source = ' ';
    progress.incumbent = best_ / scale_;
    progress.bound = quotient_down(std::min({progress.bound, best_, most_bound_}), scale_);
    progress.facts = checkpoint_.size();
    is_better ? task_.report(progress, tree) : task_.report(progress);
  }

  search::ExactSearchResult search(std::int64_t min_rows) {
    const Tree start = grow::start_tree(task_, min_rows);
    report({task_.deadline.elapsed(), cost(start), 0, 'C'}, &start);
    how_.min_rows = min_rows;
    how_.ledger = checkpoint_.ledger(min_rows);
    try {
      return search::search_exact(task_.data, how_, start, task_.deadline, [this](Progress progress, const Tree* better) {
        progress.seconds_left = time_left_.update(progress.seconds, progress.closed);
        report(progress, better);
      });
    } catch (const Stopped&) {  // while the rows were prepared for the search
      task_.deadline.poll();    // so that it knows the reason
      search::ExactSearchResult nothing;
      nothing.tree = start;
      nothing.lower = certain_bound(task_);
      return nothing;
    }
  }

  const Task& task_;
  const double price_;  // of a split, in errors or loss
  const double scale_;  // of these in one unit of the objective
  Checkpoint checkpoint_;
  std::optional<search::SplitFamily> family_;
  search::ExactSearchOptions how_;
  TimeLeft time_left_;
  double best_ = std::numeric_limits<double>::infinity();        // least cost of a reported tree within the limits
  double most_bound_ = std::numeric_limits<double>::infinity();  // of what is reported
};

// Without splits there is one tree, and no need to prepare large data for a search.
Result train_without_splits(const Task& task) {
  Result result = single_leaf(task, claim(task));
  result.verified = task.options.verify != "no";  // the recount shows it
  task.report({task.deadline.elapsed(), result.bound, result.bound, 'C'}, result.tree);
  return result;
}

Result train_on_all_columns(const Task& task) {
  const Options& options = task.options;
  // The loss of the one tree is off by its last digits, and so no bound.
  const bool is_counted = !task.data.response;
  if (is_counted && options.max_splits == 0 && options.proof.empty() && options.checkpoint.empty()) return train_without_splits(task);
  return Training(task).run();
}

// Below given splits, or on all rows.
Result train_from_top(const Task& task, const TrainAny& train_any) {
  if (task.asked.top() == nullptr) return train_any(task);
  check_top(task);
  Result result = train_below_top(task, train_any);
  result.proved = claim(task);
  if (is_shown_whole(task)) show_bound_below_top(task, result);
  return result;
}

Result train_numbers(const Task& task) {
  check_proof_is_possible(task);
  check_first_column(task);
  return train_from_top(task, train_on_all_columns);
}

Result train(const Task& task) {
  check_proof_is_possible(task);
  check_first_column(task);
  if (task.asked.top() != nullptr || !chooses_columns(task)) return train_from_top(task, train_on_all_columns);
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
              {"solver", "disable", "first_column", "top", "never_columns", "max_columns", "column_costs"}}),
      &ErrorObjective::kKind,
      train};
  method.takes_costs = true;
  method.losses = {Loss::squared, Loss::poisson, Loss::survival};
  method.train_numbers = train_numbers;
  method.reads_of_numbers =
      joined({reads::kRun,
              reads::kKept,
              {"max_depth", "max_splits", "min_samples_leaf", "ccp_alpha", "disable", "first_column", "top", "never_columns"}});
  method.path = AlphaPath::optima;
  method.usual_depth = [](std::size_t classes) { return depth_for(classes); };
  return {method};
}

}  // namespace treewright::oct
