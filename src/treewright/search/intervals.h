#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "treewright/search/plan.h"
#include "treewright/search/subset.h"

namespace treewright {

/// The interval bounds of one ordering at one node.
///
/// Move the cut to the right: the left part grows, the right part shrinks. The optimum of a part never falls when rows are added
/// (take the larger part's tree for the smaller one) and never rises by more than their weight (predict the added rows wrong).
/// So two cuts a < b whose parts are solved bound every cut t between them:
///     left(t)  >= max(left(a),  left(b)  - weight between t and b)
///     right(t) >= max(right(b), right(a) - weight between a and t)
/// With min_samples_leaf the first terms need the optimum without that limit (`relaxed`): a tree that fits the larger part
/// may leave a leaf of the smaller one with too few rows. The second terms hold with the limit.
struct Point {
  std::int64_t cut = 0;  ///< -1 and cuts.size() stand for "nothing left" and "everything left"
  double left = 0, right = 0;                  ///< bounds on the parts' costs
  double left_relaxed = 0, right_relaxed = 0;
};

class IntervalBounds {
 public:
  IntervalBounds(const Cuts& cuts, double total_weight, const Rules& rules) : cuts_(cuts), total_(total_weight), rules_(rules) {}

  double weight_left(std::int64_t cut) const {
    if (cut < 0) return 0;
    return cut < static_cast<std::int64_t>(cuts_.size()) ? cuts_.weight_left[cut] : total_;
  }
  double left(const Point& a, const Point& b, std::int64_t t) const { return combine(a.left_relaxed, b.left, between(t, b.cut)); }
  double right(const Point& a, const Point& b, std::int64_t t) const { return combine(b.right_relaxed, a.right, between(a.cut, t)); }
  double left_relaxed(const Point& a, const Point& b, std::int64_t t) const {
    return combine(a.left_relaxed, b.left_relaxed, between(t, b.cut));
  }
  double right_relaxed(const Point& a, const Point& b, std::int64_t t) const {
    return combine(b.right_relaxed, a.right_relaxed, between(a.cut, t));
  }

 private:
  double between(std::int64_t a, std::int64_t b) const { return weight_left(b) - weight_left(a); }
  double combine(double smaller_part, double larger_part, double weight) const {
    return std::max(rules_.monotone ? smaller_part : 0.0, rules_.lipschitz ? larger_part - weight : 0.0);
  }

  const Cuts& cuts_;
  double total_;
  const Rules& rules_;
};

}  // namespace treewright
