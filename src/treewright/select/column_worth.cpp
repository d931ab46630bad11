// What each column is worth: the least cost of a tree that asks it first, and of one that never asks it.
//
// Idea. Each of the two is an optimum of its own: `fit` with the options first_column and never_columns. The trees of both are some of all
// trees, so neither costs less than the optimum of all trees. That is solved first, and tells the other solves when to end:
//   - a tree that costs the same is optimal (Relaxation);
//   - a column that the best tree does not ask needs no solve for "never": the best tree is one that never asks it, and no tree costs less;
//   - the column that the best tree asks first needs no solve for "first", for the same reason.
// With `most_more` a solve looks for trees up to that loss alone, and ends where there is none.
//
// Order and threads. Every other solve knows the best tree and nothing of the others, so they run side by side and the result does not
// depend on their number. Those of "never" come first: they answer the more frequent question. Each gets its share of the time that is
// left.
//
// Limits. A solve that was stopped leaves an interval. Its lower end is no lower than the bound on all trees. Where the best tree itself is
// not proved, it tells the other solves nothing, and its interval stands for the columns that it does not ask.

#include "treewright/column_worth.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/base/round_down.h"
#include "treewright/base/thread_pool.h"
#include "treewright/fit/fit_relaxed.h"
#include "treewright/fit/registry.h"
#include "treewright/search/first_trees/stump_on.h"
#include "treewright/select/least_costs.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {

namespace {

class WorthSearch {
 public:
  WorthSearch(const Dataset& data, const Options& options, const FitHooks& hooks, double most_more, const ColumnWorthListener& told)
      : data_(data),
        options_(unverified(only_read(options))),
        hooks_(hooks),
        most_more_(most_more),
        told_(told),
        pool_(static_cast<int>(options.n_jobs)),
        costs_(data, options) {}

  ColumnWorths find() {
    if (options_.max_depth < 0) options_.max_depth = kUsualDepth;  // with any number of classes: each answer is to be proved
    found_.max_depth = options_.max_depth;
    found_.most_more = most_more_;
    found_.whole = costs_.whole();
    found_.unit = costs_.unit();
    solve_best();
    ask_columns();
    solve_questions();
    sort();
    for (const ColumnWorth& column : found_.columns) {
      for (const LeastCost* least : {&column.first, &column.never}) {
        if (!least->is_known() && found_.status == Status::optimal) found_.status = least->status;
      }
    }
    return std::move(found_);
  }

 private:
  struct Question {
    ColumnWorth* column;
    bool first;  // else never

    LeastCost& answer() const { return first ? column->first : column->never; }
  };

  bool interrupted() const { return hooks_.stop != nullptr && hooks_.stop->load(); }

  // Where labels have costs, a search sees gains (data/costs): its errors are the cost and a constant.
  double errors_in_training(const Result& best) const {
    return costs_.table() ? count_errors(best.tree, costs_.table()->rows) : best.errors;
  }

  void solve_best() {
    Options options = options_;
    options.time_limit = select::kShareOfBest * options_.time_limit;
    found_.best = costs_.of(fit(data_, options, hooks_));
    found_.status = found_.best.status;
    const Result& best = *found_.best.result;
    if (found_.best.status == Status::optimal)
      wider_ = Relaxation{errors_in_training(best), static_cast<std::int64_t>(best.tree.splits()),
                          most_more_ + (costs_.table() ? 2 * costs_.table()->grid.off() : 0)};
    tell(1);
  }

  // The questions that the best tree leaves open.
  void ask_columns() {
    const Tree& best = found_.best.result->tree;
    const std::vector<FeatureId> used = best.features_used();
    const std::int64_t min_rows = min_leaf_rows(options_.min_samples_leaf, data_.rows());
    found_.columns.resize(data_.features());
    std::vector<Question> firsts;
    for (std::size_t f = 0; f < data_.features(); ++f) {
      ColumnWorth& column = found_.columns[f];
      column.column = FeatureId{static_cast<std::int32_t>(f)};
      column.name = data_.columns[f].name;
      column.used = std::find(used.begin(), used.end(), column.column) != used.end();
      column.used ? questions_.push_back({&column, false}) : void(column.never = found_.best);
      if (asks_first(best, column.column)) {
        column.first = found_.best;
      } else if (options_.max_depth == 0 || options_.max_splits == 0 || !search::stump_on(data_, column.column, min_rows)) {
        column.first = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), Status::infeasible, nullptr};
      } else {
        firsts.push_back({&column, true});
      }
    }
    questions_.insert(questions_.end(), firsts.begin(), firsts.end());
  }

  void solve_questions() {
    std::atomic<std::size_t> begun = 0;
    pool_.parallel_for(questions_.size(), [&](std::size_t i) {
      const double left = std::max(0.0, options_.time_limit - clock_.elapsed());
      const auto open = static_cast<double>(questions_.size() - begun++);
      solve(questions_[i], std::min(left, left * static_cast<double>(pool_.threads()) / open));
      tell(1 + ++ended_);
    });
    found_.solves = 1 + static_cast<std::int64_t>(questions_.size());
  }

  void solve(const Question& question, double seconds) const {
    LeastCost& answer = question.answer();
    if (interrupted() || seconds <= 0) {
      answer.status = interrupted() ? Status::interrupted : Status::time_limit;
      answer.bound = found_.best.bound;
      return;
    }
    Options options = options_;
    options.n_jobs = 1;
    options.time_limit = seconds;
    (question.first ? options.first_column : options.never_columns) = question.column->name;
    FitHooks hooks;
    hooks.stop = hooks_.stop;
    answer = costs_.of(fit_relaxed(data_, options, hooks, wider_));
    answer.bound = std::min(std::max(answer.bound, found_.best.bound), answer.cost);
    answer.beyond = answer.status != Status::optimal && more_than_best(found_, answer.bound) > most_more_ * (1 + kRoundingOfSum);
  }

  void tell(std::int64_t solves) {
    if (!told_) return;
    const std::lock_guard lock(mutex_);
    told_(solves, 1 + static_cast<std::int64_t>(questions_.size()));
  }

  void sort() {
    std::ranges::stable_sort(found_.columns, [&](const ColumnWorth& x, const ColumnWorth& y) {
      const auto key = [](const ColumnWorth& column) {
        return std::tuple(-column.never.bound, -column.never.cost, column.first.bound, column.first.cost);
      };
      return key(x) < key(y);
    });
  }

  const Dataset& data_;
  Options options_;
  const FitHooks& hooks_;
  const double most_more_;
  const ColumnWorthListener& told_;
  const Deadline clock_;
  ThreadPool pool_;
  const select::LeastCosts costs_;
  ColumnWorths found_;
  std::vector<Question> questions_;
  std::optional<Relaxation> wider_;
  std::atomic<std::int64_t> ended_ = 0;
  std::mutex mutex_;
};

}  // namespace

ColumnWorths column_worth(const Dataset& data, const Options& options, const FitHooks& hooks, double most_more,
                          const ColumnWorthListener& told) {
  select::check_asks_columns(data, options);
  return WorthSearch(data, options, hooks, most_more, told).find();
}

double least_found(const ColumnWorths& worths) {
  double best = worths.best.cost;
  for (const ColumnWorth& column : worths.columns) best = std::min({best, column.first.cost, column.never.cost});
  return best;
}

double more_than_best(const ColumnWorths& worths, double cost) {
  const double best = least_found(worths), more = sum_down(cost, -best);
  if (worths.unit > 0) return std::round(more / worths.unit) * worths.unit;  // a cost is off by digits, and not by half a unit
  return std::abs(more) <= kRoundingOfSum * std::max(std::abs(cost), std::abs(best)) ? 0 : more;
}

double least_loss(const ColumnWorths& worths, const ColumnWorth& column) {
  return std::max(0.0, more_than_best(worths, column.never.bound));
}

}  // namespace treewright
