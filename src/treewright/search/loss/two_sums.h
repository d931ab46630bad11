#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/losses.h"

namespace treewright::search {

/// The loss of a tree that predicts a number. An item has an exposure a >= 0 and an amount b; a leaf with the sums A and B of its items
/// predicts B / A. See two_sums.cpp. In units of the grid (data/costs/response_grid.h).
class TwoSums {
 public:
  TwoSums() = default;
  /// Of all items.
  TwoSums(Loss loss, std::span<const double> exposure, std::span<const double> amount);

  /// Whether amounts are events and the loss is half the deviance; otherwise it is squared error.
  bool of_events() const { return measures_.of_events; }
  /// Of events: whether all loss is so small beside them that the logarithm of a rate loses digits that matter.
  bool is_close() const { return measures_.is_close; }
  /// What an item loses by itself, on a grid on which all sums are exact, as proofs have it: never less than in truth, and of squared error
  /// the least such number.
  double of_item(double exposure, double amount) const;
  /// 2^kItemBits steps of that grid are a unit.
  static constexpr int kItemBits = 6;
  /// What a leaf with these sums loses less than its items lose by themselves.
  template <class Number>
  Number gain(Number exposure, Number amount) const {
    if (!(exposure > 0)) return 0;
    if (!measures_.of_events) return amount * amount / exposure;
    return half_deviance<Number>(amount, measures_.rate * exposure);
  }
  /// By how much a stump with the sums `exposure` and `amount` on its left gains more than a leaf with those of all items of both sides, as
  /// a multiple of `stump_unit`.
  double stump(double all_exposure, double all_amount, double exposure, double amount) const;
  double stump_unit(double all_exposure, double all_amount) const {
    if (!measures_.of_events) return all_exposure;
    return all_amount > 0 ? all_exposure * (all_exposure / all_amount) : 0;
  }
  /// What an item loses in a leaf of that mean more than by itself.
  double beyond(double mean, double exposure, double amount) const;
  /// The loss of some leaves in whole units, from that of their items and their gains as added in doubles. Never more than in truth.
  double of_leaves(double of_items, double gains) const { return std::max(0.0, std::floor(of_items - gains - measures_.off)); }
  /// By how much a leaf may be taken for cheaper than it is.
  double most_off() const { return 1 + 2 * measures_.off; }
  /// What trees of 1, 2, ... leaves on these items lose at least, whatever their splits. Shape (most_leaves), or empty where that takes
  /// long. `of_items`: what the items lose by themselves.
  std::vector<double> least_by_leaves(double of_items, std::span<const double> exposure, std::span<const double> amount,
                                      std::int64_t most_leaves) const;
  /// A difference D of sums (two_sums.cpp) on a side with that amount may be off by so much, and squares that are no larger than the other
  /// number are rounding.
  double difference_off(double all_amount) const { return 0x1p-49 * (measures_.of_events ? all_amount : measures_.absolute); }
  double least_square(double all_amount) const {
    const double amount = measures_.of_events ? all_amount : measures_.absolute;
    return 0x1p-95 * amount * amount;
  }
  /// By how much the sum of the gains of all rows by themselves may be off.
  double rows_off() const { return measures_.of_events ? 2 + 0x1p-50 * measures_.apart : 0; }

  /// All that depends on the items.
  struct Measures {
    bool of_events = false, is_close = false;
    double off = 0, absolute = 0;  ///< the latter: sum of absolute amounts
    /// Of events: the exposure and the rate of all items, and the sum of all differences of events and those that this rate expects.
    double all_exposure = 0, rate = 0, apart = 0;
  };
  explicit TwoSums(const Measures& measures) : measures_(measures) {}
  const Measures& measures() const { return measures_; }

 private:
  Measures measures_;
};

}  // namespace treewright::search
