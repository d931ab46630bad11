#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "support/brute_force.h"
#include "treewright/trade_off.h"

namespace treewright::testing {

/// The pairs (false positives, false negatives) of all trees of two classes that no other tree is at least as good as in both, by trying
/// every tree and both labels in each leaf. At most 64 rows.
class ErrorPairs {
 public:
  using Pairs = std::vector<ErrorPair>;

  ErrorPairs(const Dataset& data, std::int32_t positive, std::int64_t min_rows = 1)
      : data_(data), positive_(positive), min_rows_(min_rows), splits_(BruteForce(data).splits()) {}

  /// Fewest false positives first.
  Pairs best(int depth, int max_splits) {
    Rows all = 0;
    for (std::size_t row = 0; row < data_.rows(); ++row) all |= Rows{1} << row;
    return solve(all, depth, max_splits);
  }

  /// The corners of the lower left hull of such pairs, by comparing all triples.
  static Pairs hull(const Pairs& pairs) {
    Pairs corners;
    for (const ErrorPair& at : pairs) {
      const auto cuts_off = [&](const ErrorPair& p, const ErrorPair& q) {
        if (!(p.false_positives < at.false_positives - 1e-9 && q.false_positives > at.false_positives + 1e-9)) return false;
        const double share = (at.false_positives - p.false_positives) / (q.false_positives - p.false_positives);
        return at.false_negatives >= p.false_negatives + share * (q.false_negatives - p.false_negatives) - 1e-9;
      };
      bool corner = true;
      for (const ErrorPair& p : pairs) {
        for (const ErrorPair& q : pairs) corner = corner && !cuts_off(p, q);
      }
      if (corner) corners.push_back(at);
    }
    return corners;
  }

 private:
  using Rows = BruteForce::Rows;

  std::int64_t count(Rows rows) const {
    std::int64_t n = 0;
    for (; rows != 0; rows &= rows - 1) ++n;
    return n;
  }

  static Pairs undominated(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const ErrorPair& p, const ErrorPair& q) {
      return std::pair(p.false_positives, p.false_negatives) < std::pair(q.false_positives, q.false_negatives);
    });
    Pairs kept;
    for (const ErrorPair& p : pairs) {
      if (kept.empty() || p.false_negatives < kept.back().false_negatives - 1e-12) kept.push_back(p);
    }
    return kept;
  }

  const Pairs& solve(Rows rows, int depth, int splits) {
    const auto [found, fresh] = memory_.try_emplace({rows, depth, splits});
    if (!fresh) return found->second;
    double negative = 0, positive = 0;
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      if (rows >> row & 1) (data_.labels[row] == positive_ ? positive : negative) += data_.weight(row);
    }
    Pairs pairs = {{0, positive}, {negative, 0}};
    for (const Rows split : splits_) {
      const Rows left = rows & split, right = rows & ~split;
      if (depth == 0 || splits == 0 || count(left) < min_rows_ || count(right) < min_rows_) continue;
      for (int of_left = 0; of_left < splits; ++of_left) {
        const Pairs l = solve(left, depth - 1, of_left), r = solve(right, depth - 1, splits - 1 - of_left);
        for (const ErrorPair& p : l) {
          for (const ErrorPair& q : r) pairs.push_back({p.false_positives + q.false_positives, p.false_negatives + q.false_negatives});
        }
      }
      pairs = undominated(std::move(pairs));
    }
    return found->second = undominated(std::move(pairs));
  }

  struct Key {
    Rows rows;
    int depth, splits;
    bool operator<(const Key& other) const {
      if (rows != other.rows) return rows < other.rows;
      return depth != other.depth ? depth < other.depth : splits < other.splits;
    }
  };

  const Dataset& data_;
  const std::int32_t positive_;
  const std::int64_t min_rows_;
  const std::vector<Rows> splits_;
  std::map<Key, Pairs> memory_;
};

}  // namespace treewright::testing
