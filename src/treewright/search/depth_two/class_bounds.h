#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/depth_two/kernel_columns.h"

namespace treewright::search {

/// The weights of the two heaviest classes.
template <class T>
struct TwoHeaviest {
  T first = 0, second = 0;
  std::uint16_t first_class = 0;

  /// The class weighs so much now, which is no less than before. Without branches: the labels of items in a row are hard to predict.
  void grow(std::uint16_t k, T weight) {
    const bool passes = weight > first;
    second = k == first_class ? second : std::max(second, std::min(first, weight));
    first_class = passes ? k : first_class;
    first = passes ? weight : first;
  }
};

/// What the sides of a cut cost at least as one leaf, which is exact, and as two.
struct SideCosts {
  double left_one = 0, left_two = 0, right_one = 0, right_two = 0;

  /// Both sides, as two leaves each, or, where not `both`, one of them as one leaf.
  double sum(bool both) const { return both ? left_two + right_two : std::min(left_two + right_one, left_one + right_two); }
};

/// Bounds on the sides of the cuts of an ordering, if there are more than two classes. Two leaves have at most two labels, so the items of
/// all other labels gain nothing (loss/costs.h, least_cost). This needs no knowledge of the second splits: a cut that leaves many classes
/// on both sides is excluded before anything is solved. It holds whatever the price of a split, and with min_rows as without.
template <class T>
class ClassBounds {
 public:
  /// Bounds the cuts of an ordering, unless a look at some of them shows none that costs `need` or more. `both`: both sides may have two
  /// leaves; otherwise one of them.
  void assign(const KernelColumns<T>& columns, std::size_t f, bool both, double need) {
    bounds_.clear();
    if (columns.classes > 2 && some_cost(columns, f, both, need)) sweep(columns, f);
  }
  bool empty() const { return bounds_.empty(); }
  const SideCosts& operator[](std::int64_t cut) const { return bounds_[static_cast<std::size_t>(cut)]; }

 private:
  static constexpr std::size_t kLooks = 16;

  // Whether one of a few cuts, at the ends of blocks, costs `need` or more.
  static bool some_cost(const KernelColumns<T>& columns, std::size_t f, bool both, double need) {
    const std::size_t first = columns.first_block[f], blocks = columns.first_block[f + 1] - first, classes = columns.class_weight.size();
    const std::size_t step = 1 + blocks / kLooks;
    for (std::size_t block = (blocks % step) / 2; block + 1 < blocks; block += step) {
      const T* before = columns.class_prefix.data() + (first + block) * classes;
      TwoHeaviest<T> left, right;
      for (std::uint16_t k = 0; k < classes; ++k) {
        left.grow(k, before[k]);
        right.grow(k, static_cast<T>(columns.class_weight[k] - static_cast<double>(before[k])));
      }
      const double more = both ? left.second + right.second : std::max(left.second, right.second);
      if (columns.total_reach - left.first - right.first - more >= need) return true;
    }
    return blocks < 2;
  }

  void sweep(const KernelColumns<T>& columns, std::size_t f) {
    const std::size_t n = columns.size, classes = columns.class_weight.size();
    const auto walk = columns.walk(f);
    const std::uint16_t* label = columns.label.data() + f * n;
    const std::span<const std::uint32_t> boundaries = columns.boundaries_of(f);
    seen_.assign(classes, T{0});
    bounds_.resize(boundaries.size() - 1);
    TwoHeaviest<T> heaviest;
    std::size_t at = 0;
    const auto add = [&] {
      T& weight = seen_[label[at]];
      weight = static_cast<T>(weight + walk.weight(at));
      heaviest.grow(label[at], weight);
    };
    for (std::size_t c = 0; c < bounds_.size(); ++c) {
      for (; at < boundaries[c]; ++at) add();
      bounds_[c].left_one = columns.reach_before(f, at) - heaviest.first;
      bounds_[c].left_two = std::max(0.0, bounds_[c].left_one - heaviest.second);
    }
    seen_.assign(classes, T{0});
    heaviest = {};
    at = n;
    for (std::size_t c = bounds_.size(); c-- > 0;) {
      while (at > boundaries[c]) {
        --at;
        add();
      }
      bounds_[c].right_one = columns.total_reach - columns.reach_before(f, at) - heaviest.first;
      bounds_[c].right_two = std::max(0.0, bounds_[c].right_one - heaviest.second);
    }
  }

  std::vector<SideCosts> bounds_;  // shape (cuts), or empty
  std::vector<T> seen_;
};

}  // namespace treewright::search
