#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "support/random_top.h"
#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::testing {

/// The same of events: sum of weight * (b log(b / (rate * a)) - b + rate * a).
inline long double leaf_loss_of_events(const Dataset& data, const std::vector<std::size_t>& rows) {
  long double exposure = 0, events = 0, loss = 0;
  const auto at_risk = [&](std::size_t row) { return static_cast<long double>(data.weight(row)) * data.response->at_risk(row); };
  const auto seen = [&](std::size_t row) { return static_cast<long double>(data.weight(row)) * data.response->values[row]; };
  for (const std::size_t row : rows) {
    exposure += at_risk(row);
    events += seen(row);
  }
  for (const std::size_t row : rows) {
    const long double meant = exposure > 0 ? events / exposure * at_risk(row) : 0;
    loss += (seen(row) > 0 ? seen(row) * std::log(seen(row) / meant) : 0) - seen(row) + meant;
  }
  return loss;
}

/// The loss of rows in one leaf, each term by itself: sum of weight * (value - mean)^2, or half the deviance.
inline long double leaf_loss(const Dataset& data, const std::vector<std::size_t>& rows) {
  if (data.response->loss != Loss::squared) return leaf_loss_of_events(data, rows);
  const std::vector<double>& values = data.response->values;
  long double weight = 0, mean = 0, loss = 0;
  for (const std::size_t row : rows) {
    weight += data.weight(row);
    if (data.weight(row) > 0) mean += (values[row] - mean) * data.weight(row) / weight;
  }
  for (const std::size_t row : rows) loss += data.weight(row) * (values[row] - mean) * (values[row] - mean);
  return loss;
}

/// What a tree loses, by the rows of its leaves.
inline long double tree_loss(const Dataset& data, const Tree& tree) {
  std::map<std::int32_t, std::vector<std::size_t>> leaves;
  for (std::size_t row = 0; row < data.rows(); ++row) leaves[+tree.route(data, row)].push_back(row);
  long double loss = 0;
  for (const auto& [leaf, rows] : leaves) loss += leaf_loss(data, rows);
  return loss;
}

/// The least loss and price of splits of a tree that predicts a number, by trying every split of every set of rows: of categories every set
/// of levels, and of more than 12 levels the single ones with a thousandth of the weight, and those below some mean. At most 20 rows.
/// Shares no code with the search.
class SumBruteForce {
 public:
  SumBruteForce(const Dataset& data, std::int64_t min_rows, long double price) : data_(data), min_rows_(min_rows), price_(price) {
    for (const Column& column : data.columns) {
      of_column_.emplace_back();
      column.kind == ColumnKind::numeric ? add_thresholds(column) : add_levels(column);
      lefts_.insert(of_column_.back().begin(), of_column_.back().end());
    }
  }

  long double best(int depth, std::int64_t splits) { return best(all(), depth, splits); }
  /// Of those that ask this column first; infinite where no split on it parts the rows so.
  long double best_with_first(FeatureId first, int depth, std::int64_t splits) {
    return least_split(of_column_[static_cast<std::size_t>(+first)], all(), depth, splits);
  }

  /// Of those that begin with these splits; infinite where there is none.
  long double best_below(const Json& top, int depth, std::int64_t splits) { return best_below(top, all(), depth, splits); }

 private:
  using Rows = std::uint32_t;

  Rows all() const { return (Rows{1} << data_.rows()) - 1; }

  template <class GoesLeft>
  void add(const Column& column, const GoesLeft& goes_left) {
    for (const bool missing_left : {false, true}) {
      Rows left = 0;
      for (std::size_t row = 0; row < data_.rows(); ++row) left |= Rows{column.missing(row) ? missing_left : goes_left(row)} << row;
      of_column_.back().insert(left);
    }
  }
  void add_thresholds(const Column& column) {
    add(column, [](std::size_t) { return false; });
    for (const double threshold : column.values) add(column, [&](std::size_t row) { return column.values[row] <= threshold; });
  }
  void add_levels(const Column& column) {
    std::map<std::int32_t, Rows> of_level;
    for (std::size_t row = 0; row < data_.rows(); ++row) of_level[column.codes[row]] |= Rows{1} << row;
    if (of_level.size() > 12) {
      add_means(of_level);
      return;
    }
    std::vector<Rows> levels;
    for (const auto& [level, rows] : of_level) levels.push_back(rows);
    for (std::uint32_t set = 0; set < 1u << levels.size(); ++set) {
      Rows left = 0;
      for (std::size_t i = 0; i < levels.size(); ++i) left |= (set >> i & 1) != 0 ? levels[i] : 0;
      of_column_.back().insert(left);
    }
  }

  // The weights, or exposures, of some rows and what they average, above the least target.
  struct Mean {
    long double weight = 0, mean = 0;
  };
  Mean mean_of(Rows rows) const {
    const bool of_events = data_.response->loss != Loss::squared;
    long double weight = 0, amount = 0, least = std::numeric_limits<long double>::infinity();
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      if (data_.weight(row) > 0) least = std::min<long double>(least, data_.response->values[row]);
    }
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      const long double at_risk = data_.weight(row) * data_.response->at_risk(row), value = data_.response->values[row];
      if ((rows >> row & 1) == 0 || at_risk == 0) continue;
      weight += at_risk;
      amount += data_.weight(row) * (of_events ? value : value - least);
    }
    return {weight, weight > 0 ? amount / weight : 0};
  }
  void add_means(const std::map<std::int32_t, Rows>& of_level) {
    const Mean of_all = mean_of(all());
    std::vector<std::pair<long double, Rows>> by_mean;
    for (const auto& [level, rows] : of_level) {
      const Mean of_rows = mean_of(rows);
      if (of_rows.weight > 0 && 1000 * of_rows.weight >= of_all.weight) of_column_.back().insert(rows);
      by_mean.emplace_back(of_rows.weight > 0 ? of_rows.mean : of_all.mean, rows);
    }
    std::sort(by_mean.begin(), by_mean.end());
    Rows below = 0;
    for (std::size_t i = 0; i + 1 < by_mean.size(); ++i) {
      below |= by_mean[i].second;
      if (by_mean[i + 1].first - by_mean[i].first > 0x1p-40L * by_mean.back().first) of_column_.back().insert(below);
    }
  }

  long double leaf(Rows rows) {
    const auto [at, is_new] = leaves_.emplace(rows, 0);
    if (is_new) {
      std::vector<std::size_t> numbers;
      for (std::size_t row = 0; row < data_.rows(); ++row) {
        if (rows >> row & 1) numbers.push_back(row);
      }
      at->second = leaf_loss(data_, numbers);
    }
    return at->second;
  }

  long double best(Rows rows, int depth, std::int64_t splits) {
    if (depth == 0 || splits == 0) return leaf(rows);
    const auto key = std::make_tuple(rows, depth, splits);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const long double least = std::min(leaf(rows), least_split(lefts_, rows, depth, splits));
    known_.emplace(key, least);
    return least;
  }

  long double best_below(const Json& top, Rows rows, int depth, std::int64_t splits) {
    const long double none = std::numeric_limits<long double>::infinity();
    if (rows == 0 || __builtin_popcount(rows) < min_rows_) return none;
    if (top == "...") return best(rows, depth, splits);
    if (top == "leaf") return leaf(rows);
    if (depth == 0 || splits == 0) return none;
    if (is_asked(top)) {
      const auto column = std::ranges::find(data_.columns, top["column"].get<std::string>(), &Column::name);
      return least_split(of_column_[static_cast<std::size_t>(column - data_.columns.begin())], rows, depth, splits);
    }
    Rows left = 0;
    for (std::size_t row = 0; row < data_.rows(); ++row) left |= Rows{goes_left(top, data_, row)} << row;
    long double least = none;
    for (std::int64_t of_left = 0; of_left < splits; ++of_left)
      least = std::min(least, price_ + best_below(top["left"], rows & left, depth - 1, of_left) +
                                  best_below(top["right"], rows & ~left, depth - 1, splits - 1 - of_left));
    return least;
  }

  long double least_split(const std::set<Rows>& lefts, Rows rows, int depth, std::int64_t splits) {
    long double least = std::numeric_limits<long double>::infinity();
    for (const Rows left : lefts) {
      const Rows here = rows & left, rest = rows & ~left;
      if (here == 0 || rest == 0 || __builtin_popcount(here) < min_rows_ || __builtin_popcount(rest) < min_rows_) continue;
      for (std::int64_t of_left = 0; of_left < splits; ++of_left)
        least = std::min(least, price_ + best(here, depth - 1, of_left) + best(rest, depth - 1, splits - 1 - of_left));
    }
    return least;
  }

  const Dataset& data_;
  const std::int64_t min_rows_;
  const long double price_;
  std::vector<std::set<Rows>> of_column_;  // what goes left
  std::set<Rows> lefts_;                   // of all columns
  std::map<Rows, long double> leaves_;
  std::map<std::tuple<Rows, int, std::int64_t>, long double> known_;
};

}  // namespace treewright::testing
