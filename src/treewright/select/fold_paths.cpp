// One fold of a tuning run.
//
// Settings with strict limits come first: shallow trees and large leaves before deep trees and small leaves. What is within strict limits
// is within the others, so every tree of the fold is one to beat in the solves that follow (BD17's pool of warm starts, and its remark on
// N_min). Prices of slack ascend, that of the last level fastest. So a solve follows its neighbors in the grid of prices, and bounds at low
// prices hold at high ones (methods/margot/price_bound.h).
//
// Each path gets an equal share of the time that is left, so that what one does not use goes to the others.

#include "treewright/select/fold_paths.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "treewright/base/deadline.h"
#include "treewright/fit/registry.h"
#include "treewright/methods/margot/objective.h"
#include "treewright/select/path_trainer.h"

namespace treewright::select {

namespace {

// The time limit and the seed are the run's own: it may give them to methods that read neither.
std::vector<Options> checked(const std::vector<Options>& settings, const Dataset& train) {
  std::vector<Options> read;
  for (const Options& options : settings) {
    check_read(options, {"time_limit", "random_state"});
    check_serves_many(options);
    read.push_back(with_depth(only_read(decided(options)), train));
  }
  return read;
}

std::vector<std::size_t> strictest_first(const std::vector<Options>& settings) {
  std::vector<std::size_t> order(settings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<double>> costs;
  for (const Options& options : settings) costs.push_back(margot::values_in(options.level_costs, "level_costs"));
  const auto leaf = [](const Options& o) { return std::pair(o.min_samples_leaf < 1 ? 0 : 1, o.min_samples_leaf); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Options &a = settings[x], &b = settings[y];
    if (a.max_depth != b.max_depth) return a.max_depth < b.max_depth;
    return leaf(a) != leaf(b) ? leaf(a) > leaf(b) : costs[x] < costs[y];
  });
  return order;
}

}  // namespace

std::vector<ComplexityPath> fold_paths(const Dataset& train, const FoldPlan& plan, const FitHooks& hooks) {
  const Deadline clock;
  const std::vector<Options> settings = checked(plan.settings, train);
  std::vector<ComplexityPath> paths(settings.size());
  FitHooks with_earlier = hooks;
  std::size_t left = settings.size();
  const auto over = [&] { return clock.elapsed() > plan.time_limit || (hooks.stop != nullptr && hooks.stop->load()); };
  for (const std::size_t setting : strictest_first(settings)) {
    if (plan.may_end_early && left < settings.size() && over()) break;
    Options options = settings[setting];
    options.time_limit = std::max(0.0, plan.time_limit - clock.elapsed()) / static_cast<double>(left--);
    options = only_read(options);
    PathTrainer trainer = fit;
    if (plan.train) {
      trainer = [&](const Dataset& data, const Options& limited, const FitHooks& more) { return plan.train(setting, data, limited, more); };
    }
    const bool one_tree = plan.fixed_alpha || !has_path(options.method);
    paths[setting] = one_tree ? single_tree(train, options, with_earlier, trainer) : path_by(train, options, with_earlier, trainer);
    for (const PathPoint& point : paths[setting].points) with_earlier.earlier.push_back(&point.result);
    if (plan.listener) plan.listener(setting, paths[setting]);
  }
  return paths;
}

}  // namespace treewright::select
