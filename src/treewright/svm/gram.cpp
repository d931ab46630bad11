#include "treewright/svm/gram.h"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/svm/gram.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace treewright::svm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four rows of the result at a time, a vector of each, stay in registers while all rows of the matrices pass.
void add_vectors(const double* HWY_RESTRICT z, const double* HWY_RESTRICT scaled, std::size_t rows, std::size_t stride,
                 double* HWY_RESTRICT gram) {
  const hn::CappedTag<double, kGramLanes> d;
  for (std::size_t j = 0; j < stride; j += 4) {
    for (std::size_t k = 0; k < j + 4; k += hn::Lanes(d)) {
      double* const to = gram + j * stride + k;
      auto sum0 = hn::LoadU(d, to), sum1 = hn::LoadU(d, to + stride), sum2 = hn::LoadU(d, to + 2 * stride),
           sum3 = hn::LoadU(d, to + 3 * stride);
      for (std::size_t i = 0; i < rows; ++i) {
        const auto here = hn::LoadU(d, z + i * stride + k);
        const double* const by = scaled + i * stride + j;
        sum0 = hn::Add(sum0, hn::Mul(hn::Set(d, by[0]), here));
        sum1 = hn::Add(sum1, hn::Mul(hn::Set(d, by[1]), here));
        sum2 = hn::Add(sum2, hn::Mul(hn::Set(d, by[2]), here));
        sum3 = hn::Add(sum3, hn::Mul(hn::Set(d, by[3]), here));
      }
      hn::StoreU(sum0, d, to);
      hn::StoreU(sum1, d, to + stride);
      hn::StoreU(sum2, d, to + 2 * stride);
      hn::StoreU(sum3, d, to + 3 * stride);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::svm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace treewright::svm {

HWY_EXPORT(add_vectors);

void add_gram(const double* z, const double* scaled, std::size_t rows, std::size_t stride, double* gram) {
  assert(stride % kGramLanes == 0);
  HWY_DYNAMIC_DISPATCH(add_vectors)(z, scaled, rows, stride, gram);
}

}  // namespace treewright::svm

#endif  // HWY_ONCE
