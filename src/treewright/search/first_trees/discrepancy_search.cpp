// Limited discrepancy search: good trees of packed items within milliseconds, and better ones the longer it lasts.
//
// Idea. Every node has a list of its cuts, those first below which the best tree of two levels is cheapest. A tree that takes the first cut
// of the list everywhere is greedy with a look-ahead. A cut further down the list is a discrepancy for each one that it skips. The search
// tries all trees with at most k discrepancies on the way from the root to any node, for k = 0, 1, 2, ... (Harvey and Ginsberg, IJCAI 1995;
// for decision trees Kiossou, Schaus, Nijssen and Houndji, 2022). Here the lowest two levels are always optimal: the evaluation that sorts
// the cuts of a node finds its best tree of two levels as well.
//
// Repetitions. Trees with few discrepancies have most nodes in common with those tried before. So the list of a set of items is kept
// (item_sets.h), and the items of a node are packed only if its list has been lost or was never made. Each visit to a node counts as a
// third of an evaluation, which is about what it costs on the whole, whether its list was kept or not: that may depend on the threads.
//
// Budgets. A subtree is looked for only below what the best tree so far leaves for it.
//
// Cost. With k discrepancies there are about C(k + D - 2, D - 2) nodes of each level, each visited in half a microsecond. Evaluating one
// takes as long as an exact tree of two levels.

#include "treewright/search/first_trees/discrepancy_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "treewright/base/infinity.h"
#include "treewright/base/ordered_tasks.h"

namespace treewright::search {

namespace {

// Roots below which trees are looked for side by side.
constexpr std::size_t kRoots = 8;

// Trees with fewer discrepancies are tried again among those with more, so their number grows by at least one part of so many.
constexpr std::int64_t kStep = 6;

// Visits that take as long as one evaluation.
constexpr std::int64_t kVisits = 3;

// Instead of a cut: a tree of at most two levels.
constexpr std::uint32_t kShallow = ~std::uint32_t{0};

}  // namespace

DiscrepancySearch::DiscrepancySearch(const Problem& problem, const SearchLimits& limits, const Subset& all, int depth, Deadline& deadline,
                                     ThreadPool& pool, RootLists& known, Ledger* ledger)
    : problem_(problem), limits_(limits), all_(all), depth_(depth), deadline_(deadline), pool_(pool), ledger_(ledger), known_(known) {
  for (std::size_t f = 0; f + 1 < all.bits.first_cut.size(); ++f) ordering_.resize(all.bits.first_cut[f + 1], f);
  most_ = static_cast<std::int64_t>(all.bits.cuts()) * std::max(depth - 2, 0);
}

void DiscrepancySearch::enter(Worker& worker, int depth, std::size_t cut, bool right) const {
  const Node& parent = worker.nodes[static_cast<std::size_t>(depth)];
  Node& child = worker.nodes[static_cast<std::size_t>(depth) - 1];
  child.is_packed = false;
  child.cut = cut;
  child.right = right;
  take_side(all_.bits, parent.set, cut, right, child.set);
}

// The cut of a part that divides it as this cut of all items does.
std::size_t DiscrepancySearch::cut_of(const BitColumns& part, std::size_t cut) const {
  return part.first_cut_from(ordering_[cut], part.high, all_.bits.high[cut]);
}

const Subset& DiscrepancySearch::subset_of(Worker& worker, int depth) const {
  if (depth == depth_) return all_;
  Node& node = worker.nodes[static_cast<std::size_t>(depth)];
  if (node.is_packed) return node.subset;
  const Subset& parent = subset_of(worker, depth + 1);
  const std::uint32_t place = parent.bits.place[cut_of(parent.bits, node.cut)];
  ItemRange{parent, ordering_[node.cut], node.right ? place : 0, node.right ? parent.size : place}.copy_to(node.subset);
  node.is_packed = true;
  return node.subset;
}

std::shared_ptr<const RootList> DiscrepancySearch::roots_of(Worker& worker, int depth) const {
  const ItemSet& set = worker.nodes[static_cast<std::size_t>(depth)].set;
  std::shared_ptr<const RootList> known;
  if (known_.find(set, [&](const auto& list, std::span<const double>) { known = list; })) return known;
  const Subset& subset = subset_of(worker, depth);
  const auto roots = std::make_shared<RootList>();
  roots->leaf = roots->best = subset.leaf_errors(problem_.classes);
  if (roots->leaf > limits_.split_price) {
    worker.depth_two.root_costs(subset, worker.costs);
    const std::vector<double>& costs = worker.costs;
    std::vector<std::size_t> sequence;
    for (std::size_t cut = 0; cut < costs.size(); ++cut) {
      roots->best = std::min(roots->best, costs[cut]);
      if (costs[cut] < kInfinity) sequence.push_back(cut);
    }
    std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t x, std::size_t y) { return costs[x] < costs[y]; });
    // Named as in SolvedSets::part.
    const BitColumns &all = all_.bits, &part = subset.bits;
    std::size_t f = 0;
    std::vector<std::uint32_t> named(costs.size());
    for (std::size_t cut = 0; cut < costs.size(); ++cut) {
      while (cut >= part.first_cut[f + 1]) ++f;
      named[cut] = static_cast<std::uint32_t>(all.first_cut_from(f, all.low, part.low[cut]));
    }
    for (const std::size_t cut : sequence) roots->cuts.push_back(named[cut]);
  }
  known_.add(set, roots, {}, sizeof(RootList) + roots->cuts.size() * sizeof(roots->cuts.front()));
  return roots;
}

// The cost of the best tree of the node at that depth with so many discrepancies, if it is less than `upper`; the tree is then in the node.
double DiscrepancySearch::best_tree(Worker& worker, int depth, std::int64_t discrepancies, double upper) const {
  worker.deadline.poll(static_cast<std::int64_t>(problem_.orderings.size()) / kVisits + 1);
  const std::shared_ptr<const RootList> roots = roots_of(worker, depth);
  std::vector<std::uint32_t>& tree = worker.nodes[static_cast<std::size_t>(depth)].tree;
  double best = upper;
  if (roots->best < best) {
    best = roots->best;
    tree.assign(1, kShallow);
  }
  if (depth <= 2 || roots->leaf <= limits_.split_price) return best;
  const std::int64_t count = std::min<std::int64_t>(discrepancies + 1, static_cast<std::int64_t>(roots->cuts.size()));
  for (std::int64_t i = 0; i < count && best > limits_.split_price && !worker.deadline.stopped(); ++i) {
    best = try_cut(worker, depth, roots->cuts[static_cast<std::size_t>(i)], discrepancies - i, best);
  }
  return best;
}

// The same for trees with this root.
double DiscrepancySearch::try_cut(Worker& worker, int depth, std::size_t cut, std::int64_t discrepancies, double upper) const {
  Node& node = worker.nodes[static_cast<std::size_t>(depth)];
  const Node& child = worker.nodes[static_cast<std::size_t>(depth) - 1];
  const double budget = upper - limits_.split_price;
  enter(worker, depth, cut, false);
  const double left = best_tree(worker, depth - 1, discrepancies, budget);
  if (left >= budget) return upper;
  const std::vector<std::uint32_t> left_tree = child.tree;
  enter(worker, depth, cut, true);
  const double right = best_tree(worker, depth - 1, discrepancies, budget - left);
  if (left + right >= budget) return upper;
  node.tree.assign(1, static_cast<std::uint32_t>(cut));
  node.tree.insert(node.tree.end(), left_tree.begin(), left_tree.end());
  node.tree.insert(node.tree.end(), child.tree.begin(), child.tree.end());
  return limits_.split_price + left + right;
}

// The tree from `next` on, which is then behind it.
RankTree DiscrepancySearch::write_down(Worker& worker, int depth, const std::uint32_t*& next) const {
  const std::uint32_t cut = *next++;
  const Subset& subset = subset_of(worker, depth);
  if (cut == kShallow) {
    Deadline unlimited;
    const ItemRange range = ItemRange::all(subset);
    SubproblemResult result = worker.depth_two.solve(range, 2, full_splits(2), kInfinity, {}, unlimited);
    worker.depth_two.finish(range, result);
    return std::move(result.tree);
  }
  const std::size_t here = cut_of(subset.bits, cut);
  const RankTree::Node root{static_cast<std::int32_t>(ordering_[cut]), subset.bits.low[here], subset.bits.high[here]};
  enter(worker, depth, cut, false);
  const RankTree left = write_down(worker, depth - 1, next);
  enter(worker, depth, cut, true);
  return RankTree::split(root, left, write_down(worker, depth - 1, next));
}

// The best tree below one root of the list.
SubproblemResult DiscrepancySearch::below_root(Deadline& deadline, std::size_t root, double upper) const {
  Worker worker{DepthTwo(problem_, limits_), std::vector<Node>(static_cast<std::size_t>(depth_) + 1), deadline, {}};
  worker.nodes.back().set = all_items(all_.bits);
  SubproblemResult result;
  double cost = upper;
  if (discrepancies_ == 0) {
    cost = best_tree(worker, depth_, 0, upper);
  } else if (const std::shared_ptr<const RootList> roots = roots_of(worker, depth_); root < roots->cuts.size()) {
    cost = try_cut(worker, depth_, roots->cuts[root], discrepancies_ - static_cast<std::int64_t>(root), upper);
  }
  if (cost >= upper) return result;
  result.cost = cost;
  const std::vector<std::uint32_t> tree = std::move(worker.nodes.back().tree);
  const std::uint32_t* next = tree.data();
  result.tree = write_down(worker, depth_, next);
  return result;
}

void DiscrepancySearch::run_some(double upper, const std::function<void(const SubproblemResult&)>& on_tree) {
  const std::size_t roots = static_cast<std::size_t>(std::min(discrepancies_ + 1, std::max<std::int64_t>(1, all_.bits.cuts())));
  const std::size_t count = std::min(kRoots, roots - next_root_);
  std::vector<SubproblemResult> found(count);
  const std::size_t counted = run_ordered(pool_, deadline_, count, [&](std::size_t i, Deadline& deadline) {
    const std::size_t root = next_root_ + i;
    NodeTask task{NodeTask::Kind::discrepancies, depth_};
    task.ordering = root;
    task.cut = discrepancies_;
    task.budget = upper;
    found[i] = recall(ledger_, problem_, task, deadline, [&] { return below_root(deadline, root, upper); });
    return false;
  });
  for (std::size_t i = 0; i < counted; ++i) {
    if (found[i].found()) on_tree(found[i]);
  }
  next_root_ += count;
  if (next_root_ < roots) return;
  next_root_ = 0;
  discrepancies_ += 1 + discrepancies_ / kStep;
}

}  // namespace treewright::search
