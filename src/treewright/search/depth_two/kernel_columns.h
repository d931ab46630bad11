#pragma once

#include <hwy/base.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/search/items/subset.h"

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
struct KernelColumns {
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

  std::size_t size = 0, orderings = 0;
  std::int32_t classes = 0;
  T min_rows = 0;                            ///< min_samples_leaf where rows are counted, else 0
  std::vector<T> rows, rows_prefix;          ///< rows of the item at that place, and of all up to it, where rows are counted
  std::vector<T> reach_prefix;               ///< reach of the items up to and with that place; empty when that of every item is 1
  std::vector<std::uint16_t> label;          ///< more classes, without a table: class at that place
  std::vector<std::size_t> sequence;         ///< in which order the kernel takes the second orderings. Shape (orderings).
  std::vector<T> up, down;                   ///< two classes: weight of class 0 and class 1 in each block of boundaries. Shape (blocks).
  std::vector<T> block_sum;                  ///< two classes: sum of signed weights up to the end of a block. Shape (blocks).
  std::vector<T> boundary_sum;               ///< narrow, two classes: the same up to each boundary. Shape (orderings x size).
  std::vector<SumRange> sums, fitting_sums;  ///< two classes: of all cuts, and of those with enough rows on both sides. Shape (orderings).
  std::vector<std::size_t> first_block;      ///< where an ordering's blocks begin. Shape (orderings + 1).
  std::uint16_t dominant = 0;                ///< more classes: the heaviest one
  /// More classes, where there is no `table`: places of items of any class but the dominant one, ordering by ordering.
  std::vector<std::uint32_t> minor;
  std::vector<std::uint32_t> block_end;  ///< more classes: boundaries of the ordering before the end of a block. Shape (blocks).
  std::vector<std::size_t> first_minor;  ///< where a block's begin in `minor`. Shape (blocks + 1).
  /// More classes, where most labels gain: of each item the gains of all labels, its reach, and zeros. Shape (size x table_width).
  std::vector<T> table;
  std::size_t table_width = 0;  ///< a multiple of kTableStep; 0 = there is no table
  std::vector<T> class_prefix;  ///< more classes: weight of each class up to the end of a block. Shape (blocks x classes).
  std::vector<T> scratch;       ///< more classes: the kernel's class weights

  double total_reach = 0;
  std::vector<double> class_weight;  ///< Shape (classes).

  /// Lays out the items of a range; reuses memory. Rows are counted when min_rows > 1.
  void assign(const ItemRange& range, std::int32_t classes, std::int64_t min_rows);
  /// Gives the items their places in that ordering.
  void cut(std::size_t f);

  Walk walk(std::size_t f) const {
    return {order_ + f * size, places_.data(), weights_.empty() ? nullptr : weights_.data() + f * size,
            items_.data(),     table.data(),   table_width};
  }
  /// The numbers of items before each boundary; the last one is `size`.
  std::span<const std::uint32_t> boundaries_of(std::size_t f) const {
    assert(f < boundary_lists_.size());
    return {boundaries_.data() + boundary_lists_[f].first, boundary_lists_[f].count};
  }
  /// Reach of the items before that place in the order of f.
  double reach_before(std::size_t f, std::size_t at) const {
    assert(f < orderings && at <= size);
    if (at == 0) return 0;
    return reach_prefix.empty() ? static_cast<double>(at) : static_cast<double>(reach_prefix[f * size + at - 1]);
  }
  /// Rows of the items before that place (where rows are counted).
  double rows_before(std::size_t f, std::size_t at) const { return at == 0 ? 0 : static_cast<double>(rows_prefix[f * size + at - 1]); }
  /// Whether a cut there leaves enough rows on both sides.
  bool fits(std::size_t f, std::size_t at) const {
    if (min_rows == 0) return true;
    const double least = static_cast<double>(min_rows), before = rows_before(f, at);
    return before >= least && rows_before(f, size) - before >= least;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct BoundaryList {
    std::size_t first, count;
  };

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
