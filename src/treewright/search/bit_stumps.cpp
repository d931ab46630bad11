// Depth two on few distinct values: for a cut of one ordering, the best stumps on both of its sides over all cuts of all orderings, from the
// number of items of each class that two cuts have in common.
//
// Idea. A cut is the set of items on its left. Where the orderings have few cuts, each is packed into a bit set, items grouped by class. For
// a root a and a second cut b, the number x of bits that both sets have in common gives the class's weight in all four leaves: x, n(a) - x,
// n(b) - x and n - n(a) - n(b) + x. Nothing else depends on the pair. So a pair takes one AND and one population count for every 64 bytes of
// items, and every stump is evaluated: no bounds, no sorting, no branches. A range of the subset is one more bit set that masks the roots.
// Counts of pairs of binary features go back to the depth-two solver of MurTree (Demirovic et al., JMLR 2022).
//
// Lanes. The machine words of kBlock cuts lie side by side, one lane of a vector each, and the words of the root are broadcast. So the counts
// of a lane add up without a sum across lanes, and one evaluation of the four leaves serves a vector of stumps. Words are as wide as the
// counts: 16 bits up to 32,767 units of weight, 32 bits above.
//
// Weights. An item of weight w is w / s bits, where s is the greatest common divisor of the weights of its class. With min_samples_leaf the
// rows are one more group of bits.
//
// Cost: two vector operations for each vector of 64 bytes and 12 for each class, for each root and kBlock stumps.

#include "treewright/search/bit_stumps.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

// The first target with an instruction that counts the bits of 16-bit lanes.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/bit_stumps.cpp"
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

namespace {

// The groups of a subset: its classes, and its rows where they count.
struct Groups {
  std::vector<double> divisor;  // greatest common divisor of the group's weights; 0 where it has none
  std::vector<double> total;    // weight of the group
  double unit = 0;              // greatest common divisor of all weights
  double rows_unit = 0;

  Groups(const Subset& subset, std::int32_t classes, bool count_rows)
      : divisor(static_cast<std::size_t>(classes) + count_rows, 0.0), total(divisor.size(), 0.0) {
    const auto common = [](double a, double b) {
      while (b != 0) a = std::exchange(b, std::fmod(a, b));
      return a;
    };
    const auto add = [&](std::size_t group, double weight) {
      total[group] += weight;
      if (divisor[group] != 1) divisor[group] = common(weight, divisor[group]);
    };
    for (std::uint32_t i = 0; i < subset.size; ++i) {
      add(subset.label[i], subset.weight[i]);
      if (count_rows) add(divisor.size() - 1, subset.count[i]);
    }
    for (std::int32_t k = 0; k < classes; ++k) unit = common(divisor[k], unit);
    if (count_rows) rows_unit = divisor.back();
  }

  double bits(std::size_t group) const { return divisor[group] == 0 ? 0 : total[group] / divisor[group]; }
};

// One bit for each byte of 0 or 1. Which bit does not matter: it is the same for all columns.
template <class Word>
Word pack(const std::uint8_t* bytes) {
  Word word = 0;
  for (std::size_t b = 0; b < sizeof(Word); ++b) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * b, sizeof eight);
    word = static_cast<Word>(word | static_cast<Word>((eight * 0x0102040810204080ULL) >> 56) << (8 * b));
  }
  return word;
}

}  // namespace

BitWidth choose_bit_width(const Subset& subset, std::int32_t classes, std::int64_t min_rows) {
  // Nanoseconds on the machine of docs/performance.md; only the ratios matter.
  constexpr double kWord = 0.7, kClass = 2.5, kRoot = 12, kLane2 = 0.75, kLaneMany = 4, kPasses = 1.5, kPair = 60;
  const std::size_t orderings = subset.size == 0 ? 0 : subset.order.size() / subset.size;
  if (orderings == 0) return BitWidth::none;
  const auto p = static_cast<double>(orderings), m = static_cast<double>(subset.size), k = static_cast<double>(classes);
  const double lanes = kPasses * p * p * (m * (classes == 2 ? kLane2 : kLaneMany) + kPair);
  const auto cost = [&](double cuts, double bits, double block) {
    return cuts * (kRoot + std::ceil((cuts + 1) / block) * (std::ceil(bits / (512 / block)) * kWord + k * kClass));
  };
  // No group has fewer bits than items, nor is any word narrower.
  std::uint32_t cuts = 0;
  for (std::size_t f = 0; f < orderings; ++f) {
    const std::uint32_t* rank = subset.rank.data() + f * subset.size;
    for (std::uint32_t at = 1; at < subset.size; ++at) cuts += rank[at] != rank[at - 1];
    if (cost(cuts, 0, 32) > lanes) return BitWidth::none;
  }
  if (cuts == 0) return BitWidth::none;
  const Groups groups(subset, classes, min_rows > 1);
  double bits = 0, steps = 0, rows = 0;
  for (std::size_t g = 0; g < groups.total.size(); ++g) bits += groups.bits(g);
  for (std::int32_t c = 0; c < classes; ++c) steps += groups.total[c] / std::max(groups.unit, 1.0);
  if (min_rows > 1) rows = std::max(groups.total.back() / std::max(groups.rows_unit, 1.0), static_cast<double>(min_rows));
  const double largest = std::max(steps, rows);
  if (largest <= std::numeric_limits<std::int16_t>::max()) return cost(cuts, bits, 32) <= lanes ? BitWidth::narrow : BitWidth::none;
  if (largest <= std::numeric_limits<std::int32_t>::max()) return cost(cuts, bits, 16) <= lanes ? BitWidth::wide : BitWidth::none;
  return BitWidth::none;
}

template <class T>
void BitStumps<T>::assign(const Subset& subset, std::int32_t classes, std::int64_t least_rows) {
  constexpr std::size_t kBits = 8 * sizeof(Word);
  const bool count_rows = least_rows > 1;
  const Groups groups(subset, classes, count_rows);
  classes_ = static_cast<std::size_t>(classes);
  groups_ = groups.total.size();
  unit_ = groups.unit;
  rows_unit_ = groups.rows_unit;
  min_rows_ = count_rows ? static_cast<T>(std::ceil(static_cast<double>(least_rows) / groups.rows_unit)) : T{0};
  scale_.assign(groups_, T{1});
  group_begin_.assign(1, 0);
  for (std::size_t g = 0; g < groups_; ++g) {
    if (g < classes_ && groups.divisor[g] > 0) scale_[g] = static_cast<T>(groups.divisor[g] / groups.unit);
    group_begin_.push_back(group_begin_.back() + static_cast<std::size_t>(std::ceil(groups.bits(g) / kBits)));
  }
  words_ = group_begin_.back();

  // Bits of each item: [first, last) of its class, and of the rows.
  struct Bits {
    std::uint32_t first, last;
  };
  static thread_local std::vector<Bits> of_class, of_rows;
  static thread_local std::vector<std::uint32_t> filled;
  filled.clear();
  for (std::size_t g = 0; g < groups_; ++g) filled.push_back(static_cast<std::uint32_t>(group_begin_[g] * kBits));
  of_class.resize(subset.size);
  of_rows.resize(count_rows ? subset.size : 0);
  const auto reserve = [&](std::size_t g, double weight) {
    const std::uint32_t first = filled[g];
    if (weight > 0) filled[g] += static_cast<std::uint32_t>(weight / groups.divisor[g]);
    return Bits{first, filled[g]};
  };
  for (std::uint32_t i = 0; i < subset.size; ++i) {
    of_class[i] = reserve(subset.label[i], subset.weight[i]);
    if (count_rows) of_rows[i] = reserve(classes_, subset.count[i]);
  }

  const std::size_t orderings = subset.order.size() / subset.size;
  place_.clear();
  rank_.clear();
  columns_.clear();
  first_cut_.assign(1, 0);
  // One byte for each bit, so that setting one does not wait for its neighbor.
  static thread_local std::vector<std::uint8_t> seen;
  const auto set = [&](std::uint32_t i) {
    for (std::uint32_t b = of_class[i].first; b < of_class[i].last; ++b) seen[b] = 1;
    if (!count_rows) return;
    for (std::uint32_t b = of_rows[i].first; b < of_rows[i].last; ++b) seen[b] = 1;
  };
  const auto add_column = [&] {
    const std::size_t at = columns_.size();
    columns_.resize(at + words_);
    for (std::size_t w = 0; w < words_; ++w) columns_[at + w] = pack<Word>(seen.data() + w * kBits);
  };
  for (std::size_t f = 0; f < orderings; ++f) {
    const std::span<const std::uint32_t> order = subset.order_of(f), rank = subset.ranks_of(f);
    seen.assign(words_ * kBits, 0);
    const auto last = static_cast<std::uint32_t>(std::lower_bound(rank.begin(), rank.end(), rank.back()) - rank.begin());
    for (std::uint32_t at = 0; at < last;) {
      set(order[at++]);
      if (rank[at] == rank[at - 1]) continue;
      place_.push_back(at);
      rank_.push_back(rank[at]);
      add_column();
    }
    first_cut_.push_back(place_.size());
  }
  for (std::uint32_t i = 0; i < subset.size; ++i) set(i);
  add_column();

  cuts_ = place_.size();
  blocks_ = cuts_ / kBlock + 1;
  slices_.assign(blocks_ * words_ * kBlock, Word{0});
  for (std::size_t c = 0; c <= cuts_; ++c) {
    Word* slice = slices_.data() + c / kBlock * kBlock * words_ + c % kBlock;
    for (std::size_t w = 0; w < words_; ++w) slice[w * kBlock] = columns_[c * words_ + w];
  }
  empty_.assign(words_, Word{0});
  mask_.resize(words_);
  masked_.resize(words_);
  count_.resize(groups_ * blocks_ * kBlock);
  single_.resize(blocks_ * kBlock);
  single_relaxed_.resize(blocks_ * kBlock);
  weight_left_.resize(cuts_ + 1);
}

template <class T>
auto BitStumps<T>::column(std::size_t f, std::uint32_t place) const -> const Word* {
  if (place == 0) return empty_.data();
  const auto begin = place_.begin() + static_cast<std::ptrdiff_t>(first_cut_[f]);
  const auto end = place_.begin() + static_cast<std::ptrdiff_t>(first_cut_[f + 1]);
  const auto found = std::lower_bound(begin, end, place);
  const std::size_t cut = found == end ? cuts_ : static_cast<std::size_t>(found - place_.begin());
  return columns_.data() + cut * words_;
}

template <class T>
void BitStumps<T>::restrict_to(const ItemRange& range) {
  const Word *before = column(range.ordering, range.first), *upto = column(range.ordering, range.last);
  for (std::size_t w = 0; w < words_; ++w) mask_[w] = static_cast<Word>(upto[w] & ~before[w]);
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
    weight_left_[c] = unit_ * static_cast<double>(steps);
  }
  total_weight_ = weight_left_[cuts_];
}

template <class T>
double BitStumps<T>::leaf_errors() const {
  T most = 0;
  for (std::size_t k = 0; k < classes_; ++k) most = std::max(most, count_[k * blocks_ * kBlock + cuts_]);
  return total_weight_ - unit_ * most;
}

template <class T>
double BitStumps<T>::rows() const {
  return rows_unit_ * count_[classes_ * blocks_ * kBlock + cuts_];
}

template <class T>
bool BitStumps<T>::fits(std::size_t cut) const {
  const T* rows = count_.data() + classes_ * blocks_ * kBlock;
  return min_rows_ == 0 || (rows[cut] >= min_rows_ && rows[cuts_] - rows[cut] >= min_rows_);
}

template <class T>
auto BitStumps<T>::evaluate(std::size_t cut) -> Errors {
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
  const double weight_left = weight_left_[cut], weight_right = total_weight_ - weight_left;
  return {weight_left - unit_ * left,
          weight_right - unit_ * right,
          weight_left - unit_ * correct.left,
          weight_right - unit_ * correct.right,
          weight_left - unit_ * correct.left_relaxed,
          weight_right - unit_ * correct.right_relaxed};
}

template class BitStumps<std::int16_t>;
template class BitStumps<std::int32_t>;

}  // namespace treewright::search
#endif  // HWY_ONCE
