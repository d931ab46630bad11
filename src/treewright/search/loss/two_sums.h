#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace treewright::search {

/// The loss of a tree that predicts a number. An item has an exposure a >= 0 and an amount b; a leaf with the sums A and B of its items
/// predicts B / A. See two_sums.cpp. In units of the grid (data/costs/response_grid.h).
class TwoSums {
 public:
  TwoSums() = default;
  /// Of all items.
  TwoSums(std::span<const double> exposure, std::span<const double> amount);

  /// What an item loses by itself, on a grid on which all sums are exact. Never less than in truth.
  double of_item(double exposure, double amount) const;
  /// What a leaf with these sums loses less than its items lose by themselves.
  double gain(double exposure, double amount) const { return exposure > 0 ? amount * amount / exposure : 0; }
  /// What an item loses in a leaf of that mean more than by itself.
  double beyond(double mean, double exposure, double amount) const { return mean * (mean * exposure - 2 * amount); }
  /// The loss of some leaves in whole units, from that of their items and their gains as added in doubles. Never more than in truth.
  double of_leaves(double of_items, double gains) const { return std::max(0.0, std::floor(of_items - gains - off_)); }
  /// A difference D of sums (two_sums.cpp) may be off by so much; squares that are no larger than the other number are rounding.
  double difference_off() const { return difference_off_; }
  double least_square() const { return least_square_; }

 private:
  double off_ = 0, difference_off_ = 0, least_square_ = 0;
};

}  // namespace treewright::search
