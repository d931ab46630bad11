#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/search/items/bit_columns.h"
#include "treewright/search/items/problem.h"

namespace treewright::search {

inline constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

/// Places of items in all orderings, beyond which nothing is made that has a number for each: 64 MB.
inline constexpr std::size_t kMostPlaces = std::size_t{1} << 24;

/// The items that reach one node of the search. A ranked subset has them sorted by every ordering and numbered 0..size-1, so all arrays are
/// dense: a node of m items takes O(p m) time to make, and a look-up is one access. A packed subset, where the orderings have few cuts, has
/// bit sets instead and leaves the arrays of items empty.
struct Subset {
  std::uint32_t size = 0;            ///< items; of a packed subset that is part of another: bits
  std::vector<std::int32_t> label;   ///< Shape (size).
  std::vector<double> weight;        ///< Shape (size).
  std::vector<double> reach;         ///< Shape (size), or empty: see Problem.
  std::vector<std::int32_t> count;   ///< Shape (size).
  std::vector<double> exposure;      ///< Shape (size), or empty: see Problem.
  std::vector<double> amount;        ///< Shape (size), or empty.
  std::vector<std::uint32_t> order;  ///< Items by rank. Shape (orderings x size).
  std::vector<std::uint32_t> rank;   ///< Rank of the item at that place. Shape (orderings x size).
  BitColumns bits;
  double total_weight = 0, total_reach = 0;
  std::int64_t rows = 0;    ///< of a packed subset that is part of another: only where rows are counted
  std::uint64_t stamp = 0;  ///< Identifies the contents: what was derived from a subset is valid while the stamp stays the same.

  std::span<const std::uint32_t> order_of(std::size_t f) const {
    assert((f + 1) * size <= order.size());
    return {order.data() + f * size, size};
  }
  std::span<const std::uint32_t> ranks_of(std::size_t f) const {
    assert((f + 1) * size <= rank.size());
    return {rank.data() + f * size, size};
  }

  bool is_packed() const { return !bits.empty(); }
  const std::vector<double>& reach_or_weight() const { return reach.empty() ? weight : reach; }
  /// Whether the item is the first of the items of equal rows, which follow it: the one with their reach, or the only one.
  bool starts_rows(std::uint32_t item) const { return reach.empty() || reach[item] > 0 || weight[item] == 0; }

  /// All items of the problem, ranked.
  static Subset all(const Problem& problem);
  /// The same, and the problem keeps neither the items nor their ranks: with many rows they are too large to be held twice.
  static Subset take(Problem& problem);
  /// Weight of each class. Shape (classes).
  std::vector<double> class_weights(std::int32_t classes) const;
  /// What the node costs as a leaf. `leaf_errors`: where the target is a class.
  double leaf_cost(const Problem& problem) const;
  double leaf_errors(std::int32_t classes) const;
  /// No tree of so many leaves costs less, splits aside.
  double least_cost(const Problem& problem, std::int64_t leaves) const;
  /// Of a ranked subset, the items that get a new number 0..n-1, as a subset of their own. `renamed`: by the old number, kAbsent for the
  /// others. Reuses the memory of `to`.
  void copy_items(const std::vector<std::uint32_t>& renamed, std::uint32_t n, Subset& to) const;
  /// To be called after every change of the contents.
  void give_stamp();

 private:
  void add_ordering(const Ordering& ordering);
};

/// Some items of a subset: those at places [first, last) in the order of `ordering`. Either child of a cut is a range, and so is the whole.
struct ItemRange {
  const Subset& whole;
  std::size_t ordering = 0;
  std::uint32_t first = 0, last = 0;

  static ItemRange all(const Subset& subset) { return {subset, 0, 0, subset.size}; }
  std::uint32_t size() const { return last - first; }
  bool is_whole() const { return size() == whole.size; }
  /// Of the items of the range. Of ranked subsets.
  double total_reach() const;

  /// The items of the range as a subset of their own, ranked or packed as the whole is. Reuses the memory of `to`.
  void copy_to(Subset& to) const;
  /// New numbers of the whole's items, 0..size()-1 by the old ones; kAbsent outside the range. Shape (whole.size).
  void number_items(std::vector<std::uint32_t>& renamed) const;
  /// Numbers of the first items of equal rows; kAbsent for the others too. Returns how many these are.
  std::size_t number_rows(std::vector<std::uint32_t>& renamed) const;
  /// Rank of the item at that place in the order of `f`, counting items of the range only; of those the first ones of equal rows, where
  /// `by_rows`.
  std::uint32_t rank_at(std::size_t f, std::size_t place, bool by_rows = false) const;
  /// The highest rank below `rank` and the lowest one from it on that items of the range have by `f`; there are both. Of ranked subsets.
  std::pair<std::uint32_t, std::uint32_t> ranks_around(std::size_t f, std::uint32_t rank) const;

 private:
  void copy_bits_to(Subset& to) const;
};

/// The cuts of one ordering: cut c sends the first place(c) items left; 0 < place(c) < size, and the rank changes there. What follows from
/// the place is not kept: with many rows the cuts of all orderings would take more memory than the items. Refers to the ranks of a ranked
/// subset, so it is valid until those change.
class Cuts {
 public:
  std::int64_t size() const { return size_; }
  std::uint32_t place(std::size_t c) const {
    assert(static_cast<std::int64_t>(c) < size_);
    return places_.empty() ? static_cast<std::uint32_t>(c) + 1 : places_[c];
  }
  /// The highest rank left of the cut and the lowest right of it.
  std::uint32_t low(std::size_t c) const { return ranks_.empty() ? low_[c] : ranks_[place(c) - 1]; }
  std::uint32_t high(std::size_t c) const { return ranks_.empty() ? high_[c] : ranks_[place(c)]; }
  double reach_left(std::size_t c) const {
    assert(static_cast<std::int64_t>(c) < size_);
    return reach_.empty() ? place(c) : reach_[c];
  }
  std::int64_t rows_left(std::size_t c) const { return rows_.empty() ? place(c) : rows_[c]; }
  /// The cut that sends items of lower ranks left.
  std::size_t below(std::uint32_t rank) const;
  /// Reuses its memory.
  void assign(const Subset& subset, std::size_t f);

  /// The first of the cuts [first, last) for which `after` holds, and `last` if there is none; it holds for all cuts behind that one too.
  template <class Predicate>
  static std::int64_t first_where(std::int64_t first, std::int64_t last, const Predicate& after) {
    while (first < last) {
      const std::int64_t middle = first + (last - first) / 2;
      after(static_cast<std::size_t>(middle)) ? last = middle : first = middle + 1;
    }
    return first;
  }

 private:
  std::int64_t size_ = 0;
  std::vector<std::uint32_t> places_;     // empty: 1, 2, 3, ...
  std::vector<double> reach_;             // empty: that of every item is 1
  std::vector<std::int64_t> rows_;        // empty: every item is one row
  std::span<const std::uint32_t> ranks_;  // of the ordering; empty for a packed subset, which has these:
  std::vector<std::uint32_t> low_, high_;
};

}  // namespace treewright::search
