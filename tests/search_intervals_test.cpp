#include "treewright/search/bounds/intervals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "support/brute_force.h"
#include "support/random_data.h"
#include "support/random_subset.h"

namespace treewright {
namespace {

using testing::BruteForce;

// A feature's cuts with the true optima of both children, with and without the limit on rows per leaf.
struct CutsOfFeature {
  std::vector<search::ChildBounds> truth;  // cut 0: nothing left, last: everything left
  std::vector<double> weight;

  CutsOfFeature(const Dataset& data, int depth, std::int64_t min_rows, double price) {
    std::vector<double> values = data.columns[0].values;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (std::size_t cut = 0; cut <= values.size(); ++cut) {
      std::vector<std::int32_t> left, right;
      weight.push_back(0);
      for (std::size_t row = 0; row < data.rows(); ++row) {
        const bool goes_left = cut == values.size() || data.columns[0].values[row] < values[cut];
        (goes_left ? left : right).push_back(static_cast<std::int32_t>(row));
        if (goes_left) weight.back() += data.weight(row);
      }
      const auto optimum = [&](const std::vector<std::int32_t>& rows, std::int64_t limit) {
        if (rows.empty()) return 0.0;
        const Dataset child = data.subset(rows);
        return BruteForce(child, limit).best_cost(depth, (1 << depth) - 1, price);
      };
      truth.push_back({{optimum(left, min_rows), optimum(left, 1)}, {optimum(right, min_rows), optimum(right, 1)}});
    }
  }
};

constexpr double kSlack = 1e-9;

void check(const CutsOfFeature& feature, const search::Rules& rules, Random& random) {
  const auto cuts = static_cast<std::int64_t>(feature.truth.size());
  for (std::int64_t a = 0; a < cuts; ++a) {
    for (std::int64_t b = a + 1; b < cuts; ++b) {
      const search::ChildBounds &sa = feature.truth[a], &sb = feature.truth[b];
      const double wa = feature.weight[a], wb = feature.weight[b];
      const auto weight = [&](std::int64_t t) { return feature.weight[t]; };
      const search::CutRange all{a + 1, b};
      const search::CutGap gap(rules, sa, sb, wa, wb, weight);
      double least = std::numeric_limits<double>::infinity(), least_relaxed = least;
      for (std::int64_t t = all.first; t < all.last; ++t) {
        const search::ChildBounds& truth = feature.truth[t];
        const search::Bound left = gap.left(t), right = gap.right(t);
        ASSERT_LE(left.strict, truth.left.strict + kSlack) << "cuts " << a << " " << t << " " << b;
        ASSERT_LE(right.strict, truth.right.strict + kSlack) << "cuts " << a << " " << t << " " << b;
        ASSERT_LE(left.relaxed, truth.left.relaxed + kSlack);
        ASSERT_LE(right.relaxed, truth.right.relaxed + kSlack);
        least = std::min(least, left.strict + right.strict);
        least_relaxed = std::min(least_relaxed, left.relaxed + right.relaxed);
      }
      if (all.size() == 0) {
        EXPECT_EQ(gap.least(all), std::numeric_limits<double>::infinity());
      } else {
        ASSERT_NEAR(gap.least(all), least, kSlack) << "bisection finds what looking at every cut finds";
        ASSERT_NEAR(gap.least_relaxed(all), least_relaxed, kSlack);
      }
      const double need = random.uniform(0, 8);
      const search::CutRange open = gap.open(all, need);
      ASSERT_GE(open.first, all.first);
      for (std::int64_t t = all.first; t < all.last; ++t) {
        const double bound = gap.left(t).strict + gap.right(t).strict;
        const bool inside = t >= open.first && t < open.last;
        if (bound < need - kSlack) {
          ASSERT_TRUE(inside) << "a cut that may win was dropped";
        }
        if (bound > need + kSlack) {
          ASSERT_FALSE(inside) << "a cut that cannot win was kept";
        }
      }
    }
  }
}

TEST(Intervals, NoBoundLiesAboveTheTruth) {
  Random random(61);
  for (int round = 0; round < 120; ++round) {
    Dataset data = testing::random_data(random, {14, 3, 3, false, false, 12});
    testing::give_weights(random, static_cast<testing::Weights>(random.below(3)), data);
    const std::int64_t min_rows = 1 + static_cast<std::int64_t>(random.below(4));
    const double price = std::vector<double>{0, 0.4, 1}[random.below(3)];
    const CutsOfFeature feature(data, static_cast<int>(random.below(3)), min_rows, price);
    for (const char* off : {"", "monotone", "lipschitz", "monotone,lipschitz"}) {
      check(feature, search::rules_without(off), random);
      if (HasFatalFailure())
        FAIL() << "without '" << off << "', round " << round << ", min_rows " << min_rows << "\n" << testing::to_string(data);
    }
  }
}

TEST(Intervals, TheBoundsAreWorthSomething) {
  // By hand: left(a) = 3, left(b) = 5, right(a) = 8, right(b) = 6. Cut t has t of the four units between a and b on its left side.
  const search::ChildBounds a{{3, 3}, {8, 8}}, b{{5, 5}, {6, 6}};
  const auto reach = [](std::int64_t t) { return static_cast<double>(t); };
  const auto at = [&](std::string_view without, std::int64_t t) {
    const search::Rules rules = search::rules_without(without);
    const search::CutGap gap(rules, a, b, 0, 4, reach);
    return std::pair(gap.left(t).strict, gap.right(t).strict);
  };
  EXPECT_EQ(at("", 3), std::pair(4.0, 6.0)) << "left(b) less the weight in between, right(b)";
  EXPECT_EQ(at("", 1), std::pair(3.0, 7.0)) << "left(a), right(a) less the weight in between";
  EXPECT_EQ(at("monotone", 1).first, 2);
  EXPECT_EQ(at("lipschitz", 3).first, 3);
}

}  // namespace
}  // namespace treewright
