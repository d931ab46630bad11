#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/ranked_rows.h"
#include "treewright/grow/split_search.h"

namespace treewright::grow {

/// Sums over rows, and the range of what their leaves would predict.
struct NumberSums {
  double exposure = 0, value = 0;
  double least = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();
};

/// Finds the best cut of a node along one feature where the target is a number: the counterpart of SplitSearch. A cut is scored by what it
/// takes from the loss of the node.
class NumberSearch {
 public:
  using Sums = NumberSums;

  /// `data` has a response; it must outlive the search.
  NumberSearch(const Dataset& data, std::int64_t min_leaf_rows);

  Sums none() const { return {}; }
  Sums of_all(const Dataset& data) const;
  void add(Sums& sums, std::uint32_t row) const;
  /// Whether rows of the node lose anything.
  bool impure(const Sums& node) const { return node.least < node.largest; }
  /// A difference of scores as a share of the loss of all rows.
  double decrease(double gain) const { return gain / loss_; }

  /// The node whose lists come next.
  void enter(const Sums& node);
  double purity_of_node() const { return 0; }
  /// As in SplitSearch, but that rows without a level are split from others as if that were one.
  RankSplit best_numeric(std::span<const RankedRow> list, double to_beat, bool& constant);
  RankSplit best_categorical(std::span<const RankedRow> list, double to_beat, const std::vector<bool>* alone, bool& constant);

 private:
  struct Pair {
    double exposure = 0, value = 0;
    Pair& operator+=(const Pair& other) {
      exposure += other.exposure;
      value += other.value;
      return *this;
    }
  };

  /// Of a row, its number less what the node expects of it.
  Pair pair(std::uint32_t row) const;
  double gain(const Pair& left) const;
  Pair sum(std::span<const RankedRow> rows) const;
  template <bool unit, Loss loss>
  void scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, const Pair& missing, RankSplit& best) const;
  void scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, const Pair& missing, RankSplit& best) const;

  const Dataset& data_;
  const Loss loss_kind_;
  std::int64_t min_leaf_rows_;
  std::vector<double> values_;                                  // squared error: less the mean of all rows
  std::vector<double> exposure_;                                // weight * exposure; empty = 1
  double loss_ = 1;                                             // of all rows
  double mean_ = 0, total_ = 0, total_value_ = 0, margin_ = 0;  // of the node
};

}  // namespace treewright::grow
