#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/search/depth_two/bit_stumps.h"
#include "treewright/search/depth_two/depth_two_roots.h"

namespace treewright::search {

/// Cuts to evaluate between two looks at the clock: with many rows and cuts, one takes some milliseconds.
inline constexpr std::size_t kCutsToAPoll = 32;

/// Evaluates every root of a depth-two tree by bit sets. See bit_stumps.cpp.
template <class T>
class BitSetRoots {
 public:
  /// `both`: both children may be stumps (three splits); otherwise only one of them (two splits). `bits` is already restricted to the
  /// items. `deadline`: ends `search`; may be nullptr.
  BitSetRoots(BitStumps<T>& bits, std::vector<std::size_t>& sequence, const SearchLimits& limits, bool both, Deadline* deadline)
      : bits_(bits),
        sequence_(sequence),
        price_(limits.split_price),
        count_rows_(limits.min_rows > 1),
        both_(both),
        deadline_(deadline),
        by_class_(limits.rules.class_bound && bits.classes() > 2) {}

  double leaf_errors() const { return bits_.leaf_errors(); }
  double weight() const { return bits_.weight(); }
  double reach() const { return bits_.total_reach(); }
  double rows() const { return count_rows_ ? bits_.rows() : 0; }

  SingleSplit best_single(std::size_t g) const {
    SingleSplit single;
    for (std::size_t c = bits_.first_cut(g); c < bits_.first_cut(g + 1); ++c) {
      if (!bits_.divides(c)) continue;
      const Bound errors = bits_.single(c);
      single.errors.relaxed = std::min(single.errors.relaxed, errors.relaxed);
      if (!bits_.fits(c) || errors.strict >= single.errors.strict) continue;
      single.errors.strict = errors.strict;
      single.place = c;
    }
    return single;
  }
  std::uint32_t single_rank(std::size_t, const SingleSplit& single) const { return bits_.rank(single.place); }
  std::uint32_t rank(std::size_t, std::size_t place) const { return bits_.rank(place); }
  /// Orderings, that of the best single split first. As every cut is evaluated, the sequence of the others hardly matters.
  const std::vector<std::size_t>& sequence(const std::vector<double>&, std::size_t best) const {
    sequence_.resize(bits_.orderings());
    std::iota(sequence_.begin(), sequence_.end(), std::size_t{0});
    if (best < sequence_.size()) std::swap(sequence_.front(), sequence_[best]);
    return sequence_;
  }

  /// Cost of the best tree with that root; infinite where the cut leaves a side empty or too small.
  double root_cost(std::size_t c) const {
    if (!bits_.divides(c) || !bits_.fits(c)) return std::numeric_limits<double>::infinity();
    return cost(bits_.evaluate(c)).strict;
  }

  RootsOfOrdering search(std::size_t f, const ShallowOptima&, double best) const {
    RootsOfOrdering found;
    for (std::size_t c = bits_.first_cut(f); c < bits_.first_cut(f + 1); ++c) {
      if (c % kCutsToAPoll == 0 && deadline_ != nullptr && deadline_->poll()) {
        // What was not looked at is bounded by nothing but the price of its root.
        found.lower = min(found.lower, Bound::of_all_trees(price_));
        break;
      }
      if (!bits_.divides(c)) continue;
      if (const double bound = by_class_ ? price_ + bits_.side_costs(c).sum(both_) : 0; bound >= best) {
        found.lower = min(found.lower, Bound::of_all_trees(bound));
        continue;
      }
      const Bound value = cost(bits_.evaluate(c));
      found.lower.relaxed = std::min(found.lower.relaxed, value.relaxed);
      if (!bits_.fits(c)) continue;
      found.lower.strict = std::min(found.lower.strict, value.strict);
      if (value.strict < best) {
        found.cost = best = value.strict;
        found.place = c;
      }
    }
    return found;
  }

 private:
  // Of the best tree with that root.
  Bound cost(const typename BitStumps<T>::Errors& errors) const {
    const Bound left_leaf = Bound::of_all_trees(errors.left_leaf), right_leaf = Bound::of_all_trees(errors.right_leaf);
    const Bound left = min(left_leaf, price_ + errors.left), right = min(right_leaf, price_ + errors.right);
    return price_ + (both_ ? left + right : min(left + right_leaf, left_leaf + right));
  }

  BitStumps<T>& bits_;
  std::vector<std::size_t>& sequence_;
  const double price_;
  const bool count_rows_, both_;
  Deadline* deadline_;
  const bool by_class_;
};

}  // namespace treewright::search
