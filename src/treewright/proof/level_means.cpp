// How trees that predict numbers split a category of more than 12 levels: single levels that are not rare against the rest, and the levels
// below some mean against the others.
//
// The table alone decides it. A row weighs a: its weight w, or of events fl(w t). Its amount is w (y - least), where least is the least
// target of all rows that weigh more than 0, or of events fl(w y). The sums a and b of a level are exact, each rounded down to a double.
// The mean is fl(b / a), or that of all rows in a level without weight. Neighbors in the order of means are parted if fl(their difference)
// exceeds 2^-40 of the largest mean. A level is not rare if it weighs something, and at least a thousandth of all rows, exactly.
//
// Why not the whole numbers of the proof. A proof chooses its grid. On a coarse one other means may be equal, or in another order, and the
// proof would speak of other trees than it says. What stands here knows no grid. So it needs no condition on the grid either.
//
// Why rounding does no harm. These are rules about the table which say what the family is. Any rules would do: all checkers and the search
// follow the same ones, to the last digit, for sums do not depend on the order of rows and quotients are those of doubles. That they are
// what people mean by a mean is another matter: a mean is off by 2^-50 of itself, and by what the digits of the targets leave open.
//
// Why means that are nearly equal are one. Of targets such as 0.1, 0.2 and 0.15 two means may be equal, but no double is 0.1. In another
// unit of the target such means would come in another order.
//
// Why it is enough to compare with orderings (family.cpp). Let a split send the levels up to some gap between groups to one side. An
// ordering whose ranks of these levels are all below those of the other levels (or all above) has a cut with just these levels on a side.
// In a node the same split sends the rows that are there to the sides of the same cut: a part's items keep their ranks. So the claims of
// the body, which are made of all cuts of all orderings, speak of each split of the family in each node.

#include "treewright/proof/level_means.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "treewright/base/exact_sum.h"
#include "treewright/base/stop_point.h"

namespace treewright::proof {

namespace {

// Rows as they count for means.
class Weighed {
 public:
  explicit Weighed(const Dataset& data) : data_(data), of_events_(data.response->loss != Loss::squared) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double least = kInfinite;
    for (std::size_t row = 0; row < data.rows() && !of_events_; ++row) {
      if (weight(row) > 0) least = std::min(least, data.response->values[row]);
    }
    if (least < kInfinite) least_ = least;
  }

  double weight(std::size_t row) const { return data_.weight(row) * data_.response->at_risk(row); }
  void add_amount(std::size_t row, ExactSum& sum) const {
    if (!(weight(row) > 0)) return;
    const double of_row = data_.weight(row), value = data_.response->values[row];
    if (of_events_) {
      sum.add(of_row * value);
    } else {
      sum.add(of_row, value);
      sum.add(of_row, -least_);
    }
  }

 private:
  const Dataset& data_;
  const bool of_events_;
  double least_ = 0;
};

double mean(const ExactSum& amount, const ExactSum& weight) {
  const double of_all = weight.down();
  return of_all > 0 ? amount.down() / of_all : 0;
}

}  // namespace

LevelMeans level_means(const Dataset& data, const std::vector<std::int32_t>& codes, std::size_t levels) {
  constexpr double kNear = 0x1p-40;  // of the largest mean
  const Weighed weighed(data);
  ExactSum all, amount_of_all, missing;  // the latter: all, below 0
  std::vector<std::vector<std::size_t>> rows(levels + 1);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    rows[static_cast<std::size_t>(codes[row] + 1)].push_back(row);
    all.add(weighed.weight(row));
    missing.add(-weighed.weight(row));
    weighed.add_amount(row, amount_of_all);
  }
  const double of_all = mean(amount_of_all, all);
  LevelMeans means;
  std::vector<std::pair<double, std::size_t>> by_mean;
  for (std::size_t place = 0; place <= levels; ++place) {
    stop_point();
    if (rows[place].empty()) continue;
    ExactSum weight, amount, beyond = missing;  // a thousand times its weight, less that of all
    for (const std::size_t row : rows[place]) {
      weight.add(weighed.weight(row));
      beyond.add(weighed.weight(row), static_cast<double>(kRare));
      weighed.add_amount(row, amount);
    }
    const bool weighs = weight.down() > 0;
    if (weighs && beyond.down() >= 0) means.frequent.push_back(place);
    by_mean.emplace_back(weighs ? mean(amount, weight) : of_all, place);
  }
  std::sort(by_mean.begin(), by_mean.end());
  for (std::size_t i = 0; i < by_mean.size(); ++i) {
    if (i == 0 || by_mean[i].first - by_mean[i - 1].first > kNear * by_mean.back().first) means.groups.emplace_back();
    means.groups.back().push_back(by_mean[i].second);
  }
  for (std::vector<std::size_t>& group : means.groups) std::sort(group.begin(), group.end());
  return means;
}

}  // namespace treewright::proof
