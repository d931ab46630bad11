// The kernel of the exact search: for kLanes cuts of one ordering f at once, the best stump over every ordering g on the left child and on
// the right child of each cut.
//
// Idea. One pass over the items in the order of g serves all cuts: lane c tests of each item only whether it lies left of cut c in the order
// of f. With two classes, class 0 counts +w and class 1 counts -w, and the whole state of a lane is the running sum s over its left items. A
// cut of g after a prefix with sum s makes N0 - s errors where the prefix is labeled 0, and N1 + s where it is labeled 1 (N0, N1: the child's
// weight of each class). So the errors of the best stump are min(N0 - max s, N1 + min s): a running minimum and maximum. The sum of the right
// child is the prefix sum of all items minus s. With more classes, a stump gets right the heaviest class of the prefix plus the heaviest class
// of the suffix. Only the class of the item that is added can become the heaviest. So a walk forward gives the first term and a walk backward
// the second, whatever the number of classes.
//
// Blocks. What a lane has found so far bounds what can still improve it. Where the weights of a block of boundaries cannot move any lane's sum
// beyond its range, the sums of the block are added up without a comparison at each boundary. The best single splits go first, so most blocks
// of the later orderings cost half the time. With more classes: prefixes only get heavier and suffixes lighter. So the heaviest class of the
// prefix at the end of a block plus that of another class of the suffix at its start bounds all boundaries between.
//
// Minimum and maximum are updated only at boundaries, where the rank of g changes: between equal values there is no cut. With min_samples_leaf
// the row count of the prefix is kept too, and a boundary counts only where both sides hold enough rows. Minimum and maximum without that
// condition are kept as well, because only they bound neighboring cuts: a subset of rows may violate min_samples_leaf where the whole does
// not.
//
// Cost: about ten vector instructions for each item, ordering and kLanes cuts (two classes, 16-bit lanes, AVX-512).

#include "treewright/search/depth_two/stump_kernel.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "treewright/base/stop_point.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/depth_two/stump_kernel.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

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
  for (std::size_t at = 0; at < in.size; ++at) {
    rows = add_masked(hn::Lt(hn::Set(d, walk.place(at)), cut), rows, hn::Set(d, in.rows[at]));
  }
  return rows;
}

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
  constexpr std::ptrdiff_t kBlock = boundaries_per_block(2);
  constexpr bool kNarrow = KernelColumns<T>::kNarrow;
  const hn::CappedTag<T, kLanes> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t n = in.size;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const V cut = hn::LoadU(d, cuts + lane), zero = hn::Zero(d);
    // The empty prefix has sum 0: a stump that is a leaf.
    Range<V> left{zero, zero}, right{zero, zero}, left_strict{zero, zero}, right_strict{zero, zero};
    V s = zero, rest = zero;
    [[maybe_unused]] V rows_left = zero, rows_right = zero;
    if constexpr (kCountRows) {
      rows_left = count_rows_left(d, in, cut);
      rows_right = hn::Sub(hn::Set(d, in.rows_prefix[n - 1]), rows_left);
    }
    for (const std::size_t g : in.sequence) {
      const auto walk = in.walk(g);
      [[maybe_unused]] const T* HWY_RESTRICT rows = kCountRows ? in.rows.data() + g * n : nullptr;
      [[maybe_unused]] const T* HWY_RESTRICT rows_prefix = kCountRows ? in.rows_prefix.data() + g * n : nullptr;
      s = zero;
      [[maybe_unused]] const T* HWY_RESTRICT boundary_sum = kNarrow ? in.boundary_sum.data() + g * n : nullptr;
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
          const V too_few = hn::Set(d, static_cast<T>(in.min_rows - 1)), seen_right = hn::Sub(hn::Set(d, rows_prefix[at]), seen);
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
      for (std::size_t block = in.first_block[g]; block < in.first_block[g + 1]; ++block) {
        const std::uint32_t* const block_last = end + std::min<std::ptrdiff_t>(kBlock, last - end);
        const std::size_t stop = block_last[-1];
        if (cannot_widen(in.up[block], in.down[block])) {
          for (; at < stop; ++at) add_item(at, hn::Set(d, walk.weight(at)));
          sum = hn::Set(d, in.block_sum[block]);
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
  const bool count_rows = in.min_rows > 0;
  if (count_rows) {
    two_classes<T, true>(in, cuts, strict, relaxed);
  } else {
    two_classes<T, false>(in, cuts, strict, relaxed);
  }
  for (std::size_t c = 0; c < kLanes; ++c) {
    const double weight_left = in.weight_before(f, static_cast<std::size_t>(cuts[c]));
    errors_of(relaxed, c, weight_left, in.total_weight, out, out.left_relaxed, out.right_relaxed);
    errors_of(count_rows ? strict : relaxed, c, weight_left, in.total_weight, out, out.left, out.right);
  }
}

template <class T, bool kCountRows>
class ManyClasses {
 public:
  ManyClasses(KernelColumns<T>& in, std::size_t f, const T* HWY_RESTRICT cuts)
      : in_(in), f_(f), cuts_(cuts), n_(in.size), classes_(static_cast<std::size_t>(in.classes)) {
    // Lane vectors that straddle cache lines take half as much time again.
    constexpr std::size_t kCacheLine = 64;
    const std::size_t needed = kLanes * (6 * classes_ + 3 * kBlock) + classes_;
    in_.scratch.resize(needed + kCacheLine / sizeof(T));
    void* start = in_.scratch.data();
    std::size_t room = in_.scratch.size() * sizeof(T);
    T* memory = static_cast<T*>(std::align(kCacheLine, needed * sizeof(T), start, room));
    for (T** array : {&prefix_, &start_, &left_total_, &right_, &suffix_left_, &suffix_right_}) {
      *array = memory;
      memory += kLanes * classes_;
    }
    max_left_ = memory;
    max_right_ = memory + kLanes * kBlock;
    seen_ = memory + 2 * kLanes * kBlock;
    zeros_ = memory + 3 * kLanes * kBlock;
    std::fill_n(zeros_, classes_, T{0});
  }

  void run(CutErrors& out) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d_)) run_lanes(lane, out);
  }

 private:
  static constexpr std::size_t kBlock = boundaries_per_block(3);
  using D = hn::CappedTag<T, kLanes>;
  using V = hn::Vec<D>;

  HWY_INLINE V set(T x) const { return hn::Set(d_, x); }
  HWY_INLINE V get(const T* array, std::size_t i) const { return hn::LoadU(d_, array + i * lanes_); }
  HWY_INLINE void put(V v, T* array, std::size_t i) const { hn::StoreU(v, d_, array + i * lanes_); }

  // What a lane vector has found.
  struct Best {
    V left, right, left_strict, right_strict;
  };

  // Class weights of prefix and suffix at one boundary of one child: of the dominant class, and the heaviest of the others.
  struct Heaviest {
    V prefix, prefix_other, suffix, suffix_other;
    V prefix_max() const { return hn::Max(prefix, prefix_other); }
    V suffix_max() const { return hn::Max(suffix, suffix_other); }
  };
  struct Maxima {
    Heaviest left, right;
  };
  // What no stump that cuts between the two boundaries can exceed. The two leaves of a stump that is no leaf have different labels, so at
  // most one of them has the dominant class: without this, the dominant class within the block would count twice.
  static HWY_INLINE V reach(const Heaviest& start, const Heaviest& end) {
    return hn::Max(hn::Add(end.prefix, start.suffix_other), hn::Add(end.prefix_other, start.suffix_max()));
  }

  // Class weights of all items left of each cut: one walk along f, as the cuts ascend.
  void count_left(std::size_t lane) {
    const std::size_t base = f_ * n_;
    const auto walk = in_.walk(f_);
    std::vector<T> seen(classes_, T{0});
    std::size_t at = 0;
    rows_left_total_ = hn::Zero(d_);
    HWY_ALIGN_MAX T rows[kLanes] = {};
    for (std::size_t c = 0; c < lanes_; ++c) {
      for (const auto stop = static_cast<std::size_t>(cuts_[lane + c]); at < stop; ++at) {
        T& w = seen[in_.label[base + at]];
        w = static_cast<T>(w + walk.weight(at));
      }
      for (std::size_t k = 0; k < classes_; ++k) left_total_[k * lanes_ + c] = seen[k];
      if constexpr (kCountRows) rows[c] = in_.rows_prefix[base + at - 1];
    }
    if constexpr (kCountRows) rows_left_total_ = hn::LoadU(d_, rows);
  }

  void run_lanes(std::size_t lane, CutErrors& out) {
    const V cut = hn::LoadU(d_, cuts_ + lane), zero = hn::Zero(d_);
    count_left(lane);
    const T* HWY_RESTRICT class_total = in_.class_prefix.data() + (in_.first_block[1] - 1) * classes_;
    V leaf_left = zero, leaf_right = zero;
    for (std::size_t k = 0; k < classes_; ++k) {
      leaf_left = hn::Max(leaf_left, get(left_total_, k));
      leaf_right = hn::Max(leaf_right, hn::Sub(set(class_total[k]), get(left_total_, k)));
    }
    Best best{leaf_left, leaf_right, leaf_left, leaf_right};
    for (const std::size_t g : in_.sequence) {
      const auto walk = in_.walk(g);
      const std::uint16_t* HWY_RESTRICT label = in_.label.data() + g * n_;
      std::fill_n(prefix_, lanes_ * classes_, T{0});
      V all = zero;  // weight of the left items so far, of whatever class
      [[maybe_unused]] V seen = zero;
      Maxima at_start = maxima(zeros_, class_total);
      const std::span<const std::uint32_t> boundaries = in_.boundaries_of(g);
      const std::uint32_t* end = boundaries.data();
      const std::uint32_t* const last = end + boundaries.size();
      std::size_t at = 0;
      for (std::size_t block = in_.first_block[g]; block < in_.first_block[g + 1]; ++block) {
        const std::uint32_t* const block_last = end + std::min<std::ptrdiff_t>(kBlock, last - end);
        const std::size_t begin = at, stop = block_last[-1];
        const V seen_before = seen;
        std::copy_n(prefix_, lanes_ * classes_, start_);
        // The heaviest class is what is left of the total when the others are known: most items touch registers only.
        for (; at < stop; ++at) {
          const auto goes_left = hn::Lt(set(walk.place(at)), cut);
          all = add_masked(goes_left, all, set(walk.weight(at)));
          if constexpr (kCountRows) seen = add_masked(goes_left, seen, set(in_.rows[g * n_ + at]));
        }
        for (std::size_t m = in_.first_minor[block]; m < in_.first_minor[block + 1]; ++m) {
          const std::size_t i = in_.minor[m];
          put(add_masked(hn::Lt(set(walk.place(i)), cut), get(prefix_, label[i]), set(walk.weight(i))), prefix_, label[i]);
        }
        V dominant = all;
        for (std::size_t k = 0; k < classes_; ++k) {
          if (k != in_.dominant) dominant = hn::Sub(dominant, get(prefix_, k));
        }
        put(dominant, prefix_, in_.dominant);

        const Maxima at_end = maxima(in_.class_prefix.data() + block * classes_, class_total);
        const V reach_left = reach(at_start.left, at_end.left), reach_right = reach(at_start.right, at_end.right);
        const V &found_left = kCountRows ? best.left_strict : best.left, &found_right = kCountRows ? best.right_strict : best.right;
        if (!hn::AllFalse(d_, hn::Or(hn::Gt(reach_left, found_left), hn::Gt(reach_right, found_right)))) {
          evaluate_block(g, cut, begin, end, block_last, block, at_start, at_end, seen_before, class_total, best);
        }
        at_start = at_end;
        end = block_last;
      }
    }
    store(leaf_left, true, lane, out.left_leaf);
    store(leaf_right, false, lane, out.right_leaf);
    store(kCountRows ? best.left_strict : best.left, true, lane, out.left);
    store(kCountRows ? best.right_strict : best.right, false, lane, out.right);
    store(best.left, true, lane, out.left_relaxed);
    store(best.right, false, lane, out.right_relaxed);
  }

  HWY_INLINE Maxima maxima(const T* HWY_RESTRICT passed, const T* HWY_RESTRICT class_total) const {
    const V zero = hn::Zero(d_);
    Maxima m{{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    for (std::size_t k = 0; k < classes_; ++k) {
      const V left = get(prefix_, k), left_total = get(left_total_, k), right = hn::Sub(set(passed[k]), left);
      const V left_suffix = hn::Sub(left_total, left), right_suffix = hn::Sub(hn::Sub(set(class_total[k]), left_total), right);
      if (k == in_.dominant) {
        m.left.prefix = left;
        m.left.suffix = left_suffix;
        m.right.prefix = right;
        m.right.suffix = right_suffix;
      } else {
        m.left.prefix_other = hn::Max(m.left.prefix_other, left);
        m.left.suffix_other = hn::Max(m.left.suffix_other, left_suffix);
        m.right.prefix_other = hn::Max(m.right.prefix_other, right);
        m.right.suffix_other = hn::Max(m.right.suffix_other, right_suffix);
      }
    }
    return m;
  }

  // Every boundary of one block: forward, the maxima of the prefixes are written down; backward, those of the suffixes are added.
  void evaluate_block(std::size_t g, V cut, std::size_t begin, const std::uint32_t* end, const std::uint32_t* block_last, std::size_t block,
                      const Maxima& at_start, const Maxima& at_end, V seen, const T* class_total, Best& best) {
    const auto walk = in_.walk(g);
    const std::uint16_t* HWY_RESTRICT label = in_.label.data() + g * n_;
    const T* HWY_RESTRICT passed = in_.class_prefix.data() + block * classes_;
    const T* HWY_RESTRICT before = block == in_.first_block[g] ? zeros_ : passed - classes_;
    for (std::size_t k = 0; k < classes_; ++k) {
      put(hn::Sub(set(before[k]), get(start_, k)), right_, k);
      const V suffix_left = hn::Sub(get(left_total_, k), get(prefix_, k));
      put(suffix_left, suffix_left_, k);
      put(hn::Sub(hn::Sub(set(class_total[k]), set(passed[k])), suffix_left), suffix_right_, k);
    }
    const auto add_item = [&](std::size_t at, T* HWY_RESTRICT left_weights, T* HWY_RESTRICT right_weights, V& left, V& right) HWY_ATTR {
      const auto goes_left = hn::Lt(set(walk.place(at)), cut);
      const V weight = set(walk.weight(at)), w = hn::IfThenElseZero(goes_left, weight), rest = hn::Sub(weight, w);
      const V l = hn::Add(get(left_weights, label[at]), w), r = hn::Add(get(right_weights, label[at]), rest);
      put(l, left_weights, label[at]);
      put(r, right_weights, label[at]);
      left = hn::Max(left, l);
      right = hn::Max(right, r);
      return goes_left;
    };
    V left = at_start.left.prefix_max(), right = at_start.right.prefix_max();
    std::size_t at = begin;
    const std::size_t boundaries = static_cast<std::size_t>(block_last - end);
    for (std::size_t e = 0; e < boundaries; ++e) {
      for (; at < end[e]; ++at) {
        const auto goes_left = add_item(at, start_, right_, left, right);
        if constexpr (kCountRows) seen = add_masked(goes_left, seen, set(in_.rows[g * n_ + at]));
        (void)goes_left;
      }
      put(left, max_left_, e);
      put(right, max_right_, e);
      if constexpr (kCountRows) put(seen, seen_, e);
    }
    left = at_end.left.suffix_max();
    right = at_end.right.suffix_max();
    for (std::size_t e = boundaries; e-- > 0;) {
      const V l = hn::Add(left, get(max_left_, e)), r = hn::Add(right, get(max_right_, e));
      best.left = hn::Max(best.left, l);
      best.right = hn::Max(best.right, r);
      if constexpr (kCountRows) {
        const V too_few = set(static_cast<T>(in_.min_rows - 1)), rows_left = get(seen_, e);
        const V rows_right = hn::Sub(set(in_.rows_prefix[g * n_ + end[e] - 1]), rows_left);
        const V all_right = hn::Sub(set(in_.rows_prefix[n_ - 1]), rows_left_total_);
        const auto left_fits = hn::And(hn::Gt(rows_left, too_few), hn::Gt(hn::Sub(rows_left_total_, rows_left), too_few));
        const auto right_fits = hn::And(hn::Gt(rows_right, too_few), hn::Gt(hn::Sub(all_right, rows_right), too_few));
        best.left_strict = hn::IfThenElse(left_fits, hn::Max(best.left_strict, l), best.left_strict);
        best.right_strict = hn::IfThenElse(right_fits, hn::Max(best.right_strict, r), best.right_strict);
      }
      for (const std::size_t from = e == 0 ? at : end[e - 1]; at > from;) add_item(--at, suffix_left_, suffix_right_, left, right);
    }
  }

  void store(V correct, bool left_range, std::size_t lane, double* errors) const {
    HWY_ALIGN_MAX T buffer[kLanes];
    hn::StoreU(correct, d_, buffer);
    for (std::size_t c = 0; c < lanes_; ++c) {
      const double weight_left = in_.weight_before(f_, static_cast<std::size_t>(cuts_[lane + c]));
      errors[lane + c] = (left_range ? weight_left : in_.total_weight - weight_left) - static_cast<double>(buffer[c]);
    }
  }

  const D d_;
  const std::size_t lanes_ = hn::Lanes(D());
  KernelColumns<T>& in_;
  const std::size_t f_;
  const T* HWY_RESTRICT const cuts_;
  const std::size_t n_, classes_;
  // Class weights, a lane vector each: of the prefix, of the prefix at the start of the block, of all left items, of the
  // prefix on the right range, and of the suffixes.
  T *prefix_, *start_, *left_total_, *right_, *suffix_left_, *suffix_right_;
  T *max_left_, *max_right_, *seen_;  // at the boundaries of one block
  T* zeros_;                          // class weights before the first block
  V rows_left_total_;
};

template <class T>
void run(KernelColumns<T>& in, std::size_t f, const T* cuts, CutErrors& out) {
  if (in.classes == 2) {
    run_two_classes(in, f, cuts, out);
  } else if (in.min_rows > 0) {
    ManyClasses<T, true>(in, f, cuts).run(out);
  } else {
    ManyClasses<T, false>(in, f, cuts).run(out);
  }
}

void run_int16(KernelColumns<std::int16_t>& in, std::size_t f, const std::int16_t* cuts, CutErrors& out) {
  run(in, f, cuts, out);
}
void run_int32(KernelColumns<std::int32_t>& in, std::size_t f, const std::int32_t* cuts, CutErrors& out) {
  run(in, f, cuts, out);
}
void run_double(KernelColumns<double>& in, std::size_t f, const double* cuts, CutErrors& out) {
  run(in, f, cuts, out);
}
const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace treewright::search {

HWY_EXPORT(run_int16);
HWY_EXPORT(run_int32);
HWY_EXPORT(run_double);
HWY_EXPORT(target_name);

template <>
void best_stumps(KernelColumns<std::int16_t>& columns, std::size_t f, const std::int16_t* cuts, CutErrors& out) {
  columns.cut(f);
  HWY_DYNAMIC_DISPATCH(run_int16)(columns, f, cuts, out);
}
template <>
void best_stumps(KernelColumns<std::int32_t>& columns, std::size_t f, const std::int32_t* cuts, CutErrors& out) {
  columns.cut(f);
  HWY_DYNAMIC_DISPATCH(run_int32)(columns, f, cuts, out);
}
template <>
void best_stumps(KernelColumns<double>& columns, std::size_t f, const double* cuts, CutErrors& out) {
  columns.cut(f);
  HWY_DYNAMIC_DISPATCH(run_double)(columns, f, cuts, out);
}

const char* vector_target() {
  return HWY_DYNAMIC_DISPATCH(target_name)();
}

namespace {

// With so many items an ordering takes a tenth of a millisecond or more.
constexpr std::size_t kManyItems = 10'000;

// The items of a range in their new numbers, and what one ordering needs at a time. Kept from call to call.
template <class T>
struct Gathered {
  std::vector<std::uint32_t> renamed;  // as ItemRange::number_items
  std::vector<T> weight, rows;         // two classes: negative weights for class 1
  std::vector<std::uint16_t> label;    // more classes
  std::vector<std::uint32_t> rank;     // of the items in the ordering at hand
  std::vector<T> sum;                  // wide, two classes: KernelColumns::boundary_sum of the ordering at hand
  std::vector<T> class_weight;         // more classes: up to the place at hand
};

}  // namespace

template <class T>
void KernelColumns<T>::assign(const ItemRange& range, std::int32_t class_count, std::int64_t least_rows) {
  const Subset& whole = range.whole;
  size = range.size();
  orderings = whole.size == 0 ? 0 : whole.order.size() / whole.size;
  classes = class_count;
  const bool count_rows = least_rows > 1, two = classes == 2;
  min_rows = static_cast<T>(count_rows ? least_rows : 0);

  static thread_local Gathered<T> gathered;
  range.number_items(gathered.renamed);
  gathered.weight.resize(size);
  gathered.rows.resize(count_rows ? size : 0);
  gathered.label.resize(two ? 0 : size);
  gathered.rank.resize(kNarrow || !range.is_whole() ? size + 1 : 0);
  gathered.sum.resize(two && !kNarrow ? size : 0);
  bool unit = true;  // every item weighs 1
  class_weight.assign(classes, 0.0);
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    const std::uint32_t name = gathered.renamed[i];
    if (name == kAbsent) continue;
    const double w = whole.weight[i];
    unit = unit && w == 1;
    class_weight[whole.label[i]] += w;
    gathered.weight[name] = static_cast<T>(two && whole.label[i] == 1 ? -w : w);
    if (count_rows) gathered.rows[name] = static_cast<T>(whole.count[i]);
    if (!two) gathered.label[name] = static_cast<std::uint16_t>(whole.label[i]);
  }
  total_weight = std::accumulate(class_weight.begin(), class_weight.end(), 0.0);
  dominant = static_cast<std::uint16_t>(std::max_element(class_weight.begin(), class_weight.end()) - class_weight.begin());

  const std::size_t all = orderings * size;
  if constexpr (kNarrow) {
    places_.resize(size);
    weights_.resize(all);
  } else {
    items_.resize(size);
    for (std::size_t i = 0; i < size; ++i) items_[i].weight = gathered.weight[i];
    order_ = whole.order.data();
  }
  if (kNarrow || !range.is_whole()) {
    // Given back before more is taken: nothing of it is kept.
    if (own_order_.capacity() < all + 1) std::vector<Index>().swap(own_order_);
    own_order_.resize(all + 1);  // one place more than needed: see add_boundaries
    order_ = own_order_.data();
  }
  label.resize(two ? 0 : all);
  weight_prefix.resize(unit ? 0 : all);
  rows.resize(count_rows ? all : 0);
  rows_prefix.resize(count_rows ? all : 0);
  boundary_lists_.clear();
  boundaries_end_ = 0;
  all_places_ = cut_ = kNone;
  first_block.assign(1, 0);
  up.clear();
  down.clear();
  block_sum.clear();
  boundary_sum.resize(two && kNarrow ? all : 0);
  sums.assign(two ? orderings : 0, {});
  fitting_sums.assign(two && count_rows ? orderings : 0, {});
  first_minor.assign(1, 0);
  class_prefix.clear();
  minor.resize(two ? 0 : all + 1);
  sequence.resize(orderings);
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  for (std::size_t g = 0; g < orderings; ++g) {
    if (size >= kManyItems) stop_point();
    add_boundaries(g, whole, gathered);
    add_prefixes(g, gathered);
    two ? add_blocks_of_two_classes(g, gathered) : add_blocks_of_many_classes(g, gathered);
  }
}

// Order and boundaries of an ordering.
template <class T>
template <class Gathered>
void KernelColumns<T>::add_boundaries(std::size_t g, const Subset& whole, Gathered& gathered) {
  const std::uint32_t* HWY_RESTRICT rank = whole.rank.data() + g * whole.size;
  if (order_ == own_order_.data()) {
    const std::uint32_t* HWY_RESTRICT from = whole.order.data() + g * whole.size;
    const std::uint32_t* HWY_RESTRICT names = gathered.renamed.data();
    std::uint32_t* HWY_RESTRICT to_rank = gathered.rank.data();
    Index* HWY_RESTRICT to = own_order_.data() + g * size;
    // Written without branches, as in ItemRange::copy_to.
    std::size_t filled = 0;
    for (std::uint32_t at = 0; at < whole.size && filled < size; ++at) {
      const std::uint32_t name = names[from[at]];
      to[filled] = static_cast<Index>(name);
      to_rank[filled] = rank[at];
      filled += name != kAbsent;
    }
    rank = to_rank;
  }
  if (boundaries_.size() < boundaries_end_ + size) boundaries_.resize(boundaries_end_ + size);
  std::uint32_t* HWY_RESTRICT boundary = boundaries_.data() + boundaries_end_;
  std::size_t found = 0;
  const Index* HWY_RESTRICT order = order_ + g * size;
  const T* HWY_RESTRICT weight = gathered.weight.data();
  // Two loops: a sum of weights has a meaning with two classes only.
  T* HWY_RESTRICT weight_at = kNarrow ? weights_.data() + g * size : nullptr;
  if (classes == 2) {
    T* HWY_RESTRICT sum_before = kNarrow ? boundary_sum.data() + g * size : gathered.sum.data();
    T sum = 0;
    for (std::size_t at = 0; at < size; ++at) {
      boundary[found] = static_cast<std::uint32_t>(at);
      sum_before[found] = sum;
      found += at > 0 && rank[at] != rank[at - 1];
      const T w = weight[order[at]];
      if constexpr (kNarrow) weight_at[at] = w;
      sum = static_cast<T>(sum + w);
    }
    sum_before[found] = sum;
  } else {
    for (std::size_t at = 0; at < size; ++at) {
      boundary[found] = static_cast<std::uint32_t>(at);
      found += at > 0 && rank[at] != rank[at - 1];
      if constexpr (kNarrow) weight_at[at] = weight[order[at]];
    }
  }
  boundary[found++] = static_cast<std::uint32_t>(size);
  const bool ties = found < size;
  if (!ties && all_places_ != kNone) {
    boundary_lists_.push_back({all_places_, found});
    return;
  }
  if (!ties) all_places_ = boundaries_end_;
  boundary_lists_.push_back({boundaries_end_, found});
  boundaries_end_ += found;
}

template <class T>
void KernelColumns<T>::cut(std::size_t f) {
  if (cut_ == f) return;
  cut_ = f;
  const Index* HWY_RESTRICT order = order_ + f * size;
  std::uint32_t start = 0;
  for (const std::uint32_t end : boundaries_of(f)) {
    for (std::uint32_t at = start; at < end; ++at) {
      T& place = [&]() -> T& {
        if constexpr (kNarrow) return places_[order[at]];
        return items_[order[at]].place;
      }();
      place = static_cast<T>(start);
    }
    start = end;
  }
}

template <class T>
template <class Gathered>
void KernelColumns<T>::add_blocks_of_two_classes(std::size_t g, const Gathered& gathered) {
  const std::span<const std::uint32_t> all = boundaries_of(g);
  const T* HWY_RESTRICT sum = kNarrow ? boundary_sum.data() + g * size : gathered.sum.data();
  constexpr std::size_t kStep = boundaries_per_block(2);
  double up_before = 0, down_before = 0;
  for (std::size_t b = 0; b < all.size(); b += kStep) {
    const std::size_t last = std::min(b + kStep, all.size()) - 1;
    const double both = weight_before(g, all[last]), difference = static_cast<double>(sum[last]);
    const double plus = (both + difference) / 2, minus = (both - difference) / 2;
    up.push_back(static_cast<T>(plus - up_before));
    down.push_back(static_cast<T>(minus - down_before));
    block_sum.push_back(sum[last]);
    up_before = plus;
    down_before = minus;
  }
  first_block.push_back(up.size());
  const auto range_of = [&](std::size_t first, std::size_t last) {
    SumRange range;
    for (std::size_t c = first; c < last; ++c) {
      range.low = std::min(range.low, sum[c]);
      range.high = std::max(range.high, sum[c]);
    }
    return range;
  };
  std::size_t first = 0, last = all.size() - 1;
  sums[g] = range_of(first, last);
  if (min_rows == 0) return;
  while (first < last && !fits(g, all[first])) ++first;
  while (first < last && !fits(g, all[last - 1])) --last;
  fitting_sums[g] = range_of(first, last);
}

template <class T>
template <class Gathered>
void KernelColumns<T>::add_blocks_of_many_classes(std::size_t g, Gathered& gathered) {
  const std::span<const std::uint32_t> all = boundaries_of(g);
  const Index* HWY_RESTRICT order = order_ + g * size;
  constexpr std::size_t kStep = boundaries_per_block(3);
  const std::size_t base = g * size;
  std::size_t filled = first_minor.back();
  gathered.class_weight.assign(classes, T{0});
  for (std::size_t b = 0, at = 0; b < all.size(); b += kStep) {
    const std::size_t stop = all[std::min(b + kStep, all.size()) - 1];
    for (; at < stop; ++at) {
      const std::uint16_t k = label[base + at] = gathered.label[order[at]];
      minor[filled] = static_cast<std::uint32_t>(at);
      filled += k != dominant;
      gathered.class_weight[k] = static_cast<T>(gathered.class_weight[k] + gathered.weight[order[at]]);
    }
    first_minor.push_back(filled);
    class_prefix.insert(class_prefix.end(), gathered.class_weight.begin(), gathered.class_weight.end());
  }
  first_block.push_back(first_minor.size() - 1);
}

// Sums of weights without sign and of rows, where they are needed.
template <class T>
template <class Gathered>
void KernelColumns<T>::add_prefixes(std::size_t g, const Gathered& gathered) {
  const std::size_t base = g * size;
  const Index* HWY_RESTRICT order = order_ + g * size;
  if (!weight_prefix.empty()) {
    T seen = 0;
    for (std::size_t at = 0; at < size; ++at) {
      const T w = gathered.weight[order[at]];
      weight_prefix[base + at] = seen = static_cast<T>(seen + (w < 0 ? -w : w));
    }
  }
  if (!rows.empty()) {
    T seen = 0;
    for (std::size_t at = 0; at < size; ++at) {
      const T r = rows[base + at] = gathered.rows[order[at]];
      rows_prefix[base + at] = seen = static_cast<T>(seen + r);
    }
  }
}

template struct KernelColumns<std::int16_t>;
template struct KernelColumns<std::int32_t>;
template struct KernelColumns<double>;

}  // namespace treewright::search
#endif  // HWY_ONCE
