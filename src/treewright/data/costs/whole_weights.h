#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// Row weights as whole multiples of one unit: sums of the multiples are exact in doubles, whatever their order.
struct WholeWeights {
  std::vector<double> multiple;  ///< whole numbers >= 0 with a sum below 2^51. Shape (rows); empty where every row is one unit.
  double unit = 1;               ///< row i weighs multiple[i] * unit, but for `rounding`
  double rounding = 0;           ///< sum of |weight - multiple * unit| where no common unit exists; else 0
  double last_digits = 0;        ///< the same where one does: what doubles cannot say

  double of(std::size_t row) const { return multiple.empty() ? 1 : multiple[row]; }
  /// Sum of the multiples where the labels differ. Shapes (rows).
  double errors(std::span<const std::int32_t> labels, std::span<const std::int32_t> predicted) const;
};

/// Expects weights that are finite and >= 0.
WholeWeights whole_weights(const Dataset& data);

/// Sums of weights closer than this are equal: the last digits of their total, and no more than half of the common unit if there is one,
/// because different sums differ by a unit.
double sum_tolerance(const Dataset& data, const WholeWeights& weights);

}  // namespace treewright
