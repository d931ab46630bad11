#pragma once

#include <algorithm>
#include <cmath>

namespace treewright {

/// Whether two sums of the same weights are equal, but for the order in which they were added. Weights are not negative, so a sum is
/// accurate to its last digits. An infinite number is equal to itself only.
inline bool equal_sums(double a, double b) {
  return a == b || (std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)));
}

}  // namespace treewright
