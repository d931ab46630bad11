// Exact trees of depth two: the bottom of every search, where nearly all time is spent.
//
// Idea. First every single split is evaluated. Then each ordering in turn gives the root, and every cut of it that may win is evaluated:
// the best stumps on both of its sides. Orderings whose best single split is best go first: they tend to hold the optimum, and a good tree
// found early excludes more of the others. The kernel (kernel_roots.h) or bit sets (bit_set_roots.h) do the evaluation, whichever takes
// less time.
//
// Both return values only. The stumps of the winning tree are found again when somebody wants the tree, by a plain scan of the two
// children.

#include "treewright/search/depth_two/depth_two.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"
#include "treewright/search/depth_two/bit_set_roots.h"
#include "treewright/search/depth_two/kernel_roots.h"
#include "treewright/search/depth_two/pack.h"
#include "treewright/search/depth_two/sum_columns.h"

namespace treewright::search {

enum class BitWidth { none, narrow, wide };

struct DepthTwo::Scratch {
  template <class... Columns>
  using Kernels = std::tuple<KernelScratch<Columns>...>;
  Kernels<KernelColumns<std::int16_t>, KernelColumns<std::int32_t>, KernelColumns<double>, SumColumns> kernel;
  SumPairScratch pairs;
  std::vector<double> single_errors;
  std::vector<std::size_t> sequence;
  // Of the subset with that stamp.
  std::uint64_t stamp = 0;
  BitWidth width = BitWidth::none;
  BitColumns columns;  // where the subset is not packed itself
  BitStumps<std::int16_t> narrow_bits;
  BitStumps<std::int32_t> wide_bits;
};

DepthTwo::DepthTwo(const Problem& problem, const SearchLimits& limits)
    : problem_(problem), limits_(limits), scratch_(std::make_unique<Scratch>()) {}
DepthTwo::~DepthTwo() = default;

// Lays out the bit sets of the whole, if it has them or they pay; whether it did.
bool DepthTwo::lay_out_bits(const Subset& whole) {
  Scratch& scratch = *scratch_;
  if (scratch.stamp == whole.stamp) return scratch.width != BitWidth::none;
  scratch.stamp = whole.stamp;
  scratch.width = BitWidth::none;
  if (!whole.is_packed()) {
    if (!worth_packing(whole, problem_.classes, limits_.min_rows)) return false;
    pack(whole, problem_.classes, limits_.min_rows, scratch.columns);
  }
  const BitColumns& columns = whole.is_packed() ? whole.bits : scratch.columns;
  scratch.width = is_narrow(columns) ? BitWidth::narrow : BitWidth::wide;
  scratch.width == BitWidth::narrow ? scratch.narrow_bits.assign(columns, limits_.min_rows)
                                    : scratch.wide_bits.assign(columns, limits_.min_rows);
  return true;
}

SubproblemResult DepthTwo::solve(const ItemRange& range, int depth, std::int64_t splits, double upper, std::span<const double> known,
                                 Deadline& deadline) {
  assert(0 <= depth && depth <= 2 && splits >= 0 && (known.empty() || known.size() == problem_.orderings.size()));
  const Task task{range, depth, splits, upper, known, deadline};
  if (problem_.sums) return solve_with_kernel<SumColumns>(task, *problem_.sums);
  const Subset& whole = range.whole;
  // A stump alone does not pay for packing, least of all where that replaces the layout of a subset still in use.
  const bool pays = limits_.rules.bit_sets && (scratch_->stamp == whole.stamp || (depth > 1 && splits > 1));
  if ((whole.is_packed() || pays) && lay_out_bits(whole)) {
    return scratch_->width == BitWidth::narrow ? solve_with_bit_sets(task, scratch_->narrow_bits)
                                               : solve_with_bit_sets(task, scratch_->wide_bits);
  }
  // The whole's totals first: a range never needs a larger type. No sum over the items of one label exceeds the reach
  // (many_class_stumps.h). Numbers of 16 bits are twice as fast, so they are worth one pass over the items.
  constexpr double kNarrow = std::numeric_limits<std::int16_t>::max(), kWide = std::numeric_limits<std::int32_t>::max();
  const double rows = limits_.min_rows > 1 ? static_cast<double>(std::max(whole.rows, limits_.min_rows)) : 0;
  const bool is_narrow = std::max<double>(range.size(), rows) <= kNarrow &&
                         (whole.total_reach <= kNarrow || (!range.is_whole() && range.total_reach() <= kNarrow));
  if (is_narrow) return solve_with_kernel<KernelColumns<std::int16_t>>(task, problem_.classes);
  if (std::max({whole.total_weight, static_cast<double>(whole.size), rows}) <= kWide)
    return solve_with_kernel<KernelColumns<std::int32_t>>(task, problem_.classes);
  return solve_with_kernel<KernelColumns<double>>(task, problem_.classes);
}

SubproblemResult DepthTwo::solve(const SumPairs& pairs, const ItemSet& set, const ItemRange& range, int depth, std::int64_t splits,
                                 Deadline& deadline) {
  const Task task{range, depth, splits, kInfinity, {}, deadline};
  return solve_with(task, SumPairRoots(pairs, set, scratch_->pairs, limits_.split_price, task.both()));
}

template <class Columns, class Loss>
SubproblemResult DepthTwo::solve_with_kernel(const Task& task, const Loss& loss) {
  auto& scratch = std::get<KernelScratch<Columns>>(scratch_->kernel);
  scratch.columns.assign(task.range, loss, limits_.min_rows);
  return solve_with(task, KernelRoots<Columns>(scratch, task.range, limits_, task.both()));
}

template <class Bits>
SubproblemResult DepthTwo::solve_with_bit_sets(const Task& task, Bits& bits) {
  bits.restrict_to(task.range);
  return solve_with(task, BitSetRoots(bits, scratch_->sequence, limits_, task.both(), &task.deadline));
}

template <class Roots>
SubproblemResult DepthTwo::solve_with(const Task& task, Roots roots) {
  const double price = limits_.split_price;
  const std::size_t orderings = problem_.orderings.size();
  SubproblemResult result;
  ShallowOptima all{roots.leaf_errors(), {}};
  if (start_with_leaf(task, roots, all.leaf, result)) return result;
  double best = std::min(task.upper, result.cost);

  // --- one split -----------------------------------------------------------------------------------
  std::vector<double>& single_errors = scratch_->single_errors;
  single_errors.resize(orderings);
  SingleSplit single;
  std::size_t single_ordering = 0;
  for (std::size_t g = 0; g < orderings; ++g) {
    const SingleSplit of_g = roots.best_single(g);
    single_errors[g] = of_g.errors.strict;
    const bool is_better = of_g.errors.strict < single.errors.strict;
    single.errors = min(single.errors, of_g.errors);
    if (!is_better) continue;
    single.place = of_g.place;
    single_ordering = g;
  }
  all.one_split = result.lower = min(Bound::of_all_trees(all.leaf), price + single.errors);
  if (single.errors.strict + price < best) {
    result.cost = best = single.errors.strict + price;
    result.root = {single_ordering, roots.single_rank(single_ordering, single), 1};
  }
  if (task.depth == 1 || task.splits == 1) return result;

  // --- two or three splits -------------------------------------------------------------------------
  result.lower_by_ordering.assign(orderings, kInfinity);
  std::size_t best_ordering = orderings, best_place = 0;
  for (const std::size_t f : roots.sequence(single_errors, single_ordering)) {
    if (skip(task, f, best, result)) continue;
    const RootsOfOrdering found = roots.search(f, all, best);
    result.lower_by_ordering[f] = found.lower.strict;
    result.lower = min(result.lower, found.lower);
    if (found.cost >= best) continue;
    best = found.cost;
    best_ordering = f;
    best_place = found.place;
  }
  result.include_constant_orderings(price + all.one_split.strict);
  if (best_ordering < orderings) {
    result.cost = best;
    result.root = {best_ordering, roots.rank(best_ordering, best_place), task.both() ? 3 : 2};
  }
  // A tree that was found is the optimum: all others are bounded by its cost.
  result.lower.strict = std::min(result.lower.strict, result.cost);
  if (limits_.min_rows <= 1) result.lower.relaxed = result.lower.strict;
  assert(result.is_sane());
  return result;
}

void DepthTwo::root_costs(const Subset& packed, std::vector<double>& costs) {
  assert(packed.is_packed());
  const auto evaluate = [&](auto& bits) {
    bits.restrict_to(ItemRange::all(packed));
    const BitSetRoots roots(bits, scratch_->sequence, limits_, true, nullptr);
    for (std::size_t cut = 0; cut < costs.size(); ++cut) {
      if (cut % kCutsToAPoll == 0) stop_point();
      costs[cut] = roots.root_cost(cut);
    }
  };
  costs.resize(packed.bits.cuts());
  lay_out_bits(packed);
  scratch_->width == BitWidth::narrow ? evaluate(scratch_->narrow_bits) : evaluate(scratch_->wide_bits);
}

void DepthTwo::root_children(const Subset& packed, std::vector<RootChildren>& children) {
  assert(packed.is_packed() && limits_.min_rows <= 1);
  const auto evaluate = [&](auto& bits) {
    bits.restrict_to(ItemRange::all(packed));
    for (std::size_t cut = 0; cut < children.size(); ++cut) {
      if (cut % kCutsToAPoll == 0) stop_point();
      children[cut] = {};
      if (!bits.divides(cut)) continue;
      const auto errors = bits.evaluate(cut);
      children[cut] = {true, errors.left_leaf, errors.right_leaf, errors.left.strict, errors.right.strict};
    }
  };
  children.resize(packed.bits.cuts());
  lay_out_bits(packed);
  scratch_->width == BitWidth::narrow ? evaluate(scratch_->narrow_bits) : evaluate(scratch_->wide_bits);
}

// Enters the leaf into the result. Returns whether nothing can be better.
template <class Roots>
bool DepthTwo::start_with_leaf(const Task& task, const Roots& roots, double leaf, SubproblemResult& result) const {
  const double price = limits_.split_price;
  result.lower = Bound::of_all_trees(leaf);
  if (leaf < task.upper) {
    result.cost = leaf;
    result.tree = RankTree::leaf();
  }
  // Every split costs its price, so a leaf that errs less than that is optimal.
  if ((limits_.rules.leaf_price && leaf <= price) || task.range.size() < 2 || task.depth == 0 || task.splits == 0) return true;
  if (!limits_.rules.row_bound || limits_.min_rows <= 1 || problem_.orderings.empty()) return false;
  const double lost = problem_.row_bound(leaf, roots.weight(), roots.reach(), roots.rows(), limits_.min_rows);
  if (leaf > price + lost) return false;
  result.lower.relaxed = std::min(leaf, price);  // without min_rows a split might pay
  return true;
}

// Whether the roots of an ordering need no look. If so, says in the result what is known of them.
bool DepthTwo::skip(const Task& task, std::size_t f, double best, SubproblemResult& result) const {
  double& lower = result.lower_by_ordering[f];
  if (!task.known.empty() && task.known[f] >= best) {
    lower = task.known[f];
    result.lower.strict = std::min(result.lower.strict, lower);
    return true;
  }
  if (!task.deadline.poll(1)) return false;
  // What was not looked at is bounded by nothing but the price of its root.
  lower = limits_.split_price;
  result.lower = min(result.lower, Bound::of_all_trees(limits_.split_price));
  return true;
}

void DepthTwo::finish(const ItemRange& range, SubproblemResult& result) {
  const auto [f, rank, splits] = std::exchange(result.root, {});
  if (splits == 0) return;
  if (splits == 1 && !range.whole.is_packed()) {
    const auto [low, high] = range.ranks_around(f, rank);
    result.tree = RankTree::split({static_cast<std::int32_t>(f), low, high}, RankTree::leaf(), RankTree::leaf());
    return;
  }
  Subset copy;
  if (!range.is_whole()) range.copy_to(copy);
  const Subset& subset = range.is_whole() ? range.whole : copy;
  Cuts cuts;
  cuts.assign(subset, f);
  const std::size_t cut = cuts.below(rank);
  const RankTree::Node root{static_cast<std::int32_t>(f), cuts.low(cut), cuts.high(cut)};
  if (splits == 1) {
    result.tree = RankTree::split(root, RankTree::leaf(), RankTree::leaf());
    return;
  }
  const std::uint32_t place = cuts.place(cut);
  const ItemRange left{subset, f, 0, place}, right{subset, f, place, subset.size};
  Deadline unlimited;
  const auto solved = [&](const ItemRange& side, std::int64_t child_splits) {
    SubproblemResult child = solve(side, 1, child_splits, kInfinity, {}, unlimited);
    finish(side, child);
    return child;
  };
  const SubproblemResult left_one = solved(left, 1), right_one = solved(right, 1);
  if (splits == 3) {
    result.tree = RankTree::split(root, left_one.tree, right_one.tree);
    return;
  }
  const SubproblemResult left_leaf = solved(left, 0), right_leaf = solved(right, 0);
  if (left_one.cost + right_leaf.cost <= left_leaf.cost + right_one.cost) {  // one more split, where it gains more
    result.tree = RankTree::split(root, left_one.tree, right_leaf.tree);
  } else {
    result.tree = RankTree::split(root, left_leaf.tree, right_one.tree);
  }
}

}  // namespace treewright::search
