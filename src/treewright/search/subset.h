#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/problem.h"

namespace treewright {

/// The items that reach one node of the search, lined up by every ordering. Items are renumbered 0..size-1, so all arrays are dense
/// and a node of m items costs O(p m) to make and nothing to look things up in.
struct Subset {
  std::uint32_t size = 0;
  std::vector<std::int32_t> label;    ///< Shape (size).
  std::vector<double> weight;         ///< Shape (size).
  std::vector<std::int32_t> count;    ///< Shape (size).
  std::vector<std::uint32_t> order;   ///< Items by rank. Shape (orderings x size).
  std::vector<std::uint32_t> rank;    ///< Rank of the item at that place. Shape (orderings x size).
  double total_weight = 0;
  std::int64_t rows = 0;

  std::span<const std::uint32_t> order_of(std::size_t f) const { return {order.data() + f * size, size}; }
  std::span<const std::uint32_t> ranks_of(std::size_t f) const { return {rank.data() + f * size, size}; }

  /// All items of the problem.
  static Subset all(const Problem& problem);
  /// The two parts when the first `place` items in the order of `f` go left. Reuses the parts' memory.
  void split(std::size_t f, std::uint32_t place, Subset& left, Subset& right) const;

  /// Weight of each class. Shape (classes).
  std::vector<double> class_weights(std::int32_t classes) const;
  /// Errors if the node were a leaf.
  double leaf_errors(std::int32_t classes) const;
};

/// The cuts of one ordering: cut c sends the first place[c] items left; 0 < place[c] < size, and the rank changes there.
/// All shapes (cuts).
struct Cuts {
  std::vector<std::uint32_t> place;
  std::vector<double> weight_left;
  std::vector<std::int64_t> rows_left;

  std::int64_t size() const { return static_cast<std::int64_t>(place.size()); }
  /// Reuses its memory.
  void assign(const Subset& subset, std::size_t f);
};

}  // namespace treewright
