#pragma once

#include <cstddef>
#include <span>

namespace treewright {

/// The sum of a_i * b_i. Four sums that do not wait for each other; their order is fixed, so the result is the same everywhere.
inline double dot(std::span<const double> a, std::span<const double> b) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace treewright
