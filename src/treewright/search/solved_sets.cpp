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

#include "treewright/base/random.h"

namespace treewright::search {

namespace {

void give_hash(ItemSet& set) {
  set.hash = 0;
  for (const BitColumns::Word word : set.words) set.hash = mix_bits(set.hash ^ word);
}

}  // namespace

ItemSet SolvedSets::all() const {
  const BitColumns::Word* column = all_.column(all_.cuts());
  ItemSet set{{column, column + all_.words()}};
  give_hash(set);
  return set;
}

void SolvedSets::part(const ItemSet& set, std::size_t ordering, std::uint32_t low, bool right, ItemSet& out) const {
  const auto begin = all_.low.begin() + static_cast<std::ptrdiff_t>(all_.first_cut[ordering]);
  const auto end = all_.low.begin() + static_cast<std::ptrdiff_t>(all_.first_cut[ordering + 1]);
  // A cut of a part keeps the ranks of the items around it, so its lower rank is the lower rank of a cut of all items.
  const BitColumns::Word* left = all_.column(static_cast<std::size_t>(std::lower_bound(begin, end, low) - all_.low.begin()));
  out.words.resize(set.words.size());
  for (std::size_t w = 0; w < set.words.size(); ++w) out.words[w] = set.words[w] & (right ? ~left[w] : left[w]);
  give_hash(out);
}

std::optional<SubproblemResult> SolvedSets::find(const ItemSet& set, int depth, std::int64_t splits) const {
  const Shard& here = shard(set);
  const std::lock_guard lock(here.mutex);
  const auto sets = here.known.find({depth, splits});
  if (sets == here.known.end()) return {};
  const auto found = sets->second.find(set);
  if (found == sets->second.end()) return {};
  return found->second;
}

void SolvedSets::add(const ItemSet& set, int depth, std::int64_t splits, const SubproblemResult& optimum) {
  const std::size_t bytes = sizeof(ItemSet) + sizeof(SubproblemResult) + set.words.size() * sizeof(BitColumns::Word) +
                            optimum.lower_by_ordering.size() * sizeof(double) + 64;  // and what the map takes for it
  Shard& here = shard(set);
  const std::lock_guard lock(here.mutex);
  if (here.bytes + bytes > most_bytes_ / kShards) {
    here.known.clear();
    here.bytes = 0;
  }
  if (here.known[{depth, splits}].try_emplace(set, optimum).second) here.bytes += bytes;
}

}  // namespace treewright::search
