// Products of all rows of a matrix with one direction, and the first of many constraints that a step meets.
//
// The points are kept column by column, so that a vector holds neighboring rows. Nothing is contracted, and each row adds its products in
// the order of sum_of_products, so every width of vectors gives the same bits.

#include "treewright/svm/point_columns.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/svm/point_columns.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace treewright::svm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// `rows`: a multiple of the lanes. `x`: shape (direction, rows).
void products_of(const double* HWY_RESTRICT x, std::size_t rows, std::span<const double> direction, double* HWY_RESTRICT products) {
  const hn::CappedTag<double, PointColumns::kLanes> d;
  const auto sum_from = [&](std::size_t k, std::size_t row) HWY_ATTR {
    auto sum = hn::Zero(d);
    for (std::size_t j = k; j < direction.size(); j += 4) {
      sum = hn::Add(sum, hn::Mul(hn::LoadU(d, x + j * rows + row), hn::Set(d, direction[j])));
    }
    return sum;
  };
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    const auto halves = hn::Add(hn::Add(sum_from(0, row), sum_from(1, row)), hn::Add(sum_from(2, row), sum_from(3, row)));
    hn::StoreU(halves, d, products + row);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::svm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace treewright::svm {

HWY_EXPORT(products_of);

PointColumns::PointColumns(const PointMatrix& points, std::span<const std::uint32_t> axes)
    : rows_((points.rows() + kLanes - 1) / kLanes * kLanes), x_(rows_ * axes.size(), 0.0) {
  for (std::size_t row = 0; row < points.rows(); ++row) {
    for (std::size_t j = 0; j < axes.size(); ++j) x_[j * rows_ + row] = points.row(row)[axes[j]];
  }
}

void PointColumns::products(std::span<const double> direction, std::vector<double>& products) const {
  products.resize(rows_);
  HWY_DYNAMIC_DISPATCH(products_of)(x_.data(), rows_, direction, products.data());
}

}  // namespace treewright::svm

#endif  // HWY_ONCE
