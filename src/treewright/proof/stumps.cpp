#include "treewright/proof/stumps.h"

#include <algorithm>
#include <cmath>

namespace treewright::proof {

// The best stumps on the sides of some cuts at once: a lane for each cut. The items come in the order of one ordering after the other. At
// each place where its rank changes, the labels' gains left of the cut and before the place are known, and those of the other three
// parts are differences. T holds whole numbers up to the sum of all gains in whole units; prices are added behind.
template <class T>
class Stumps::Scan {
 public:
  static constexpr std::size_t kLanes = 16;

  Scan(const Items& items, const Part& part, std::span<const std::uint32_t> place) : items_(items), part_(part), place_(place) {}

  // `count` cuts from `cuts`; the other lanes repeat the first one.
  void run(const Cut* cuts, std::size_t count, Sides* out, const Price& price) {
    share_out(cuts, count);
    std::fill_n(best_left_, kLanes, T{0});
    std::fill_n(best_right_, kLanes, T{0});
    for (std::size_t g = 0; g < items_.orderings(); ++g) items_.labels() == 2 ? two_labels(g) : many_labels(g);
    for (std::size_t lane = 0; lane < count; ++lane)
      out[lane] = {cost(lane, best_left_, left_, reach_left_, price), cost(lane, best_right_, right_, reach_right_, price),
                   leaf(lane, left_, reach_left_, price), leaf(lane, right_, reach_right_, price)};
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
      }
    }
  }

  bool ends(std::size_t g, std::size_t i) const {
    return i + 1 == part_.size() || items_.rank(g, part_.order(g)[i]) != items_.rank(g, part_.order(g)[i + 1]);
  }

  // Of two labels, each group has one item, whose gain is its reach. With d the gains of label 0 minus those of label 1, before the place
  // and in all, the better labels of a stump gain (reach + |d before| + |d in all - d before|) / 2.
  void two_labels(std::size_t g) {
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
      if (!ends(g, i)) continue;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const T d_right = d_both - d_left[lane];
        best_left_[lane] = std::max(best_left_[lane], std::abs(d_left[lane]) + std::abs(all_left[lane] - d_left[lane]));
        best_right_[lane] = std::max(best_right_[lane], std::abs(d_right) + std::abs(all_right[lane] - d_right));
      }
    }
  }

  // The largest gain before the place and the largest one after it.
  void many_labels(std::size_t g) {
    const std::size_t labels = items_.labels();
    std::vector<T> before_left(labels * kLanes, T{0}), before(labels, T{0});
    for (std::size_t i = 0; i < part_.size(); ++i) {
      const std::uint32_t item = part_.order(g)[i];
      const T* mine = &mine_[place_[item] * kLanes];
      T* counted = &before_left[items_.label(item) * kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) counted[lane] += mine[lane];
      before[items_.label(item)] += static_cast<T>(items_.gain(item));
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

  const Items& items_;
  const Part& part_;
  const std::span<const std::uint32_t> place_;
  std::vector<T> mine_, left_, right_;  // Shapes (size x lanes), (labels x lanes), (labels x lanes).
  T reach_left_[kLanes], reach_right_[kLanes];
  T best_left_[kLanes], best_right_[kLanes];
};

std::int64_t Stumps::visits(const Part& part, std::size_t cuts) const {
  const std::size_t scans = (cuts + Scan<float>::kLanes - 1) / Scan<float>::kLanes;
  return static_cast<std::int64_t>(scans * part.size() * items_.orderings() * std::max<std::size_t>(1, items_.labels() - 1));
}

std::vector<Stumps::Sides> Stumps::best(const Part& part, const std::vector<Cut>& cuts) {
  std::vector<Sides> costs(cuts.size());
  std::uint32_t next = 0;
  for (const std::uint32_t item : part.items()) {
    if (item >= place_.size()) place_.resize(item + 1);
    place_[item] = next++;
  }
  const auto scan = [&]<class T>(Scan<T> lanes) {
    for (std::size_t i = 0; i < cuts.size(); i += Scan<T>::kLanes)
      lanes.run(&cuts[i], std::min(Scan<T>::kLanes, cuts.size() - i), &costs[i], price_);
  };
  items_.total_gain() <= 0x1p23 ? scan(Scan<float>(items_, part, place_)) : scan(Scan<double>(items_, part, place_));
  return costs;
}

}  // namespace treewright::proof
