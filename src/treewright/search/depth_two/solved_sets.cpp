// Sets of items that the search has solved to depth one or two, each with its optimum.
//
// Idea. Cuts taken in another order lead to the same items: three cuts in a row, to the same set by up to six ways, and every node comes to
// its sets once more when it is solved one level deeper. With few cuts such repetitions are frequent: at depth four they are half, at depth
// five three quarters of all sets of depth two on 0/1 columns. Exact programs for binary features keep a cache of branches for this reason
// (Nijssen and Fromont, KDD 2007; Demirovic et al., JMLR 2022). Here the key is the set of items itself: sets are the same whatever the
// cuts.
//
// Items whose target is a number are in no bit sets, so there the sets have columns of their own, and memory bounds the cuts. A set is
// solved for its optimum, where a search without this would only ask whether it costs less than its budget. So this pays from trees of
// depth four on (rules_of_numbers): there on a few hundred rows nearly as many sets come again as on 0/1 columns.
//
// Why the search stays the same for any number of threads. What is kept is the optimum of the set, found without a budget and without
// bounds from elsewhere. Solving the set again gives the same result and counts as much work, so it does not matter which thread came
// first, or whether the result was dropped meanwhile.

#include "treewright/search/depth_two/solved_sets.h"

#include <cassert>

#include "treewright/search/depth_two/pack.h"

namespace treewright::search {

SolvedSets::SolvedSets(const Problem& problem, const SearchLimits& limits, const Subset& ranked, BitColumns cuts)
    : own_(std::move(cuts)), all_(own_), known_(kMostBytes, own_.first_cut.size() - 1) {
  if (limits.min_rows <= 1 && SumPairs::pays(ranked, own_)) pairs_.emplace(ranked, *problem.sums, own_);
}

void SolvedSets::side(const ItemSet& set, std::size_t ordering, std::uint32_t low, bool right, ItemSet& out) const {
  // A cut of a part keeps the ranks of the items around it, so its lower rank is the lower rank of a cut of all items.
  take_side(all_, set, all_.first_cut_from(ordering, all_.low, low), right, out);
}

namespace {

constexpr std::uint32_t question(int depth, std::int64_t splits) {
  return static_cast<std::uint32_t>(4 * depth + static_cast<int>(splits));
}

}  // namespace

std::optional<SubproblemResult> SolvedSets::find(const ItemSet& set, int depth, std::int64_t splits) const {
  assert(0 <= depth && depth <= 2 && 0 <= splits && splits <= full_splits(2));
  std::optional<SubproblemResult> found;
  const auto take = [&](const Optimum& optimum, std::span<const double> bounds) {
    found.emplace();
    found->lower = optimum.lower;
    found->cost = optimum.cost;
    found->tree = RankTree::leaf();
    found->root = optimum.root;
    if (optimum.by_ordering) found->lower_by_ordering.assign(bounds.begin(), bounds.end());
  };
  known_.find(set, take, question(depth, splits));
  return found;
}

void SolvedSets::add(const ItemSet& set, int depth, std::int64_t splits, const SubproblemResult& optimum) {
  // Found without a budget: the bound is the optimum.
  assert(optimum.is_sane() && optimum.lower.strict == optimum.cost);
  std::vector<double> bounds = optimum.lower_by_ordering;
  bounds.resize(all_.first_cut.size() - 1);
  known_.add(set, {optimum.lower, optimum.cost, optimum.root, !optimum.lower_by_ordering.empty()}, bounds, 0, question(depth, splits));
}

void keep_repeated_sets(const Problem& problem, const SearchLimits& limits, const Subset& ranked, const std::optional<Subset>& packed,
                        std::optional<SolvedSets>& sets) {
  if (!limits.rules.repeated_sets) return;
  if (packed) {
    sets.emplace(packed->bits);
  } else if (problem.sums) {
    if (std::optional<BitColumns> bits = bits_of_items(ranked)) sets.emplace(problem, limits, ranked, *std::move(bits));
  }
}

}  // namespace treewright::search
