#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "treewright/search/items/problem.h"
#include "treewright/search/items/rank_tree.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// The same items with few cuts: neighboring ranks of each ordering are one rank. See coarse.cpp.
struct CoarseProblem {
  Problem problem;                                     ///< its orderings know how many ranks they have, not those of the items
  std::vector<std::vector<std::uint32_t>> first_rank;  ///< of the ranks that are one. Shape (orderings, ranks + 1).
  Subset packed;                                       ///< all items

  /// The tree with the ranks of the problem that this was made from.
  RankTree refined(RankTree tree) const;
};

/// `all`: the items of the problem, ranked. Nothing where bit sets would take long, because the weights of the items are so uneven, or
/// where there are too many items.
std::optional<CoarseProblem> coarse_problem(const Problem& problem, const Subset& all, std::int64_t min_rows);

}  // namespace treewright::search
