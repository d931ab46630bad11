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
      single.relaxed = std::min(single.relaxed, bits_.single_relaxed(c));
      if (!bits_.fits(c) || bits_.single(c) >= single.errors) continue;
      single.errors = bits_.single(c);
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
    const auto errors = bits_.evaluate(c);
    return cost(errors.left_leaf, errors.right_leaf, errors.left, errors.right);
  }

  RootsOfOrdering search(std::size_t f, const ShallowOptima&, double best) const {
    RootsOfOrdering found;
    for (std::size_t c = bits_.first_cut(f); c < bits_.first_cut(f + 1); ++c) {
      if (c % kCutsToAPoll == 0 && deadline_ != nullptr && deadline_->poll()) {
        // What was not looked at is bounded by nothing but the price of its root.
        found.lower = std::min(found.lower, price_);
        found.relaxed = std::min(found.relaxed, price_);
        break;
      }
      if (!bits_.divides(c)) continue;
      if (const double bound = by_class_ ? price_ + bits_.side_costs(c).sum(both_) : 0; bound >= best) {
        found.lower = std::min(found.lower, bound);
        found.relaxed = std::min(found.relaxed, bound);
        continue;
      }
      const auto [left_leaf, right_leaf, left, right, left_relaxed, right_relaxed] = bits_.evaluate(c);
      found.relaxed = std::min(found.relaxed, cost(left_leaf, right_leaf, left_relaxed, right_relaxed));
      if (!bits_.fits(c)) continue;
      const double value = cost(left_leaf, right_leaf, left, right);
      found.lower = std::min(found.lower, value);
      if (value < best) {
        found.cost = best = value;
        found.place = c;
      }
    }
    return found;
  }

 private:
  // Of the tree with that root: errors of a leaf and of the best stump on either side.
  double cost(double left_leaf, double right_leaf, double left, double right) const {
    const double left_tree = std::min(left_leaf, left + price_), right_tree = std::min(right_leaf, right + price_);
    return price_ + (both_ ? left_tree + right_tree : std::min(left_tree + right_leaf, left_leaf + right_tree));
  }

  BitStumps<T>& bits_;
  std::vector<std::size_t>& sequence_;
  const double price_;
  const bool count_rows_, both_;
  Deadline* deadline_;
  const bool by_class_;
};

}  // namespace treewright::search
