#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/search/subset.h"

namespace treewright::search {

/// Cuts that one call of the kernel evaluates side by side. The same on every machine, so that the search takes the same path
/// everywhere; wide vectors hold all of them, narrow ones take several passes.
inline constexpr std::size_t kLanes = 32;

/// Rank boundaries per pruning block: fewer with more than two classes, where evaluating one takes more time.
inline constexpr std::size_t boundaries_per_block(std::int32_t classes) {
  return classes == 2 ? 32 : 8;
}

/// The items of a range, laid out for the kernel: one column for each ordering. T: the smallest number type that holds the total weight
/// (int16_t, int32_t, double). A boundary is a place in an ordering after which the rank changes, and its end; a block is a few boundaries that
/// the kernel evaluates or passes over together.
template <class T>
struct KernelColumns {
  std::size_t size = 0, orderings = 0;
  std::int32_t classes = 0;
  T min_rows = 0;        ///< min_samples_leaf where rows are counted, else 0
  std::vector<T> place;  ///< first place of an item of the same rank. Shape (orderings x items).
  using Index = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
  std::vector<Index> order;                 ///< items by rank. Shape (orderings x items).
  std::vector<T> weight;                    ///< at that place; two classes: negative for class 1. Shape (orderings x size).
  std::vector<T> prefix;                    ///< two classes: sum of `weight` up to and with that place
  std::vector<T> rows, rows_prefix;         ///< the same of row counts, where rows are counted
  std::vector<T> weight_prefix;             ///< the same of the weights without sign; empty when every item weighs 1
  std::vector<std::uint16_t> label;         ///< more classes: class at that place
  std::vector<std::uint32_t> boundaries;    ///< of each ordering: the numbers of items before them; the last is `size`
  std::vector<std::size_t> first_boundary;  ///< where an ordering's boundaries begin. Shape (orderings + 1).
  std::vector<std::size_t> sequence;        ///< in which order the kernel takes the second orderings. Shape (orderings).
  std::vector<T> up, down;                  ///< two classes: weight of class 0 and class 1 in each block of boundaries. Shape (blocks).
  std::vector<std::size_t> first_block;     ///< where an ordering's blocks begin. Shape (orderings + 1).
  std::uint16_t dominant = 0;               ///< more classes: the heaviest one
  std::vector<std::uint32_t> minor;         ///< more classes: places of items of any class but the dominant one, ordering by ordering
  std::vector<std::size_t> first_minor;     ///< where a block's begin in `minor`. Shape (blocks + 1).
  std::vector<T> class_prefix;              ///< more classes: weight of each class up to the end of a block. Shape (blocks x classes).
  std::vector<T> scratch;                   ///< more classes: the kernel's class weights

  double total_weight = 0;
  std::vector<double> class_weight;  ///< Shape (classes).

  /// Lays out the items of a range; reuses memory. Rows are counted when min_rows > 1.
  void assign(const ItemRange& range, std::int32_t classes, std::int64_t min_rows);

  std::span<const std::uint32_t> boundaries_of(std::size_t f) const {
    return {boundaries.data() + first_boundary[f], first_boundary[f + 1] - first_boundary[f]};
  }
  /// Weight of the items before that place in the order of f.
  double weight_before(std::size_t f, std::size_t at) const {
    if (at == 0) return 0;
    return weight_prefix.empty() ? static_cast<double>(at) : static_cast<double>(weight_prefix[f * size + at - 1]);
  }
  /// Rows of the items before that place (where rows are counted).
  double rows_before(std::size_t f, std::size_t at) const { return at == 0 ? 0 : static_cast<double>(rows_prefix[f * size + at - 1]); }

 private:
  template <class Items>
  void add_order(std::size_t g, const Subset& whole, Items& items);
  void add_blocks_of_two_classes(std::size_t g);
  template <class Items>
  void add_blocks_of_many_classes(std::size_t g, Items& items);
  template <class Items>
  void add_prefixes(std::size_t g, const Items& items);
};

/// Errors on either side of each cut: of a leaf, and of the best stump (or leaf) over all orderings.
struct CutErrors {
  double left_leaf[kLanes], right_leaf[kLanes];
  double left[kLanes], right[kLanes];
  double left_relaxed[kLanes], right_relaxed[kLanes];  ///< the same without min_rows; equal to the above where rows are not counted
};

/// `cuts`: kLanes places in the order of `f`, ascending, equal ones allowed. T: int16_t, int32_t or double.
template <class T>
void best_stumps(KernelColumns<T>& columns, std::size_t f, const T* cuts, CutErrors& out);

/// Name of the vector instructions in use, as Highway calls them.
const char* vector_target();

}  // namespace treewright::search
