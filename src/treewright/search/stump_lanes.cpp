// The kernel of the exact search: for kLanes cuts of one ordering f at once, the best stump over every ordering g on the left part
// and on the right part of each cut.
//
// One pass over the items in the order of g serves all cuts: lane c asks of each item only whether it lies left of cut c in the
// order of f. Two classes: class 0 counts +w, class 1 counts -w, and a lane's whole state is the running sum s over its left items.
// Cutting g after a prefix with sum s and labelling the prefix 0 errs on N0 - s items' weight, labelling it 1 on N1 + s, so a
// stump's error is min(N0 - max s, N1 + min s): a running minimum and maximum. The right part's sum is the prefix sum of all items
// minus s. More classes: a forward pass keeps the lane's class weights and their maximum (only the class that arrives can become the
// maximum) and writes that maximum down at every place where the rank of g changes; a backward pass does the same for the suffix and
// adds what was written down: cost independent of the number of classes.
//
// Extrema count only where the rank of g changes: between equal values there is no cut. With min_samples_leaf the prefix's row count
// runs along, and extrema count only where both sides hold enough rows; the extrema without that condition are kept as
// well, because only they bound neighbouring cuts (a subset of rows may violate min_samples_leaf where the whole does not).
//
// Cost: about ten vector instructions an item, ordering and kLanes cuts (two classes, 16-bit lanes, AVX-512).

#include "treewright/search/stump_lanes.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/stump_lanes.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace treewright {
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

// Adds w to the lanes in the mask. AVX-512 has an instruction for it; elsewhere zeroing is cheaper than choosing.
template <class M, class V>
HWY_INLINE V add_masked(M mask, V sum, V w) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfThenElse(mask, hn::Add(sum, w), sum);
#else
  return hn::Add(sum, hn::IfThenElseZero(mask, w));
#endif
}

template <class T, bool kCountRows>
void two_classes(const Lines<T>& in, std::size_t f, const T* HWY_RESTRICT cuts, Extremes<T>& strict, Extremes<T>& relaxed) {
  const hn::CappedTag<T, kLanes> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t n = in.size;
  const T* HWY_RESTRICT place = in.place.data() + f * n;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const V cut = hn::LoadU(d, cuts + lane), zero = hn::Zero(d);
    // The empty prefix has sum 0: a stump that is a leaf.
    Range<V> left{zero, zero}, right{zero, zero}, left_strict{zero, zero}, right_strict{zero, zero};
    V s = zero, rest = zero;
    [[maybe_unused]] V rows_left = zero, rows_right = zero;
    if constexpr (kCountRows) {
      for (std::size_t at = 0; at < n; ++at) {
        const auto goes_left = hn::Lt(hn::Set(d, place[in.order[at]]), cut);
        rows_left = add_masked(goes_left, rows_left, hn::Set(d, in.rows[at]));
      }
      rows_right = hn::Sub(hn::Set(d, in.rows_prefix[n - 1]), rows_left);
    }
    for (std::size_t g = 0; g < in.orderings; ++g) {
      const std::uint32_t* HWY_RESTRICT order = in.order + g * n;
      const T* HWY_RESTRICT weight = in.weight.data() + g * n;
      const T* HWY_RESTRICT prefix = in.prefix.data() + g * n;
      [[maybe_unused]] const T* HWY_RESTRICT rows = kCountRows ? in.rows.data() + g * n : nullptr;
      [[maybe_unused]] const T* HWY_RESTRICT rows_prefix = kCountRows ? in.rows_prefix.data() + g * n : nullptr;
      s = zero;
      [[maybe_unused]] V seen = zero;
      const auto take = [&](std::size_t at) HWY_ATTR {
        const auto goes_left = hn::Lt(hn::Set(d, place[order[at]]), cut);
        s = add_masked(goes_left, s, hn::Set(d, weight[at]));
        if constexpr (kCountRows) seen = add_masked(goes_left, seen, hn::Set(d, rows[at]));
      };
      const auto judge = [&](std::size_t at) HWY_ATTR {
        rest = hn::Sub(hn::Set(d, prefix[at]), s);
        left.add(s);
        right.add(rest);
        if constexpr (kCountRows) {
          const V too_few = hn::Set(d, static_cast<T>(in.min_rows - 1)), seen_right = hn::Sub(hn::Set(d, rows_prefix[at]), seen);
          left_strict.add_where(hn::And(hn::Gt(seen, too_few), hn::Gt(hn::Sub(rows_left, seen), too_few)), s);
          right_strict.add_where(hn::And(hn::Gt(seen_right, too_few), hn::Gt(hn::Sub(rows_right, seen_right), too_few)), rest);
        }
      };
      const std::uint32_t* end = in.ends.data() + in.first_end[g];
      const std::uint32_t* const last = in.ends.data() + in.first_end[g + 1];
      if (static_cast<std::size_t>(last - end) == n) {
        for (std::size_t at = 0; at < n; ++at) {
          take(at);
          judge(at);
        }
      } else {
        for (std::size_t at = 0; end != last; ++end) {
          for (; at < *end; ++at) take(at);
          judge(at - 1);
        }
      }
    }
    const auto store = [&](const Range<V>& l, const Range<V>& r, Extremes<T>& out) HWY_ATTR {
      hn::StoreU(l.high, d, out.left_max + lane);
      hn::StoreU(l.low, d, out.left_min + lane);
      hn::StoreU(r.high, d, out.right_max + lane);
      hn::StoreU(r.low, d, out.right_min + lane);
      hn::StoreU(s, d, out.left_sum + lane);  // after the last ordering: all left items
      hn::StoreU(rest, d, out.right_sum + lane);
    };
    store(left, right, relaxed);
    if constexpr (kCountRows) store(left_strict, right_strict, strict);
  }
}

// Errors of a leaf and of the best stump on a part of that weight and signed sum: prefix labelled 0 and suffix 1, or the other
// way round.
struct PartErrors {
  double leaf, stump;
};
HWY_INLINE PartErrors errors_of(double weight, double sum, double high, double low) {
  const double class0 = (weight + sum) / 2, class1 = (weight - sum) / 2;
  return {std::min(class0, class1), std::min(class0 - high, class1 + low)};
}

template <class T>
void errors_of(const Extremes<T>& e, std::size_t c, double weight_left, double total, StumpLanes& out, double* left, double* right) {
  const PartErrors l = errors_of(weight_left, e.left_sum[c], e.left_max[c], e.left_min[c]);
  const PartErrors r = errors_of(total - weight_left, e.right_sum[c], e.right_max[c], e.right_min[c]);
  out.left_leaf[c] = l.leaf;
  out.right_leaf[c] = r.leaf;
  left[c] = l.stump;
  right[c] = r.stump;
}

template <class T>
void run_two_classes(const Lines<T>& in, std::size_t f, const T* cuts, StumpLanes& out) {
  Extremes<T> strict, relaxed;
  const bool count_rows = in.min_rows > 0;
  if (count_rows) {
    two_classes<T, true>(in, f, cuts, strict, relaxed);
  } else {
    two_classes<T, false>(in, f, cuts, strict, relaxed);
  }
  for (std::size_t c = 0; c < kLanes; ++c) {
    const double weight_left = in.weight_before(f, static_cast<std::size_t>(cuts[c]));
    errors_of(relaxed, c, weight_left, in.total_weight, out, out.left_relaxed, out.right_relaxed);
    errors_of(count_rows ? strict : relaxed, c, weight_left, in.total_weight, out, out.left, out.right);
  }
}

template <class T, bool kCountRows>
void many_classes(Lines<T>& in, std::size_t f, const T* HWY_RESTRICT cuts, StumpLanes& out) {
  const hn::CappedTag<T, kLanes> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t n = in.size, lanes = hn::Lanes(d), classes = static_cast<std::size_t>(in.classes);
  const T* HWY_RESTRICT place = in.place.data() + f * n;
  // Class weights of both parts, then the maxima written down at each end, both parts side by side.
  in.scratch.resize(2 * lanes * (classes + n));
  T* HWY_RESTRICT weights = in.scratch.data();
  T* HWY_RESTRICT maxima = weights + 2 * lanes * classes;
  for (std::size_t lane = 0; lane < kLanes; lane += lanes) {
    const V cut = hn::LoadU(d, cuts + lane), zero = hn::Zero(d);
    V leaf_left = zero, leaf_right = zero, best_left = zero, best_right = zero, strict_left = zero, strict_right = zero;
    for (std::size_t g = 0; g < in.orderings; ++g) {
      const std::uint32_t* HWY_RESTRICT order = in.order + g * n;
      const T* HWY_RESTRICT weight = in.weight.data() + g * n;
      const std::uint16_t* HWY_RESTRICT label = in.label.data() + g * n;
      [[maybe_unused]] const T* HWY_RESTRICT rows = kCountRows ? in.rows.data() + g * n : nullptr;
      const std::uint32_t* const ends = in.ends.data() + in.first_end[g];
      const std::size_t groups = in.first_end[g + 1] - in.first_end[g];
      V max_left, max_right;
      [[maybe_unused]] V rows_left = zero, rows_right = zero;
      const auto restart = [&]() HWY_ATTR {
        std::fill_n(weights, 2 * lanes * classes, T{0});
        max_left = max_right = zero;
        rows_left = rows_right = zero;
      };
      const auto take = [&](std::size_t at) HWY_ATTR {
        T* HWY_RESTRICT mine = weights + 2 * lanes * label[at];
        const auto goes_left = hn::Lt(hn::Set(d, place[order[at]]), cut);
        const V w = hn::Set(d, weight[at]);
        const V l = add_masked(goes_left, hn::LoadU(d, mine), w);
        const V r = add_masked(hn::Not(goes_left), hn::LoadU(d, mine + lanes), w);
        hn::StoreU(l, d, mine);
        hn::StoreU(r, d, mine + lanes);
        max_left = hn::Max(max_left, l);
        max_right = hn::Max(max_right, r);
        if constexpr (kCountRows) {
          const V one = hn::Set(d, rows[at]);
          rows_left = add_masked(goes_left, rows_left, one);
          rows_right = add_masked(hn::Not(goes_left), rows_right, one);
        }
      };
      restart();
      std::size_t at = 0;
      for (std::size_t group = 0; group < groups; ++group) {
        for (; at < ends[group]; ++at) take(at);
        hn::StoreU(max_left, d, maxima + 2 * lanes * group);
        hn::StoreU(max_right, d, maxima + 2 * lanes * group + lanes);
      }
      // The whole as a prefix: a leaf.
      leaf_left = max_left;
      leaf_right = max_right;
      best_left = hn::Max(best_left, max_left);
      best_right = hn::Max(best_right, max_right);
      [[maybe_unused]] const V all_left = rows_left, all_right = rows_right;
      if constexpr (kCountRows) {
        strict_left = hn::Max(strict_left, max_left);
        strict_right = hn::Max(strict_right, max_right);
      }
      restart();
      for (std::size_t group = groups; group-- > 1;) {
        while (at > ends[group - 1]) take(--at);
        const V l = hn::Add(max_left, hn::LoadU(d, maxima + 2 * lanes * (group - 1)));
        const V r = hn::Add(max_right, hn::LoadU(d, maxima + 2 * lanes * (group - 1) + lanes));
        best_left = hn::Max(best_left, l);
        best_right = hn::Max(best_right, r);
        if constexpr (kCountRows) {
          const V too_few = hn::Set(d, static_cast<T>(in.min_rows - 1));
          const auto left_fits = hn::And(hn::Gt(rows_left, too_few), hn::Gt(hn::Sub(all_left, rows_left), too_few));
          const auto right_fits = hn::And(hn::Gt(rows_right, too_few), hn::Gt(hn::Sub(all_right, rows_right), too_few));
          strict_left = hn::IfThenElse(left_fits, hn::Max(strict_left, l), strict_left);
          strict_right = hn::IfThenElse(right_fits, hn::Max(strict_right, r), strict_right);
        }
      }
    }
    HWY_ALIGN_MAX T buffer[kLanes];
    const auto store = [&](V right_weight, bool left_part, double* errors) HWY_ATTR {
      hn::StoreU(right_weight, d, buffer);
      for (std::size_t c = 0; c < lanes; ++c) {
        const double weight_left = in.weight_before(f, static_cast<std::size_t>(cuts[lane + c]));
        errors[lane + c] = (left_part ? weight_left : in.total_weight - weight_left) - static_cast<double>(buffer[c]);
      }
    };
    store(leaf_left, true, out.left_leaf);
    store(leaf_right, false, out.right_leaf);
    store(kCountRows ? strict_left : best_left, true, out.left);
    store(kCountRows ? strict_right : best_right, false, out.right);
    store(best_left, true, out.left_relaxed);
    store(best_right, false, out.right_relaxed);
  }
}

template <class T>
void run(Lines<T>& in, std::size_t f, const T* cuts, StumpLanes& out) {
  if (in.classes == 2) {
    run_two_classes(in, f, cuts, out);
  } else if (in.min_rows > 0) {
    many_classes<T, true>(in, f, cuts, out);
  } else {
    many_classes<T, false>(in, f, cuts, out);
  }
}

void run_int16(Lines<std::int16_t>& in, std::size_t f, const std::int16_t* cuts, StumpLanes& out) { run(in, f, cuts, out); }
void run_int32(Lines<std::int32_t>& in, std::size_t f, const std::int32_t* cuts, StumpLanes& out) { run(in, f, cuts, out); }
void run_double(Lines<double>& in, std::size_t f, const double* cuts, StumpLanes& out) { run(in, f, cuts, out); }
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace treewright
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace treewright {

HWY_EXPORT(run_int16);
HWY_EXPORT(run_int32);
HWY_EXPORT(run_double);
HWY_EXPORT(target_name);

template <>
void best_stumps(Lines<std::int16_t>& lines, std::size_t f, const std::int16_t* cuts, StumpLanes& out) {
  HWY_DYNAMIC_DISPATCH(run_int16)(lines, f, cuts, out);
}
template <>
void best_stumps(Lines<std::int32_t>& lines, std::size_t f, const std::int32_t* cuts, StumpLanes& out) {
  HWY_DYNAMIC_DISPATCH(run_int32)(lines, f, cuts, out);
}
template <>
void best_stumps(Lines<double>& lines, std::size_t f, const double* cuts, StumpLanes& out) {
  HWY_DYNAMIC_DISPATCH(run_double)(lines, f, cuts, out);
}

const char* vector_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

template <class T>
void Lines<T>::assign(const Subset& subset, std::int32_t class_count, std::int64_t least_rows) {
  size = subset.size;
  orderings = size == 0 ? 0 : subset.order.size() / size;
  classes = class_count;
  order = subset.order.data();
  const bool count_rows = least_rows > 1;
  min_rows = static_cast<T>(count_rows ? least_rows : 0);
  const std::size_t all = orderings * size;
  place.resize(all);
  weight.resize(all);
  total_weight = subset.total_weight;
  const bool unit = std::all_of(subset.weight.begin(), subset.weight.end(), [](double w) { return w == 1; });
  weight_prefix.resize(unit ? 0 : all);
  if (classes == 2) prefix.resize(all);
  if (classes != 2) label.resize(all);
  if (count_rows) {
    rows.resize(all);
    rows_prefix.resize(all);
  }
  ends.clear();
  first_end.assign(1, 0);
  for (std::size_t g = 0; g < orderings; ++g) {
    const std::size_t base = g * size;
    const auto line = subset.order_of(g), rank = subset.ranks_of(g);
    T sum = 0, rows_seen = 0, weight_seen = 0;
    std::size_t start = 0;
    for (std::size_t at = 0; at < size; ++at) {
      const std::uint32_t i = line[at];
      if (at > 0 && rank[at] != rank[at - 1]) {
        start = at;
        ends.push_back(static_cast<std::uint32_t>(at));
      }
      place[base + i] = static_cast<T>(start);
      const T w = static_cast<T>(subset.weight[i]);
      if (!unit) weight_prefix[base + at] = weight_seen = static_cast<T>(weight_seen + w);
      if (classes == 2) {
        weight[base + at] = static_cast<T>(subset.label[i] == 0 ? w : -w);
        prefix[base + at] = sum = static_cast<T>(sum + weight[base + at]);
      } else {
        weight[base + at] = w;
        label[base + at] = static_cast<std::uint16_t>(subset.label[i]);
      }
      if (count_rows) {
        rows[base + at] = static_cast<T>(subset.count[i]);
        rows_prefix[base + at] = rows_seen = static_cast<T>(rows_seen + rows[base + at]);
      }
    }
    ends.push_back(static_cast<std::uint32_t>(size));
    first_end.push_back(ends.size());
  }
}

template struct Lines<std::int16_t>;
template struct Lines<std::int32_t>;
template struct Lines<double>;

}  // namespace treewright
#endif  // HWY_ONCE
