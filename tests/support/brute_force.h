#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <unordered_map>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/costs/whole_weights.h"

namespace treewright::testing {

/// The least weight of errors, or the least cost where the data have costs, of a tree with at most k splits, for k = 0..max_splits, by
/// trying every tree: every threshold, every subset of levels (above 12 levels: every single level with a thousandth of all weight against
/// the rest, and for each class those with at least some share of it), both directions of missing values. Shares no code with the search.
/// At most 128 rows, depth at most 6.
///
/// A set of rows is a 128-bit mask. All splits of all rows are listed once; a subproblem tries each of them on its own rows. The
/// only savings are the memory of solved subproblems (rows, depth), that rows without error need no split, and that no set of rows needs
/// more splits than it has rows.
class BruteForce {
 public:
  static constexpr std::size_t kMaxRows = 128;
  static constexpr int kMaxDepth = 6;

  explicit BruteForce(const Dataset& data, std::int64_t min_rows = 1, double min_weight = 0)
      : rows_(data.rows()),
        min_rows_(std::max<std::int64_t>(1, min_rows)),
        unit_(data.weights.empty()),
        costs_(data.costs),
        row_costs_(data.row_costs),
        class_rows_(data.classes(), 0) {
    assert(rows_ <= kMaxRows);
    for (std::size_t row = 0; row < rows_; ++row) class_rows_[data.labels[row]] |= Rows{1} << row;
    for (std::size_t byte = 0; byte < weight_.size(); ++byte) {
      for (std::size_t set = 1; set < 256; ++set) {
        const std::size_t row = 8 * byte + static_cast<std::size_t>(std::countr_zero(set));
        weight_[byte][set] = weight_[byte][set & (set - 1)] + (row < rows_ ? data.weight(row) : 0);
      }
    }
    min_weight_ = min_weight - 1e-9 * weight_of(all());
    for (const Column& column : data.columns) {
      column.kind == ColumnKind::numeric ? add_thresholds(column) : add_levels(column, data);
      boxes_ = std::min(boxes_ * ranges(column), std::ldexp(1.0, static_cast<int>(rows_)));
    }
    std::sort(splits_.begin(), splits_.end());
    splits_.erase(std::unique(splits_.begin(), splits_.end()), splits_.end());
  }

  /// Upper bound on the leaves to weigh: what `best` costs, in about 5 ns.
  double work(int depth) const {
    const double splits = static_cast<double>(splits_.size()) * (1 + static_cast<double>(class_rows_.size()) / 8);
    double nodes = 1, total = splits;
    // A node of a level holds what so many different splits leave, in any order.
    for (int level = 1; level < depth; ++level) {
      nodes = std::min(nodes * 2 * std::max(1.0, static_cast<double>(splits_.size()) - level + 1) / level, boxes_);
      const double below = std::min(std::ldexp(1.0, depth - level - 1), static_cast<double>(rows_));
      total += nodes * splits * (1 + below * below / 8);
    }
    return total;
  }

  std::vector<double> best(int depth, int max_splits) {
    assert(depth <= kMaxDepth);
    const Costs costs = depth == 0 ? leaf(all()) : solve(all(), depth);
    std::vector<double> result;
    for (int k = 0; k <= max_splits; ++k) result.push_back(costs[std::min<std::size_t>(k, costs.size() - 1)]);
    return result;
  }

  /// A set of rows: a bit for each.
  __extension__ using Rows = unsigned __int128;
  /// The rows that go left, of all rows, for each split; of a split and its mirror image one.
  const std::vector<Rows>& splits() const { return splits_; }

  double best_cost(int depth, int max_splits, double split_price) {
    const std::vector<double> errors = best(depth, max_splits);
    double cost = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < errors.size(); ++k) cost = std::min(cost, errors[k] + split_price * static_cast<double>(k));
    return cost;
  }

 private:
  struct Hash {
    std::size_t operator()(Rows rows) const {
      return std::hash<std::uint64_t>{}(static_cast<std::uint64_t>(rows) * 0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(rows >> 64));
    }
  };
  using Costs = std::array<double, 1 << kMaxDepth>;  // by the number of splits allowed

  Rows all() const { return rows_ == kMaxRows ? ~Rows{0} : (Rows{1} << rows_) - 1; }

  // How many sets of values a node can hold at most, of all that splits by the column leave.
  static double ranges(const Column& column) {
    if (column.kind == ColumnKind::categorical)
      return std::ldexp(1.0, static_cast<int>(std::set(column.codes.begin(), column.codes.end()).size()));
    std::set<double> values;
    for (const double value : column.values) {
      if (!std::isnan(value)) values.insert(value);
    }
    const auto count = static_cast<double>(values.size());
    return 2 * (count * (count + 1) / 2 + 1);  // with and without the missing ones
  }

  // A split and its mirror image are the same: the first row stays on the left.
  void add(Rows left) {
    const Rows split = left & 1 ? left : all() & ~left;
    if (split != all()) splits_.push_back(split);
  }

  template <class Holds>
  Rows rows_where(const Holds& holds) const {
    Rows rows = 0;
    for (std::size_t row = 0; row < rows_; ++row) rows |= holds(row) ? Rows{1} << row : 0;
    return rows;
  }

  void add_thresholds(const Column& column) {
    const Rows missing = rows_where([&](std::size_t row) { return column.missing(row); });
    add(missing);
    for (const double cut : column.values) {
      const Rows left = rows_where([&](std::size_t row) { return column.values[row] <= cut; });  // never a missing one
      add(left);
      add(left | missing);
    }
  }

  void add_levels(const Column& column, const Dataset& data) {
    const std::set<std::int32_t> occurring(column.codes.begin(), column.codes.end());  // with -1, missing, as one of them
    std::vector<Rows> of_level;
    for (const std::int32_t level : occurring) of_level.push_back(rows_where([&](std::size_t row) { return column.codes[row] == level; }));
    if (occurring.empty()) return;
    if (occurring.size() > 12) {
      add_levels_and_shares(of_level, data);
      return;
    }
    std::vector<Rows> of_subset{0};  // by the bits of its levels; the last level may stay on the right
    for (unsigned subset = 1; subset < 1u << (of_level.size() - 1); ++subset) {
      of_subset.push_back(of_subset[subset & (subset - 1)] | of_level[static_cast<std::size_t>(std::countr_zero(subset))]);
      add(of_subset.back());
    }
  }

  // Levels that are not rare in some class; for each level and class all levels with at least the share of the class that this one has. A
  // level without weight has share 0.
  void add_levels_and_shares(const std::vector<Rows>& of_level, const Dataset& data) {
    const WholeWeights weights = whole_weights(data);
    const auto whole = [&](const std::vector<Rows>& sets, Rows within) {
      std::vector<Rows> result;
      for (const Rows rows : sets) {
        double sum = 0;
        for (std::size_t row = 0; row < rows_; ++row) sum += (rows & within) >> row & 1 ? weights.of(row) : 0;
        result.push_back(static_cast<Rows>(sum));
      }
      return result;
    };
    const std::vector<Rows> all_of = whole(of_level, all());
    for (const Rows of_class : class_rows_) {
      const std::vector<Rows> mine_of = whole(of_level, of_class);
      const Rows everywhere = whole({all()}, of_class).front();
      for (std::size_t level = 0; level < of_level.size(); ++level) {
        if (mine_of[level] > 0 && 1000 * mine_of[level] >= everywhere) add(of_level[level]);
      }
      for (std::size_t level = 0; level < of_level.size(); ++level) {
        Rows left = 0;
        for (std::size_t other = 0; other < of_level.size(); ++other) {
          const Rows share = mine_of[level] * std::max<Rows>(1, all_of[other]);
          left |= mine_of[other] * std::max<Rows>(1, all_of[level]) >= share ? of_level[other] : 0;
        }
        add(left);
      }
    }
  }

  static int count(Rows rows) {
    return std::popcount(static_cast<std::uint64_t>(rows)) + std::popcount(static_cast<std::uint64_t>(rows >> 64));
  }

  double weight_of(Rows rows) const {
    if (unit_) return static_cast<double>(count(rows));
    double total = 0;
    for (std::size_t byte = 0; rows >> (8 * byte) != 0; ++byte) {
      total += weight_[byte][static_cast<std::size_t>(rows >> (8 * byte) & 255)];
      if (byte + 1 == weight_.size()) break;
    }
    return total;
  }

  double leaf_cost(Rows rows) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t label = 0; label < class_rows_.size(); ++label) {
      double cost = 0;
      for (std::size_t row = 0; row < rows_ && !row_costs_.empty(); ++row) {
        if ((rows >> row & 1) != 0) cost += row_costs_[row * class_rows_.size() + label] * weight_of(Rows{1} << row);
      }
      if (!row_costs_.empty()) {
        least = std::min(least, cost);
        continue;
      }
      for (std::size_t k = 0; k < class_rows_.size(); ++k)
        cost += costs_[k * class_rows_.size() + label] * weight_of(rows & class_rows_[k]);
      least = std::min(least, cost);
    }
    return least;
  }

  double leaf_errors(Rows rows) const {
    if (has_costs()) return leaf_cost(rows);
    // Not the total less the heaviest class: that would cancel the light ones.
    double others = 0, most = 0;
    for (const Rows of_class : class_rows_) {
      const double weight = weight_of(rows & of_class);
      others += std::min(weight, most);
      most = std::max(weight, most);
    }
    return others;
  }

  bool has_costs() const { return !costs_.empty() || !row_costs_.empty(); }

  Costs leaf(Rows rows) const {
    Costs costs;
    costs.fill(leaf_errors(rows));
    return costs;
  }

  bool holds_enough(Rows rows) const { return count(rows) >= min_rows_ && (min_weight_ <= 0 || weight_of(rows) >= min_weight_); }

  // Depth at least 1.
  const Costs& solve(Rows rows, int depth) {
    const auto [found, fresh] = memory_[depth].try_emplace(rows);
    Costs& best = found->second;
    if (!fresh) return best;
    best = leaf(rows);
    if (best[0] == 0 && !has_costs()) return best;
    std::vector<Rows> tried;
    for (const Rows split : splits_) {
      const Rows left = rows & split, right = rows & ~split;
      if (!holds_enough(left) || !holds_enough(right)) continue;
      if (depth == 1) {
        best[1] = std::min(best[1], leaf_errors(left) + leaf_errors(right));
      } else {
        tried.push_back(std::max(left, right));
      }
    }
    std::sort(tried.begin(), tried.end());
    tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
    const int most = (1 << (depth - 1)) - 1;  // splits of a child
    for (const Rows left : tried) {
      const Costs &l = solve(left, depth - 1), &r = solve(rows & ~left, depth - 1);
      const int of_left = std::min(most, count(left) - 1), of_right = std::min(most, count(rows & ~left) - 1);
      for (int a = 0; a <= of_left; ++a) {
        for (int b = 0; b <= of_right; ++b) best[a + b + 1] = std::min(best[a + b + 1], l[a] + r[b]);
      }
    }
    for (std::size_t k = 1; k < best.size(); ++k) best[k] = std::min(best[k], best[k - 1]);
    return best;
  }

  std::size_t rows_;
  std::int64_t min_rows_;
  double min_weight_ = 0;
  bool unit_;
  std::vector<double> costs_, row_costs_;
  std::vector<Rows> class_rows_;
  std::array<std::array<double, 256>, kMaxRows / 8> weight_{};  // of each set of eight rows
  double boxes_ = 1;                                            // upper bound on the sets of rows that nodes hold
  std::vector<Rows> splits_;                                    // what goes left, of all rows; never all of them
  std::array<std::unordered_map<Rows, Costs, Hash>, kMaxDepth + 1> memory_;
};

}  // namespace treewright::testing
