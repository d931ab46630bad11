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

#include "treewright/search/solved_sets.h"

namespace treewright::search {

void SolvedSets::part(const ItemSet& set, std::size_t ordering, std::uint32_t low, bool right, ItemSet& out) const {
  // A cut of a part keeps the ranks of the items around it, so its lower rank is the lower rank of a cut of all items.
  take_side(all_, set, all_.first_cut_from(ordering, all_.low, low), right, out);
}

}  // namespace treewright::search
