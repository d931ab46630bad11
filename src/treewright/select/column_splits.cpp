// The best split on each column in one place of a tree whose beginning is given.
//
// Idea. "?" marks the place in the option top. The trees that ask a column there are those of the same top with {"column": NAME} in the
// place, so `fit` finds and proves the best of them (methods/oct/below_top.cpp).
//
// What is below other open places does not depend on the place: no limit but those on each path and each leaf is allowed here. So they are
// solved once, for the best of all trees that begin so, and their splits are given to the other solves. If that was stopped, the others
// solve all places anew.
//
// Order and threads. The column that the best tree asks comes first: nothing is left to solve. Then those come whose best single split errs
// least on the rows of the place: likely good ones, for a listener that waits. The solves know nothing of each other, so they run side by
// side, each with its share of the time that is left.

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/base/infinity.h"
#include "treewright/base/thread_pool.h"
#include "treewright/column_worth.h"
#include "treewright/data/wide_category.h"
#include "treewright/fit/registry.h"
#include "treewright/search/first_trees/stump_on.h"
#include "treewright/select/least_costs.h"
#include "treewright/select/path_trainer.h"
#include "treewright/task/tree_top.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/routing.h"
#include "treewright/tree/tree_json.h"

namespace treewright {

namespace {

using Json = nlohmann::ordered_json;

// A top with one place that is marked.
class MarkedTop {
 public:
  explicit MarkedTop(const std::string& text) {
    const auto refuse = [](const char* problem) {
      throw option_error("top", problem, R"(mark one place by "?", as in {"column": "age", "below": 40, "left": "?", "right": "..."})");
    };
    json_ = top_json(text);
    visit(json_, "", [&](const Json& part, const std::string& path) {
      if (part != "?") return;
      if (is_marked_) refuse("marks more than one place");
      is_marked_ = true;
      path_ = path;
    });
    if (!is_marked_) refuse("marks no place");
  }

  std::string with(const Json& part) const {
    Json json = json_;
    at(json, path_) = part;
    return json.dump();
  }

  /// In a tree that begins so.
  NodeId node(const Tree& tree) const { return node(tree, path_); }
  std::int64_t depth() const { return static_cast<std::int64_t>(path_.size()); }

  /// The other open places, as they are in a tree that begins so.
  void fix_others(const Tree& tree) {
    std::vector<std::string> open;
    visit(json_, "", [&](const Json& part, const std::string& path) {
      if (!part.contains("left") && path != path_) open.push_back(path);
    });
    for (const std::string& path : open) at(json_, path) = top_from(tree, node(tree, path));
  }

 private:
  // Paths are words of l and r.
  template <class Visit>
  static void visit(const Json& json, const std::string& path, const Visit& visitor) {
    visitor(json, path);
    if (!json.is_object()) return;
    if (json.contains("left")) visit(json["left"], path + "l", visitor);
    if (json.contains("right")) visit(json["right"], path + "r", visitor);
  }

  static Json& at(Json& json, const std::string& path) {
    Json* place = &json;
    for (const char side : path) place = &(*place)[side == 'l' ? "left" : "right"];
    return *place;
  }

  static NodeId node(const Tree& tree, const std::string& path) {
    NodeId id = Tree::root();
    for (const char side : path) id = side == 'l' ? tree.node(id).left : tree.node(id).right;
    return id;
  }

  Json json_;
  std::string path_;
  bool is_marked_ = false;
};

class SplitSearch {
 public:
  SplitSearch(const Dataset& data, const Options& options, const FitHooks& hooks, const ColumnSplitListener& told)
      : data_(data),
        options_(unverified(only_read(options))),
        hooks_(hooks),
        told_(told),
        pool_(static_cast<int>(options.n_jobs)),
        costs_(data, options),
        top_(options.top) {}

  ColumnSplits find() {
    if (options_.max_depth < 0) options_.max_depth = kUsualDepth;
    found_.max_depth = options_.max_depth;
    found_.whole = costs_.whole();
    Options options = options_;
    options.time_limit *= select::kShareOfBest;
    found_.best = solve("...", options, hooks_);
    found_.leaf = below_best(solve("leaf", options, hooks_));
    find_columns();
    if (found_.best.status == Status::optimal) top_.fix_others(found_.best.result->tree);
    solve_columns();
    std::ranges::stable_sort(found_.columns, {}, [](const ColumnSplit& column) {
      return std::tuple(column.least.status == Status::infeasible, column.least.cost, column.least.bound, column.column);
    });
    for (const LeastCost* least : {&found_.best, &found_.leaf}) take_status(*least);
    for (const ColumnSplit& column : found_.columns) take_status(column.least);
    return std::move(found_);
  }

 private:
  bool interrupted() const { return hooks_.stop != nullptr && hooks_.stop->load(); }

  LeastCost solve(const Json& part, Options options, const FitHooks& hooks) const {
    options.top = top_.with(part);
    return costs_.of(fit(data_, options, hooks));
  }

  // The trees are some of those that begin so.
  LeastCost below_best(LeastCost least) const {
    least.bound = std::min(std::max(least.bound, found_.best.bound), least.cost);
    return least;
  }

  void take_status(const LeastCost& least) {
    if (!least.is_known() && found_.status == Status::optimal) found_.status = least.status;
  }

  std::optional<FeatureId> asked_by_best() const {
    const Tree& best = found_.best.result->tree;
    const std::optional<Split>& split = best.node(top_.node(best)).split;
    return split ? split->feature() : std::nullopt;
  }

  // Those that part the rows of the place, and those that do not.
  void find_columns() {
    const Tree& best = found_.best.result->tree;
    const NodeId place = top_.node(best);
    const Dataset rows = data_.subset(rows_of_nodes(best, data_)[static_cast<std::size_t>(+place)]);
    const std::int64_t min_rows = min_leaf_rows(options_.min_samples_leaf, data_.rows());
    std::vector<std::pair<double, ColumnSplit>> ranked;
    for (std::size_t f = 0; f < data_.features(); ++f) {
      ColumnSplit column{data_.columns[f].name, FeatureId{static_cast<std::int32_t>(f)}, {}, {}};
      if (is_wide_category(data_.columns[f])) {
        found_.left_out.push_back(column.name);
        continue;
      }
      const bool fits = top_.depth() < options_.max_depth;
      if (const std::optional<Tree> stump = fits ? search::stump_on(rows, column.column, min_rows) : std::nullopt) {
        ranked.emplace_back(column.column == asked_by_best() ? -1 : count_errors(*stump, rows), std::move(column));
      } else {
        column.least = {kInfinity, kInfinity, Status::infeasible, nullptr};
        ranked.emplace_back(kInfinity, std::move(column));
      }
    }
    std::ranges::stable_sort(ranked, {}, [](const auto& one) { return one.first; });
    for (auto& [errors, column] : ranked) found_.columns.push_back(std::move(column));
  }

  void solve_columns() {
    std::atomic<std::size_t> begun = 0;
    const auto open = static_cast<std::size_t>(
        std::ranges::count_if(found_.columns, [](const ColumnSplit& column) { return column.least.status != Status::infeasible; }));
    found_.solves = 2 + static_cast<std::int64_t>(open);
    pool_.parallel_for(open, [&](std::size_t i) {
      const double left = std::max(0.0, options_.time_limit - clock_.elapsed());
      const auto share = std::min(1.0, static_cast<double>(pool_.threads()) / static_cast<double>(open - begun++));
      solve_column(found_.columns[i], left * share);
      const std::lock_guard lock(mutex_);
      ++known_;
      if (told_) told_(found_.columns[i], known_, static_cast<std::int64_t>(open));
    });
  }

  void solve_column(ColumnSplit& column, double seconds) const {
    const LeastCost& best = found_.best;
    if (column.column == asked_by_best()) {
      column.least = best;
    } else if (interrupted() || seconds <= 0) {
      column.least.status = interrupted() ? Status::interrupted : Status::time_limit;
      column.least.bound = best.bound;
      return;
    } else {
      Options options = options_;
      options.n_jobs = 1;
      options.time_limit = seconds;
      FitHooks hooks;
      hooks.stop = hooks_.stop;
      column.least = below_best(solve({{"column", name_json(column.name)}}, options, hooks));
    }
    const Tree& tree = column.least.result->tree;
    column.split = tree.node(top_.node(tree)).split;
  }

  const Dataset& data_;
  Options options_;
  const FitHooks& hooks_;
  const ColumnSplitListener& told_;
  const Deadline clock_;
  ThreadPool pool_;
  const select::LeastCosts costs_;
  MarkedTop top_;
  ColumnSplits found_;
  std::int64_t known_ = 0;
  std::mutex mutex_;
};

}  // namespace

ColumnSplits column_splits(const Dataset& data, const Options& options, const FitHooks& hooks, const ColumnSplitListener& told) {
  Options others = options;
  others.top.clear();
  select::check_asks_columns(data, others);
  if (options.max_splits >= 0) throw option_error("max_splits", "couples the places of a tree", "leave it out, or limit the depth");
  return SplitSearch(data, options, hooks, told).find();
}

}  // namespace treewright
