// Sets of items that the search has solved to depth one or two, each with its optimum.
//
// Idea. Cuts taken in another order lead to the same items: three cuts in a row, to the same set by up to six ways, and every node comes to its
// sets once more when it is solved one level deeper. With few cuts such repetitions are frequent: at depth four they are half, at depth five
// three quarters of all sets of depth two on 0/1 columns. Exact programs for binary features keep a cache of branches for this reason
// (Nijssen and Fromont, KDD 2007; Demirovic et al., JMLR 2022). Here the key is the set of items itself: sets are the same whatever the cuts.
//
// Why the search stays the same for any number of threads. What is kept is the optimum of the set, found without a budget and without bounds
// from elsewhere. Solving the set again gives the same result and counts as much work, so it does not matter which thread came first, or
// whether the result was dropped meanwhile.
//
// Memory. A shard that has reached its share of the limit is emptied: what was solved lately is what returns first.

#include "treewright/search/solved_sets.h"

#include <algorithm>

namespace treewright::search {

ItemSet SolvedSets::all() const {
  const BitColumns::Word* column = all_.column(all_.cuts());
  return {column, column + all_.words()};
}

void SolvedSets::part(const ItemSet& set, std::size_t ordering, std::uint32_t low, bool right, ItemSet& out) const {
  const auto begin = all_.low.begin() + static_cast<std::ptrdiff_t>(all_.first_cut[ordering]);
  const auto end = all_.low.begin() + static_cast<std::ptrdiff_t>(all_.first_cut[ordering + 1]);
  // A cut of a part keeps the ranks of the items around it, so its lower rank is the lower rank of a cut of all items.
  const BitColumns::Word* left = all_.column(static_cast<std::size_t>(std::lower_bound(begin, end, low) - all_.low.begin()));
  out.resize(set.size());
  for (std::size_t w = 0; w < set.size(); ++w) out[w] = set[w] & (right ? ~left[w] : left[w]);
}

std::size_t SolvedSets::Hash::operator()(const Question& question) const {
  std::uint64_t hash = static_cast<std::uint64_t>(question.depth) * 4 + static_cast<std::uint64_t>(question.splits);
  for (const BitColumns::Word word : question.set) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  }
  return hash;
}

std::optional<SubproblemResult> SolvedSets::find(const ItemSet& set, int depth, std::int64_t splits) const {
  const Question question{set, depth, splits};
  const Shard& here = shard(question);
  const std::lock_guard lock(here.mutex);
  const auto found = here.known.find(question);
  if (found == here.known.end()) return {};
  return found->second;
}

void SolvedSets::add(const ItemSet& set, int depth, std::int64_t splits, const SubproblemResult& optimum) {
  const Question question{set, depth, splits};
  const std::size_t bytes = sizeof(Key) + sizeof(SubproblemResult) + set.size() * sizeof(ItemSet::value_type) +
                            optimum.lower_by_ordering.size() * sizeof(double) + 64;  // and what the map takes for it
  Shard& here = shard(question);
  const std::lock_guard lock(here.mutex);
  if (here.bytes + bytes > most_bytes_ / kShards) {
    here.known.clear();
    here.bytes = 0;
  }
  if (here.known.try_emplace(Key(question), optimum).second) here.bytes += bytes;
}

}  // namespace treewright::search
