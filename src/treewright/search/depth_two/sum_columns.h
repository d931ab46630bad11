#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/depth_two/class_bounds.h"
#include "treewright/search/depth_two/kernel_columns.h"
#include "treewright/search/depth_two/single_split.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// The items of a range whose target is a number, laid out for the kernel of sum_stumps.cpp. It answers as KernelColumns does.
class SumColumns {
 public:
  using Number = double;
  /// Cuts of a call of the kernel: more of them are known to be needed only when the first are solved.
  static constexpr std::size_t kCuts = 8;
  struct Item {
    double place;  ///< in the ordering that is cut: the first place of an item of the same rank
    double exposure, amount, rows;
  };
  /// Some boundaries that the kernel evaluates or passes over together.
  struct Block {
    std::uint32_t first, last;      ///< boundaries
    double up, down;                ///< sums of the positive amounts and of the negative ones
    double steepest;                ///< no item has an amount beyond this times its exposure
    double exposure, amount, rows;  ///< of all items up to its end
  };
  /// Nothing is known of the sides of a cut before it is solved. As ClassBounds.
  struct Floors {
    void start() {}
    void assign(const SumColumns&, std::size_t, bool, double) {}
    bool empty() const { return true; }
    SideCosts operator[](std::int64_t) const { return {}; }
  };

  /// Lays out the items of a range; reuses memory. Rows are counted when min_rows > 1.
  void assign(const ItemRange& range, const TwoSums& loss, std::int64_t min_rows);
  /// Gives the items their places in that ordering.
  void cut(std::size_t f);
  template <class Before>
  const std::vector<std::size_t>& sort_sequence(const Before& before) {
    std::stable_sort(sequence_.begin(), sequence_.end(), before);
    return sequence_;
  }

  std::size_t size() const { return size_; }
  std::size_t orderings() const { return orderings_; }
  const std::vector<std::size_t>& sequence() const { return sequence_; }
  double min_rows() const { return min_rows_; }
  bool counts_rows() const { return min_rows_ > 0; }
  double total_reach() const { return total_loss_; }
  double total_weight() const { return total_loss_; }
  bool has_table() const { return false; }
  const TwoSums& loss() const { return two_sums_; }
  double exposure() const { return exposure_; }
  double amount() const { return amount_; }

  const Item& item(std::size_t f, std::size_t at) const { return items_[order_[f * size_ + at]]; }
  const Item* items() const { return items_.data(); }
  const std::uint32_t* order_of(std::size_t f) const { return order_.data() + f * size_; }
  /// The numbers of items before each boundary; the last one is `size`.
  std::span<const std::uint32_t> boundaries_of(std::size_t f) const {
    return std::span(boundaries_).subspan(first_boundary_[f], first_boundary_[f + 1] - first_boundary_[f]);
  }
  std::span<const Block> blocks_of(std::size_t f) const {
    return std::span(blocks_).subspan(first_block_[f], first_block_[f + 1] - first_block_[f]);
  }
  double reach_before(std::size_t f, std::size_t at) const { return at == 0 ? 0 : loss_prefix_[f * size_ + at - 1]; }
  double rows_before(std::size_t f, std::size_t at) const { return at == 0 ? 0 : rows_prefix_[f * size_ + at - 1]; }
  bool fits(std::size_t f, std::size_t at) const {
    return min_rows_ == 0 || (rows_before(f, at) >= min_rows_ && rows_before(f, size_) - rows_before(f, at) >= min_rows_);
  }
  /// Of the first `at` items in the ordering that is cut.
  double exposure_before(std::size_t at) const { return exposure_prefix_[at]; }
  double amount_before(std::size_t at) const { return amount_prefix_[at]; }

  /// Memory of the kernel: three numbers for each cut and block of an ordering.
  double* block_ends() { return block_ends_.data(); }

  double leaf_cost() const { return two_sums_.of_leaves(total_loss_, two_sums_.gain(exposure_, amount_)); }

 private:
  // What an item loses by itself, and its amount beside its exposure.
  struct Alone {
    double loss, steepness;
  };
  void add_ordering(const ItemRange& range, std::size_t g);
  void add_blocks(std::size_t g);

  static constexpr std::size_t kNone = ~std::size_t{0};

  TwoSums two_sums_;
  std::size_t size_ = 0, orderings_ = 0;
  double min_rows_ = 0, total_loss_ = 0, exposure_ = 0, amount_ = 0;
  std::vector<Item> items_;                                // Shape (size).
  std::vector<Alone> alone_;                               // Shape (size).
  std::vector<std::uint32_t> renamed_, order_;             // of the whole's items; shape (orderings x size)
  std::vector<std::uint32_t> boundaries_;                  // ordering by ordering
  std::vector<std::size_t> first_boundary_, first_block_;  // Shapes (orderings + 1).
  std::vector<Block> blocks_;
  std::vector<double> loss_prefix_, rows_prefix_;        // Shapes (orderings x size).
  std::vector<double> exposure_prefix_, amount_prefix_;  // of the ordering that is cut. Shapes (size + 1).
  std::vector<double> block_ends_;
  std::vector<std::size_t> sequence_;
  std::size_t cut_ = kNone;
};

/// As best_split for classes. `scratch` is not used.
SingleSplit best_split(const SumColumns& columns, std::size_t g, bool want_place, std::vector<double>& scratch);

/// The kernel, for kCuts places: see sum_stumps.cpp.
void best_stumps(SumColumns& columns, std::size_t f, const double* cuts, CutErrors& out);

}  // namespace treewright::search
