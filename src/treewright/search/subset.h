#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/bit_columns.h"
#include "treewright/search/problem.h"

namespace treewright::search {

/// The items that reach one node of the search. A ranked subset has them sorted by every ordering and numbered 0..size-1, so all arrays are
/// dense: a node of m items takes O(p m) time to make, and a look-up is one access. A packed subset, where the orderings have few cuts, has bit
/// sets instead and leaves the arrays of items empty.
struct Subset {
  std::uint32_t size = 0;            ///< items; of a packed subset that is part of another: bits
  std::vector<std::int32_t> label;   ///< Shape (size).
  std::vector<double> weight;        ///< Shape (size).
  std::vector<std::int32_t> count;   ///< Shape (size).
  std::vector<std::uint32_t> order;  ///< Items by rank. Shape (orderings x size).
  std::vector<std::uint32_t> rank;   ///< Rank of the item at that place. Shape (orderings x size).
  BitColumns bits;
  double total_weight = 0;
  std::int64_t rows = 0;    ///< of a packed subset that is part of another: only where rows are counted
  std::uint64_t stamp = 0;  ///< Identifies the contents: what was derived from a subset is valid while the stamp stays the same.

  std::span<const std::uint32_t> order_of(std::size_t f) const { return {order.data() + f * size, size}; }
  std::span<const std::uint32_t> ranks_of(std::size_t f) const { return {rank.data() + f * size, size}; }

  bool is_packed() const { return !bits.empty(); }

  /// All items of the problem, ranked.
  static Subset all(const Problem& problem);
  /// Weight of each class. Shape (classes).
  std::vector<double> class_weights(std::int32_t classes) const;
  /// Errors if the node were a leaf.
  double leaf_errors(std::int32_t classes) const;
  /// To be called after every change of the contents.
  void give_stamp();
};

/// Some items of a subset: those at places [first, last) in the order of `ordering`. Either child of a cut is a range, and so is the whole.
struct ItemRange {
  const Subset& whole;
  std::size_t ordering = 0;
  std::uint32_t first = 0, last = 0;

  static ItemRange all(const Subset& subset) { return {subset, 0, 0, subset.size}; }
  std::uint32_t size() const { return last - first; }
  bool is_whole() const { return size() == whole.size; }

  /// The items of the range as a subset of their own, ranked or packed as the whole is. Reuses the memory of `to`.
  void copy_to(Subset& to) const;
  /// New numbers of the whole's items, 0..size()-1 by the old ones; kAbsent outside the range. Shape (whole.size).
  void number_items(std::vector<std::uint32_t>& renamed) const;
  /// Rank of the item at that place in the order of `f`, counting items of the range only.
  std::uint32_t rank_at(std::size_t f, std::size_t place) const;

 private:
  void copy_bits_to(Subset& to) const;
};

inline constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

/// The cuts of one ordering: cut c sends the first place[c] items left; 0 < place[c] < size, and the rank changes there.
/// All shapes (cuts).
struct Cuts {
  std::vector<std::uint32_t> place;
  std::vector<std::uint32_t> low, high;  ///< the highest rank left of the cut and the lowest right of it
  std::vector<double> weight_left;
  std::vector<std::int64_t> rows_left;

  std::int64_t size() const { return static_cast<std::int64_t>(place.size()); }
  /// The cut that sends items of lower ranks left.
  std::size_t below(std::uint32_t rank) const;
  /// Reuses its memory.
  void assign(const Subset& subset, std::size_t f);
};

}  // namespace treewright::search
