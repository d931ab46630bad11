#pragma once

#include <algorithm>
#include <limits>

namespace treewright::search {

/// A lower bound on what trees cost on some items: on trees whose leaves hold min_rows (`strict`), and on all trees (`relaxed`). Without a
/// limit on rows both are the same.
///
/// What it says of other sets of items, with r for the reach of those by which they differ:
///   - More items never cost less, as the larger set's tree serves the smaller set too. That tree may leave a leaf of the smaller set too
///   few
///     rows, though. So only the bound on all trees passes on to more items.
///   - Fewer items save at most r, since no tree loses more on them (loss/costs.cpp). The smaller set's tree has enough rows in its leaves
///     on the larger set too, so both bounds pass on.
struct Bound {
  double strict = 0, relaxed = 0;

  static Bound of_all_trees(double value) { return {value, value}; }
  /// Of no tree at all.
  static Bound of_nothing() { return of_all_trees(std::numeric_limits<double>::infinity()); }

  /// No limit makes trees cheaper.
  bool is_sane() const { return relaxed <= strict; }

  Bound on_more_items() const { return of_all_trees(relaxed); }
  Bound on_fewer_items(double reach) const { return {strict - reach, relaxed - reach}; }

  friend Bound operator+(const Bound& a, const Bound& b) { return {a.strict + b.strict, a.relaxed + b.relaxed}; }
  friend Bound operator+(double price, const Bound& b) { return of_all_trees(price) + b; }
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// Two bounds on the same trees.
inline Bound max(const Bound& a, const Bound& b) {
  return {std::max(a.strict, b.strict), std::max(a.relaxed, b.relaxed)};
}

/// A bound on the trees of both.
inline Bound min(const Bound& a, const Bound& b) {
  return {std::min(a.strict, b.strict), std::min(a.relaxed, b.relaxed)};
}

/// Bounds on what both children of a cut cost.
struct ChildBounds {
  Bound left, right;
  Bound sum() const { return left + right; }
  bool is_sane() const { return left.is_sane() && right.is_sane(); }
};

}  // namespace treewright::search
