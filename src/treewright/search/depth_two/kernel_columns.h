#pragma once

#include <hwy/base.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/search/items/subset.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

/// Cuts that one call of the kernel evaluates side by side. The same on every machine, so that the search takes the same path
/// everywhere; wide vectors hold all of them, narrow ones take several passes.
inline constexpr std::size_t kLanes = 32;

/// Rank boundaries of a pruning block with two classes.
inline constexpr std::size_t kBlockOfTwo = 32;
/// Labels that the kernel adds up side by side in registers.
inline constexpr std::size_t kTableStep = 4;
/// With more classes a block ends where it has so many boundaries or items; fewer where an item is of all labels. What the end of a block
/// costs grows with the classes, and what its inside costs with the items.
inline constexpr std::size_t kBlockOfMany = 24, kBlockOfTable = 10;

template <class T>
class ClassBounds;

/// Adds n numbers to n sums, as those of a line of a table.
template <class T>
void add_numbers(const T* HWY_RESTRICT from, std::size_t n, T* HWY_RESTRICT to) {
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<T>(to[i] + from[i]);
}

/// The items of a range, laid out for the kernel. T: the smallest number type that holds the total weight (int16_t, int32_t, double). A
/// boundary is a place in an ordering after which the rank changes, and its end; a block is a few boundaries that the kernel evaluates or
/// passes over together.
///
/// Table. Where labels have costs, equal rows have an item for nearly every label. These lie next to each other in every ordering, so here
/// they are one item with a line in a table: what each label gains. It takes the number of the first of them; places count such items.
///
/// Memory. With wide numbers an item has nothing in each ordering but its own number, and where the range is the whole subset not even
/// that: its numbers are used, so it must outlive this. All else is held once for each item, block or boundary; orderings without equal
/// ranks have the same boundaries and share them. More classes, weights other than 1 and counted rows need more. With numbers of 16 bits
/// all columns are small, so the weights and their sums lie in the order of each ordering, which is faster.
template <class T>
class KernelColumns {
 public:
  using Number = T;
  using Floors = ClassBounds<T>;
  /// Cuts of a call of the kernel.
  static constexpr std::size_t kCuts = kLanes;
  static constexpr bool kNarrow = sizeof(T) == 2;
  using Index = std::conditional_t<kNarrow, std::uint16_t, std::uint32_t>;
  /// Next to each other: one access to memory fetches both.
  struct PlaceAndWeight {
    T place, weight;
  };
  /// The items one after the other by rank of an ordering.
  struct Walk {
    const Index* order;
    const T* places;
    const T* weights;
    const PlaceAndWeight* items;
    const T* table;
    std::size_t table_width;

    /// In the ordering that is cut: the first place of an item of the same rank.
    T place(std::size_t at) const {
      if constexpr (kNarrow) return places[order[at]];
      return items[order[at]].place;
    }
    /// Two classes: negative for class 1.
    T weight(std::size_t at) const {
      if constexpr (kNarrow) return weights[at];
      return items[order[at]].weight;
    }
    /// Where there is a table: what the labels gain, and then the reach.
    const T* line(std::size_t at) const { return table + order[at] * table_width; }
  };
  /// The least and the greatest sum of signed weights before a cut of an ordering.
  struct SumRange {
    T low = std::numeric_limits<T>::max(), high = std::numeric_limits<T>::lowest();
  };
  /// The blocks [first, last) of an ordering.
  struct Blocks {
    std::size_t first, last;
  };

  /// Lays out the items of a range; reuses memory. Rows are counted when min_rows > 1. A range without items is that of a subset without.
  void assign(const ItemRange& range, std::int32_t classes, std::int64_t min_rows);
  /// Gives the items their places in that ordering.
  void cut(std::size_t f);
  /// Puts the second orderings into the order in which the kernel is to take them.
  template <class Before>
  const std::vector<std::size_t>& sort_sequence(const Before& before) {
    std::stable_sort(sequence_.begin(), sequence_.end(), before);
    return sequence_;
  }

  std::size_t size() const { return size_; }
  std::size_t orderings() const { return orderings_; }
  std::size_t classes() const { return class_weight_.size(); }
  /// min_samples_leaf where rows are counted, else 0.
  T min_rows() const { return min_rows_; }
  bool counts_rows() const { return min_rows_ > 0; }
  double total_reach() const { return total_reach_; }
  double total_weight() const { return std::accumulate(class_weight_.begin(), class_weight_.end(), 0.0); }
  double leaf_cost() const { return search::leaf_cost(total_reach_, class_weight_); }
  /// Shape (classes).
  const std::vector<double>& class_weight() const { return class_weight_; }
  /// Shape (orderings).
  const std::vector<std::size_t>& sequence() const { return sequence_; }

  Walk walk(std::size_t f) const {
    assert(f < orderings_);
    return {order_ + f * size_, places_.data(), weights_.empty() ? nullptr : weights_.data() + f * size_,
            items_.data(),      table_.data(),  table_width_};
  }
  /// The numbers of items before each boundary; the last one is `size`.
  std::span<const std::uint32_t> boundaries_of(std::size_t f) const {
    assert(f < boundary_lists_.size());
    return {boundaries_.data() + boundary_lists_[f].first, boundary_lists_[f].count};
  }
  Blocks blocks_of(std::size_t f) const {
    assert(f < orderings_);
    return {first_block_[f], first_block_[f + 1]};
  }
  /// Reach of the items before that place in the order of f.
  double reach_before(std::size_t f, std::size_t at) const {
    assert(f < orderings_ && at <= size_);
    if (at == 0) return 0;
    return reach_prefix_.empty() ? static_cast<double>(at) : static_cast<double>(reach_prefix_[f * size_ + at - 1]);
  }

  // Where rows are counted.
  /// Of the item at each place, and of all up to it. Shapes (size).
  const T* rows_of(std::size_t f) const { return of_ordering(rows_, f); }
  const T* rows_prefix_of(std::size_t f) const { return of_ordering(rows_prefix_, f); }
  double rows_before(std::size_t f, std::size_t at) const { return at == 0 ? 0 : static_cast<double>(rows_prefix_of(f)[at - 1]); }
  /// Whether a cut there leaves enough rows on both sides; every cut does where rows are not counted.
  bool fits(std::size_t f, std::size_t at) const {
    if (min_rows_ == 0) return true;
    const double least = static_cast<double>(min_rows_), before = rows_before(f, at);
    return before >= least && rows_before(f, size_) - before >= least;
  }

  // Two classes.
  /// Weight of class 0 and of class 1 in a block, and the sum of signed weights up to its end.
  T up(std::size_t block) const { return up_[block]; }
  T down(std::size_t block) const { return down_[block]; }
  T block_sum(std::size_t block) const { return block_sum_[block]; }
  /// Narrow: the same sum up to each boundary. Shape (boundaries).
  const T* boundary_sums_of(std::size_t f) const { return of_ordering(boundary_sum_, f); }
  /// Of all cuts; `fitting`: of those with enough rows on both sides.
  const SumRange& sums(std::size_t f, bool fitting) const { return (fitting ? fitting_sums_ : sums_)[f]; }

  // More classes.
  /// The heaviest one.
  std::uint16_t dominant() const { return dominant_; }
  /// Boundaries of the ordering before the end of a block.
  std::uint32_t block_end(std::size_t block) const { return block_end_[block]; }
  /// Weight of each class up to the end of a block. Shape (classes).
  const T* class_weights_up_to(std::size_t block) const {
    assert((block + 1) * classes() <= class_prefix_.size());
    return class_prefix_.data() + block * classes();
  }
  /// A multiple of kTableStep; 0 = there is no table.
  std::size_t table_width() const { return table_width_; }
  bool has_table() const { return table_width_ > 0; }
  /// The line of an item: the gains of all labels, its reach, and zeros. Shape (table_width).
  const T* line(std::size_t item) const {
    assert(has_table() && item < size_);
    return table_.data() + item * table_width_;
  }
  /// Without a table: the class at each place. Shape (size).
  const std::uint16_t* labels_of(std::size_t f) const { return of_ordering(label_, f); }
  /// Without a table: places of the items of a block of any class but the dominant one.
  std::span<const std::uint32_t> minor_of(std::size_t block) const {
    return {minor_.data() + first_minor_[block], first_minor_[block + 1] - first_minor_[block]};
  }

  /// The kernel's own numbers, as many as it needs.
  std::vector<T> scratch;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct BoundaryList {
    std::size_t first, count;
  };

  template <class Number>
  const Number* of_ordering(const std::vector<Number>& of_all, std::size_t f) const {
    assert((f + 1) * size_ <= of_all.size());
    return of_all.data() + f * size_;
  }

  template <class Gathered>
  bool gather(const ItemRange& range, Gathered& gathered);
  template <class Gathered>
  void lay_out_order(const ItemRange& range, const Gathered& gathered);
  void make_room(bool unit);
  template <class Gathered>
  void number(const ItemRange& range, Gathered& gathered);
  void find_first_items(const Subset& whole);
  template <class Gathered>
  void add_boundaries(std::size_t g, const Subset& whole, Gathered& gathered);
  template <class Gathered>
  void add_blocks_of_two_classes(std::size_t g, const Gathered& gathered);
  template <class Gathered>
  void add_blocks_of_many_classes(std::size_t g, Gathered& gathered);
  template <class Gathered>
  void add_prefixes(std::size_t g, const Gathered& gathered);

  std::size_t size_ = 0, orderings_ = 0;
  T min_rows_ = 0;
  double total_reach_ = 0;
  std::vector<double> class_weight_;
  std::vector<T> rows_, rows_prefix_;  // Shapes (orderings x size).
  std::vector<T> reach_prefix_;        // of the items up to and with that place; empty when the reach of every item is 1
  std::vector<std::size_t> sequence_;
  std::vector<T> up_, down_, block_sum_;       // two classes. Shapes (blocks).
  std::vector<T> boundary_sum_;                // narrow, two classes. Shape (orderings x size).
  std::vector<SumRange> sums_, fitting_sums_;  // two classes. Shapes (orderings).
  std::vector<std::size_t> first_block_;       // where an ordering's blocks begin. Shape (orderings + 1).
  std::uint16_t dominant_ = 0;
  std::vector<std::uint16_t> label_;      // more classes, without a table. Shape (orderings x size).
  std::vector<std::uint32_t> minor_;      // more classes, without a table: ordering by ordering
  std::vector<std::size_t> first_minor_;  // where a block's begin in `minor_`. Shape (blocks + 1).
  std::vector<std::uint32_t> block_end_;  // more classes. Shape (blocks).
  std::vector<T> class_prefix_;           // more classes. Shape (blocks x classes).
  std::vector<T> table_;                  // more classes, where most labels gain. Shape (size x table_width).
  std::size_t table_width_ = 0;
  std::vector<T> places_, weights_;    // narrow: see Walk. Shapes (size), (orderings x size).
  std::vector<PlaceAndWeight> items_;  // wide. Shape (size).
  // Of the subset with that stamp, where there is a table: order and ranks of the first items of equal rows. Shapes (orderings x size).
  struct FirstItems {
    std::uint64_t stamp = 0;
    std::size_t size = 0;
    std::vector<std::uint32_t> order, rank;
  } first_items_;
  const Index* order_ = nullptr;  // of the subset, or own_order_. Shape (orderings x size).
  std::vector<Index> own_order_;
  std::vector<std::uint32_t> boundaries_;     // a stack of lists; no shorter than it was
  std::vector<BoundaryList> boundary_lists_;  // where an ordering's are. Shape (orderings).
  std::size_t boundaries_end_ = 0;            // of the last list
  std::size_t all_places_ = kNone;            // where the list 1, 2, ..., size begins
  std::size_t cut_ = kNone;                   // the ordering that is cut
};

/// Errors on either side of each cut: of a leaf, and of the best stump (or leaf) over all orderings.
struct CutErrors {
  double left_leaf[kLanes], right_leaf[kLanes];
  double left[kLanes], right[kLanes];
  double left_relaxed[kLanes], right_relaxed[kLanes];  ///< the same without min_rows; equal to the above where rows are not counted
};

}  // namespace treewright::search
