#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/subset.h"

namespace treewright {

/// Cuts that one call of the kernel evaluates side by side. The same on every machine, so that the search takes the same path
/// everywhere; wide vectors hold all of them, narrow ones take several passes.
inline constexpr std::size_t kLanes = 32;

/// A subset laid out for the kernel, in the smallest number type T that holds its total weight (int16_t, int32_t, double).
template <class T>
struct Lines {
  std::size_t size = 0, orderings = 0;
  std::int32_t classes = 0;
  T min_rows = 0;                      ///< min_samples_leaf where rows are counted, else 0
  std::vector<T> place;                ///< first place of the item's tie group. Shape (orderings x items).
  const std::uint32_t* order = nullptr;  ///< as Subset::order
  std::vector<T> weight;               ///< at that place; two classes: negative for class 1. Shape (orderings x size).
  std::vector<T> prefix;               ///< two classes: sum of `weight` up to and with that place
  std::vector<T> rows, rows_prefix;    ///< the same of row counts, where rows are counted
  std::vector<T> weight_prefix;        ///< the same of the weights without sign; empty when every item weighs 1
  std::vector<std::uint16_t> label;    ///< more classes: class at that place
  std::vector<std::uint32_t> ends;     ///< for each ordering, the places after which the rank changes (its last: size)
  std::vector<std::size_t> first_end;  ///< where an ordering's ends begin. Shape (orderings + 1).
  std::vector<T> scratch;              ///< more classes: the kernel's stacks

  double total_weight = 0;

  /// Reuses its memory. Rows are counted when min_rows > 1.
  void assign(const Subset& subset, std::int32_t classes, std::int64_t min_rows);

  std::span<const std::uint32_t> ends_of(std::size_t f) const { return {ends.data() + first_end[f], first_end[f + 1] - first_end[f]}; }
  /// Weight of the items before that place in the order of f.
  double weight_before(std::size_t f, std::size_t at) const {
    if (at == 0) return 0;
    return weight_prefix.empty() ? static_cast<double>(at) : static_cast<double>(weight_prefix[f * size + at - 1]);
  }
  /// Rows of the items before that place (where rows are counted).
  double rows_before(std::size_t f, std::size_t at) const { return at == 0 ? 0 : static_cast<double>(rows_prefix[f * size + at - 1]); }
};

/// Errors on either side of each cut: of a leaf, and of the best stump (or leaf) over all orderings.
struct StumpLanes {
  double left_leaf[kLanes], right_leaf[kLanes];
  double left[kLanes], right[kLanes];
  double left_relaxed[kLanes], right_relaxed[kLanes];  ///< the same without min_rows; equal to the above where rows are not counted
};

/// `cuts`: kLanes places in the order of `f`. T: int16_t, int32_t or double.
template <class T>
void best_stumps(Lines<T>& lines, std::size_t f, const T* cuts, StumpLanes& out);

/// Name of the vector instructions in use, as Highway calls them.
const char* vector_target();

}  // namespace treewright
