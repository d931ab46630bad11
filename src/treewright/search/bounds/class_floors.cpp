// Bounds on the children of each cut by their classes, before anything is solved.
//
// So many leaves have at most so many labels, and the items of all other labels gain nothing: loss/costs.h, least_cost. Each child is free
// to choose its labels, so the floors of both children add up to a bound on the cut. It holds for trees of any depth with so many leaves,
// whatever the price of a split and the rows of a leaf: no property of a tree is used but its number of leaves. Where the cuts mix many
// classes, as most do, it excludes them without a search. (Depth two has the same bound for two leaves on a side: class_bounds.h.)
//
// A floor says nothing where a child may have as many leaves as there are labels.

#include "treewright/search/bounds/class_floors.h"

#include "treewright/search/items/cut_sweep.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

std::vector<ClassFloor> class_floors(const Problem& problem, const Subset& subset, std::size_t ordering, std::int64_t left_leaves,
                                     std::int64_t right_leaves) {
  std::vector<ClassFloor> floors;
  const auto add = [&](const Cuts& cuts, std::size_t cut, const std::vector<double>& left, const std::vector<double>& right) {
    const double reach_left = cuts.reach_left(cut);
    floors.push_back({least_cost(reach_left, left, left_leaves), least_cost(subset.total_reach - reach_left, right, right_leaves)});
  };
  sweep_cuts(
      subset, ordering, subset.class_weights(problem.classes), 0, [](std::uint32_t) {}, add);
  return floors;
}

}  // namespace treewright::search
