#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/brute_force.h"

namespace treewright::testing {

/// The least cost, errors plus the price of the splits, of a tree that asks a column first, of one that never asks it, and of one that asks
/// few columns, which may have prices, by trying every tree. The two sides of the root are data of their own.
class AskedBruteForce {
 public:
  explicit AskedBruteForce(const Dataset& data, std::int64_t min_rows) : data_(data), min_rows_(std::max<std::int64_t>(1, min_rows)) {}

  double never(std::size_t column, int depth, int splits, double price) const {
    return BruteForce(without(data_, {column}), min_rows_).best_cost(depth, splits, price);
  }

  /// With at most so many columns, each at its price. A tree on fewer columns than its set is dearer there than on its own set.
  double of_few(std::size_t most, const std::vector<double>& prices, int depth, int splits, double price) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t set = 0; set < std::size_t{1} << data_.features(); ++set) {
      if (static_cast<std::size_t>(std::popcount(set)) > most) continue;
      std::vector<std::size_t> out;
      double of_set = 0;
      for (std::size_t f = 0; f < data_.features(); ++f) {
        if ((set >> f & 1) == 0) out.push_back(f);
        if ((set >> f & 1) != 0) of_set += prices[f];
      }
      least = std::min(least, of_set + BruteForce(without(data_, out), min_rows_).best_cost(depth, splits, price));
    }
    return least;
  }

  /// Infinite if there is no such tree.
  double first(std::size_t column, int depth, int splits, double price) const { return first_without(column, {}, depth, splits, price); }

  /// Of trees that do not ask some other columns either.
  double first_without(std::size_t column, const std::vector<std::size_t>& never, int depth, int splits, double price) const {
    double least = std::numeric_limits<double>::infinity();
    if (depth < 1 || splits < 1) return least;
    Dataset alone = data_;
    alone.columns = {data_.columns[column]};
    const Dataset allowed = without(data_, never);
    const std::vector<BruteForce::Rows> roots = BruteForce(alone).splits();
    for (const BruteForce::Rows split : roots) {
      const Dataset left = side(allowed, split, true), right = side(allowed, split, false);
      if (static_cast<std::int64_t>(std::min(left.rows(), right.rows())) < min_rows_) continue;
      const std::vector<double> l = BruteForce(left, min_rows_).best(depth - 1, splits - 1),
                                r = BruteForce(right, min_rows_).best(depth - 1, splits - 1);
      for (std::size_t i = 0; i < l.size(); ++i) {
        const std::size_t j = l.size() - 1 - i;
        for (std::size_t a = 0; a <= i; ++a) {
          for (std::size_t b = 0; b <= j; ++b) least = std::min(least, l[a] + r[b] + price * static_cast<double>(1 + a + b));
        }
      }
    }
    return least;
  }

 private:
  static Dataset without(const Dataset& data, std::vector<std::size_t> columns) {
    Dataset rest = data;
    std::sort(columns.rbegin(), columns.rend());
    for (const std::size_t column : columns) rest.columns.erase(rest.columns.begin() + static_cast<std::ptrdiff_t>(column));
    return rest;
  }

  static Dataset side(const Dataset& data, BruteForce::Rows split, bool left) {
    RowNumbers rows;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if ((split >> row & 1) == (left ? 1 : 0)) rows.push_back(static_cast<std::int32_t>(row));
    }
    return data.subset(rows);
  }

  const Dataset& data_;
  const std::int64_t min_rows_;
};

}  // namespace treewright::testing
