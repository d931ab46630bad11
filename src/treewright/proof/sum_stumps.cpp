// The best stumps on the sides of some cuts at once, of trees that predict a number: a lane for each cut, as in stumps.cpp.
//
// A stump with the sums A1, B1 and A2, B2 on its sides gains G(A1, B1) + G(A2, B2) (row_sums.cpp), a whole number that takes two divisions
// of 128 bits. Most places need none. Let the best one so far gain g. As G rounds up by less than 1, a place that gains g + 1 or more has
//
//     B1^2 / A1 + B2^2 / A2 > (g - 1) 2^-k, so B1^2 A2 + B2^2 A1 > (g - 1) 2^-k A1 A2.
//
// Sums are exact in doubles, and all terms are positive. So each side of the inequality is off by four last digits at most, and with (g -
// 1) lowered by 2^-48 of itself no such place is passed over. Places that pass are counted exactly. A side without weight never passes, and
// gains no more than a leaf. Where neither sum of a lane has changed since the last place that was counted, its gain is known.
//
// Of events (row_events.cpp) a stump gains more than a leaf with the sums A, B of both sides by f = B1 log(B1 A / (A1 B)) + B2 log(B2 A /
// (A2 B)), and as log x <= x - 1,
//
//     f <= (A / B) (B1^2 / A1 + B2^2 / A2) - B.
//
// The leaf gains no more than the whole number l that is known of it. So a place where the right side is at most (g - l) 2^-k gains no more
// than g in truth: what is counted as the best gain of all places is none that a place exceeds.

#include "treewright/proof/sum_stumps.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace treewright::proof {

class SumStumps::Scan {
 public:
  static constexpr std::size_t kLanes = 16;

  Scan(const SumItems& items, const Part& part, std::span<const std::uint32_t> place, std::int64_t min_rows)
      : items_(items), part_(part), place_(place), min_rows_(static_cast<double>(min_rows)), counted_(min_rows > 1) {}

  // `count` cuts from `cuts`; the other lanes repeat the first one.
  void run(const Cut* cuts, std::size_t count, Sides* out, std::int64_t price) {
    share_out(cuts, count);
    for (std::size_t g = 0; g < items_.orderings(); ++g) counted_ ? scan<true>(g) : scan<false>(g);
    const auto cost = [&](const Side& side, std::size_t lane, std::int64_t gain) {
      return std::max<std::int64_t>(0, std::min(side.loss[lane] - side.leaf[lane], price + side.loss[lane] - gain));
    };
    for (std::size_t lane = 0; lane < count; ++lane) {
      Sides& sides = out[lane];
      sides.left_of_all = cost(left_, lane, left_.best[lane]);
      sides.right_of_all = cost(right_, lane, right_.best[lane]);
      sides.left = counted_ ? cost(left_, lane, left_.fitting[lane]) : sides.left_of_all;
      sides.right = counted_ ? cost(right_, lane, right_.fitting[lane]) : sides.right_of_all;
      sides.left_leaf = std::max<std::int64_t>(0, left_.loss[lane] - left_.leaf[lane]);
      sides.right_leaf = std::max<std::int64_t>(0, right_.loss[lane] - right_.leaf[lane]);
    }
  }

 private:
  // Sums of some items, a lane for each cut.
  struct Sums {
    double exposure[kLanes] = {}, amount[kLanes] = {}, rows[kLanes] = {};
  };
  // One side of each lane's cut.
  struct Side {
    Sums all;
    std::int64_t loss[kLanes] = {}, leaf[kLanes] = {};     // of its items by themselves; the gain of a leaf
    std::int64_t best[kLanes] = {}, fitting[kLanes] = {};  // gains of stumps, and where leaves hold enough rows
    double to_beat[kLanes] = {}, to_beat_fitting[kLanes] = {};
    // The place that was counted last, and what it gains.
    double exposure[kLanes] = {}, amount[kLanes] = {};
    std::int64_t gain[kLanes] = {};
  };

  // What B1^2 / A1 + B2^2 / A2 is above at each place of the side that gains more.
  double bar(const Side& side, std::size_t lane, std::int64_t gain) const {
    const int grid = items_.gains().grid();
    if (!items_.gains().of_events()) return std::ldexp(static_cast<double>(gain - 1) * (1 - 0x1p-48), -grid);
    const double exposure = side.all.exposure[lane], amount = side.all.amount[lane];
    if (exposure == 0) return 0;
    return amount / exposure * (amount + std::ldexp(static_cast<double>(gain - side.leaf[lane]), -grid)) * (1 - 0x1p-48);
  }

  // Of the items of each lane's left side: mine_[place].
  void share_out(const Cut* cuts, std::size_t count) {
    left_ = right_ = Side();
    mine_.assign(part_.size(), Sums());
    for (const std::uint32_t item : part_.items()) {
      const auto exposure = static_cast<double>(items_.exposure(item)), amount = static_cast<double>(items_.amount(item)),
                 rows = static_cast<double>(items_.rows(item));
      Sums& mine = mine_[place_[item]];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const Cut& cut = cuts[lane < count ? lane : 0];
        const bool is_left = cut.rank == Cut::kEverything || items_.rank(cut.ordering, item) < cut.rank;
        Side& side = is_left ? left_ : right_;
        side.loss[lane] += items_.loss(item);
        side.all.exposure[lane] += exposure;
        side.all.amount[lane] += amount;
        side.all.rows[lane] += rows;
        if (!is_left) continue;
        mine.exposure[lane] = exposure;
        mine.amount[lane] = amount;
        mine.rows[lane] = rows;
      }
    }
    for (Side* side : {&left_, &right_}) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        side->exposure[lane] = -1;  // none
        side->leaf[lane] = side->best[lane] = side->fitting[lane] = gain(side->all.exposure[lane], side->all.amount[lane]);
        side->to_beat[lane] = side->to_beat_fitting[lane] = bar(*side, lane, side->leaf[lane]);
      }
    }
  }

  std::int64_t gain(double exposure, double amount) const {
    return items_.gain(static_cast<std::int64_t>(exposure), static_cast<std::int64_t>(amount));
  }

  template <bool kCounted>
  void scan(std::size_t g) {
    const std::span<const std::uint32_t> order = part_.order(g);
    Sums left;
    double exposure = 0, amount = 0, rows = 0;
    for (std::size_t i = 0; i + 1 < part_.size(); ++i) {
      const std::uint32_t item = order[i];
      const Sums& mine = mine_[place_[item]];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        left.exposure[lane] += mine.exposure[lane];
        left.amount[lane] += mine.amount[lane];
        if constexpr (kCounted) left.rows[lane] += mine.rows[lane];
      }
      exposure += static_cast<double>(items_.exposure(item));
      amount += static_cast<double>(items_.amount(item));
      rows += static_cast<double>(items_.rows(item));
      if (items_.rank(g, item) == items_.rank(g, order[i + 1])) continue;
      Sums right;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        right.exposure[lane] = exposure - left.exposure[lane];
        right.amount[lane] = amount - left.amount[lane];
        if constexpr (kCounted) right.rows[lane] = rows - left.rows[lane];
      }
      judge<kCounted>(left_, left);
      judge<kCounted>(right_, right);
    }
  }

  // `before`: the sums of the side's items before a place.
  template <bool kCounted>
  void judge(Side& side, const Sums& before) const {
    double all[kLanes], share[kLanes];
    bool fits[kLanes] = {};
    int passed = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double a1 = before.exposure[lane], b1 = before.amount[lane];
      const double a2 = side.all.exposure[lane] - a1, b2 = side.all.amount[lane] - b1;
      all[lane] = b1 * b1 * a2 + b2 * b2 * a1;
      share[lane] = a1 * a2;
      // What is enough for any tree is no more than what is enough for one within the limit.
      passed += all[lane] > (kCounted ? side.to_beat_fitting[lane] : side.to_beat[lane]) * share[lane] ? 1 : 0;
    }
    if (passed == 0) return;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if constexpr (kCounted) fits[lane] = before.rows[lane] >= min_rows_ && side.all.rows[lane] - before.rows[lane] >= min_rows_;
      const bool any = all[lane] > side.to_beat[lane] * share[lane],
                 fitting = fits[lane] && all[lane] > side.to_beat_fitting[lane] * share[lane];
      if (!any && !fitting) continue;
      const double a1 = before.exposure[lane], b1 = before.amount[lane];
      if (side.exposure[lane] != a1 || side.amount[lane] != b1) {
        side.exposure[lane] = a1;
        side.amount[lane] = b1;
        side.gain[lane] = gain(a1, b1) + gain(side.all.exposure[lane] - a1, side.all.amount[lane] - b1);
      }
      const auto keep = [&](std::int64_t& best, double& to_beat) {
        if (side.gain[lane] <= best) return;
        best = side.gain[lane];
        to_beat = bar(side, lane, best);
      };
      if (any) keep(side.best[lane], side.to_beat[lane]);
      if (fitting) keep(side.fitting[lane], side.to_beat_fitting[lane]);
    }
  }

  const SumItems& items_;
  const Part& part_;
  const std::span<const std::uint32_t> place_;
  const double min_rows_;
  const bool counted_;
  std::vector<Sums> mine_;  // Shape (size).
  Side left_, right_;
};

std::int64_t SumStumps::visits(const Part& part, std::size_t cuts) const {
  const std::size_t scans = (cuts + Scan::kLanes - 1) / Scan::kLanes;
  return static_cast<std::int64_t>(scans * part.size() * items_.orderings());
}

std::vector<Sides> SumStumps::best(const Part& part, const std::vector<Cut>& cuts) {
  std::vector<Sides> costs(cuts.size());
  number_items(part, place_);
  Scan lanes(items_, part, place_, min_rows_);
  for (std::size_t i = 0; i < cuts.size(); i += Scan::kLanes)
    lanes.run(&cuts[i], std::min(Scan::kLanes, cuts.size() - i), &costs[i], price_);
  return costs;
}

}  // namespace treewright::proof
