#include "treewright/fit/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>

#include "treewright/base/error.h"
#include "treewright/fit/auto.h"
#include "treewright/fit/class_codes.h"
#include "treewright/fit/hyperplane.h"
#include "treewright/fit/leaf_weight.h"
#include "treewright/fit/refine.h"
#include "treewright/fit/svm1.h"
#include "treewright/fit/train_margot.h"
#include "treewright/fit/train_mip.h"
#include "treewright/fit/train_mm_svm.h"
#include "treewright/grow/cart.h"
#include "treewright/search/exact.h"
#include "treewright/search/problem.h"

namespace treewright {

namespace {

// Equal sums of weights may differ by this share: the last digits of doubles.
constexpr double kLastDigits = 1e-12;

// Everything a method is given; data carry the class weights.
struct Task {
  const Dataset& data;
  const Options& options;
  const FitHooks& hooks;
  Objective objective;
  std::int64_t min_rows;
  LeafWeight leaf_weight;
};

Deadline deadline_of(const Task& task) {
  const std::int64_t limit = task.options.node_limit;
  return Deadline(task.options.time_limit, limit < 0 ? std::numeric_limits<std::int64_t>::max() : limit, task.hooks.stop);
}

CartOptions cart_options(const Task& task) {
  CartOptions cart;
  cart.criterion = criterion_named(task.options.criterion);
  cart.min_leaf_rows = task.min_rows;
  return cart;
}

Result train_cart(const Task& task) {
  CartOptions cart = cart_options(task);
  cart.max_depth = static_cast<int>(task.options.max_depth);
  cart.ccp_alpha = task.options.ccp_alpha;
  cart.max_splits = task.options.max_splits;
  Result result;
  result.tree = grow_cart(task.data, cart);
  task.leaf_weight.repair(result.tree);
  result.status = Status::heuristic;
  result.proved = "nothing: a greedy tree";
  return result;
}

bool is_within(const Tree& tree, const Task& task, std::int64_t min_rows) {
  if (tree.depth() > task.options.max_depth) return false;
  if (task.options.max_splits >= 0 && static_cast<std::int64_t>(tree.splits()) > task.options.max_splits) return false;
  return std::all_of(tree.nodes().begin(), tree.nodes().end(), [&](const Node& node) { return !node.is_leaf() || node.rows >= min_rows; });
}

// The tree that the exact search has to beat: CART or the caller's best, without the splits that do not pay. It lies in the family that is
// searched: a better tree of another family would be called optimal in its place.
Tree start_tree(const Task& task, std::int64_t min_rows) {
  const double price = task.objective.split_price();
  const auto cost = [&](const Tree& tree) { return count_errors(tree, task.data) + price * static_cast<double>(tree.splits()); };
  CartOptions cart = cart_options(task);
  cart.min_leaf_rows = min_rows;
  cart.max_depth = static_cast<int>(task.options.max_depth);
  cart.max_subset_levels = kMaxSubsetLevels;
  Tree best = grow_cart(task.data, cart);
  best.simplify(price);
  trim(best, static_cast<int>(task.options.max_depth), task.options.max_splits);
  best.simplify(price);
  for (const Tree* given : task.hooks.starts) {
    Tree tree = *given;
    tree.tally(task.data);
    tree.simplify(price);
    if (is_within(tree, task, min_rows) && is_searched(tree, task.data) && cost(tree) < cost(best)) best = std::move(tree);
  }
  return best;
}

Result train_exact(const Task& task) {
  const Options& options = task.options;
  const double price = task.objective.split_price(), scale = task.objective.error_scale;
  const LeafWeight& leaf_weight = task.leaf_weight;
  Deadline deadline = deadline_of(task);
  const auto report = [&](const Progress& progress) {
    if (task.hooks.listener) task.hooks.listener({progress.seconds, progress.incumbent / scale, progress.bound / scale, progress.source});
  };
  const auto cost = [&](const Tree& tree) { return count_errors(tree, task.data) + price * static_cast<double>(tree.splits()); };
  const auto search = [&](std::int64_t min_rows) {
    const Tree start = start_tree(task, min_rows);
    report({deadline.elapsed(), cost(start), 0, 'C'});
    ExactSearchOptions how;
    how.max_depth = static_cast<int>(options.max_depth);
    how.max_splits = options.max_splits;
    how.min_rows = min_rows;
    how.split_price = price;
    how.threads = static_cast<int>(options.n_jobs);
    how.rules = rules_without(options.disable);
    return search_exact(task.data, how, start, deadline, report);
  };
  const auto within = [&](Tree tree) {
    leaf_weight.repair(tree);
    tree.simplify(price);
    return tree;
  };

  const ExactSearchResult found = search(std::max(task.min_rows, leaf_weight.rows_needed));
  Result result;
  result.tree = found.tree;
  result.bound = found.lower / scale;
  result.status = found.complete ? Status::optimal : deadline.reason();
  if (!leaf_weight.holds(found.tree)) {
    // The limit on rows that is necessary does not do; what the sufficient one finds may be better than what is left of this tree.
    result.tree = within(found.tree);
    if (leaf_weight.rows_sufficient > 0) {
      const Tree other = within(search(std::max(task.min_rows, leaf_weight.rows_sufficient)).tree);
      if (cost(other) < cost(result.tree)) result.tree = other;
    }
    const bool closed = cost(result.tree) - found.lower <= found.rounding + kLastDigits * found.lower;
    if (result.status == Status::optimal && !closed) result.status = Status::heuristic;
  }
  const std::string limits = fmt::format("depth at most {}{}{}{}", options.max_depth,
                                         options.max_splits < 0 ? "" : fmt::format(", at most {} splits", options.max_splits),
                                         task.min_rows > 1 ? fmt::format(", at least {} rows in every leaf", task.min_rows) : "",
                                         leaf_weight.least > 0 ? fmt::format(", weight at least {} in every leaf", leaf_weight.least) : "");
  result.proved = fmt::format(
      "no tree of axis and category splits ({}{}) has an objective below the bound", limits,
      restricts_subsets(task.data) ? fmt::format("; columns of more than {} levels split one level from the rest", kMaxSubsetLevels) : "");
  return result;
}

Result train_by_mip(const Task& task) {
  Deadline deadline(task.options.time_limit, std::numeric_limits<std::int64_t>::max(), task.hooks.stop);
  Tree cart = start_tree(task, task.min_rows);
  task.leaf_weight.repair(cart);
  return train_mip({task.data, task.options, task.objective, task.min_rows, task.leaf_weight.least, std::move(cart), task.hooks.stop},
                   deadline, task.hooks.listener);
}

Result train_hyperplanes(const Task& task) {
  const Options& options = task.options;
  Deadline deadline = deadline_of(task);
  Result result;
  result.tree = fit_hyperplanes(task.data, options, task.objective, std::max(task.min_rows, task.leaf_weight.rows_needed),
                                task.hooks.starts, deadline, task.hooks.listener);
  task.leaf_weight.repair(result.tree);
  result.status = deadline.stopped() ? deadline.reason() : Status::heuristic;
  result.proved = "nothing: a tree found by search";
  return result;
}

Result train_by_partition(const Task& task) {
  Deadline deadline = deadline_of(task);
  return train_partition({task.data, task.options, task.objective, task.min_rows, task.leaf_weight, task.hooks.stop}, deadline,
                         task.hooks.listener);
}

Result train_svm1(const Task& task) {
  const Options& options = task.options;
  Deadline deadline = deadline_of(task);
  Svm1Fit found = fit_svm1(task.data, options, task.objective, std::max(task.min_rows, task.leaf_weight.rows_needed), deadline,
                           task.hooks.listener, task.hooks.stop);
  Result result;
  result.tree = std::move(found.tree);
  task.leaf_weight.repair(result.tree);
  result.status = found.status;
  result.bound = found.bound;
  result.proved = std::move(found.proved);
  return result;
}

Result train_margins(const Task& task) {
  Deadline deadline = deadline_of(task);
  if (task.options.method.ends_with("-mip"))
    return train_margot_mip(task.data, task.options, task.objective, deadline, task.hooks.listener);
  return train_margot(task.data, task.options, task.objective, task.hooks.starts, deadline, task.hooks.listener);
}

Result train_smallest_margin(const Task& task) {
  Deadline deadline = deadline_of(task);
  return train_mm_svm(task.data, task.options, task.objective, task.hooks.stop, deadline, task.hooks.listener);
}

int threads_used(const Options& options) {
  return options.n_jobs > 0 ? static_cast<int>(options.n_jobs) : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// A method and what trains it; auto trains with another.
struct Method {
  MethodInfo info;
  Result (*train)(const Task&);
};

const std::vector<Method>& methods() {
  static const std::vector<Method> table = {
      {{"oct",
        "the optimal axis tree by exact search (BD17 problem (1)): depth, rows per leaf, alpha or splits, weights, categories, missing "
        "values",
        true},
       train_exact},
      {{"auto",
        "oct, tao or oct-h, with depth, alpha and cost chosen by cross-validation: the simplest within one standard error of the best",
        false},
       nullptr},
      {{"oct-h", "a tree of hyperplanes for BD17 (28), errors and alpha * features: alternating optimisation and local search in turn",
        false},
       train_hyperplanes},
      {{"tao", "tree alternating optimisation (Carreira-Perpinan & Tavallali 2018) with a support vector machine in each node", false},
       train_hyperplanes},
      {{"local", "local search on the objective (Dunn 2018): thresholds, coefficients, subtrees; best of several starts", false},
       train_hyperplanes},
      {{"cart-h", "the greedy tree of hyperplanes, the top-down OCT-H of BD17 Table 6: CART with a support vector machine in each node",
        false},
       train_hyperplanes},
      {{"svm1", "SVM1-ODT (Zhu et al. 2020): hyperplanes for errors, slack and |h|_1, by a search of its own; selects rows of large data",
        false},
       train_svm1},
      {{"cart", "the greedy tree of Breiman et al. 1984, with cost-complexity pruning; trimmed to depth and splits", false}, train_cart},
      {{"partition",
        "trees from clusters of rows that are split as needed (Ales, Hure & Lambert 2024): hia and hiia fast, eia and eiia proved optimal",
        true},
       train_by_partition},
      {{"margot", "the tree of widest margins (DGMP23): support vector machines in all nodes at once, to proven optimality", true},
       train_margins},
      {{"margot-hfs", "margot with at most feature_budgets features in each split (HFS-MARGOT)", true}, train_margins},
      {{"margot-sfs", "margot with a price, alpha, on each feature beyond feature_budgets in a split (SFS-MARGOT)", true}, train_margins},
      {{"margot-mip", "margot as the paper's mixed-integer quadratic programme, for a solver that takes one (docs/mip.md)", true},
       train_margins},
      {{"margot-hfs-mip", "margot-hfs as the paper's mixed-integer quadratic programme", true}, train_margins},
      {{"margot-sfs-mip", "margot-sfs as the paper's mixed-integer quadratic programme", true}, train_margins},
      {{"mm-svm",
        "MM-SVM-OCT (Blanco et al. 2022 without relabelling): the tree whose smallest margin is widest; a solver of quadratic rows closes "
        "the gap",
        true},
       train_smallest_margin},
      {{"oct-mip",
        "the same problem as oct, as a mixed-integer programme for HiGHS or another solver (BD17 (24) with V23's corrections, (P) of "
        "AHL24)",
        true},
       train_by_mip},
      {{"oct-h-mip", "the optimal tree of hyperplanes as a mixed-integer programme (BD17 (28)), from its greedy start", true},
       train_by_mip},
      {{"svm1-mip", "SVM1-ODT as a mixed-integer programme with its cuts (Z20 model (1)), from the tree of svm1", true}, train_svm1},
      {{"binoct", "the complete tree of least errors as a mixed-integer programme with binary thresholds (Verwer & Zhang 2019), a peer",
        true},
       train_by_mip},
      {{"fair", "errors and disparate impact on the groups of a column, as a mixed-integer programme (Aghaei et al. 2019)", true},
       train_by_mip},
  };
  return table;
}

std::size_t classes_of_weight(const Dataset& data) {
  const std::vector<double> totals = data.class_totals();
  return static_cast<std::size_t>(std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0; }));
}

}  // namespace

const std::vector<MethodInfo>& method_table() {
  static const std::vector<MethodInfo> table = [] {
    std::vector<MethodInfo> infos;
    for (const Method& method : methods()) infos.push_back(method.info);
    return infos;
  }();
  return table;
}

Result fit(const Dataset& data, const Options& options, const FitHooks& hooks) {
  check_options(options);
  data.validate_for_training();
  const Deadline clock;
  if (options.method == "auto") {
    Deadline deadline(options.time_limit, std::numeric_limits<std::int64_t>::max(), hooks.stop);
    AutoChoice choice = choose_automatically(data, options, deadline);
    choice.options.time_limit = std::max(0.0, deadline.remaining());
    Result result = fit(data, choice.options, hooks);
    result.selection = std::move(choice.selection);
    result.seconds = clock.elapsed();
    return result;
  }
  const Dataset* used = &data;
  Dataset reweighted;
  if (!options.class_weight.empty()) {
    reweighted = data;
    apply_class_weights(reweighted, options.class_weight);
    reweighted.validate_for_training();
    used = &reweighted;
  }
  // The result keeps what the listener hears.
  std::vector<Progress> history;
  FitHooks recording = hooks;
  recording.listener = [&](const Progress& progress) {
    record(history, progress);
    if (hooks.listener) hooks.listener(progress);
  };
  const Task task{*used,
                  options,
                  recording,
                  Objective::from(options, *used),
                  min_leaf_rows(options.min_samples_leaf, used->rows()),
                  LeafWeight::from(options.min_weight_fraction_leaf, *used)};
  if (task.min_rows > static_cast<std::int64_t>(used->rows())) {
    throw Error("option 'min_samples_leaf'",
                fmt::format("asks for {} rows in every leaf where the data have {}", task.min_rows, used->rows()),
                "use a smaller number, or a share below 1");
  }

  if (options.method.starts_with("margot") && options.class_codes.empty() && classes_of_weight(*used) > 2) {
    // Words take at most half of the time.
    Deadline deadline(options.time_limit / 2, std::numeric_limits<std::int64_t>::max(), hooks.stop);
    Options with = options;
    with.class_codes = choose_class_codes(*used, options, deadline);
    with.time_limit = std::max(0.0, options.time_limit - deadline.elapsed());
    Result result = fit(data, with, hooks);
    result.seconds = clock.elapsed();
    return result;
  }
  const auto method = std::find_if(methods().begin(), methods().end(), [&](const Method& m) { return m.info.name == options.method; });
  assert(method != methods().end() && "check_options lets no other name pass");
  Result result = method->train(task);

  result.method = options.method;
  result.history = std::move(history);
  for (const OptionInfo& info : option_table()) {
    const std::string name(info.name), value = get_option(options, name);
    if (value != get_option(Options(), name)) result.options.emplace_back(name, value);
  }
  result.objective_function = task.objective;
  result.seed = options.random_state;
  result.threads = options.method.starts_with("cart") ? 1 : threads_used(options);
  // A margin may be worth having where all rows lie on one side of it.
  const ObjectiveKind kind = task.objective.kind;
  result.min_leaf_rows = kind == ObjectiveKind::margot || kind == ObjectiveKind::mm_svm ? 0 : task.min_rows;
  result.min_leaf_weight = task.leaf_weight.least;
  result.max_depth = options.max_depth;
  result.max_splits = options.max_splits;
  result.rows = static_cast<std::int64_t>(used->rows());
  result.total_weight = used->total_weight();
  // Every claim is recounted on the raw rows before it is made.
  result.errors = count_errors(result.tree, *used);
  result.objective = task.objective.of(result.tree, *used);
  if (result.status == Status::optimal) {
    // A gap of the size of rounding is no disagreement. Weights without a common unit may leave one that is told as it is.
    const bool errors = task.objective.kind == ObjectiveKind::errors;
    const double off = std::abs(result.objective - result.bound), size = std::abs(result.objective);
    if (errors && off <= kLastDigits * size) result.bound = result.objective;
    if (off > (task.objective.gap_tolerance + 1e-9) * size && !(errors && off * task.objective.error_scale <= used->weight_tolerance())) {
      result.status = Status::heuristic;
      result.proved += fmt::format("; the recount on the raw rows differs from it by {:.2g}, so optimality is not claimed", off);
    }
  }
  result.bound = std::min(result.bound, result.objective);
  result.seconds = clock.elapsed();
  return result;
}

}  // namespace treewright
