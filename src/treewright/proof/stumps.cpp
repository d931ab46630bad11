#include "treewright/proof/stumps.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace treewright::proof {

// The best stumps on the sides of some cuts at once: a lane for each cut. The items come in the order of one ordering after the other. At
// each place where its rank changes, the labels' gains left of the cut and before the place are known, and those of the other three
// parts are differences. T holds whole numbers up to the sum of all gains in whole units; prices are added behind.
template <class T>
class Stumps::Scan {
 public:
  static constexpr std::size_t kLanes = 16;

  Scan(const LabelItems& items, const Part& part, std::span<const std::uint32_t> place, std::int64_t min_rows)
      : items_(items), part_(part), place_(place), min_rows_(static_cast<T>(min_rows)), counted_(min_rows > 1) {}

  // `count` cuts from `cuts`; the other lanes repeat the first one.
  void run(const Cut* cuts, std::size_t count, Sides* out, const Price& price) {
    share_out(cuts, count);
    std::fill_n(best_left_, kLanes, T{0});
    std::fill_n(best_right_, kLanes, T{0});
    begin_with_leaves();
    for (std::size_t g = 0; g < items_.orderings(); ++g) {
      if (items_.labels() == 2) {
        counted_ ? two_labels<true>(g) : two_labels<false>(g);
      } else {
        counted_ ? many_labels<true>(g) : many_labels<false>(g);
      }
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
      Sides& sides = out[lane];
      sides.left_of_all = cost(lane, best_left_, left_, reach_left_, price);
      sides.right_of_all = cost(lane, best_right_, right_, reach_right_, price);
      sides.left = counted_ ? cost(lane, fit_left_, left_, reach_left_, price) : sides.left_of_all;
      sides.right = counted_ ? cost(lane, fit_right_, right_, reach_right_, price) : sides.right_of_all;
      sides.left_leaf = leaf(lane, left_, reach_left_, price);
      sides.right_leaf = leaf(lane, right_, reach_right_, price);
    }
  }

 private:
  // Gains of the items of each lane's left side: mine_[place][lane], and by label; reach by side.
  void share_out(const Cut* cuts, std::size_t count) {
    const std::size_t labels = items_.labels();
    mine_.assign(part_.size() * kLanes, T{0});
    left_.assign(labels * kLanes, T{0});
    right_.assign(labels * kLanes, T{0});
    std::fill_n(reach_left_, kLanes, T{0});
    std::fill_n(reach_right_, kLanes, T{0});
    std::fill_n(rows_left_, kLanes, T{0});
    std::fill_n(rows_right_, kLanes, T{0});
    if (counted_) my_rows_.assign(part_.size() * kLanes, T{0});
    for (const std::uint32_t item : part_.items()) {
      const T gain = static_cast<T>(items_.gain(item)), reach = static_cast<T>(items_.reach(item));
      const std::size_t label = items_.label(item);
      T* mine = &mine_[place_[item] * kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Cut& cut = cuts[lane < count ? lane : 0];
        const bool left = cut.rank == Cut::kEverything || items_.rank(cut.ordering, item) < cut.rank;
        mine[lane] = left ? gain : T{0};
        (left ? left_ : right_)[label * kLanes + lane] += gain;
        (left ? reach_left_ : reach_right_)[lane] += reach;
        if (!counted_) continue;
        const T rows = static_cast<T>(items_.rows(item));
        my_rows_[place_[item] * kLanes + lane] = left ? rows : T{0};
        (left ? rows_left_ : rows_right_)[lane] += rows;
      }
    }
  }

  // Where no split leaves enough rows on both sides, a leaf is the best tree.
  void begin_with_leaves() {
    std::fill_n(fit_left_, kLanes, T{0});
    std::fill_n(fit_right_, kLanes, T{0});
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (items_.labels() == 2) {
        fit_left_[lane] = std::abs(left_[lane] - left_[kLanes + lane]);
        fit_right_[lane] = std::abs(right_[lane] - right_[kLanes + lane]);
        continue;
      }
      for (std::size_t k = 0; k < items_.labels(); ++k) {
        fit_left_[lane] = std::max(fit_left_[lane], left_[k * kLanes + lane]);
        fit_right_[lane] = std::max(fit_right_[lane], right_[k * kLanes + lane]);
      }
    }
  }

  // Rows before a place: of all items, and of each lane's left side.
  struct Rows {
    T both = 0, left[kLanes] = {};
  };
  void count(std::uint32_t item, Rows& before) const {
    const T* mine = &my_rows_[place_[item] * kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) before.left[lane] += mine[lane];
    before.both += static_cast<T>(items_.rows(item));
  }
  // What the stumps of a place gain, where both leaves hold enough rows.
  void keep_fitting(const Rows& before, std::size_t lane, T left, T right) {
    const T rows_left = before.left[lane], rows_right = before.both - rows_left;
    if (rows_left >= min_rows_ && rows_left_[lane] - rows_left >= min_rows_) fit_left_[lane] = std::max(fit_left_[lane], left);
    if (rows_right >= min_rows_ && rows_right_[lane] - rows_right >= min_rows_) fit_right_[lane] = std::max(fit_right_[lane], right);
  }

  bool ends(std::size_t g, std::size_t i) const {
    return i + 1 == part_.size() || items_.rank(g, part_.order(g)[i]) != items_.rank(g, part_.order(g)[i + 1]);
  }

  // Of two labels, each group has one item, whose gain is its reach. With d the gains of label 0 minus those of label 1, before the place
  // and in all, the better labels of a stump gain (reach + |d before| + |d in all - d before|) / 2.
  template <bool kCounted>
  void two_labels(std::size_t g) {
    Rows rows_before;
    T d_left[kLanes] = {}, all_left[kLanes], all_right[kLanes], d_both = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      all_left[lane] = left_[lane] - left_[kLanes + lane];
      all_right[lane] = right_[lane] - right_[kLanes + lane];
    }
    for (std::size_t i = 0; i < part_.size(); ++i) {
      const std::uint32_t item = part_.order(g)[i];
      const T* mine = &mine_[place_[item] * kLanes];
      const T sign = items_.label(item) == 0 ? T{1} : T{-1};
      for (std::size_t lane = 0; lane < kLanes; ++lane) d_left[lane] += sign * mine[lane];
      d_both += sign * static_cast<T>(items_.gain(item));
      if constexpr (kCounted) count(item, rows_before);
      if (!ends(g, i)) continue;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const T d_right = d_both - d_left[lane];
        const T left = std::abs(d_left[lane]) + std::abs(all_left[lane] - d_left[lane]);
        const T right = std::abs(d_right) + std::abs(all_right[lane] - d_right);
        best_left_[lane] = std::max(best_left_[lane], left);
        best_right_[lane] = std::max(best_right_[lane], right);
        if constexpr (kCounted) keep_fitting(rows_before, lane, left, right);
      }
    }
  }

  // The largest gain before the place and the largest one after it.
  template <bool kCounted>
  void many_labels(std::size_t g) {
    Rows rows_before;
    const std::size_t labels = items_.labels();
    std::vector<T> before_left(labels * kLanes, T{0}), before(labels, T{0});
    for (std::size_t i = 0; i < part_.size(); ++i) {
      const std::uint32_t item = part_.order(g)[i];
      const T* mine = &mine_[place_[item] * kLanes];
      T* counted = &before_left[items_.label(item) * kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) counted[lane] += mine[lane];
      before[items_.label(item)] += static_cast<T>(items_.gain(item));
      if constexpr (kCounted) count(item, rows_before);
      if (!ends(g, i)) continue;
      T first_left[kLanes] = {}, second_left[kLanes] = {}, first_right[kLanes] = {}, second_right[kLanes] = {};
      for (std::size_t k = 0; k < labels; ++k) {
        const T *all_left = &left_[k * kLanes], *all_right = &right_[k * kLanes], *left = &before_left[k * kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const T right = before[k] - left[lane];
          first_left[lane] = std::max(first_left[lane], left[lane]);
          second_left[lane] = std::max(second_left[lane], all_left[lane] - left[lane]);
          first_right[lane] = std::max(first_right[lane], right);
          second_right[lane] = std::max(second_right[lane], all_right[lane] - right);
        }
      }
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        best_left_[lane] = std::max(best_left_[lane], first_left[lane] + second_left[lane]);
        best_right_[lane] = std::max(best_right_[lane], first_right[lane] + second_right[lane]);
        if constexpr (kCounted)
          keep_fitting(rows_before, lane, first_left[lane] + second_left[lane], first_right[lane] + second_right[lane]);
      }
    }
  }

  // `best`: of two labels the sum of differences, of more the gains. A leaf is a tree too.
  std::int64_t cost(std::size_t lane, const T* best, const std::vector<T>& gains, const T* of_side, const Price& price) const {
    const auto reach = static_cast<std::int64_t>(of_side[lane]), found = static_cast<std::int64_t>(best[lane]);
    const std::int64_t gained = items_.labels() == 2 ? (reach + found) / 2 : found;
    return std::min(leaf(lane, gains, of_side, price), price.steps + ((reach - gained) << price.grid));
  }

  std::int64_t leaf(std::size_t lane, const std::vector<T>& gains, const T* of_side, const Price& price) const {
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < items_.labels(); ++k) largest = std::max(largest, static_cast<std::int64_t>(gains[k * kLanes + lane]));
    return (static_cast<std::int64_t>(of_side[lane]) - largest) << price.grid;
  }

  const LabelItems& items_;
  const Part& part_;
  const std::span<const std::uint32_t> place_;
  const T min_rows_;
  const bool counted_;
  std::vector<T> my_rows_;              // of the items of each lane's left side. Shape (size x lanes); empty unless rows are counted.
  std::vector<T> mine_, left_, right_;  // Shapes (size x lanes), (labels x lanes), (labels x lanes).
  T reach_left_[kLanes], reach_right_[kLanes];
  T rows_left_[kLanes], rows_right_[kLanes];
  T best_left_[kLanes], best_right_[kLanes], fit_left_[kLanes], fit_right_[kLanes];
};

std::int64_t Stumps::visits(const Part& part, std::size_t cuts) const {
  const std::size_t scans = (cuts + Scan<float>::kLanes - 1) / Scan<float>::kLanes;
  return static_cast<std::int64_t>(scans * part.size() * items_.orderings() * std::max<std::size_t>(1, items_.labels() - 1));
}

std::vector<Sides> Stumps::best(const Part& part, const std::vector<Cut>& cuts) {
  assert(price_.steps >= 0 && price_.grid >= 0);
  std::vector<Sides> costs(cuts.size());
  number_items(part, place_);
  const auto scan = [&]<class T>(Scan<T> lanes) {
    for (std::size_t i = 0; i < cuts.size(); i += Scan<T>::kLanes)
      lanes.run(&cuts[i], std::min(Scan<T>::kLanes, cuts.size() - i), &costs[i], price_);
  };
  const bool small = std::max(items_.total_gain(), std::max(items_.total_rows(), min_rows_)) <= 0x1p23;
  small ? scan(Scan<float>(items_, part, place_, min_rows_)) : scan(Scan<double>(items_, part, place_, min_rows_));
  return costs;
}

}  // namespace treewright::proof
