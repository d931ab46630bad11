#include "treewright/search/root/root.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "treewright/search/depth_two/pack.h"
#include "treewright/search/node/audit.h"

namespace treewright::search {

Root::Root(const Problem& of, Subset items, const SearchLimits& within, Deadline& until, int on_threads, Ledger* kept_in)
    : problem(of),
      limits(within),
      deadline(until),
      ledger(kept_in),
      nodes(problem, limits),
      threads(on_threads),
      pool(threads),
      ranked(std::move(items)),
      packed(packed_where_faster(ranked, problem.classes, limits)),
      crew(problem, limits, pool) {
  keep_repeated_sets(problem, limits, ranked, packed, solved_sets_);
}

std::unique_ptr<Worker> Root::borrow(Deadline& until, int depth) {
  std::unique_ptr<Worker> worker = crew.borrow();
  worker->deadline = &until;
  worker->ledger = ledger;
  if (solved_sets_) {
    worker->solved_sets = &*solved_sets_;
    worker->level(depth).set = solved_sets_->all();
  }
  return worker;
}

void Root::find_least_losses(int depth, std::int64_t splits) {
  constexpr std::int64_t kMostLeaves = 32;
  const std::int64_t leaves = std::min(splits, full_splits(depth)) + 1;
  if (problem.sums && limits.rules.leaf_values && leaves <= kMostLeaves)
    least_losses = problem.sums->least_by_leaves(ranked.total_weight, ranked.exposure, ranked.amount, leaves);
}

double Root::unavoidable(int depth, std::int64_t most_splits) const {
  const auto splits = static_cast<std::size_t>(std::min(most_splits, full_splits(depth)));
  return std::max(nodes.unavoidable_errors(all, all.leaf_cost(problem), depth, most_splits).strict,
                  splits < least_losses.size() ? least_losses[splits] : 0);
}

Level Root::level(int depth, std::int64_t splits, double upper, std::optional<FeatureId> first) const {
  const double leaf = all.leaf_cost(problem);
  Level level;
  level.depth = depth;
  level.splits = splits;
  level.best = upper;
  level.first = first;
  if (!first) level.leaf = leaf;
  const double split = limits.split_price + unavoidable(depth, splits);
  level.trivial_bound = std::max(floor, std::min(level.leaf, split));
  level.result.trees = TreeRange::up_to(depth, splits);
  level.result.lower.strict = std::min(level.trivial_bound, upper);
  if (level.leaf < upper) {
    level.best = level.result.cost = leaf;
    level.result.tree = RankTree::leaf();
  }
  return level;
}

double Root::bound(const Level& level) const {
  // A tree that predicts numbers is counted in more ways than one, which differ by the digits of a leaf (loss/two_sums.h).
  assert(level.trivial_bound >= 0 &&
         level.result.lower.strict <= level.best + (problem.sums ? static_cast<double>(level.splits + 1) * problem.sums->most_off() : 0));
  double lower = level.opened ? level.leaf : 0;
  for (const OrderingSearch& search : level.searches) lower = std::min(lower, search.lower(limits.split_price));
  lower = std::min(std::max({lower, level.trivial_bound, level.result.lower.strict}), level.best);
  if constexpr (kAudited) {
    if (!level.first) audit_bound(problem, limits, all, level.depth, level.splits, lower);
  }
  return lower;
}

// The price is that of the fewest levels; the errors are those of the most leaves.
TreeBound Root::deepest(const TreeRange& trees) const {
  if (!limits.rules.depth_price) return {0, trees};
  return {limits.split_price * trees.least_depth + unavoidable(trees.most_depth, trees.most_splits), trees};
}

void Root::consider(Level& level, const SubproblemResult& found, char source, const Report& report) const {
  if (found.cost >= level.best) return;
  level.best = level.result.cost = found.cost;
  level.result.tree = found.tree;
  report(level.best, bound(level), source);
}

}  // namespace treewright::search
