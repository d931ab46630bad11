// What the kernels of two and of more classes share: sums over the items that lie left of each lane's cut.
// Compiled once for each set of vector instructions: stump_kernel.cpp includes this in a loop, so the guard is a toggle.
#if defined(TREEWRIGHT_SEARCH_LANE_SUMS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TREEWRIGHT_SEARCH_LANE_SUMS_H
#undef TREEWRIGHT_SEARCH_LANE_SUMS_H
#else
#define TREEWRIGHT_SEARCH_LANE_SUMS_H
#endif

#include <cstddef>

#include <hwy/highway.h>

#include "treewright/search/depth_two/kernel_columns.h"

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds w to the lanes in the mask. AVX-512 has an instruction for it; elsewhere zeroing is cheaper than choosing.
template <class M, class V>
HWY_INLINE V add_masked(M mask, V sum, V w) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(mask, hn::Add(sum, w), sum);
#else
  return hn::Add(sum, hn::IfThenElseZero(mask, w));
#endif
}

// Rows left of each lane's cut.
template <class D, class T>
HWY_INLINE hn::Vec<D> count_rows_left(D d, const KernelColumns<T>& in, hn::Vec<D> cut) {
  hn::Vec<D> rows = hn::Zero(d);
  const auto walk = in.walk(0);
  const T* HWY_RESTRICT rows_there = in.rows_of(0);
  for (std::size_t at = 0; at < in.size(); ++at) {
    rows = add_masked(hn::Lt(hn::Set(d, walk.place(at)), cut), rows, hn::Set(d, rows_there[at]));
  }
  return rows;
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#endif
