#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "treewright/proof/family.h"
#include "treewright/proof/table.h"

namespace treewright::proof {

/// A split by an ordering: what ranks below `rank` goes left.
struct Cut {
  static constexpr std::uint32_t kEverything = ~std::uint32_t{0};

  std::size_t ordering = 0;
  std::uint32_t rank = 0;  ///< kEverything: all items go left, whatever the orderings
};

/// Some items, in the order of each ordering.
class Part {
 public:
  /// `order`: of each ordering, and after them the items in any order.
  Part(std::size_t size, std::vector<std::uint32_t> order) : size_(size), order_(std::move(order)) {}

  std::size_t size() const { return size_; }
  std::span<const std::uint32_t> items() const { return {order_.data() + order_.size() - size_, size_}; }
  /// Items by rank. Shape (size).
  std::span<const std::uint32_t> order(std::size_t f) const {
    assert((f + 1) * size_ <= order_.size());
    return {order_.data() + f * size_, size_};
  }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> order_;
};

/// Numbers the items of a part from 0. `place` grows where an item lies behind its end.
void number_items(const Part& part, std::vector<std::uint32_t>& place);

/// Items with ranks in the orderings of a proof. Rows of equal values are a group, and a side of a cut has all items of a group or none.
/// Orderings that sort the items as an earlier one, or in reverse, are left out. What items cost is added by the classes below.
class Items {
 public:
  std::size_t orderings() const { return rank_.size(); }
  std::size_t column(std::size_t f) const { return column_[f]; }
  std::uint32_t rank(std::size_t f, std::uint32_t item) const { return rank_[f][item]; }
  /// Those of its group for the first item of it, and 0 for the others.
  std::int64_t rows(std::uint32_t item) const { return rows_[item]; }
  std::int64_t total_rows() const { return total_rows_; }

  Part all() const;
  Part side(const Part& part, const Cut& cut, bool left) const;
  /// Of a split by any ordering of the table, whether the items sort alike in another one or not.
  Part side(const Part& part, const Table& table, const Ranks& ordering, std::int64_t rank, bool left) const;
  std::int64_t rows(const Part& part) const;

 protected:
  Items() = default;
  /// Hands the rows of each group to `add`.
  static void for_each_group(const Table& table, const std::function<void(std::span<const std::uint32_t> rows)>& add);
  /// `row`: one of the group's.
  void add_item(std::uint32_t row, std::int64_t rows) {
    row_.push_back(row);
    rows_.push_back(rows);
    total_rows_ += rows;
  }
  /// When all items are there.
  void add_orderings(const Table& table, const std::vector<Ranks>& orderings);

 private:
  template <class Stays>
  Part those(const Part& part, Stays stays) const;

  std::vector<std::uint32_t> row_;                // Shape (items).
  std::vector<std::int64_t> rows_;                // Shape (items).
  std::vector<std::vector<std::uint32_t>> rank_;  // Shape (orderings) (items).
  std::vector<std::size_t> column_;               // Shape (orderings).
  std::int64_t total_rows_ = 0;
};

/// What labels cost. The costs of a group's rows are added up, and the least of them is lost in every tree. An item is what one label gains
/// in a group over the dearest one; the first of the largest gain bears the group's reach, which is that gain, and the others have none. So
/// items cost their reach less the gain of the leaf's label.
class LabelItems : public Items {
 public:
  /// `count_rows`: a group without a gain is an item too, which only counts rows.
  LabelItems(const Table& table, const std::vector<Ranks>& orderings, bool count_rows);

  std::size_t labels() const { return labels_; }
  // In whole units.
  std::int64_t gain(std::uint32_t item) const { return gain_[item]; }
  std::int64_t reach(std::uint32_t item) const { return reach_[item]; }
  std::uint32_t label(std::uint32_t item) const { return label_[item]; }
  /// At most that of std::int64_t: that of many labels may be more.
  std::int64_t total_gain() const { return total_gain_; }
  std::int64_t total_reach() const { return total_reach_; }
  /// What every tree loses because no label is the cheapest one of all rows of equal values.
  std::int64_t lost() const { return lost_; }

  std::int64_t reach(const Part& part) const;
  /// Shape (labels).
  std::vector<std::int64_t> gains(const Part& part) const;

 private:
  std::size_t labels_ = 0;
  std::vector<std::uint32_t> label_;        // Shape (items).
  std::vector<std::int64_t> gain_, reach_;  // Shape (items).
  std::int64_t total_gain_ = 0, total_reach_ = 0, lost_ = 0;
};

/// Where trees predict a number: each group is an item with the sums of its rows (row_sums.h).
class SumItems : public Items {
 public:
  SumItems(const Table& table, const std::vector<Ranks>& orderings);

  std::int64_t exposure(std::uint32_t item) const { return exposure_[item]; }
  std::int64_t amount(std::uint32_t item) const { return amount_[item]; }
  /// What the item loses by itself, in steps.
  std::int64_t loss(std::uint32_t item) const { return loss_[item]; }
  std::int64_t gain(std::int64_t exposure, std::int64_t amount) const { return gains_.up(exposure, amount); }
  const Gains& gains() const { return gains_; }
  /// What the rows lose, less what the items do, rounded down; may be negative.
  std::int64_t lost() const { return lost_; }

  std::int64_t leaf_cost(const Part& part) const;

 private:
  const Gains gains_;
  std::vector<std::int64_t> exposure_, amount_, loss_;  // Shape (items).
  std::int64_t lost_ = 0;
};

}  // namespace treewright::proof
