#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data/points.h"

namespace treewright::svm {

/// Some columns of the points, each of them in one piece, for products of all rows with the same direction.
class PointColumns {
 public:
  PointColumns(const PointMatrix& points, std::span<const std::uint32_t> axes);

  /// The product of every row with `direction`, of shape (axes). The sum is the one of `sum_of_products`. Shape (rows); `products` may be
  /// longer.
  void products(std::span<const double> direction, std::vector<double>& products) const;

  static constexpr std::size_t kLanes = 8;  ///< of the widest vectors

 private:
  std::size_t rows_;       // rounded up to whole vectors; the rows that are too many are 0
  std::vector<double> x_;  // Shape (axes, rows_).
};

/// The product of one row with a direction: four sums, of every fourth axis each, and at last the sums of these. So the order of additions
/// is the same everywhere, and they need not wait for each other. `at(j)`: the coordinate on axis j.
template <class At>
double sum_of_products(std::span<const double> direction, const At& at) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t j = 0;
  for (; j + 4 <= direction.size(); j += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += at(j + k) * direction[j + k];
  }
  for (std::size_t k = 0; j < direction.size(); ++j, ++k) sums[k] += at(j) * direction[j];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace treewright::svm
