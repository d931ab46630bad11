#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "treewright/data/dataset.h"

namespace treewright::testing {

/// The least weight of errors of a tree with at most k splits, for k = 0..max_splits, by trying every tree: every threshold, every
/// subset of levels, both directions of missing values. Shares no code with the search.
class BruteForce {
 public:
  BruteForce(const Dataset& data, std::int64_t min_rows, double min_weight = 0)
      : data_(data), min_rows_(min_rows), min_weight_(min_weight) {}

  std::vector<double> best(int depth, int max_splits) const {
    std::vector<int> rows(data_.rows());
    std::iota(rows.begin(), rows.end(), 0);
    return solve(rows, depth, max_splits);
  }

  double best_cost(int depth, int max_splits, double split_price) const {
    const std::vector<double> errors = best(depth, max_splits);
    double cost = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < errors.size(); ++k) cost = std::min(cost, errors[k] + split_price * static_cast<double>(k));
    return cost;
  }

 private:
  // All ways to send the values of a feature left, as one flag for each row; the flags of equal values are equal.
  std::set<std::vector<bool>> partitions(const std::vector<int>& rows) const {
    std::set<std::vector<bool>> result;
    for (const Column& column : data_.columns) {
      const auto add = [&](auto&& goes_left) {
        for (const bool missing_left : {false, true}) {
          std::vector<bool> left;
          for (const int row : rows) left.push_back(column.missing(row) ? missing_left : goes_left(row));
          result.insert(left);
        }
      };
      if (column.kind == ColumnKind::numeric) {
        add([](int) { return false; });
        for (const int cut : rows) {
          if (!column.missing(cut)) add([&](int row) { return column.values[row] <= column.values[cut]; });
        }
      } else {
        for (unsigned subset = 0; subset < 1u << column.levels.size(); ++subset) {
          add([&](int row) { return (subset >> column.codes[row] & 1) != 0; });
        }
      }
    }
    return result;
  }

  std::vector<double> solve(const std::vector<int>& rows, int depth, int max_splits) const {
    std::vector<double> totals(data_.classes(), 0.0);
    double total = 0;
    for (const int row : rows) totals[data_.labels[row]] += data_.weight(row), total += data_.weight(row);
    const double leaf = total - *std::max_element(totals.begin(), totals.end());
    std::vector<double> result(max_splits + 1, leaf);
    if (depth == 0 || max_splits == 0) return result;
    for (const std::vector<bool>& left_of : partitions(rows)) {
      std::vector<int> left, right;
      for (std::size_t i = 0; i < rows.size(); ++i) (left_of[i] ? left : right).push_back(rows[i]);
      if (static_cast<std::int64_t>(left.size()) < min_rows_ || static_cast<std::int64_t>(right.size()) < min_rows_) continue;
      if (weight_of(left) < min_weight_ - 1e-9 || weight_of(right) < min_weight_ - 1e-9) continue;
      const std::vector<double> l = solve(left, depth - 1, max_splits - 1), r = solve(right, depth - 1, max_splits - 1);
      for (int a = 0; a < max_splits; ++a) {
        for (int b = 0; a + b < max_splits; ++b) result[a + b + 1] = std::min(result[a + b + 1], l[a] + r[b]);
      }
    }
    for (int k = 1; k <= max_splits; ++k) result[k] = std::min(result[k], result[k - 1]);
    return result;
  }

  double weight_of(const std::vector<int>& rows) const {
    double total = 0;
    for (const int row : rows) total += data_.weight(row);
    return total;
  }

  const Dataset& data_;
  std::int64_t min_rows_;
  double min_weight_;
};

}  // namespace treewright::testing
