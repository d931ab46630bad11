#pragma once

#include <cstdint>
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
  std::span<const std::uint32_t> order(std::size_t f) const { return {order_.data() + f * size_, size_}; }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> order_;
};

/// The rows of a table with the orderings of a proof. An item is what remains of the rows of one class with equal values, after the weight
/// that every tree loses there was taken off. Orderings that sort the items as an earlier one, or in reverse, are left out.
class Items {
 public:
  Items(const Table& table, const std::vector<Ranks>& orderings);

  std::size_t orderings() const { return rank_.size(); }
  std::size_t column(std::size_t f) const { return column_[f]; }
  std::size_t classes() const { return classes_; }
  std::uint32_t rank(std::size_t f, std::uint32_t item) const { return rank_[f][item]; }
  /// In whole units.
  std::int64_t weight(std::uint32_t item) const { return weight_[item]; }
  std::uint32_t label(std::uint32_t item) const { return label_[item]; }
  std::int64_t total_weight() const { return total_weight_; }
  /// The weight that every tree loses because rows of different classes have equal values.
  std::int64_t lost() const { return lost_; }

  Part all() const;
  Part side(const Part& part, const Cut& cut, bool left) const;
  /// Shape (classes).
  std::vector<std::int64_t> class_weights(const Part& part) const;

 private:
  void add_orderings(const Table& table, const std::vector<Ranks>& orderings, const std::vector<std::uint32_t>& row_of_item);

  std::size_t classes_ = 0;
  std::vector<std::uint32_t> label_;              // Shape (items).
  std::vector<std::int64_t> weight_;              // Shape (items).
  std::vector<std::vector<std::uint32_t>> rank_;  // Shape (orderings) (items).
  std::vector<std::size_t> column_;               // Shape (orderings).
  std::int64_t total_weight_ = 0, lost_ = 0;
};

}  // namespace treewright::proof
