// One node of the exact search: the cheapest tree on the items S of the node that costs less than a budget.
//
// Cuts. For every ordering f (problem.h) and every cut t of it the two children of t, the items left and right of it, are subproblems of
// depth - 1. The interval bounds (intervals.h) let one solved cut bound its neighbors, so only a few cuts of each ordering are solved. The
// next cut to solve is always the middle one of a range that is still open.
//
// Budgets. A child is solved only for trees that cost less than `upper`, minus the price of the root and the bound on the other child, plus
// an eighth of the reach between the open cuts: a bound that reaches that far excludes the neighbors as well. Where what a child costs says
// nothing of smaller ones (without `lipschitz`), bounds that reach a third of it were faster: fewer cuts are solved twice from both sides.
//
// Deepening. Every node first solves itself one level shallower. That takes little time and gives a good tree to beat. Its bounds by
// ordering tell which orderings to try first.
//
// Depth by price. A tree with a path of d splits costs at least d times the price of a split, and the errors that no tree avoids. Where
// that is no less than the best cost, all better trees have fewer than d levels. So with a price the depth of a search ends by itself. For
// bounds by ordering (below): a tree on a larger set has the price of all its splits as well, be they cuts of the smaller set or not.
//
// Classes. A child with fewer leaves than classes loses at least its lightest ones (class_floors.h). So a cut that leaves many classes on
// both sides is excluded before it is solved. Where all cuts are, the node needs no search: what it would cost is known to be too much.
//
// At most C splits. Each way to share C - 1 splits between the children is a search of its own.
//
// Known bounds. A solved child with items S also gives, for every ordering f, a bound L_f(S) on the trees whose root splits by f. The bound
// holds for every set of items that contains S, and, minus the reach of the items that are left out, for every subset of S:
//   - S' contains S. Take a tree on S' whose root splits by f. Where its root sends items of S to both sides, its errors on S alone cost at
//     least the bound on such roots. Where the root sends all of S the same way, one subtree holds S, so the tree costs at least one split
//     and the optimum of S one level shallower. L_f(S) is the smaller of the two bounds; without the second it would be infinite for an f
//     that is constant in S.
//   - S' is a subset of S. A tree on S' whose root sends items of S' to both sides by f does so on S too. On S it costs at most the reach
//     of S without S' more.
// Splits: L_f(S) was proved for at least as many splits as the set that inherits it may have. With min_rows > 1 neither argument holds (a
// tree on S' may leave too few items of S in a leaf), so the rule is off.

#include "treewright/search/node/node_search.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "treewright/search/node/audit.h"

namespace treewright::search {

namespace {

// Bounds by ordering on the items of a cut's child, from those of the neighboring cuts' children: the smaller one is contained in it, the
// larger one contains it and others of that reach.
std::vector<double> bounds_between(const Rules& rules, const RootBounds& smaller, const RootBounds& larger, double reach) {
  std::vector<double> known;
  if (smaller && rules.monotone) known = *smaller;
  if (!larger || !rules.lipschitz) return known;
  known.resize(larger->size(), 0.0);
  for (std::size_t f = 0; f < known.size(); ++f) known[f] = std::max(known[f], (*larger)[f] - reach);
  return known;
}

}  // namespace

// More classes than leaves: see loss/costs.cpp. Large leaves and few rows of other classes: see Problem::row_bound.
Bound NodeSearch::unavoidable_errors(const Subset& subset, double leaf, int depth, std::int64_t splits) const {
  Bound errors;
  if (limits_.rules.class_bound) {
    const std::int64_t leaves = std::min(splits, full_splits(depth)) + 1;
    errors = Bound::of_all_trees(subset.least_cost(problem_, leaves));
  }
  if (limits_.rules.row_bound) {
    const double rows = static_cast<double>(subset.rows);
    errors.strict = std::max(errors.strict, problem_.row_bound(leaf, subset.total_weight, subset.total_reach, rows, limits_.min_rows));
  }
  return errors;
}

std::vector<OrderingSearch> NodeSearch::ordering_searches(const SubproblemResult& shallow, int depth, std::int64_t splits) const {
  std::vector<std::size_t> sequence(problem_.orderings.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  if (!shallow.lower_by_ordering.empty()) {
    const std::vector<double>& by = shallow.lower_by_ordering;
    std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t f, std::size_t g) { return by[f] < by[g]; });
  }
  const std::int64_t most = full_splits(depth - 1);
  std::vector<OrderingSearch> searches;
  for (const std::size_t f : sequence) {
    if (splits - 1 >= 2 * most) {
      searches.push_back({f, most, most, {}});
      continue;
    }
    for (std::int64_t left = std::max<std::int64_t>(0, splits - 1 - most); left <= std::min(most, splits - 1); ++left) {
      searches.push_back({f, left, splits - 1 - left, {}});
    }
  }
  return searches;
}

NodeSearch::Solved NodeSearch::solve_cut(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate,
                                         double best) const {
  const Subset& subset = node.subset;
  const Cuts& cuts = node.cuts;
  const int depth = node.depth;
  Worker& worker = *node.worker;
  const SolvedCut &a = *candidate.before, &b = *candidate.after;
  assert(a.cut < b.cut ? a.cut < candidate.cut && candidate.cut < b.cut : a.cut == b.cut);
  const auto t = static_cast<std::size_t>(candidate.cut);
  const double r_a = cuts.reach_left(t) - a.reach_left, r_b = b.reach_left - cuts.reach_left(t);
  const ItemRange left_range{subset, search.ordering, 0, cuts.place(t)}, right_range{subset, search.ordering, cuts.place(t), subset.size};
  // What both children together must cost less than, and how far beyond that their bounds should reach.
  const double need = limits_.rules.budgets ? best - limits_.split_price : kInfinity;
  const double beyond = std::min(candidate.open_reach / (limits_.rules.lipschitz ? 8 : 3), std::max(need, 0.0));

  Solved solved;
  solved.cut = candidate.cut;
  SubproblemResult &left = solved.left, &right = solved.right;
  const auto reach = [&](std::int64_t cut) { return node.reach_left(cut); };
  const CutGap gap(limits_.rules, a, b, reach);
  const ChildBounds floor{max(gap.left(candidate.cut), Bound::of_all_trees(candidate.floor.left)),
                          max(gap.right(candidate.cut), Bound::of_all_trees(candidate.floor.right))};
  left.lower = floor.left;
  right.lower = floor.right;
  const auto enter = [&](bool right_child) {
    if (worker.ledger != nullptr && depth >= kKeptDepth) worker.path.back().in_right_child = right_child;
    if (worker.solved_sets == nullptr) return;
    worker.solved_sets->side(worker.level(depth).set, search.ordering, cuts.low(t), right_child, worker.level(depth - 1).set);
  };
  const auto solve_left = [&] {
    enter(false);
    left = solve(worker, left_range, depth - 1, search.left_splits, need - right.lower.strict + beyond,
                 bounds_between(limits_.rules, a.left_known, b.left_known, r_b));
    left.lower = max(left.lower, floor.left);
  };
  const auto solve_right = [&] {
    enter(true);
    right = solve(worker, right_range, depth - 1, search.right_splits, need - left.lower.strict + beyond,
                  bounds_between(limits_.rules, b.right_known, a.right_known, r_a));
    right.lower = max(right.lower, floor.right);
  };
  // The smaller child first: it takes less time, and its bound may make the larger one needless.
  const bool left_first = left_range.size() <= right_range.size();
  left_first ? solve_left() : solve_right();
  if (left.lower.strict + right.lower.strict < need + beyond) left_first ? solve_right() : solve_left();
  return solved;
}

void NodeSearch::finish(const NodeFrame& node, const OrderingSearch& search, Solved& solved, double best) const {
  if (solved.cost(limits_.split_price) < best) {
    const std::uint32_t place = node.cuts.place(static_cast<std::size_t>(solved.cut));
    DepthTwo& depth_two = node.worker->depth_two;
    depth_two.finish({node.subset, search.ordering, 0, place}, solved.left);
    depth_two.finish({node.subset, search.ordering, place, node.subset.size}, solved.right);
    return;
  }
  solved.left.drop_tree();
  solved.right.drop_tree();
}

std::vector<SubproblemResult> NodeSearch::solve_children(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate,
                                                         double best) const {
  Solved solved = solve_cut(node, search, candidate, best);
  finish(node, search, solved, best);
  return {std::move(solved.left), std::move(solved.right)};
}

TaskPath NodeSearch::task_of(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate, double best) const {
  TaskPath task = node.worker->path;
  task.push_back({NodeTask::Kind::cut, node.depth, 0, search.ordering, candidate.cut, search.left_splits, search.right_splits, best});
  return task;
}

NodeSearch::Solved NodeSearch::recall_cut(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate,
                                          double best) const {
  if (!keeps(node)) return solve_cut(node, search, candidate, best);
  Worker& worker = *node.worker;
  const TaskPath task = task_of(node, search, candidate, best);
  auto children = recall_results(worker.ledger, problem_, task, &candidate, *worker.deadline, [&] {
    worker.path = task;
    auto solved = solve_children(node, search, candidate, best);
    worker.path.pop_back();
    return solved;
  });
  return {candidate.cut, std::move(children[0]), std::move(children[1])};
}

void NodeSearch::expect(const NodeFrame& node, const OrderingSearch& search, std::span<const Candidate> candidates, double best) const {
  for (const Candidate& candidate : candidates) node.worker->ledger->expect(task_of(node, search, candidate, best), candidate);
}

RankTree NodeSearch::tree_of(const NodeFrame& node, const OrderingSearch& search, Solved& solved) const {
  const auto cut = static_cast<std::size_t>(solved.cut);
  assert(solved.cost(limits_.split_price) < kInfinity);
  finish(node, search, solved, kInfinity);
  const RankTree::Node root{static_cast<std::int32_t>(search.ordering), node.cuts.low(cut), node.cuts.high(cut)};
  return RankTree::split(root, solved.left.tree, solved.right.tree);
}

SubproblemResult NodeSearch::solve(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                                   std::span<const double> known) const {
  SubproblemResult result = solve_node(worker, range, depth, splits, upper, known);
  result.trees = TreeRange::up_to(depth, splits);
  assert(result.is_sane() && (limits_.min_rows > 1 || result.lower.relaxed == result.lower.strict));
  if constexpr (kAudited) audit_result(problem_, limits_, range, depth, splits, upper, known, result, !worker.deadline->stopped());
  return result;
}

SubproblemResult NodeSearch::solve_node(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                                        std::span<const double> known) const {
  assert(depth >= 0 && splits >= 0 && (known.empty() || (known.size() == problem_.orderings.size() && limits_.min_rows <= 1)));
  // Two splits never need a third level.
  if (depth <= 2 || splits <= 2) return solve_depth_two(worker, range, depth, splits, upper, known);
  if (range.is_whole()) return solve_deep(worker, range.whole, depth, splits, upper, known);
  Subset& subset = worker.level(depth).subset;
  range.copy_to(subset);
  return solve_deep(worker, subset, depth, splits, upper, known);
}

SubproblemResult NodeSearch::solve_depth_two(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                                             std::span<const double> known) const {
  const int levels = std::min(depth, 2);
  SolvedSets* sets = worker.solved_sets;
  if (sets == nullptr) return worker.depth_two.solve(range, levels, splits, upper, known, *worker.deadline);
  const ItemSet& set = worker.level(depth).set;
  const std::int64_t most = std::min(splits, full_splits(levels));
  std::optional<SubproblemResult> optimum = sets->find(set, levels, most);
  if (optimum) {
    worker.deadline->poll(static_cast<std::int64_t>(optimum->lower_by_ordering.size()));
  } else {
    optimum = sets->pairs() != nullptr ? worker.depth_two.solve(*sets->pairs(), set, range, levels, most, *worker.deadline)
                                       : worker.depth_two.solve(range, levels, most, kInfinity, {}, *worker.deadline);
    if (!worker.deadline->stopped()) sets->add(set, levels, most, *optimum);
  }
  if (optimum->cost >= upper) optimum->drop_tree();
  return *std::move(optimum);
}

SubproblemResult NodeSearch::solve_shallower(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                                             std::span<const double> known) const {
  if (worker.solved_sets != nullptr) worker.level(depth - 1).set = worker.level(depth).set;
  return solve(worker, ItemRange::all(subset), depth - 1, std::min(splits, full_splits(depth - 1)), upper, known);
}

// What the children of any cut cost at least together by their classes; only whether it is `enough` is found out. A root that sends all
// items to one side leaves them a tree of fewer leaves, so its first cut costs no less.
double NodeSearch::least_floor(const Subset& subset, int depth, std::int64_t splits, double enough) const {
  const std::int64_t of_child = std::min(splits - 1, full_splits(depth - 1));
  if (!lacks_leaves(subset, of_child)) return 0;
  const ClassFloors floors(problem_, subset, of_child + 1, of_child + 1);
  double least = kInfinity;
  for (std::size_t f = 0; f < problem_.orderings.size() && least >= enough; ++f) {
    for (const ClassFloor& floor : floors.of(f)) least = std::min(least, floor.left + floor.right);
  }
  return least;
}

SubproblemResult NodeSearch::solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                                        std::span<const double> known) const {
  const double price = limits_.split_price;
  SubproblemResult result;
  const double leaf = subset.leaf_cost(problem_);
  const Bound divided = price + unavoidable_errors(subset, leaf, depth, splits);  // of every tree with a split
  result.lower = Bound::of_all_trees(leaf);
  if ((limits_.rules.leaf_price && leaf <= price) || subset.size < 2 || leaf <= divided.strict) {
    result.lower.relaxed = std::min(leaf, divided.relaxed);
    if (leaf < upper) {
      result.cost = leaf;
      result.tree = RankTree::leaf();
    }
    return result;
  }
  if (divided.strict >= upper) {
    result.lower = divided;
    return result;
  }
  const Bound deepest = price * (depth - 1) + divided;
  if (limits_.rules.depth_price && deepest.strict >= upper) {
    result = solve_shallower(worker, subset, depth, splits, upper, known);
    worker.depth_two.finish(ItemRange::all(subset), result);
    result.include_deeper(deepest);
    return result;
  }
  if (leaf >= upper) {
    const double by_classes = price + least_floor(subset, depth, splits, upper - price);
    if (by_classes >= upper) {
      result.lower = Bound::of_all_trees(std::min(leaf, by_classes));
      return result;
    }
  }
  // One level shallower, to the optimum: its value bounds the largest children of this node, and its tree is the one to beat.
  SubproblemResult shallow = solve_shallower(worker, subset, depth, splits, kInfinity, {});
  worker.depth_two.finish(ItemRange::all(subset), shallow);
  double best = std::min(upper, result.cost);
  if (shallow.cost < best) {
    best = result.cost = shallow.cost;
    result.tree = shallow.tree;
  }
  // Nothing is better than this tree.
  if (result.found() && best <= divided.strict) {
    result.lower = {result.cost, std::min(leaf, divided.relaxed)};
    return result;
  }
  if (limits_.rules.depth_price && deepest.strict >= best) {
    result.lower = shallow.lower;
    result.lower_by_ordering = std::move(shallow.lower_by_ordering);
    result.include_deeper(deepest);
    return result;
  }
  result.lower_by_ordering.assign(problem_.orderings.size(), kInfinity);
  std::vector<OrderingSearch> searches = ordering_searches(shallow, depth, splits);
  search_orderings({subset, worker.level(depth).cuts, depth, &worker, known}, searches, shallow, best, result);
  for (const double lower : result.lower_by_ordering) result.lower.strict = std::min(result.lower.strict, lower);
  result.include_constant_orderings(price + shallow.lower.strict);
  if (depth == worker.evidence_depth) result.evidence = evidence_of(searches, depth, problem_.orderings.size());
  result.lower.strict = std::min(result.lower.strict, result.cost);
  result.lower.relaxed = limits_.min_rows > 1 ? std::min(result.lower.relaxed, result.lower.strict) : result.lower.strict;
  return result;
}

}  // namespace treewright::search
