// Other trees that are as good: the best one by `fit`, and all trees near it by a search of their own (search/near_trees.cpp). Every
// tree gets claims that can be checked like those of any other. The bound is that of the best tree. Those that cost the same as it are
// optimal too.

#include "treewright/near_trees.h"

#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/base/round_down.h"
#include "treewright/data/costs/costs.h"
#include "treewright/fit/registry.h"
#include "treewright/search/near_trees.h"
#include "treewright/select/path_trainer.h"
#include "treewright/select/stated_options.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/decimals.h"
#include "treewright/tree/measures.h"

namespace treewright {

namespace {

// Of the time, for the best tree.
constexpr double kBestShare = 0.5;

void check(const Dataset& data, const Options& options) {
  select::check_proves_many(options, "the trees near the best one need a best one that is proved");
  if (options.min_weight_fraction_leaf > 0)
    throw option_error("min_weight_fraction_leaf", "cannot be used where all trees are listed", "use min_samples_leaf");
  if (options.node_limit >= 0) throw option_error("node_limit", "cannot be used where all trees are listed", "use time_limit");
  data.validate_for_training();
  need_classes(data);
}

// How much more a tree costs than the best one, by recount: less the last digits of both.
double more_than(const Result& best, const Result& result, const Dataset& data) {
  const Objective& objective = *best.objective_function;
  const auto magnitude = [&](const Result& of) {
    const CostObjective* const costs = as_costs(objective);
    return costs != nullptr ? costs->magnitude(of.tree, data) : of.objective * objective.error_scale();
  };
  return (result.objective - best.objective) * objective.error_scale() - kRoundingOfSum * (magnitude(best) + magnitude(result));
}

Result with_tree(const Result& best, Tree tree, const Dataset& data) {
  Result result = best;
  result.history.clear();
  const double shrinkage = best.tree.shrinkage;
  result.tree = std::move(tree);
  Tree rounded = result.tree;
  round_thresholds(rounded, data);
  if (rounded.predict(data) == result.tree.predict(data)) result.tree = std::move(rounded);
  set_decimals(result.tree, data);
  result.tree.shrinkage = shrinkage;
  result.tree.tally(data);  // a search of costs has seen gains
  result.errors = count_errors(result.tree, data);
  if (const CostObjective* const costs = as_costs(*best.objective_function)) result.cost = costs->cost(result.tree, data);
  result.objective = best.objective_function->of(result.tree, data);
  result.verified = false;
  if (best.status == Status::optimal && more_than(best, result, data) > 0) result.status = Status::heuristic;
  result.bound = std::min(best.bound, result.objective);
  return result;
}

}  // namespace

NearTrees near_trees(const Dataset& data, const Options& given, const NearTreeOptions& wanted, const FitHooks& hooks) {
  check(data, given);
  if (!(wanted.within >= 0)) throw Error("within", "is negative or no number", "give a number of at least 0", ErrorKind::usage);
  if (wanted.count < 1) throw Error("count", "is below 1", "ask for one tree at least", ErrorKind::usage);
  Deadline deadline(given.time_limit, std::numeric_limits<std::int64_t>::max(), hooks.stop);
  Options options = only_read(given);
  if (options.max_depth < 0) options.max_depth = kUsualDepth;  // with any number of classes: all trees are gone through
  options.time_limit = kBestShare * given.time_limit;
  Result best = fit(data, options, hooks);
  select::state_options(best, given, {"time_limit"});
  Dataset weighted = data;
  apply_class_weights(weighted, options.class_weight);
  const std::optional<GainsTable> table = data.has_costs() ? std::optional(gains_table(weighted)) : std::nullopt;
  search::ExactSearchOptions how;
  how.max_depth = static_cast<int>(options.max_depth);
  how.max_splits = options.max_splits;
  how.min_rows = min_leaf_rows(options.min_samples_leaf, data.rows());
  how.split_price = best.objective_function->split_price();
  how.threads = static_cast<int>(options.n_jobs);
  how.rules = search::rules_without(options.disable);
  NearTrees near;
  // Where one label is the best for every row, every split has two leaves that cost what one does.
  search::NearTrees found{{}, wanted.within};
  if (!table || !table->constant) {
    found = search::near_trees(table ? table->rows : weighted, how, best.tree,
                               {wanted.within, wanted.count, wanted.only_sets, table ? table->grid.off() : 0}, deadline);
  }
  near.status = best.status == Status::optimal && deadline.stopped() ? deadline.reason() : best.status;
  near.best = best.cost.value_or(best.errors) + how.split_price * static_cast<double>(best.tree.splits());
  near.within = wanted.within;
  near.complete_within = found.complete_within;
  const double listed = deadline.elapsed();
  for (const search::NearTree& tree : found.trees) {
    if (!near.trees.empty() && search::has_no_time_for_all(deadline, listed)) {
      near.complete_within = -1;
      break;
    }
    Result result = with_tree(best, tree.tree, weighted);
    if (more_than(best, result, weighted) <= wanted.within) near.trees.push_back(std::move(result));
  }
  if (near.complete_within < 0 && near.status == Status::optimal && search::has_no_time_for_all(deadline, listed))
    near.status = deadline.interrupted() ? Status::interrupted : Status::time_limit;
  if (near.trees.empty()) near.trees.push_back(std::move(best));
  return near;
}

}  // namespace treewright
