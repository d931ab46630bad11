#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/proof/event_gain.h"
#include "treewright/proof/proof.h"

namespace treewright::proof {

/// 2^grid * amount^2 / exposure as a whole number, rounded up, or down; 0 without exposure. Expects sums below 2^53 and a grid from -74 to
/// 20.
std::int64_t gain_up(std::int64_t exposure, std::int64_t amount, int grid);
std::int64_t gain_down(std::int64_t exposure, std::int64_t amount, int grid);

/// What rows with some sums gain in a leaf, in steps of a grid: whole numbers. Of squared error the least one that is not below, or the
/// largest one that is not above; of events such ones that the error of the logarithm leaves room for.
class Gains {
 public:
  explicit Gains(int grid = 0, std::optional<EventGain> events = {}) : grid_(grid), events_(events) {}

  std::int64_t up(std::int64_t exposure, std::int64_t amount) const;
  std::int64_t down(std::int64_t exposure, std::int64_t amount) const;
  int grid() const { return grid_; }
  bool of_events() const { return events_.has_value(); }

 private:
  int grid_;
  std::optional<EventGain> events_;
};

/// Rows whose target is a number, as a proof counts them: see row_sums.cpp, and row_events.cpp.
struct RowSums {
  std::vector<std::int64_t> exposure, amount;  ///< Shapes (rows).
  Gains gains;                                 ///< a step is 2^-grid of `unit`
  double unit = 1;                             ///< of loss: that of weights times 4^-digits, or that of events
  std::int64_t gained_down = 0;                ///< what the rows lose by themselves, each rounded down, in steps
  double moved = 0, off = 0;                   ///< M and W of row_sums.cpp, in units of loss

  /// What trees lose on the data at least, and pay for splits, whose whole costs and prices are so many steps at least. `lost`: what they
  /// lose more, or less, than that on the grid.
  double at_least(std::int64_t steps, std::int64_t lost) const;
  /// So many steps as loss of the data: the least double that is not below.
  double price_up(std::int64_t steps) const;
};

/// Throws Error where sums would not be exact. `origin` names the proof.
RowSums row_sums(const Dataset& data, const Proof& proof, const std::string& origin);
/// Of rows with a number of events, or whose event was seen or not.
RowSums row_events(const Dataset& data, const Proof& proof, const std::string& origin);

}  // namespace treewright::proof
