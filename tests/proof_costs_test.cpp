// Proofs of trees of least cost, of any number of splits or of few, compared with every tree.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/brute_force.h"
#include "support/draw_case.h"
#include "support/random_data.h"
#include "treewright/data/costs/costs.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table.h"
#include "treewright/search/exact.h"
#include "treewright/search/prove/prove.h"

namespace treewright {
namespace {

std::optional<double> bound_of(const proof::Proof& proof, const Dataset& data) {
  try {
    return proof::verify(proof, data, "proof").bound;
  } catch (const Error&) {
    return {};
  }
}

TEST(ProofOfCosts, LengthyShowsTheLeastCostOfAllTreesAndNoMore) {
  Random random(1);
  int of_rows = 0, of_classes = 0;
  for (int round = 0; round < 400; ++round) {
    testing::Case c;
    const bool wide = random.below(8) == 0;
    c.data = wide ? testing::draw_wide_category(random, 20) : testing::draw_data(random, {2, 14, 1, 3, 2, 4, 4});
    if (!testing::has_two_classes(c.data)) continue;
    testing::draw_costs(random, c);
    if (random.below(3) == 0) {
      for (std::size_t row = 0; row < c.data.rows(); ++row) c.data.weights.push_back(testing::draw_very_unequal_weight(random));
    }
    const GainsTable table = gains_table(c.data);
    search::ExactSearchOptions options;
    options.max_depth = static_cast<int>(random.below(4));
    const std::int64_t most = (1 << options.max_depth) - 1;
    if (random.below(3) == 0) options.max_splits = static_cast<std::int64_t>(random.below(5));
    const double prices[] = {0, 0, 0.5, 1};
    options.split_price = prices[random.below(4)];
    Tree leaf(table.rows);
    leaf.tally(table.rows);
    Deadline deadline;
    const auto found = search::search_exact(table.rows, options, leaf, deadline);
    const auto made = search::prove(c.data, table.rows, options, found, deadline);
    ASSERT_TRUE(made) << "round " << round;
    const proof::Proof read = proof::from_bytes(proof::to_bytes(*made, "test"), "bytes");
    // Single levels aside, wide categories are split by what labels gain, which is told from the table of gains alone.
    testing::BruteForce every(wide ? table.rows : c.data);
    const std::vector<double> costs =
        every.best(options.max_depth, static_cast<int>(options.max_splits < 0 ? most : std::min(options.max_splits, most)));
    double best = costs[0];
    for (std::size_t splits = 1; splits < costs.size(); ++splits)
      best = std::min(best, costs[splits] + options.split_price * static_cast<double>(splits));
    if (wide) best = table.grid.near(table.grid.units(best));
    EXPECT_NEAR(proof::verify(read, c.data, "bytes").bound, best, 1e-9 + table.rounding) << "round " << round;
    proof::Proof raised = read;
    ++raised.bound;
    EXPECT_EQ(bound_of(raised, c.data), std::nullopt) << "round " << round;
    Dataset other = c.data;
    (other.costs.empty() ? other.row_costs : other.costs)[0] += 1;
    EXPECT_EQ(bound_of(read, other), std::nullopt) << "round " << round;
    ++(c.data.costs.empty() ? of_rows : of_classes);
  }
  EXPECT_GT(of_rows, 100);
  EXPECT_GT(of_classes, 100);
}

// What labels cost above the cheapest one, in whole units, and what is left.
TEST(ProofOfCosts, WholeCosts) {
  Dataset data;
  data.labels = {0, 1};
  data.class_names = {"a", "b"};
  data.weights = {2, 3};
  const proof::RowCosts errors = proof::row_costs(data, {0, 1}, 2, {1, 0}, "proof");
  EXPECT_EQ(errors.cost, (std::vector<std::int64_t>{0, 2, 3, 0}));
  EXPECT_EQ(errors.total_reach, 5);
  EXPECT_EQ(errors.least.down(), 0);
  EXPECT_EQ(errors.rounding, 0);
  data.row_costs = {-1, 0.25, 1, 1};
  const proof::RowCosts rewards = proof::row_costs(data, {0, 1}, 2, {1, 0}, "proof");
  EXPECT_EQ(rewards.cost, (std::vector<std::int64_t>{0, 3, 0, 0}));
  EXPECT_EQ(rewards.least.down(), 1);
  EXPECT_GE(rewards.rounding, 0.5);
  EXPECT_NEAR(rewards.rounding, 0.5, 1e-12);
}

// Beside a label that is dear enough, units round what the others cost, and each bit of that counts.
TEST(ProofOfCosts, ADearLabelHidesNoRounding) {
  Dataset data;
  data.labels = {0};
  data.class_names = {"a", "b", "dear"};
  data.row_costs = {0, 0.125, 1013309916158361.5};
  const proof::RowCosts costs = proof::row_costs(data, {0, 1, 2}, 3, {1, 0}, "proof");
  EXPECT_EQ(costs.cost[1], 1);
  EXPECT_GE(costs.rounding, 0.875);
}

// Costs that every tree pays, of which sums in doubles lose the last digits: products of numbers of 53 bits, which nearly cancel.
TEST(ProofOfCosts, TheBoundIsNotAboveTheExactSum) {
  __extension__ using Wide = __int128;
  Random random(3);
  int lost = 0;
  for (int round = 0; round < 300; ++round) {
    Dataset data;
    data.class_names = {"a", "b"};
    data.columns.resize(1);
    data.columns[0].name = "x";
    Wide exact = 0;
    double in_doubles = 0;
    const auto draw = [&] { return static_cast<std::int64_t>(random.next() >> 12); };
    std::int64_t weight = 0, cost = 0;
    for (std::size_t row = 0, rows = 2 * (1 + random.below(20)); row < rows; ++row) {
      if (row % 2 == 0) weight = draw(), cost = draw();
      const std::int64_t w = weight + static_cast<std::int64_t>(row % 2),
                         c = row % 2 == 0 ? cost : -cost + static_cast<std::int64_t>(random.below(3)) - 1;
      data.columns[0].values.push_back(0);
      data.weights.push_back(static_cast<double>(w));
      data.row_costs.insert(data.row_costs.end(), 2, static_cast<double>(c));
      exact += Wide(w) * c;
      in_doubles += static_cast<double>(w) * static_cast<double>(c);
    }
    take_cheapest_labels(data);
    proof::Proof proof;
    proof.table = proof::fingerprint(data);
    const double bound = proof::verify(proof, data, "proof").bound;
    EXPECT_LE(static_cast<Wide>(bound), exact) << "round " << round;
    EXPECT_GT(static_cast<Wide>(std::ceil(std::nextafter(bound, 1e300))), exact) << "round " << round;
    lost += static_cast<Wide>(in_doubles) > exact;
  }
  EXPECT_GT(lost, 50);
}

// What overflows is no rounding of 0.
TEST(ProofOfCosts, OverflowIsRefused) {
  constexpr double kHuge = 7.640195823164842e+307;
  for (const proof::Binary unit : {proof::Binary{1, 1023}, {1, 1000}, {1, 0}, {(std::int64_t{1} << 53) - 1, 970}}) {
    for (const double weight : {1.0, 1.5, 2.0, 4.0, 1e10, 1e300}) {
      Dataset data;
      data.class_names = {"c0", "c1"};
      data.labels = {1, 0};
      data.weights = {weight, weight};
      data.row_costs = {kHuge, -kHuge, -kHuge, kHuge};
      try {
        const proof::RowCosts costs = proof::row_costs(data, {0, 1}, 2, unit, "proof");
        const long double off = 2.0L * weight * kHuge - std::ldexp(static_cast<long double>(unit.mantissa * costs.cost[0]), unit.exponent);
        EXPECT_GE(costs.rounding, std::abs(off)) << unit.exponent << " " << weight;
        EXPECT_LT(weight, 2) << unit.exponent;
      } catch (const Error& error) {
        EXPECT_FALSE(error.fix().empty());
      }
    }
  }
}

// A unit tells shares if gains are its multiples to the last digits, or if it is small beside all of them.
TEST(ProofOfCosts, UnitsThatTellShares) {
  Dataset data;
  data.labels = {0, 1};
  data.class_names = {"a", "b"};
  const auto told = [&](const proof::Binary& unit) { return proof::row_costs(data, {0, 1}, 2, unit, "proof").tell_shares; };
  data.weights = {50, 50 + 1e-11};
  EXPECT_FALSE(told({1, 0}));
  EXPECT_FALSE(told({25, 1}));
  EXPECT_FALSE(told({1, -38}));
  EXPECT_TRUE(told({1, -43}));
  data.weights = {0.1, 0.1 + 0.2};
  EXPECT_TRUE(told(proof::Binary::of(0.1)));
  EXPECT_FALSE(told(proof::Binary::of(0.3)));
}

}  // namespace
}  // namespace treewright
