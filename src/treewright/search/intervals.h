#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "treewright/search/rules.h"

namespace treewright {

// The interval bounds of one ordering at one node of the search.
//
// Move the cut to the right: the left part grows, the right part shrinks. The optimum of a part never falls when rows are added
// (take the larger part's tree for the smaller one) and never rises by more than their weight (let the larger part's tree
// get the added rows wrong). So two cuts a < b whose parts are solved bound every cut t between them, with w for weight:
//
//     left(t)  >= max(left(a),  left(b)  - w(t, b))
//     right(t) >= max(right(b), right(a) - w(a, t))
//
// The sum of the two is the largest of four terms: two are constant, one falls as t moves right, one rises. Hence the cuts that
// can still win lie in one stretch, found by bisection: nothing here looks at every cut.
//
// With min_samples_leaf the first terms need the optimum without that limit (`relaxed`): a tree that fits the larger part may
// leave the smaller one a leaf with too few rows. The second terms hold with the limit.

/// Bounds on the costs of both parts at one cut.
struct Sides {
  double left = 0, right = 0;
  double left_relaxed = 0, right_relaxed = 0;
};

/// A stretch of cuts [first, last); empty when first >= last.
struct Stretch {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return std::max<std::int64_t>(0, last - first); }
};

class IntervalBounds {
 public:
  explicit IntervalBounds(const Rules& rules) : rules_(rules) {}

  double left(const Sides& a, const Sides& b, double w_to_b) const { return combine(a.left_relaxed, b.left - w_to_b); }
  double right(const Sides& a, const Sides& b, double w_from_a) const { return combine(b.right_relaxed, a.right - w_from_a); }
  double left_relaxed(const Sides& a, const Sides& b, double w_to_b) const { return combine(a.left_relaxed, b.left_relaxed - w_to_b); }
  double right_relaxed(const Sides& a, const Sides& b, double w_from_a) const {
    return combine(b.right_relaxed, a.right_relaxed - w_from_a);
  }

  /// The cuts among [first, last) at which both parts together may cost less than `need`. `weight(t)`: weight left of cut t.
  template <class Weight>
  Stretch open(const Sides& a, const Sides& b, double w_a, double w_b, Stretch all, double need, const Weight& weight) const {
    const auto falling = [&](std::int64_t t) { return left_constant(a) + right_loss(a, weight(t) - w_a); };
    const auto rising = [&](std::int64_t t) { return right_constant(b) + left_loss(b, w_b - weight(t)); };
    if (left_constant(a) + right_constant(b) >= need || left_loss(b, 0) + right_loss(a, w_b - w_a) >= need) return {all.first, all.first};
    const std::int64_t first = bisect(all, [&](std::int64_t t) { return falling(t) >= need; });
    const std::int64_t last = bisect({first, all.last}, [&](std::int64_t t) { return rising(t) < need; });
    return {first, last};
  }

  /// The least that both parts together may cost at any cut of [first, last); infinity when there is none.
  template <class Weight>
  double least(const Sides& a, const Sides& b, double w_a, double w_b, Stretch all, const Weight& weight) const {
    const auto sum = [&](std::int64_t t) { return left(a, b, w_b - weight(t)) + right(a, b, weight(t) - w_a); };
    return least_of(all, sum, [&](std::int64_t t) {
      return left_constant(a) + right_loss(a, weight(t) - w_a) > right_constant(b) + left_loss(b, w_b - weight(t));
    });
  }
  template <class Weight>
  double least_relaxed(const Sides& a, const Sides& b, double w_a, double w_b, Stretch all, const Weight& weight) const {
    const Sides ra{a.left_relaxed, a.right_relaxed, a.left_relaxed, a.right_relaxed},
        rb{b.left_relaxed, b.right_relaxed, b.left_relaxed, b.right_relaxed};
    return least(ra, rb, w_a, w_b, all, weight);
  }

 private:
  static constexpr double kNothing = 0;  // no part costs less

  double combine(double smaller_part, double larger_part) const {
    return std::max(rules_.monotone ? smaller_part : kNothing, rules_.lipschitz ? larger_part : kNothing);
  }
  double left_constant(const Sides& a) const { return rules_.monotone ? a.left_relaxed : kNothing; }
  double right_constant(const Sides& b) const { return rules_.monotone ? b.right_relaxed : kNothing; }
  double left_loss(const Sides& b, double weight) const { return rules_.lipschitz ? b.left - weight : kNothing; }
  double right_loss(const Sides& a, double weight) const { return rules_.lipschitz ? a.right - weight : kNothing; }

  // The first cut where `holds`, which holds for a beginning of the stretch, no longer does.
  template <class Predicate>
  static std::int64_t bisect(Stretch in, const Predicate& holds) {
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
  static double least_of(Stretch all, const Sum& sum, const Predicate& falling_is_larger) {
    if (all.size() == 0) return std::numeric_limits<double>::infinity();
    const std::int64_t cross = bisect(all, falling_is_larger);
    double value = std::numeric_limits<double>::infinity();
    if (cross > all.first) value = std::min(value, sum(cross - 1));
    if (cross < all.last) value = std::min(value, sum(cross));
    return value;
  }

  const Rules& rules_;
};

}  // namespace treewright
