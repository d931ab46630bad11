#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "treewright/search/depth_two/class_bounds.h"
#include "treewright/search/items/bit_columns.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// The best stumps on either side of each cut, for a range of some items that are given as bit sets. T: int16_t or int32_t, wide enough for
/// the units of weight and for the rows where those count.
template <class T>
class BitStumps {
 public:
  /// Errors on either side of one cut: of a leaf, and of the best stump (or leaf) over all orderings.
  struct Errors {
    double left_leaf = 0, right_leaf = 0;
    Bound left, right;  ///< of the best stumps
  };

  /// Lays out the items; `columns` must outlive that. Reuses its memory.
  void assign(const BitColumns& columns, std::int64_t min_rows);
  /// Restricts the functions below to some of these items.
  void restrict_to(const ItemRange& range);

  double weight() const;  ///< of the range
  double total_reach() const { return total_reach_; }
  double rows() const;  ///< where rows are counted
  double leaf_errors() const;
  std::size_t orderings() const { return all_->first_cut.size() - 1; }
  /// Cuts of an ordering: [first_cut(f), first_cut(f + 1)), from left to right. Some may not divide the range.
  std::size_t first_cut(std::size_t f) const { return all_->first_cut[f]; }
  /// The first rank right of the cut.
  std::uint32_t rank(std::size_t cut) const { return all_->high[cut]; }
  /// Whether both sides hold some weight of the range, and so some reach. No other cut is better than a leaf or a stump.
  bool divides(std::size_t cut) const { return reach_left_[cut] > 0 && reach_left_[cut] < total_reach_; }
  /// Whether both sides hold min_rows rows of the range.
  bool fits(std::size_t cut) const;
  /// Errors of the stump that cuts there.
  Bound single(std::size_t cut) const {
    return {total_reach_ - all_->unit * single_[cut], total_reach_ - all_->unit * single_relaxed_[cut]};
  }
  Errors evaluate(std::size_t cut);
  std::size_t classes() const { return classes_; }
  /// What the sides of the cut cost at least by their classes (class_bounds.h).
  SideCosts side_costs(std::size_t cut) const;

  // For the kernel in bit_stumps.cpp.
  using Word = std::make_unsigned_t<T>;
  /// Lanes of one block: each holds a word of another cut.
  static constexpr std::size_t kBlock = 64 / sizeof(T);
  struct Correct {
    T left, right, left_relaxed, right_relaxed;
  };

 private:
  template <class U>
  friend struct BitKernel;

  // The same words, as many of each group as its bits take.
  void shorten(const BitColumns::Word* from, Word* to) const;

  const BitColumns* all_ = nullptr;
  std::size_t classes_ = 0, groups_ = 0, words_ = 0, cuts_ = 0, blocks_ = 0;
  T min_rows_ = 0;                        // in steps of the rows; 0 where rows are not counted
  std::vector<T> scale_;                  // steps that one bit of a group stands for. Shape (groups).
  std::vector<std::size_t> group_begin_;  // first word of each group. Shape (groups + 1).
  std::vector<Word> columns_;             // Shape (cuts + 1, words); the last is the whole subset
  std::vector<Word> slices_;              // the same in the kernel's order. Shape (blocks, words, kBlock).
  // Of the range.
  std::vector<Word> mask_, masked_;
  std::vector<T> count_;                    // weight (rows) left of each cut. Shape (groups, blocks * kBlock).
  std::vector<T> single_, single_relaxed_;  // steps that the stump at each cut gets right. Shape (blocks * kBlock).
  std::vector<double> reach_left_;          // Shape (cuts + 1).
  double total_reach_ = 0;
};

}  // namespace treewright::search
