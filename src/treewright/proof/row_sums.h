#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/proof/proof.h"

namespace treewright::proof {

/// 2^grid * amount^2 / exposure as a whole number, rounded up, or down; 0 without exposure. Expects sums below 2^53 and a grid from -74 to
/// 20.
std::int64_t gain_up(std::int64_t exposure, std::int64_t amount, int grid);
std::int64_t gain_down(std::int64_t exposure, std::int64_t amount, int grid);

/// Rows whose target is a number, as a proof of squared error counts them: see row_sums.cpp.
struct RowSums {
  std::vector<std::int64_t> exposure, amount;  ///< Shapes (rows).
  int grid = 0;                                ///< a step is 2^-grid of `unit`
  double unit = 1;                             ///< of loss: that of weights times 4^-digits
  std::int64_t gained_down = 0;                ///< what the rows lose by themselves, each rounded down, in steps
  double moved = 0, weights_off = 0;           ///< M and W of row_sums.cpp, in units of loss

  /// What trees lose on the data at least, and pay for splits, whose whole costs and prices are so many steps at least. `lost`: what they
  /// lose more, or less, than that on the grid.
  double at_least(std::int64_t steps, std::int64_t lost) const;
  /// So many steps as loss of the data: the least double that is not below.
  double price_up(std::int64_t steps) const;
};

/// Throws Error where sums would not be exact. `origin` names the proof.
RowSums row_sums(const Dataset& data, const Proof& proof, const std::string& origin);

}  // namespace treewright::proof
