#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/bounds/intervals.h"
#include "treewright/search/depth_two/kernel_columns.h"
#include "treewright/search/loss/label_sets.h"

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

/// How the splits below a root are shared out: with three splits both children may be stumps; with two splits one of them, and the other
/// one is a leaf.
enum class Share : std::uint8_t { both, left_stump, right_stump };

/// The shares of three splits (`both`) or of two.
inline std::span<const Share> shares(bool both) {
  static constexpr Share kAll[] = {Share::both, Share::left_stump, Share::right_stump};
  return both ? std::span(kAll).first(1) : std::span(kAll).last(2);
}

/// What the sides of a cut cost at least as one leaf, which is exact, and as two. The former is asked for only where one side is a leaf.
struct SideCosts {
  double left_one = 0, left_two = 0, right_one = 0, right_two = 0;

  ClassFloor floor(Share share) const {
    return {share == Share::right_stump ? left_one : left_two, share == Share::left_stump ? right_one : right_two};
  }
  /// Both sides, for the share that costs less.
  double sum(bool both) const { return both ? left_two + right_two : std::min(left_two + right_one, left_one + right_two); }
};

/// Bounds on the sides of the cuts of an ordering, if there are more than two classes. Two leaves have at most two labels, so the items of
/// all other labels gain nothing (loss/costs.h, least_cost). This needs no knowledge of the second splits: a cut that leaves many classes
/// on both sides is excluded before anything is solved. It holds whatever the price of a split, and with min_rows as without.
///
/// Where items have lines of a table, the gains of two labels add up to more than a row has. There the bound is the best pair of labels,
/// and each row gains the larger one of their gains (bounds/class_floors.cpp).
template <class T>
class ClassBounds {
 public:
  /// To be called when the columns have new items.
  void start() { has_pairs_ = false; }
  /// Bounds the cuts of an ordering, unless a look at some of them shows none that costs `need` or more. `both`: both sides may have two
  /// leaves; otherwise one of them.
  void assign(const KernelColumns<T>& columns, std::size_t f, bool both, double need) {
    bounds_.clear();
    if (columns.classes() <= 2) return;
    if (!columns.has_table()) {
      if (some_cost(columns, f, both, need)) sweep(columns, f);
      return;
    }
    if (!has_pairs_) lay_out_pairs(columns);
    if (width_ > 0 && sweep_pairs(columns, f, both) < need) bounds_.clear();
  }
  bool empty() const { return bounds_.empty(); }
  const SideCosts& operator[](std::int64_t cut) const { return bounds_[static_cast<std::size_t>(cut)]; }

 private:
  static constexpr std::size_t kLooks = 16;
  // Pairs of labels are added up several at a time; 16 labels have 120.
  static constexpr std::size_t kMostPairs = 128, kPairStep = 8;
  // Numbers for all items and pairs: 16 MB of whole ones. Beyond, there are no such bounds.
  static constexpr std::size_t kMostGains = std::size_t{1} << 22;

  // Whether one of a few cuts, at the ends of blocks, costs `need` or more.
  static bool some_cost(const KernelColumns<T>& columns, std::size_t f, bool both, double need) {
    const auto [first, last] = columns.blocks_of(f);
    const std::size_t blocks = last - first, classes = columns.classes();
    const std::size_t step = 1 + blocks / kLooks;
    for (std::size_t block = (blocks % step) / 2; block + 1 < blocks; block += step) {
      const T* before = columns.class_weights_up_to(first + block);
      TwoHeaviest<T> left, right;
      for (std::uint16_t k = 0; k < classes; ++k) {
        left.grow(k, before[k]);
        right.grow(k, static_cast<T>(columns.class_weight()[k] - static_cast<double>(before[k])));
      }
      const double more = both ? left.second + right.second : std::max(left.second, right.second);
      if (columns.total_reach() - left.first - right.first - more >= need) return true;
    }
    return blocks < 2;
  }

  void sweep(const KernelColumns<T>& columns, std::size_t f) {
    const std::size_t n = columns.size(), classes = columns.classes();
    const auto walk = columns.walk(f);
    const std::uint16_t* label = columns.labels_of(f);
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
      bounds_[c].right_one = columns.total_reach() - columns.reach_before(f, at) - heaviest.first;
      bounds_[c].right_two = std::max(0.0, bounds_[c].right_one - heaviest.second);
    }
  }

  // Of each item the larger one of the gains of two labels, for all pairs.
  void lay_out_pairs(const KernelColumns<T>& columns) {
    has_pairs_ = true;
    const std::size_t labels = columns.classes();
    if (labels != labels_) pairs_ = LabelSets(labels_ = labels, 2, kMostPairs);
    width_ = (pairs_.size() + kPairStep - 1) / kPairStep * kPairStep;
    if (columns.size() * width_ > kMostGains) width_ = 0;
    pair_gains_.assign(columns.size() * width_, T{0});
    pair_total_.assign(width_, T{0});
    class_total_.resize(labels);
    for (std::size_t k = 0; k < labels; ++k) class_total_[k] = static_cast<T>(columns.class_weight()[k]);
    for (std::size_t i = 0; i < columns.size() && width_ > 0; ++i) {
      pairs_.largest_gains(columns.line(i), pair_gains_.data() + i * width_);
      add_numbers(pair_gains_.data() + i * width_, width_, pair_total_.data());
    }
  }

  // Returns the largest bound of all cuts.
  double sweep_pairs(const KernelColumns<T>& columns, std::size_t f, bool both) {
    const auto walk = columns.walk(f);
    const std::span<const std::uint32_t> boundaries = columns.boundaries_of(f);
    seen_.assign(columns.table_width(), T{0});
    pairs_seen_.assign(width_, T{0});
    bounds_.resize(boundaries.size() - 1);
    const auto largest = [](std::size_t n, const auto& value) {
      T result = 0;
      for (std::size_t i = 0; i < n; ++i) result = std::max(result, static_cast<T>(value(i)));
      return static_cast<double>(result);
    };
    double most = 0;
    std::size_t at = 0;
    for (std::size_t t = 0; t < bounds_.size(); ++t) {
      for (; at < boundaries[t]; ++at) {
        add_numbers(pair_gains_.data() + walk.order[at] * width_, width_, pairs_seen_.data());
        if (!both) add_numbers(walk.line(at), columns.table_width(), seen_.data());
      }
      const double left = columns.reach_before(f, at), right = columns.total_reach() - left;
      SideCosts& costs = bounds_[t];
      costs.left_two = left - largest(width_, [&](std::size_t i) { return pairs_seen_[i]; });
      costs.right_two = right - largest(width_, [&](std::size_t i) { return pair_total_[i] - pairs_seen_[i]; });
      if (!both) {
        costs.left_one = left - largest(labels_, [&](std::size_t k) { return seen_[k]; });
        costs.right_one = right - largest(labels_, [&](std::size_t k) { return class_total_[k] - seen_[k]; });
      }
      most = std::max(most, bounds_[t].sum(both));
    }
    return most;
  }

  std::vector<SideCosts> bounds_;  // shape (cuts), or empty
  std::vector<T> seen_;
  bool has_pairs_ = false;
  std::size_t labels_ = 0, width_ = 0;
  LabelSets pairs_{1, 1, 0};
  std::vector<T> pair_gains_, pair_total_, pairs_seen_;  // shapes (items x width), (width), (width)
  std::vector<T> class_total_;                           // shape (labels)
};

}  // namespace treewright::search
