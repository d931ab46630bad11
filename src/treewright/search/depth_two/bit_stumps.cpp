// Depth two on few distinct values: for a cut of one ordering, the best stumps on both of its sides over all cuts of all orderings, from
// the number of items of each class that two cuts have in common.
//
// Idea. A cut is the set of items on its left. Where the orderings have few cuts, each is packed into a bit set, items grouped by class.
// For a root a and a second cut b, the number x of bits that both sets have in common gives the class's weight in all four leaves: x,
// n(a) - x, n(b) - x and n - n(a) - n(b) + x. Nothing else depends on the pair. So a pair takes one AND and one population count for every
// 64 bytes of items, and every stump is evaluated: no bounds, no sorting, no branches. A range of the subset is one more bit set that masks
// the roots. Counts of pairs of binary features go back to the depth-two solver of MurTree (Demirovic et al., JMLR 2022).
//
// Lanes. The machine words of kBlock cuts lie side by side, one lane of a vector each, and the words of the root are broadcast. So the
// counts of a lane add up without a sum across lanes, and one evaluation of the four leaves serves a vector of stumps. Words are as wide as
// the counts: 16 bits up to 32,767 units of weight, 32 bits above.
//
// Weights. An item of weight w is w / s bits, where s is the greatest common divisor of the weights of its class. With min_samples_leaf the
// rows are one more group of bits. So are the items without reach (loss/costs.cpp), by class: they are counted once for each cut.
//
// Classes. With more than two classes most roots leave so many of them on both sides that two leaves a side cannot tell them apart: these
// are not evaluated (side_costs).
//
// Cost: two vector operations for each vector of 64 bytes and 12 for each class, for each root and kBlock stumps.

#include "treewright/search/depth_two/bit_stumps.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

// The first target with an instruction that counts the bits of 16-bit lanes.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/depth_two/bit_stumps.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#ifndef TREEWRIGHT_BIT_KERNEL
#define TREEWRIGHT_BIT_KERNEL
namespace treewright::search {
// What the kernel reads of a BitStumps.
template <class T>
struct BitKernel {
  using Word = typename BitStumps<T>::Word;
  std::size_t classes, groups, words, blocks, cuts;
  T min_rows;
  const T* scale;
  const std::size_t* group_begin;
  const Word* slices;
  T *count, *single, *single_relaxed;

  explicit BitKernel(BitStumps<T>& in)
      : classes(in.classes_),
        groups(in.groups_),
        words(in.words_),
        blocks(in.blocks_),
        cuts(in.cuts_),
        min_rows(in.min_rows_),
        scale(in.scale_.data()),
        group_begin(in.group_begin_.data()),
        slices(in.slices_.data()),
        count(in.count_.data()),
        single(in.single_.data()),
        single_relaxed(in.single_relaxed_.data()) {}
};
}  // namespace treewright::search
#endif

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class Kernel {
  using Word = typename BitStumps<T>::Word;
  static constexpr std::size_t kBlock = BitStumps<T>::kBlock;
  using D = hn::CappedTag<T, kBlock>;
  using DW = hn::CappedTag<Word, kBlock>;
  using V = hn::Vec<D>;
  const D d_;
  const DW dw_;
  const BitKernel<T>& in_;

  // Steps of a group that the set has in common with each of the cuts of some lanes.
  HWY_INLINE V shared(const Word* HWY_RESTRICT set, std::size_t group, const Word* HWY_RESTRICT slice) const {
    auto sum = hn::Zero(dw_);
    for (std::size_t w = in_.group_begin[group]; w < in_.group_begin[group + 1]; ++w) {
      sum = hn::Add(sum, hn::PopulationCount(hn::And(hn::Set(dw_, set[w]), hn::LoadU(dw_, slice + w * kBlock))));
    }
    return hn::Mul(hn::BitCast(d_, sum), hn::Set(d_, in_.scale[group]));
  }
  HWY_INLINE const Word* slice_at(std::size_t lane) const { return in_.slices + lane / kBlock * kBlock * in_.words + lane % kBlock; }
  HWY_INLINE std::size_t lanes() const { return in_.blocks * kBlock; }

 public:
  explicit Kernel(const BitKernel<T>& in) : in_(in) {}

  // The counts of a range, and the weight that every stump on it labels correctly.
  void count(const Word* HWY_RESTRICT range) const {
    for (std::size_t lane = 0; lane < lanes(); lane += hn::Lanes(d_)) {
      for (std::size_t g = 0; g < in_.groups; ++g) {
        hn::StoreU(shared(range, g, slice_at(lane)), d_, in_.count + g * lanes() + lane);
      }
    }
    for (std::size_t lane = 0; lane < lanes(); lane += hn::Lanes(d_)) {
      V left = hn::Zero(d_), right = left, leaf = left;
      for (std::size_t k = 0; k < in_.classes; ++k) {
        const V all = hn::Set(d_, in_.count[k * lanes() + in_.cuts]), here = hn::LoadU(d_, in_.count + k * lanes() + lane);
        left = hn::Max(left, here);
        right = hn::Max(right, hn::Sub(all, here));
        leaf = hn::Max(leaf, all);
      }
      const V correct = hn::Add(left, right);
      V fitting = correct;
      if (in_.min_rows > 0) {
        const std::size_t rows = in_.classes * lanes();
        const V here = hn::LoadU(d_, in_.count + rows + lane), too_few = hn::Set(d_, static_cast<T>(in_.min_rows - 1));
        const V rest = hn::Sub(hn::Set(d_, in_.count[rows + in_.cuts]), here);
        fitting = hn::IfThenElse(hn::And(hn::Gt(here, too_few), hn::Gt(rest, too_few)), correct, leaf);
      }
      hn::StoreU(correct, d_, in_.single_relaxed + lane);
      hn::StoreU(fitting, d_, in_.single + lane);
    }
  }

  template <bool kCountRows>
  typename BitStumps<T>::Correct evaluate(const Word* HWY_RESTRICT root, std::size_t cut) const {
    const V zero = hn::Zero(d_);
    V best_left = zero, best_right = zero, strict_left = zero, strict_right = zero;
    for (std::size_t k = 0; k < in_.classes; ++k) {
      const T* of_class = in_.count + k * lanes();
      strict_left = hn::Max(strict_left, hn::Set(d_, of_class[cut]));
      strict_right = hn::Max(strict_right, hn::Set(d_, static_cast<T>(of_class[in_.cuts] - of_class[cut])));
    }
    for (std::size_t lane = 0; lane < lanes(); lane += hn::Lanes(d_)) {
      const Word* slice = slice_at(lane);
      V both = zero, first = zero, second = zero, neither = zero;
      for (std::size_t k = 0; k < in_.classes; ++k) {
        const T* of_class = in_.count + k * lanes();
        const V x = shared(root, k, slice), at_root = hn::Set(d_, of_class[cut]);
        const V right = hn::Set(d_, static_cast<T>(of_class[in_.cuts] - of_class[cut]));
        const V y = hn::Sub(hn::LoadU(d_, of_class + lane), x);
        both = hn::Max(both, x);
        first = hn::Max(first, hn::Sub(at_root, x));
        second = hn::Max(second, y);
        neither = hn::Max(neither, hn::Sub(right, y));
      }
      const V left = hn::Add(both, first), right = hn::Add(second, neither);
      best_left = hn::Max(best_left, left);
      best_right = hn::Max(best_right, right);
      if constexpr (kCountRows) {
        const T* rows = in_.count + in_.classes * lanes();
        const V x = shared(root, in_.classes, slice), y = hn::Sub(hn::LoadU(d_, rows + lane), x);
        const V too_few = hn::Set(d_, static_cast<T>(in_.min_rows - 1));
        const V x_rest = hn::Sub(hn::Set(d_, rows[cut]), x), y_rest = hn::Sub(hn::Set(d_, static_cast<T>(rows[in_.cuts] - rows[cut])), y);
        const auto left_fits = hn::And(hn::Gt(x, too_few), hn::Gt(x_rest, too_few));
        const auto right_fits = hn::And(hn::Gt(y, too_few), hn::Gt(y_rest, too_few));
        strict_left = hn::IfThenElse(left_fits, hn::Max(strict_left, left), strict_left);
        strict_right = hn::IfThenElse(right_fits, hn::Max(strict_right, right), strict_right);
      }
    }
    const auto most = [&](V v) HWY_ATTR { return hn::GetLane(hn::MaxOfLanes(d_, v)); };
    if constexpr (!kCountRows) {
      const T left = most(best_left), right = most(best_right);
      return {left, right, left, right};
    }
    return {most(strict_left), most(strict_right), most(best_left), most(best_right)};
  }
};

template <class T>
typename BitStumps<T>::Correct evaluate(const BitKernel<T>& in, const typename BitStumps<T>::Word* root, std::size_t cut) {
  const Kernel<T> kernel(in);
  return in.min_rows > 0 ? kernel.template evaluate<true>(root, cut) : kernel.template evaluate<false>(root, cut);
}

void count_narrow(const BitKernel<std::int16_t>& in, const std::uint16_t* range) {
  Kernel<std::int16_t>(in).count(range);
}
void count_wide(const BitKernel<std::int32_t>& in, const std::uint32_t* range) {
  Kernel<std::int32_t>(in).count(range);
}
BitStumps<std::int16_t>::Correct evaluate_narrow(const BitKernel<std::int16_t>& in, const std::uint16_t* root, std::size_t cut) {
  return evaluate<std::int16_t>(in, root, cut);
}
BitStumps<std::int32_t>::Correct evaluate_wide(const BitKernel<std::int32_t>& in, const std::uint32_t* root, std::size_t cut) {
  return evaluate<std::int32_t>(in, root, cut);
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace treewright::search {

HWY_EXPORT(count_narrow);
HWY_EXPORT(count_wide);
HWY_EXPORT(evaluate_narrow);
HWY_EXPORT(evaluate_wide);

template <class T>
void BitStumps<T>::assign(const BitColumns& columns, std::int64_t least_rows) {
  constexpr std::size_t kBits = 8 * sizeof(Word);
  all_ = &columns;
  classes_ = columns.classes;
  groups_ = columns.groups;
  // More than all rows is as good as any larger number.
  min_rows_ = 0;
  if (columns.counts_rows())
    min_rows_ = static_cast<T>(std::min(std::ceil(static_cast<double>(least_rows) / columns.rows_unit), columns.bits[classes_] + 1.0));
  scale_.resize(groups_);
  std::transform(columns.scale.begin(), columns.scale.end(), scale_.begin(), [](std::int64_t scale) { return static_cast<T>(scale); });
  group_begin_.assign(1, 0);
  for (const std::uint32_t bits : columns.bits) group_begin_.push_back(group_begin_.back() + (bits + kBits - 1) / kBits);
  words_ = group_begin_.back();
  cuts_ = columns.cuts();
  blocks_ = cuts_ / kBlock + 1;
  columns_.resize((cuts_ + 1) * words_);
  slices_.assign(blocks_ * words_ * kBlock, Word{0});
  for (std::size_t c = 0; c <= cuts_; ++c) {
    Word* column = columns_.data() + c * words_;
    shorten(columns.column(c), column);
    Word* slice = slices_.data() + c / kBlock * kBlock * words_ + c % kBlock;
    for (std::size_t w = 0; w < words_; ++w) slice[w * kBlock] = column[w];
  }
  mask_.resize(words_);
  masked_.resize(words_);
  count_.resize(groups_ * blocks_ * kBlock);
  single_.resize(blocks_ * kBlock);
  single_relaxed_.resize(blocks_ * kBlock);
  reach_left_.resize(cuts_ + 1);
}

template <class T>
void BitStumps<T>::shorten(const BitColumns::Word* from, Word* to) const {
  for (std::size_t g = 0; g < groups_; ++g) {
    const BitColumns::Word* long_words = from + all_->group_begin[g];
    Word* words = to + group_begin_[g];
    const std::size_t count = group_begin_[g + 1] - group_begin_[g];
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(words, long_words, count * sizeof(Word));
    } else {
      constexpr std::size_t kParts = sizeof(BitColumns::Word) / sizeof(Word);
      for (std::size_t w = 0; w < count; ++w) words[w] = static_cast<Word>(long_words[w / kParts] >> (8 * sizeof(Word) * (w % kParts)));
    }
  }
}

template <class T>
void BitStumps<T>::restrict_to(const ItemRange& range) {
  static thread_local std::vector<BitColumns::Word> mask;
  all_->mask(range.ordering, range.first, range.last, mask);
  shorten(mask.data(), mask_.data());
  const BitKernel<T> kernel(*this);
  if constexpr (sizeof(T) == 2) {
    HWY_DYNAMIC_DISPATCH(count_narrow)(kernel, mask_.data());
  } else {
    HWY_DYNAMIC_DISPATCH(count_wide)(kernel, mask_.data());
  }
  const std::size_t lanes = blocks_ * kBlock;
  for (std::size_t c = 0; c <= cuts_; ++c) {
    std::int64_t steps = 0;
    for (std::size_t k = 0; k < classes_; ++k) steps += count_[k * lanes + c];
    for (std::size_t g = all_->lost_group(); g < groups_; ++g) steps -= static_cast<std::int64_t>(count_[g * lanes + c]);
    reach_left_[c] = all_->unit * static_cast<double>(steps);
  }
  total_reach_ = reach_left_[cuts_];
}

template <class T>
double BitStumps<T>::weight() const {
  std::int64_t steps = 0;
  for (std::size_t k = 0; k < classes_; ++k) steps += count_[k * blocks_ * kBlock + cuts_];
  return all_->unit * static_cast<double>(steps);
}

template <class T>
double BitStumps<T>::leaf_errors() const {
  T most = 0;
  for (std::size_t k = 0; k < classes_; ++k) most = std::max(most, count_[k * blocks_ * kBlock + cuts_]);
  return total_reach_ - all_->unit * most;
}

template <class T>
double BitStumps<T>::rows() const {
  return all_->rows_unit * count_[classes_ * blocks_ * kBlock + cuts_];
}

template <class T>
bool BitStumps<T>::fits(std::size_t cut) const {
  const T* rows = count_.data() + classes_ * blocks_ * kBlock;
  return min_rows_ == 0 || (rows[cut] >= min_rows_ && rows[cuts_] - rows[cut] >= min_rows_);
}

template <class T>
SideCosts BitStumps<T>::side_costs(std::size_t cut) const {
  TwoHeaviest<T> left, right;
  for (std::size_t k = 0; k < classes_; ++k) {
    const T* of_class = count_.data() + k * blocks_ * kBlock;
    left.grow(static_cast<std::uint16_t>(k), of_class[cut]);
    right.grow(static_cast<std::uint16_t>(k), static_cast<T>(of_class[cuts_] - of_class[cut]));
  }
  const double left_one = reach_left_[cut] - all_->unit * left.first,
               right_one = total_reach_ - reach_left_[cut] - all_->unit * right.first;
  return {left_one, std::max(0.0, left_one - all_->unit * left.second), right_one, std::max(0.0, right_one - all_->unit * right.second)};
}

template <class T>
auto BitStumps<T>::evaluate(std::size_t cut) -> Errors {
  assert(cut < cuts_);
  const Word* column = columns_.data() + cut * words_;
  for (std::size_t w = 0; w < words_; ++w) masked_[w] = static_cast<Word>(column[w] & mask_[w]);
  const BitKernel<T> kernel(*this);
  Correct correct;
  if constexpr (sizeof(T) == 2) {
    correct = HWY_DYNAMIC_DISPATCH(evaluate_narrow)(kernel, masked_.data(), cut);
  } else {
    correct = HWY_DYNAMIC_DISPATCH(evaluate_wide)(kernel, masked_.data(), cut);
  }
  T left = 0, right = 0;
  for (std::size_t k = 0; k < classes_; ++k) {
    const T* of_class = count_.data() + k * blocks_ * kBlock;
    left = std::max(left, of_class[cut]);
    right = std::max(right, static_cast<T>(of_class[cuts_] - of_class[cut]));
  }
  const double reach_left = reach_left_[cut], reach_right = total_reach_ - reach_left;
  return {reach_left - all_->unit * left,
          reach_right - all_->unit * right,
          {reach_left - all_->unit * correct.left, reach_left - all_->unit * correct.left_relaxed},
          {reach_right - all_->unit * correct.right, reach_right - all_->unit * correct.right_relaxed}};
}

template class BitStumps<std::int16_t>;
template class BitStumps<std::int32_t>;

}  // namespace treewright::search
#endif  // HWY_ONCE
