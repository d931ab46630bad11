// More than two classes: the heaviest class of prefix and suffix for each lane (stump_kernel.cpp, "Idea").
//
// Range of numbers. Rows of equal features have an item for each label that gains there, none of them more than their reach. So the items
// of one label weigh no more than the reach of all items, and a label of the prefix and one of the suffix together do not either, for these
// are of different rows. So narrow numbers serve where the reach fits. Only `all`, the items of all labels, may weigh more: it wraps
// around, and what is subtracted from it wraps back. Where items have lines of a table, there is no such sum.
//
// Compiled once for each set of vector instructions: stump_kernel.cpp includes this in a loop, so the guard is a toggle.
#if defined(TREEWRIGHT_SEARCH_MANY_CLASS_STUMPS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TREEWRIGHT_SEARCH_MANY_CLASS_STUMPS_H
#undef TREEWRIGHT_SEARCH_MANY_CLASS_STUMPS_H
#else
#define TREEWRIGHT_SEARCH_MANY_CLASS_STUMPS_H
#endif

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include <hwy/highway.h>

#include "treewright/search/depth_two/kernel_columns.h"
#include "treewright/search/depth_two/lane_sums.h"

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kTable: the items have lines of a table (kernel_columns.h).
template <class T, bool kCountRows, bool kTable>
class ManyClasses {
 public:
  ManyClasses(KernelColumns<T>& in, std::size_t f, const T* HWY_RESTRICT cuts)
      : in_(in), f_(f), cuts_(cuts), n_(in.size()), classes_(in.classes()), sums_(kTable ? in.table_width() : classes_) {
    // Lane vectors that straddle cache lines take half as much time again.
    constexpr std::size_t kCacheLine = 64;
    const std::size_t needed = kLanes * (7 * sums_ + 3 * kBlock) + 2 * classes_;
    in_.scratch.resize(needed + kCacheLine / sizeof(T));
    void* start = in_.scratch.data();
    std::size_t room = in_.scratch.size() * sizeof(T);
    T* memory = static_cast<T*>(std::align(kCacheLine, needed * sizeof(T), start, room));
    for (T** array : {&prefix_, &start_, &left_total_, &right_total_, &right_, &suffix_left_, &suffix_right_}) {
      *array = memory;
      memory += kLanes * sums_;
    }
    max_left_ = memory;
    max_right_ = memory + kLanes * kBlock;
    seen_ = memory + 2 * kLanes * kBlock;
    zeros_ = memory + 3 * kLanes * kBlock;
    passed_ = zeros_ + classes_;
    std::fill_n(zeros_, classes_, T{0});
  }

  void run(CutErrors& out) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d_)) run_lanes(lane, out);
  }

 private:
  static constexpr std::size_t kBlock = kBlockOfMany;
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
  static HWY_INLINE V ceiling(const Heaviest& start, const Heaviest& end) {
    return hn::Max(add_up_to_largest(end.prefix, start.suffix_other), add_up_to_largest(end.prefix_other, start.suffix_max()));
  }
  // The same where rows have several items: each row of the block gains its reach at most, on whichever side of the cut it is.
  static HWY_INLINE V ceiling_by_reach(const Heaviest& start, const Heaviest& end, V reach) {
    return hn::Add(hn::Max(hn::Add(start.prefix, end.suffix_other), hn::Add(start.prefix_other, end.suffix_max())), reach);
  }
  // The items of the block count twice here, so the sum may be more than a narrow number holds.
  static HWY_INLINE V add_up_to_largest(V x, V y) {
    if constexpr (sizeof(T) == 2) {
      return hn::SaturatedAdd(x, y);
    } else {
      return hn::Add(x, y);
    }
  }

  // Class weights of all items left of each cut: one walk along f, as the cuts ascend.
  void count_left(std::size_t lane) {
    [[maybe_unused]] const std::uint16_t* HWY_RESTRICT labels = kTable ? nullptr : in_.labels_of(f_);
    const auto walk = in_.walk(f_);
    std::vector<T> seen(classes_, T{0});
    std::size_t at = 0;
    rows_left_total_ = hn::Zero(d_);
    HWY_ALIGN_MAX T rows[kLanes] = {};
    for (std::size_t c = 0; c < lanes_; ++c) {
      for (const auto stop = static_cast<std::size_t>(cuts_[lane + c]); at < stop; ++at) {
        if constexpr (kTable) {
          add_numbers(walk.line(at), classes_, seen.data());
        } else {
          T& w = seen[labels[at]];
          w = static_cast<T>(w + walk.weight(at));
        }
      }
      for (std::size_t k = 0; k < classes_; ++k) left_total_[k * lanes_ + c] = seen[k];
      if constexpr (kCountRows) rows[c] = in_.rows_prefix_of(f_)[at - 1];
    }
    if constexpr (kCountRows) rows_left_total_ = hn::LoadU(d_, rows);
  }

  void run_lanes(std::size_t lane, CutErrors& out) {
    const V cut = hn::LoadU(d_, cuts_ + lane), zero = hn::Zero(d_);
    count_left(lane);
    const T* HWY_RESTRICT class_total = in_.class_weights_up_to(in_.blocks_of(0).last - 1);
    V leaf_left = zero, leaf_right = zero;
    for (std::size_t k = 0; k < classes_; ++k) {
      leaf_left = hn::Max(leaf_left, get(left_total_, k));
      put(hn::Sub(set(class_total[k]), get(left_total_, k)), right_total_, k);
      leaf_right = hn::Max(leaf_right, get(right_total_, k));
    }
    Best best{leaf_left, leaf_right, leaf_left, leaf_right};
    for (const std::size_t g : in_.sequence()) {
      const auto walk = in_.walk(g);
      [[maybe_unused]] const std::uint16_t* HWY_RESTRICT label = kTable ? nullptr : in_.labels_of(g);
      std::fill_n(prefix_, lanes_ * sums_, T{0});
      [[maybe_unused]] V all = zero;  // weight of the left items so far, of whatever class
      [[maybe_unused]] V seen = zero;
      Maxima at_start = maxima(zeros_);
      const std::span<const std::uint32_t> boundaries = in_.boundaries_of(g);
      const std::uint32_t* end = boundaries.data();
      std::size_t at = 0;
      const auto blocks = in_.blocks_of(g);
      for (std::size_t block = blocks.first; block < blocks.last; ++block) {
        const std::uint32_t* const block_last = boundaries.data() + in_.block_end(block);
        const std::size_t begin = at, stop = block_last[-1];
        const V seen_before = seen;
        if constexpr (kTable) {
          std::swap(start_, prefix_);
          add_lines(walk, begin, stop, cut);
        } else {
          std::copy_n(prefix_, lanes_ * sums_, start_);
          // The heaviest class is what is left of the total when the others are known: most items touch registers only.
          for (std::size_t i = begin; i < stop; ++i) all = add_masked(hn::Lt(set(walk.place(i)), cut), all, set(walk.weight(i)));
          add_minor(walk, block, cut, label);
          V dominant = all;
          for (std::size_t k = 0; k < classes_; ++k) {
            if (k != in_.dominant()) dominant = hn::Sub(dominant, get(prefix_, k));
          }
          put(dominant, prefix_, in_.dominant());
        }
        if constexpr (kCountRows) {
          for (std::size_t i = begin; i < stop; ++i) seen = add_masked(hn::Lt(set(walk.place(i)), cut), seen, set(in_.rows_of(g)[i]));
        }
        at = stop;

        const Maxima at_end = maxima(in_.class_weights_up_to(block));
        take(g, stop, hn::Add(at_end.left.prefix_max(), at_end.left.suffix_max()),
             hn::Add(at_end.right.prefix_max(), at_end.right.suffix_max()), seen, best);
        if (block_last - end == 1) {
          at_start = at_end;
          end = block_last;
          continue;
        }
        V ceiling_left = ceiling(at_start.left, at_end.left), ceiling_right = ceiling(at_start.right, at_end.right);
        if constexpr (kTable) {
          const V reach = set(static_cast<T>(in_.reach_before(g, stop) - in_.reach_before(g, begin)));
          const V left_reach = hn::Sub(get(prefix_, classes_), get(start_, classes_));
          ceiling_left = hn::Min(ceiling_left, ceiling_by_reach(at_start.left, at_end.left, left_reach));
          ceiling_right = hn::Min(ceiling_right, ceiling_by_reach(at_start.right, at_end.right, hn::Sub(reach, left_reach)));
        }
        const V &found_left = kCountRows ? best.left_strict : best.left, &found_right = kCountRows ? best.right_strict : best.right;
        if (!hn::AllFalse(d_, hn::Or(hn::Gt(ceiling_left, found_left), hn::Gt(ceiling_right, found_right)))) {
          if constexpr (kTable) {
            evaluate_lines(g, cut, begin, end, block_last, block, seen_before, best);
          } else {
            evaluate_block(g, cut, begin, end, block_last, block, at_start, at_end, seen_before, best);
          }
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

  // The items of a block that are of other classes than the dominant one.
  template <class Walk>
  HWY_INLINE void add_minor(const Walk& walk, std::size_t block, V cut, const std::uint16_t* HWY_RESTRICT label) {
    for (const std::size_t i : in_.minor_of(block)) {
      put(add_masked(hn::Lt(set(walk.place(i)), cut), get(prefix_, label[i]), set(walk.weight(i))), prefix_, label[i]);
    }
  }

  // The lines of a block, added to the sums at its start: those of a few labels at a time stay in registers. The last of them is the reach.
  template <class Walk>
  HWY_INLINE void add_lines(const Walk& walk, std::size_t begin, std::size_t stop, V cut) {
    static_assert(kTableStep == 4);
    for (std::size_t k = 0; k < sums_; k += kTableStep) {
      V sum0 = get(start_, k), sum1 = get(start_, k + 1), sum2 = get(start_, k + 2), sum3 = get(start_, k + 3);
      for (std::size_t i = begin; i < stop; ++i) {
        const T* HWY_RESTRICT line = walk.line(i) + k;
        const auto goes_left = hn::Lt(set(walk.place(i)), cut);
        sum0 = add_masked(goes_left, sum0, set(line[0]));
        sum1 = add_masked(goes_left, sum1, set(line[1]));
        sum2 = add_masked(goes_left, sum2, set(line[2]));
        sum3 = add_masked(goes_left, sum3, set(line[3]));
      }
      put(sum0, prefix_, k);
      put(sum1, prefix_, k + 1);
      put(sum2, prefix_, k + 2);
      put(sum3, prefix_, k + 3);
    }
  }

  HWY_INLINE Maxima maxima(const T* HWY_RESTRICT passed) const {
    const V zero = hn::Zero(d_);
    Maxima m{{zero, zero, zero, zero}, {zero, zero, zero, zero}};
    for (std::size_t k = 0; k < classes_; ++k) {
      const V left = get(prefix_, k), left_total = get(left_total_, k), right = hn::Sub(set(passed[k]), left);
      const V left_suffix = hn::Sub(left_total, left), right_suffix = hn::Sub(get(right_total_, k), right);
      if (k == in_.dominant()) {
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

  // The stumps that cut after `place` items get so much right, with `seen` rows of them left of the root's cut.
  HWY_INLINE void take(std::size_t g, std::size_t place, V left, V right, [[maybe_unused]] V seen, Best& best) const {
    best.left = hn::Max(best.left, left);
    best.right = hn::Max(best.right, right);
    if constexpr (kCountRows) {
      const V too_few = set(static_cast<T>(in_.min_rows() - 1)), rows_right = hn::Sub(set(in_.rows_prefix_of(g)[place - 1]), seen);
      const V all_right = hn::Sub(set(in_.rows_prefix_of(0)[n_ - 1]), rows_left_total_);
      const auto left_fits = hn::And(hn::Gt(seen, too_few), hn::Gt(hn::Sub(rows_left_total_, seen), too_few));
      const auto right_fits = hn::And(hn::Gt(rows_right, too_few), hn::Gt(hn::Sub(all_right, rows_right), too_few));
      best.left_strict = hn::IfThenElse(left_fits, hn::Max(best.left_strict, left), best.left_strict);
      best.right_strict = hn::IfThenElse(right_fits, hn::Max(best.right_strict, right), best.right_strict);
    }
  }

  const T* class_weights_before(std::size_t g, std::size_t block) const {
    return block == in_.blocks_of(g).first ? zeros_ : in_.class_weights_up_to(block - 1);
  }

  // Every boundary of one block but its end: forward, the maxima of the prefixes are written down; backward, those of the suffixes are
  // added.
  void evaluate_block(std::size_t g, V cut, std::size_t begin, const std::uint32_t* end, const std::uint32_t* block_last, std::size_t block,
                      const Maxima& at_start, const Maxima& at_end, V seen, Best& best) {
    const auto walk = in_.walk(g);
    const std::uint16_t* HWY_RESTRICT label = in_.labels_of(g);
    const T* HWY_RESTRICT passed = in_.class_weights_up_to(block);
    const T* HWY_RESTRICT before = class_weights_before(g, block);
    for (std::size_t k = 0; k < classes_; ++k) {
      put(hn::Sub(set(before[k]), get(start_, k)), right_, k);
      const V suffix_left = hn::Sub(get(left_total_, k), get(prefix_, k));
      put(suffix_left, suffix_left_, k);
      put(hn::Sub(get(right_total_, k), hn::Sub(set(passed[k]), get(prefix_, k))), suffix_right_, k);
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
    const std::size_t boundaries = static_cast<std::size_t>(block_last - end) - 1;
    for (std::size_t e = 0; e < boundaries; ++e) {
      for (; at < end[e]; ++at) {
        const auto goes_left = add_item(at, start_, right_, left, right);
        if constexpr (kCountRows) seen = add_masked(goes_left, seen, set(in_.rows_of(g)[at]));
        (void)goes_left;
      }
      put(left, max_left_, e);
      put(right, max_right_, e);
      if constexpr (kCountRows) put(seen, seen_, e);
    }
    left = at_end.left.suffix_max();
    right = at_end.right.suffix_max();
    at = block_last[-1];
    for (std::size_t e = boundaries; e-- > 0;) {
      while (at > end[e]) add_item(--at, suffix_left_, suffix_right_, left, right);
      take(g, end[e], hn::Add(left, get(max_left_, e)), hn::Add(right, get(max_right_, e)), kCountRows ? get(seen_, e) : seen, best);
    }
  }

  // The same of items with lines: all labels change with each of them, so one walk adds them up and takes the maxima.
  void evaluate_lines(std::size_t g, V cut, std::size_t begin, const std::uint32_t* end, const std::uint32_t* block_last, std::size_t block,
                      V seen, Best& best) {
    const auto walk = in_.walk(g);
    std::copy_n(class_weights_before(g, block), classes_, passed_);
    const auto place_of = [&](std::size_t at) HWY_ATTR { return hn::Lt(set(walk.place(at)), cut); };
    const auto prefix = [&](auto goes_left, std::size_t k, T gain) HWY_ATTR {
      const V l = add_masked(goes_left, get(start_, k), set(gain));
      put(l, start_, k);
      passed_[k] = static_cast<T>(passed_[k] + gain);
      return l;
    };
    for (std::size_t at = begin; end + 1 < block_last; ++end, ++at) {
      for (; at + 1 < *end; ++at) {
        const auto goes_left = place_of(at);
        for (std::size_t k = 0; k < classes_; ++k) prefix(goes_left, k, walk.line(at)[k]);
        if constexpr (kCountRows) seen = add_masked(goes_left, seen, set(in_.rows_of(g)[at]));
      }
      const auto goes_left = place_of(at);
      const T* HWY_RESTRICT line = walk.line(at);
      V left = hn::Zero(d_), left_suffix = left, right = left, right_suffix = left;
      for (std::size_t k = 0; k < classes_; ++k) {
        const V l = prefix(goes_left, k, line[k]), r = hn::Sub(set(passed_[k]), l);
        left = hn::Max(left, l);
        left_suffix = hn::Max(left_suffix, hn::Sub(get(left_total_, k), l));
        right = hn::Max(right, r);
        right_suffix = hn::Max(right_suffix, hn::Sub(get(right_total_, k), r));
      }
      if constexpr (kCountRows) seen = add_masked(goes_left, seen, set(in_.rows_of(g)[at]));
      take(g, *end, hn::Add(left, left_suffix), hn::Add(right, right_suffix), seen, best);
    }
  }

  void store(V correct, bool left_range, std::size_t lane, double* errors) const {
    HWY_ALIGN_MAX T buffer[kLanes];
    hn::StoreU(correct, d_, buffer);
    for (std::size_t c = 0; c < lanes_; ++c) {
      const double reach_left = in_.reach_before(f_, static_cast<std::size_t>(cuts_[lane + c]));
      errors[lane + c] = (left_range ? reach_left : in_.total_reach() - reach_left) - static_cast<double>(buffer[c]);
    }
  }

  const D d_;
  const std::size_t lanes_ = hn::Lanes(D());
  KernelColumns<T>& in_;
  const std::size_t f_;
  const T* HWY_RESTRICT const cuts_;
  const std::size_t n_, classes_, sums_;  // sums: lane vectors of a prefix
  // Class weights, a lane vector each: of the prefix, of the prefix at the start of the block, of all left and all right items, of the
  // prefix on the right range, and of the suffixes.
  T *prefix_, *start_, *left_total_, *right_total_, *right_, *suffix_left_, *suffix_right_;
  T *max_left_, *max_right_, *seen_;  // at the boundaries of one block
  T *zeros_, *passed_;                // class weights before the first block, and before an item
  V rows_left_total_;
};

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#endif
