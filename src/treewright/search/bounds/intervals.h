#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "treewright/search/bounds/rules.h"

namespace treewright::search {

// The interval bounds of one ordering at one node of the search.
//
// A cut sends the items of lower rank to its left child and the others to its right child. Move the cut to the right: the left child grows,
// the right child shrinks. The optimum of a set of items never falls when items are added: the larger set's tree serves the smaller set
// too. It never rises by more than their reach (loss/costs.cpp): that is what the smaller set's tree may lose on them. So two cuts a < b
// whose children are solved bound every cut t between them, with r for reach:
//
//     left(t)  >= max(left(a),  left(b)  - r(t, b))
//     right(t) >= max(right(b), right(a) - r(a, t))
//
// The sum of the two is the largest of four sums: two are constant (in one of them the reaches add up to r(a, b)), one falls as t moves
// right, one rises. Hence the cuts that can still win lie in one range, found by bisection: nothing here looks at every cut.
//
// With min_samples_leaf the first terms need the optimum without that limit (`relaxed`): a tree within the limit on the larger set may
// leave a leaf of the smaller set too few rows. The second terms hold with the limit.

/// Lower bounds on the costs of both children of one cut.
struct ChildBounds {
  double left = 0, right = 0;
  double left_relaxed = 0, right_relaxed = 0;
};

/// The cuts [first, last); empty when first >= last.
struct CutRange {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return std::max<std::int64_t>(0, last - first); }
};

class IntervalBounds {
 public:
  explicit IntervalBounds(const Rules& rules) : rules_(rules) {}

  double left(const ChildBounds& a, const ChildBounds& b, double r_to_b) const { return combine(a.left_relaxed, b.left - r_to_b); }
  double right(const ChildBounds& a, const ChildBounds& b, double r_from_a) const { return combine(b.right_relaxed, a.right - r_from_a); }
  double left_relaxed(const ChildBounds& a, const ChildBounds& b, double r_to_b) const {
    return combine(a.left_relaxed, b.left_relaxed - r_to_b);
  }
  double right_relaxed(const ChildBounds& a, const ChildBounds& b, double r_from_a) const {
    return combine(b.right_relaxed, a.right_relaxed - r_from_a);
  }

  /// The cuts of `all` at which both children together may cost less than `need`. `reach(t)`: reach left of cut t.
  template <class Reach>
  CutRange open(const ChildBounds& a, const ChildBounds& b, double r_a, double r_b, CutRange all, double need, const Reach& reach) const {
    const auto falling = [&](std::int64_t t) { return left_constant(a) + right_loss(a, reach(t) - r_a); };
    const auto rising = [&](std::int64_t t) { return right_constant(b) + left_loss(b, r_b - reach(t)); };
    if (left_constant(a) + right_constant(b) >= need || left_loss(b, 0) + right_loss(a, r_b - r_a) >= need) return {all.first, all.first};
    const std::int64_t first = bisect(all, [&](std::int64_t t) { return falling(t) >= need; });
    const std::int64_t last = bisect({first, all.last}, [&](std::int64_t t) { return rising(t) < need; });
    return {first, last};
  }

  /// The least that both children together may cost at any cut of `all`; infinity when there is none.
  template <class Reach>
  double least(const ChildBounds& a, const ChildBounds& b, double r_a, double r_b, CutRange all, const Reach& reach) const {
    const auto sum = [&](std::int64_t t) { return left(a, b, r_b - reach(t)) + right(a, b, reach(t) - r_a); };
    return least_of(all, sum, [&](std::int64_t t) {
      return left_constant(a) + right_loss(a, reach(t) - r_a) > right_constant(b) + left_loss(b, r_b - reach(t));
    });
  }
  template <class Reach>
  double least_relaxed(const ChildBounds& a, const ChildBounds& b, double r_a, double r_b, CutRange all, const Reach& reach) const {
    const ChildBounds ra{a.left_relaxed, a.right_relaxed, a.left_relaxed, a.right_relaxed},
        rb{b.left_relaxed, b.right_relaxed, b.left_relaxed, b.right_relaxed};
    return least(ra, rb, r_a, r_b, all, reach);
  }

 private:
  static constexpr double kNothing = 0;  // no child costs less

  double combine(double smaller_child, double larger_child) const {
    return std::max(rules_.monotone ? smaller_child : kNothing, rules_.lipschitz ? larger_child : kNothing);
  }
  double left_constant(const ChildBounds& a) const { return rules_.monotone ? a.left_relaxed : kNothing; }
  double right_constant(const ChildBounds& b) const { return rules_.monotone ? b.right_relaxed : kNothing; }
  double left_loss(const ChildBounds& b, double reach) const { return rules_.lipschitz ? b.left - reach : kNothing; }
  double right_loss(const ChildBounds& a, double reach) const { return rules_.lipschitz ? a.right - reach : kNothing; }

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

  // The largest of a constant, a falling and a rising term is least where the two cross.
  template <class Sum, class Predicate>
  static double least_of(CutRange all, const Sum& sum, const Predicate& falling_is_larger) {
    if (all.size() == 0) return std::numeric_limits<double>::infinity();
    const std::int64_t cross = bisect(all, falling_is_larger);
    double value = std::numeric_limits<double>::infinity();
    if (cross > all.first) value = std::min(value, sum(cross - 1));
    if (cross < all.last) value = std::min(value, sum(cross));
    return value;
  }

  const Rules& rules_;
};

}  // namespace treewright::search
