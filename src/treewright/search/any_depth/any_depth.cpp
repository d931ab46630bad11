// Trees of any depth, where each split has a price and the columns have few cuts.
//
// Idea. A search by depth solves the same items once for each depth, though with a price no better tree is deeper than it can pay for. Here
// a set of items has one optimum among trees of any depth, one interval [lower, cost] that closes in on it, and one entry in a table,
// whatever the cuts that lead to it and however deep they are. A set is asked for trees that cost less than `need`, what the best tree
// known leaves over for it, and is left as soon as its lower bound gets there. GOSDT searches trees with a price of leaves like this (Lin,
// Zhong, Hu, Rudin, Seltzer, ICML 2020).
//
// Bounds on the child of a cut, each with its proof:
//   - The kernel of depth two (bit_stumps.h) gives the best leaf and the best stump of either side of all cuts at once. All other trees on
//     the side have two splits at least, so the side costs no less than the best of the three: leaf, stump, two prices.
//   - What its own search has shown, in this node or below any other cuts.
//   - A solved child x bounds every child y of the same node: a tree on y serves the items of x, and errs there on no more than the reach
//     of those that y lacks (loss/costs.cpp), so opt(y) >= opt(x) - reach(x without y). Here weight stands for reach, which is no more.
//   - More classes than leaves: a tree with m splits costs at least m prices and what m + 1 labels lose (least_cost).
// A leaf that errs by no more than a price is optimal.
//
// All numbers are sums on the grid of prices (data/costs/price_grid.h), so equal costs compare equal.
//
// Cost: for a node of m items and p cuts, p * p counts of m / 64 words, and p numbers that are kept until it is solved.

#include "treewright/search/any_depth/any_depth.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

// Of the cut, among all of the columns.
std::size_t ordering_of(const BitColumns& columns, std::size_t cut) {
  return static_cast<std::size_t>(std::upper_bound(columns.first_cut.begin(), columns.first_cut.end(), cut) - columns.first_cut.begin()) -
         1;
}

// Weight of the items that are left of both cuts.
double weight_of_both(const BitColumns& columns, std::size_t a, std::size_t b) {
  const BitColumns::Word *left = columns.column(a), *other = columns.column(b);
  double weight = 0;
  for (std::size_t k = 0; k < columns.classes; ++k) {
    int bits = 0;
    for (std::size_t w = columns.group_begin[k]; w < columns.group_begin[k + 1]; ++w) bits += std::popcount(left[w] & other[w]);
    weight += columns.unit * static_cast<double>(columns.scale[k]) * bits;
  }
  return weight;
}

}  // namespace

AnyDepth::AnyDepth(const Problem& problem, const SearchLimits& limits, const Subset& all)
    : problem_(problem), limits_(limits), all_(all), all_set_(all_items(all.bits)), depth_two_(problem, limits), root_(&nodes_[all_set_]) {
  assert(all.is_packed() && limits.split_price > 0 && limits.min_rows <= 1);
}

void AnyDepth::run(Deadline& deadline) {
  solve(*root_, all_, all_set_, 0, kInfinity, deadline);
}

AnyDepth::Node& AnyDepth::node_of(const ItemSet& set) {
  const auto [entry, is_new] = nodes_.try_emplace(set);
  if (is_new) bytes_ += sizeof(*entry) + set.words.size() * sizeof(BitColumns::Word) + 4 * sizeof(void*);
  return entry->second;
}

void AnyDepth::forget_candidates(Node& node) {
  bytes_ -= node.candidates.capacity() * sizeof(Candidate);
  std::vector<Candidate>().swap(node.candidates);
}

// Whether the set needs no look at its cuts.
bool AnyDepth::is_trivial(Node& node, const Subset& subset) const {
  const double price = limits_.split_price;
  const std::vector<double> weights = subset.class_weights(problem_.classes);
  node.cost = std::min(node.cost, leaf_cost(subset.total_reach, weights));
  double divided = price;  // of every tree with a split
  if (limits_.rules.class_bound && problem_.classes > 2) {
    divided = kInfinity;
    for (std::int64_t splits = 1; price * static_cast<double>(splits) < divided; ++splits) {
      divided = std::min(divided, price * static_cast<double>(splits) + least_cost(subset.total_reach, weights, splits + 1));
    }
  }
  node.lower = std::max(node.lower, std::min(node.cost, divided));
  return node.is_solved();
}

// Takes the root of a tree of that cost if it is better than those that are known.
void AnyDepth::consider(Node& node, double cost, const Subset& subset, std::size_t cut) const {
  if (cost >= node.cost) return;
  node.cost = cost;
  node.is_leaf = false;
  node.ordering = static_cast<std::uint32_t>(ordering_of(subset.bits, cut));
  node.low = subset.bits.low[cut];
}

void AnyDepth::evaluate(Node& node, const Subset& subset) {
  const double price = limits_.split_price;
  depth_two_.root_children(subset, children_);
  for (std::size_t cut = 0; cut < children_.size(); ++cut) {
    const DepthTwo::RootChildren& child = children_[cut];
    if (!child.divides) continue;
    const double left = std::min(child.left_leaf, price + child.left_stump), right = std::min(child.right_leaf, price + child.right_stump);
    consider(node, price + left + right, subset, cut);
    const Candidate candidate{static_cast<std::uint32_t>(cut), 0, std::min(left, 2 * price), std::min(right, 2 * price)};
    if (candidate.bound(price) < node.cost) node.candidates.push_back(candidate);
  }
  sort_candidates(node);
  const std::size_t all = subset.bits.cuts();
  for (Candidate& candidate : node.candidates) candidate.weight_left = weight_of_both(subset.bits, candidate.cut, all);
  node.candidates.shrink_to_fit();
  bytes_ += node.candidates.capacity() * sizeof(Candidate);
  node.evaluated = true;
}

// Those that may begin a better tree than the best one known, the most promising first.
void AnyDepth::sort_candidates(Node& node) const {
  const double price = limits_.split_price;
  std::erase_if(node.candidates, [&](const Candidate& cut) { return cut.bound(price) >= node.cost; });
  std::stable_sort(node.candidates.begin(), node.candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return a.bound(price) < b.bound(price); });
}

// What the children of a solved cut say of those of other cuts that may begin a tree of less than `need`.
void AnyDepth::spread(const Subset& subset, const Candidate& solved, double need, std::span<Candidate> others) const {
  if (!limits_.rules.lipschitz) return;
  for (Candidate& other : others) {
    if (other.bound(limits_.split_price) >= need) continue;
    const double both = weight_of_both(subset.bits, solved.cut, other.cut);
    const double only = solved.weight_left - both, only_other = other.weight_left - both;
    const double neither = subset.total_weight - solved.weight_left - only_other;
    other.left = std::max({other.left, solved.left - only, solved.right - neither});
    other.right = std::max({other.right, solved.left - both, solved.right - only_other});
  }
}

void AnyDepth::solve_cut(Node& node, Candidate& candidate, const Subset& subset, const ItemSet& set, std::size_t level, double need,
                         Deadline& deadline) {
  const double price = limits_.split_price;
  const std::size_t ordering = ordering_of(subset.bits, candidate.cut);
  const std::uint32_t low = subset.bits.low[candidate.cut], place = subset.bits.place[candidate.cut];
  const std::size_t cut_of_all = all_.bits.first_cut_from(ordering, all_.bits.low, low);
  Level& below = *levels_[level];
  take_side(all_.bits, set, cut_of_all, false, below.left);
  take_side(all_.bits, set, cut_of_all, true, below.right);
  Node &left = node_of(below.left), &right = node_of(below.right);
  const auto learn = [&] {
    candidate.left = std::max(candidate.left, left.lower);
    candidate.right = std::max(candidate.right, right.lower);
    return candidate.bound(price) < need;
  };
  const auto solve_side = [&](bool is_left) {
    Node& child = is_left ? left : right;
    const double of_other = is_left ? candidate.right : candidate.left;
    child.lower = std::max(child.lower, std::min(child.cost, is_left ? candidate.left : candidate.right));
    const ItemRange range{subset, ordering, is_left ? 0 : place, is_left ? place : subset.size};
    const double rest = need - price - of_other;
    if (child.lower >= rest || child.is_solved()) return;
    range.copy_to(below.subset);
    solve(child, below.subset, is_left ? below.left : below.right, level + 1, rest, deadline);
  };
  // The smaller side first: it takes less time, and its bound may make the larger one needless.
  const bool left_first = 2 * std::uint64_t{place} <= subset.size;
  if (learn()) solve_side(left_first);
  if (learn()) solve_side(!left_first);
  learn();
  consider(node, price + left.cost + right.cost, subset, candidate.cut);
}

// Finds the node's optimum, or shows that it is not below `need`, unless it is stopped.
void AnyDepth::solve(Node& node, const Subset& subset, const ItemSet& set, std::size_t level, double need, Deadline& deadline) {
  if (node.lower >= need || node.is_solved()) return;
  if (!node.evaluated) {
    if (is_trivial(node, subset) || node.lower >= need) return;
    evaluate(node, subset);
    deadline.poll(static_cast<std::int64_t>(problem_.orderings.size()));
  }
  const double price = limits_.split_price;
  while (levels_.size() <= level) levels_.push_back(std::make_unique<Level>());
  std::span<Candidate> candidates = node.candidates;
  for (std::size_t i = 0; i < candidates.size() && !deadline.stopped() && !is_full(); ++i) {
    const double wanted = std::min(need, node.cost);
    if (candidates[i].bound(price) >= wanted) continue;
    solve_cut(node, candidates[i], subset, set, level, wanted, deadline);
    spread(subset, candidates[i], std::min(need, node.cost), candidates.subspan(i + 1));
  }
  double lowest = node.cost;
  for (const Candidate& candidate : candidates) lowest = std::min(lowest, candidate.bound(price));
  node.lower = std::max(node.lower, lowest);
  assert(node.lower <= node.cost);
  node.is_solved() ? forget_candidates(node) : sort_candidates(node);
}

SubproblemResult AnyDepth::best() const {
  SubproblemResult found = best(all_, all_set_);
  found.lower = Bound::of_all_trees(std::min(root_->lower, found.cost));
  return found;
}

// The best tree that is known on some items.
SubproblemResult AnyDepth::best(const Subset& subset, const ItemSet& set) const {
  Deadline unlimited;
  SubproblemResult shallow = depth_two_.solve(ItemRange::all(subset), 1, 1, kInfinity, {}, unlimited);
  depth_two_.finish(ItemRange::all(subset), shallow);
  const auto known = nodes_.find(set);
  if (known == nodes_.end() || known->second.is_leaf || known->second.cost >= shallow.cost) return shallow;
  const Node& node = known->second;
  const std::size_t cut = subset.bits.first_cut_from(node.ordering, subset.bits.high, node.low + 1), place = subset.bits.place[cut];
  SubproblemResult children[2];
  for (const bool right : {false, true}) {
    ItemSet side;
    take_side(all_.bits, set, all_.bits.first_cut_from(node.ordering, all_.bits.low, node.low), right, side);
    Subset items;
    ItemRange{subset, node.ordering, right ? static_cast<std::uint32_t>(place) : 0, right ? subset.size : static_cast<std::uint32_t>(place)}
        .copy_to(items);
    children[right] = best(items, side);
  }
  SubproblemResult found;
  found.cost = limits_.split_price + children[0].cost + children[1].cost;
  found.tree = RankTree::split({static_cast<std::int32_t>(node.ordering), subset.bits.low[cut], subset.bits.high[cut]}, children[0].tree,
                               children[1].tree);
  return found;
}

}  // namespace treewright::search
