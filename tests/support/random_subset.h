#pragma once

#include "support/random_data.h"
#include "treewright/search/items/subset.h"

namespace treewright::testing {

enum class Weights { none, whole, real };

/// Gives the rows weights > 0.
inline void give_weights(Random& random, Weights kind, Dataset& data) {
  data.weights.clear();
  for (std::size_t row = 0; row < data.rows() && kind != Weights::none; ++row) {
    data.weights.push_back(kind == Weights::whole ? 1.0 + static_cast<double>(random.below(4)) : random.uniform(0.1, 3));
  }
}

/// Some node of a search: what is left of all items after up to `splits` random cuts.
inline search::Subset random_subset(Random& random, const search::Problem& problem, int splits) {
  search::Subset subset = search::Subset::all(problem);
  for (int i = 0; i < splits && !problem.orderings.empty(); ++i) {
    const std::size_t f = random.below(problem.orderings.size());
    search::Cuts cuts;
    cuts.assign(subset, f);
    if (cuts.size() == 0) continue;
    const std::uint32_t place = cuts.place(random.below(static_cast<std::uint64_t>(cuts.size())));
    const bool left = random.below(2) == 0;
    search::Subset range;
    search::ItemRange{subset, f, left ? 0 : place, left ? place : subset.size}.copy_to(range);
    subset = std::move(range);
  }
  return subset;
}

}  // namespace treewright::testing
