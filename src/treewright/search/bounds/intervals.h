#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>

#include "treewright/search/bounds/bound.h"
#include "treewright/search/bounds/rules.h"

namespace treewright::search {

// The interval bounds of one ordering at one node of the search.
//
// A cut sends the items of lower rank to its left child and the others to its right child. Move the cut to the right: the left child grows,
// the right child shrinks. So two cuts a < b whose children are solved bound every cut t between them (bound.h), with r for reach:
//
//     left(t)  >= max(left(a),  left(b)  - r(t, b))
//     right(t) >= max(right(b), right(a) - r(a, t))
//
// The sum of the two is the largest of four sums: two are constant (in one of them the reaches add up to r(a, b)), one falls as t moves
// right, one rises. Hence the cuts that can still win lie in one range, found by bisection: nothing here looks at every cut.
//
// Classes. A child with fewer leaves than labels loses something whatever its splits (ClassFloor). Where that is known, the larger one of
// both bounds counts for each child. These follow no order: the range is narrowed from both ends, and every cut is looked at for the least.

/// The cuts [first, last); empty when first >= last.
struct CutRange {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return std::max<std::int64_t>(0, last - first); }
};

/// The least range that holds both.
inline CutRange hull(const CutRange& a, const CutRange& b) {
  if (a.size() == 0 || b.size() == 0) return a.size() == 0 ? b : a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

/// What the children of a cut cost at least, whatever their splits, because they have fewer leaves than labels. It holds with min_rows as
/// without.
struct ClassFloor {
  double left = 0, right = 0;
};

/// The cuts between two cuts a < b of an ordering whose children are bounded. `Reach` gives the reach left of a cut.
template <class Reach>
class CutGap {
 public:
  /// `a`, `b`: cuts with `bounds` and `reach_left`.
  template <class Cut>
  CutGap(const Rules& rules, const Cut& a, const Cut& b, const Reach& reach)
      : CutGap(rules, a.bounds, b.bounds, a.reach_left, b.reach_left, reach) {}
  CutGap(const Rules& rules, const ChildBounds& a, const ChildBounds& b, double reach_a, double reach_b, const Reach& reach)
      : monotone_(rules.monotone), lipschitz_(rules.lipschitz), a_(a), b_(b), reach_a_(reach_a), reach_b_(reach_b), reach_(reach) {
    assert(reach_a_ <= reach_b_ && a_.is_sane() && b_.is_sane());
  }

  Bound left(std::int64_t t) const { return max(of_less(a_.left), of_more(b_.left, reach_b_ - reach_(t))); }
  Bound right(std::int64_t t) const { return max(of_less(b_.right), of_more(a_.right, reach_(t) - reach_a_)); }

  /// The cuts of `cuts` at which both children together may cost less than `need`.
  CutRange open(CutRange cuts, double need) const {
    const double constant = of_less(a_.left).strict + of_less(b_.right).strict,
                 all_reach = of_more(b_.left, 0).strict + of_more(a_.right, reach_b_ - reach_a_).strict;
    if (constant >= need || all_reach >= need) return {cuts.first, cuts.first};
    const std::int64_t first = bisect(cuts, [&](std::int64_t t) { return falling<&Bound::strict>(t) >= need; });
    const std::int64_t last = bisect({first, cuts.last}, [&](std::int64_t t) { return rising<&Bound::strict>(t) < need; });
    return {first, last};
  }
  /// Those of `open` that may cost less by the floors too; `floor` gives the ClassFloor of a cut.
  template <class Floor>
  CutRange narrow(CutRange open, double need, const Floor& floor) const {
    while (open.size() > 0 && cost(open.first, floor) >= need) ++open.first;
    while (open.size() > 0 && cost(open.last - 1, floor) >= need) --open.last;
    return open;
  }

  /// The least that both children together may cost within min_rows at any cut of `cuts`; infinity when there is none.
  double least(CutRange cuts) const { return least_by_bisection<&Bound::strict>(cuts); }
  /// The same of all trees.
  double least_relaxed(CutRange cuts) const { return least_by_bisection<&Bound::relaxed>(cuts); }
  template <class Floor>
  double least(CutRange cuts, const Floor& floor) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t t = cuts.first; t < cuts.last; ++t) least = std::min(least, cost(t, floor));
    return least;
  }

 private:
  // What the bound of a child says of one with more items, and of one that lacks items of so much reach. No child costs less than 0.
  Bound of_less(const Bound& child) const {
    const Bound more = monotone_ ? child.on_more_items() : Bound();
    assert(more.strict == more.relaxed);
    return more;
  }
  Bound of_more(const Bound& child, double reach) const { return lipschitz_ ? child.on_fewer_items(reach) : Bound(); }

  template <class Floor>
  double cost(std::int64_t t, const Floor& floor) const {
    const ClassFloor least = floor(t);
    return std::max(left(t).strict, least.left) + std::max(right(t).strict, least.right);
  }
  template <double Bound::*kind>
  double falling(std::int64_t t) const {
    return of_less(a_.left).*kind + of_more(a_.right, reach_(t) - reach_a_).*kind;
  }
  template <double Bound::*kind>
  double rising(std::int64_t t) const {
    return of_less(b_.right).*kind + of_more(b_.left, reach_b_ - reach_(t)).*kind;
  }

  // The largest of a constant, a falling and a rising term is least where the two cross.
  template <double Bound::*kind>
  double least_by_bisection(CutRange cuts) const {
    double value = std::numeric_limits<double>::infinity();
    if (cuts.size() == 0) return value;
    const std::int64_t cross = bisect(cuts, [&](std::int64_t t) { return falling<kind>(t) > rising<kind>(t); });
    const auto sum = [&](std::int64_t t) { return left(t).*kind + right(t).*kind; };
    if (cross > cuts.first) value = std::min(value, sum(cross - 1));
    if (cross < cuts.last) value = std::min(value, sum(cross));
    return value;
  }

  // The first cut of the range where `holds` is false; it is true for all cuts before and false for all after.
  template <class Predicate>
  static std::int64_t bisect(CutRange in, const Predicate& holds) {
    std::int64_t low = in.first, high = std::max(in.first, in.last);
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (holds(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  const bool monotone_, lipschitz_;
  const ChildBounds a_, b_;
  const double reach_a_, reach_b_;
  const Reach& reach_;
};

}  // namespace treewright::search
