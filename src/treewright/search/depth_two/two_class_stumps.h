// Two classes: a running signed sum for each lane (stump_kernel.cpp, "Idea").
// Compiled once for each set of vector instructions: stump_kernel.cpp includes this in a loop, so the guard is a toggle.
#if defined(TREEWRIGHT_SEARCH_TWO_CLASS_STUMPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TREEWRIGHT_SEARCH_TWO_CLASS_STUMPS_H
#undef TREEWRIGHT_SEARCH_TWO_CLASS_STUMPS_H
#else
#define TREEWRIGHT_SEARCH_TWO_CLASS_STUMPS_H
#endif

#include <algorithm>
#include <cstddef>

#include <hwy/highway.h>

#include "treewright/search/depth_two/kernel_columns.h"
#include "treewright/search/depth_two/lane_sums.h"

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One lane vector's worth of results before they become errors.
template <class T>
struct Extremes {
  HWY_ALIGN_MAX T left_max[kLanes], left_min[kLanes], right_max[kLanes], right_min[kLanes], left_sum[kLanes], right_sum[kLanes];
};

// Running minimum and maximum of a signed sum.
template <class V>
struct Range {
  V low, high;
  HWY_INLINE void add(V s) {
    low = hn::Min(low, s);
    high = hn::Max(high, s);
  }
  template <class M>
  HWY_INLINE void add_where(M valid, V s) {
    low = hn::IfThenElse(valid, hn::Min(low, s), low);
    high = hn::IfThenElse(valid, hn::Max(high, s), high);
  }
};

template <class D, class V, class T>
HWY_INLINE void store(D d, std::size_t lane, const Range<V>& left, const Range<V>& right, V left_sum, V right_sum, Extremes<T>& out) {
  hn::StoreU(left.high, d, out.left_max + lane);
  hn::StoreU(left.low, d, out.left_min + lane);
  hn::StoreU(right.high, d, out.right_max + lane);
  hn::StoreU(right.low, d, out.right_min + lane);
  hn::StoreU(left_sum, d, out.left_sum + lane);
  hn::StoreU(right_sum, d, out.right_sum + lane);
}

template <class T, bool kCountRows>
void two_classes(const KernelColumns<T>& in, const T* HWY_RESTRICT cuts, Extremes<T>& strict, Extremes<T>& relaxed) {
  constexpr std::ptrdiff_t kBlock = kBlockOfTwo;
  constexpr bool kNarrow = KernelColumns<T>::kNarrow;
  const hn::CappedTag<T, kLanes> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t n = in.size();
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const V cut = hn::LoadU(d, cuts + lane), zero = hn::Zero(d);
    // The empty prefix has sum 0: a stump that is a leaf.
    Range<V> left{zero, zero}, right{zero, zero}, left_strict{zero, zero}, right_strict{zero, zero};
    V s = zero, rest = zero;
    [[maybe_unused]] V rows_left = zero, rows_right = zero;
    if constexpr (kCountRows) {
      rows_left = count_rows_left(d, in, cut);
      rows_right = hn::Sub(hn::Set(d, in.rows_prefix_of(0)[n - 1]), rows_left);
    }
    for (const std::size_t g : in.sequence()) {
      const auto walk = in.walk(g);
      [[maybe_unused]] const T* HWY_RESTRICT rows = kCountRows ? in.rows_of(g) : nullptr;
      [[maybe_unused]] const T* HWY_RESTRICT rows_prefix = kCountRows ? in.rows_prefix_of(g) : nullptr;
      s = zero;
      [[maybe_unused]] const T* HWY_RESTRICT boundary_sum = kNarrow ? in.boundary_sums_of(g) : nullptr;
      [[maybe_unused]] V seen = zero;
      const auto add_item = [&](std::size_t at, V weight) HWY_ATTR {
        const auto goes_left = hn::Lt(hn::Set(d, walk.place(at)), cut);
        s = add_masked(goes_left, s, weight);
        if constexpr (kCountRows) seen = add_masked(goes_left, seen, hn::Set(d, rows[at]));
      };
      V sum = zero;  // wide: of the items on both sides, kept up to date where boundaries are evaluated
      const auto add_item_and_sum = [&](std::size_t at) HWY_ATTR {
        const V weight = hn::Set(d, walk.weight(at));
        add_item(at, weight);
        if constexpr (!kNarrow) sum = hn::Add(sum, weight);
      };
      const auto evaluate = [&](std::size_t boundary, std::size_t at) HWY_ATTR {
        if constexpr (kNarrow) sum = hn::Set(d, boundary_sum[boundary]);
        rest = hn::Sub(sum, s);
        left.add(s);
        right.add(rest);
        if constexpr (kCountRows) {
          const V too_few = hn::Set(d, static_cast<T>(in.min_rows() - 1)), seen_right = hn::Sub(hn::Set(d, rows_prefix[at]), seen);
          left_strict.add_where(hn::And(hn::Gt(seen, too_few), hn::Gt(hn::Sub(rows_left, seen), too_few)), s);
          right_strict.add_where(hn::And(hn::Gt(seen_right, too_few), hn::Gt(hn::Sub(rows_right, seen_right), too_few)), rest);
        }
      };
      // Whether weights up to `up` and `down` widen the range of no lane.
      const auto cannot_widen = [&](T up, T down) HWY_ATTR {
        const V u = hn::Set(d, up), w = hn::Set(d, down);
        const auto& l = kCountRows ? left_strict : left;
        const auto& r = kCountRows ? right_strict : right;
        const auto above = hn::Or(hn::Gt(hn::Add(s, u), l.high), hn::Gt(hn::Add(rest, u), r.high));
        const auto below = hn::Or(hn::Gt(l.low, hn::Sub(s, w)), hn::Gt(r.low, hn::Sub(rest, w)));
        return hn::AllFalse(d, hn::Or(above, below));
      };
      rest = zero;
      const std::span<const std::uint32_t> boundaries = in.boundaries_of(g);
      const std::uint32_t* end = boundaries.data();
      const std::uint32_t* const last = end + boundaries.size();
      const bool ties = static_cast<std::size_t>(last - end) != n;
      std::size_t at = 0;
      const auto blocks = in.blocks_of(g);
      for (std::size_t block = blocks.first; block < blocks.last; ++block) {
        const std::uint32_t* const block_last = end + std::min<std::ptrdiff_t>(kBlock, last - end);
        const std::size_t stop = block_last[-1];
        if (cannot_widen(in.up(block), in.down(block))) {
          for (; at < stop; ++at) add_item(at, hn::Set(d, walk.weight(at)));
          sum = hn::Set(d, in.block_sum(block));
          rest = hn::Sub(sum, s);
        } else if (!ties) {
          for (; at < stop; ++at) {
            add_item_and_sum(at);
            evaluate(at, at);
          }
        } else {
          for (const std::uint32_t* e = end; e != block_last; ++e) {
            for (; at < *e; ++at) add_item_and_sum(at);
            evaluate(static_cast<std::size_t>(e - boundaries.data()), at - 1);
          }
        }
        end = block_last;
      }
    }
    // After the last ordering, s and rest are the sums of all left and right items.
    store(d, lane, left, right, s, rest, relaxed);
    if constexpr (kCountRows) store(d, lane, left_strict, right_strict, s, rest, strict);
  }
}

// Errors of a leaf and of the best stump on a child of that weight and signed sum: prefix labeled 0 and suffix 1, or the other way round.
struct StumpErrors {
  double leaf, stump;
};
HWY_INLINE StumpErrors errors_of(double weight, double sum, double high, double low) {
  const double class0 = (weight + sum) / 2, class1 = (weight - sum) / 2;
  return {std::min(class0, class1), std::min(class0 - high, class1 + low)};
}

template <class T>
void errors_of(const Extremes<T>& e, std::size_t c, double weight_left, double total, CutErrors& out, double* left, double* right) {
  const StumpErrors l = errors_of(weight_left, e.left_sum[c], e.left_max[c], e.left_min[c]);
  const StumpErrors r = errors_of(total - weight_left, e.right_sum[c], e.right_max[c], e.right_min[c]);
  out.left_leaf[c] = l.leaf;
  out.right_leaf[c] = r.leaf;
  left[c] = l.stump;
  right[c] = r.stump;
}

template <class T>
void run_two_classes(const KernelColumns<T>& in, std::size_t f, const T* cuts, CutErrors& out) {
  Extremes<T> strict, relaxed;
  const bool count_rows = in.counts_rows();
  if (count_rows) {
    two_classes<T, true>(in, cuts, strict, relaxed);
  } else {
    two_classes<T, false>(in, cuts, strict, relaxed);
  }
  for (std::size_t c = 0; c < kLanes; ++c) {
    const double reach_left = in.reach_before(f, static_cast<std::size_t>(cuts[c]));
    errors_of(relaxed, c, reach_left, in.total_reach(), out, out.left_relaxed, out.right_relaxed);
    errors_of(count_rows ? strict : relaxed, c, reach_left, in.total_reach(), out, out.left, out.right);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#endif
