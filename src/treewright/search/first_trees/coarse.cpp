// Fewer cuts: an ordering of many ranks is divided into as many ranges of about equal reach as there may be ranks, and each range is one
// rank.
//
// A tree of the coarse problem is one of the fine problem as well, and costs the same. So a good coarse tree, which the search on bit sets
// (discrepancy_search.h) finds soon, is a good tree to begin with. Its cuts are improved afterwards (PrimalHeuristic::polish).

#include "treewright/search/first_trees/coarse.h"

#include <algorithm>

#include "treewright/search/depth_two/pack.h"

namespace treewright::search {

namespace {

// Cuts in all, and ranks of an ordering.
constexpr std::size_t kCuts = 320, kFewestRanks = 4, kMostRanks = 32;

// First rank of each range, and the number of ranks.
std::vector<std::uint32_t> ranges_of(const Subset& ranked, std::size_t f, std::uint32_t ranks, std::size_t most) {
  std::vector<double> reach(ranks, 0.0);
  const std::vector<double>& of_item = ranked.reach_or_weight();
  for (std::uint32_t place = 0; place < ranked.size; ++place) reach[ranked.ranks_of(f)[place]] += of_item[ranked.order_of(f)[place]];
  std::vector<std::uint32_t> first;
  double before = 0;
  std::size_t range = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    // A rank belongs to the range in which its middle lies.
    const double middle = (before + reach[rank] / 2) / ranked.total_reach;
    const std::size_t here = ranks <= most ? rank : static_cast<std::size_t>(middle * static_cast<double>(most));
    if (first.empty() || here != range) first.push_back(rank);
    range = here;
    before += reach[rank];
  }
  first.push_back(ranks);
  return first;
}

}  // namespace

RankTree CoarseProblem::refined(RankTree tree) const {
  for (RankTree::Node& node : tree.nodes) {
    if (node.ordering < 0) continue;
    const std::vector<std::uint32_t>& first = first_rank[static_cast<std::size_t>(node.ordering)];
    node.low = first[node.low + 1] - 1;
    node.high = first[node.high];
  }
  return tree;
}

std::optional<CoarseProblem> coarse_problem(const Problem& problem, const Subset& all, std::int64_t min_rows) {
  const std::size_t orderings = problem.orderings.size();
  if (problem.sums || orderings == 0 || all.total_reach == 0 || orderings * all.size > kMostPlaces) return {};
  CoarseProblem coarse{problem, {}, {}};
  Subset ranked = all;
  ranked.give_stamp();
  const std::size_t most = std::clamp(kCuts / orderings, kFewestRanks, kMostRanks);
  for (std::size_t f = 0; f < orderings; ++f) {
    Ordering& ordering = coarse.problem.orderings[f];
    const std::vector<std::uint32_t> first = ranges_of(all, f, ordering.ranks, most);
    std::vector<std::uint32_t> range_of(ordering.ranks);
    for (std::uint32_t range = 0; range + 1 < first.size(); ++range) {
      std::fill(range_of.begin() + first[range], range_of.begin() + first[range + 1], range);
    }
    // The order stays: ranges follow each other as their ranks do.
    for (std::uint32_t place = 0; place < all.size; ++place) ranked.rank[f * all.size + place] = range_of[all.ranks_of(f)[place]];
    ordering.ranks = static_cast<std::uint32_t>(first.size() - 1);
    coarse.first_rank.push_back(first);
  }
  if (!is_compact(ranked, problem.classes, min_rows)) return {};
  coarse.packed = packed(ranked, problem.classes, min_rows);
  return coarse;
}

}  // namespace treewright::search
