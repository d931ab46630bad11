// What trees of so many leaves lose at least, against every division of the items into groups.

#include "treewright/search/loss/two_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "treewright/base/random.h"

namespace treewright::search {
namespace {

struct Items {
  std::vector<double> exposure, amount;
};

// Numbers with many ties, on the grid of the search: whole exposures, sums of some 2^50.
Items draw(Random& random, Loss loss) {
  Items items;
  const std::uint64_t kind = random.below(3), size = 1 + random.below(7);
  for (std::uint64_t i = 0; i < size; ++i) {
    const auto whole = static_cast<double>(random.below(4));
    const double drawn = kind == 0 ? whole : kind == 1 ? random.uniform() : std::exp(9 * random.uniform());
    const double exposure = random.below(8) == 0 ? 0 : static_cast<double>(1 + random.below(kind == 0 ? 2 : 9));
    const double scale = loss == Loss::squared ? 0x1p20 : 0x1p36;
    items.exposure.push_back(loss == Loss::squared ? exposure : exposure * 0x1p36);
    const double mean = loss == Loss::squared ? drawn - 1 : drawn;
    items.amount.push_back(exposure * std::round(mean * scale));
  }
  items.exposure.front() = std::max(items.exposure.front(), loss == Loss::squared ? 1.0 : 0x1p36);
  if (loss != Loss::squared) items.amount.front() = std::max(items.amount.front(), 0x1p36);
  return items;
}

class Groups {
 public:
  Groups(const TwoSums& loss, const Items& items, std::size_t most) : loss_(loss), items_(items), exposure_(most), amount_(most) {}

  // The largest gain of all divisions.
  long double most() { return most_from(0); }

 private:
  long double most_from(std::size_t item) {
    if (item == items_.exposure.size()) {
      long double gain = 0;
      for (std::size_t group = 0; group < exposure_.size(); ++group) gain += loss_.gain(exposure_[group], amount_[group]);
      return gain;
    }
    long double most = -std::numeric_limits<long double>::infinity();
    for (std::size_t group = 0; group < exposure_.size(); ++group) {
      exposure_[group] += items_.exposure[item];
      amount_[group] += items_.amount[item];
      most = std::max(most, most_from(item + 1));
      exposure_[group] -= items_.exposure[item];
      amount_[group] -= items_.amount[item];
    }
    return most;
  }

  const TwoSums& loss_;
  const Items& items_;
  std::vector<long double> exposure_, amount_;
};

TEST(TwoSums, LeavesLoseAtLeastWhatTheBestGroupsLose) {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    const Loss kind = round % 2 == 0 ? Loss::squared : Loss::poisson;
    const Items items = draw(random, kind);
    const TwoSums loss(kind, items.exposure, items.amount);
    double alone = 0;
    for (std::size_t i = 0; i < items.exposure.size(); ++i) alone += loss.of_item(items.exposure[i], items.amount[i]);
    const std::vector<double> least = loss.least_by_leaves(alone, items.exposure, items.amount, 4);
    ASSERT_EQ(least.size(), 4);
    for (std::size_t leaves = 1; leaves <= 4; ++leaves) {
      const auto truth = static_cast<double>(alone - Groups(loss, items, leaves).most());
      ASSERT_LE(least[leaves - 1], std::max(0.0, truth)) << "round " << round << ", leaves " << leaves;
      const double off = 40 * static_cast<double>(leaves) * loss.most_off();
      ASSERT_GE(least[leaves - 1], truth - off - 1e-12 * alone) << "round " << round << ", leaves " << leaves;
    }
  }
}

TEST(TwoSums, OneLeafForEachNumberLosesNothing) {
  const std::vector<double> exposure{1, 2, 1, 3}, amount{0, 0x1p21, 0x1p20, 3 * 0x1p22};  // three different means
  const TwoSums loss(Loss::squared, exposure, amount);
  double alone = 0;
  for (std::size_t i = 0; i < exposure.size(); ++i) alone += loss.of_item(exposure[i], amount[i]);
  const std::vector<double> least = loss.least_by_leaves(alone, exposure, amount, 5);
  EXPECT_GT(least[1], 0);
  EXPECT_EQ(least[2], 0);
  EXPECT_EQ(least[4], 0);
}

}  // namespace
}  // namespace treewright::search
