// Bounds on the children of each cut by their classes, before anything is solved.
//
// So many leaves have at most so many labels, and the items of all other labels gain nothing: loss/costs.h, least_cost. Each child is free
// to choose its labels, so the floors of both children add up to a bound on the cut. It holds for trees of any depth with so many leaves,
// whatever the price of a split and the rows of a leaf: no property of a tree is used but its number of leaves. Where the cuts mix many
// classes, as most do, it excludes them without a search. (Depth two has the same bound for two leaves on a side: class_bounds.h.)
//
// A floor says nothing where a child may have as many leaves as there are labels.

#include "treewright/search/bounds/class_floors.h"

#include <algorithm>
#include <functional>

#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

// Adds the items of an ordering one after the other.
class Growing {
 public:
  Growing(const Subset& subset, std::size_t ordering, std::size_t classes, std::int64_t leaves)
      : subset_(subset), order_(subset.order_of(ordering)), weights_(classes, 0.0), leaves_(leaves) {}

  void add(std::uint32_t place) {
    const std::uint32_t item = order_[place];
    weights_[static_cast<std::size_t>(subset_.label[item])] += subset_.weight[item];
    reach_ += subset_.reach_or_weight()[item];
  }
  double floor() const { return least_cost(reach_, weights_, leaves_); }

 private:
  const Subset& subset_;
  const std::span<const std::uint32_t> order_;
  std::vector<double> weights_;
  const std::int64_t leaves_;
  double reach_ = 0;
};

}  // namespace

std::vector<ClassFloor> class_floors(const Problem& problem, const Subset& subset, const Cuts& cuts, std::size_t ordering,
                                     std::int64_t left_leaves, std::int64_t right_leaves) {
  const auto classes = static_cast<std::size_t>(problem.classes);
  std::vector<ClassFloor> floors(static_cast<std::size_t>(cuts.size()));
  Growing left(subset, ordering, classes, left_leaves), right(subset, ordering, classes, right_leaves);
  std::uint32_t place = 0;
  for (std::size_t cut = 0; cut < floors.size(); ++cut) {
    while (place < cuts.place(cut)) left.add(place++);
    floors[cut].left = left.floor();
  }
  place = subset.size;
  for (std::size_t cut = floors.size(); cut-- > 0;) {
    while (place > cuts.place(cut)) right.add(--place);
    floors[cut].right = right.floor();
  }
  return floors;
}

}  // namespace treewright::search
