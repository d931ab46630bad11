#include "treewright/search/items/subset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "support/random_data.h"
#include "support/random_subset.h"

namespace treewright {
namespace {

search::Problem random_problem(Random& random) {
  Dataset data = testing::random_data(random, {40, 4, 4, true, true, 8});
  testing::give_weights(random, static_cast<testing::Weights>(random.below(3)), data);
  return search::make_problem(data, random.below(2) == 0, random.below(2) == 0);
}

TEST(Subset, AllSortsEveryItemByRank) {
  Random random(51);
  for (int round = 0; round < 100; ++round) {
    const search::Problem problem = random_problem(random);
    const search::Subset all = search::Subset::all(problem);
    ASSERT_EQ(all.size, problem.items());
    EXPECT_EQ(all.rows, problem.total_rows);
    for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
      std::vector<std::uint32_t> items(all.order_of(f).begin(), all.order_of(f).end());
      for (std::size_t at = 0; at < items.size(); ++at) EXPECT_EQ(all.ranks_of(f)[at], problem.orderings[f].rank[items[at]]);
      EXPECT_TRUE(std::is_sorted(all.ranks_of(f).begin(), all.ranks_of(f).end()));
      std::sort(items.begin(), items.end());
      for (std::size_t i = 0; i < items.size(); ++i) ASSERT_EQ(items[i], i);
    }
  }
}

// What an item is, without its number: its ranks in all orderings, class, weight, reach and rows.
using Identity = std::tuple<std::vector<std::uint32_t>, std::int32_t, double, double, std::int32_t>;

std::vector<Identity> identities(const search::Subset& subset, std::size_t orderings) {
  std::vector<Identity> items(subset.size);
  for (std::uint32_t i = 0; i < subset.size; ++i)
    items[i] = {std::vector<std::uint32_t>(orderings), subset.label[i], subset.weight[i], subset.reach_or_weight()[i], subset.count[i]};
  for (std::size_t f = 0; f < orderings; ++f) {
    for (std::uint32_t at = 0; at < subset.size; ++at) std::get<0>(items[subset.order_of(f)[at]])[f] = subset.ranks_of(f)[at];
  }
  return items;
}

TEST(Subset, ChildrenDivideTheItemsAndKeepTheirOrder) {
  Random random(52);
  search::Subset left, right;  // reused from round to round, as the search does
  for (int round = 0; round < 300; ++round) {
    const search::Problem problem = random_problem(random);
    const std::size_t orderings = problem.orderings.size();
    const search::Subset subset = testing::random_subset(random, problem, static_cast<int>(random.below(3)));
    if (orderings == 0 || subset.size < 2) continue;
    const std::size_t f = random.below(orderings);
    const auto place = static_cast<std::uint32_t>(1 + random.below(subset.size - 1));
    search::ItemRange{subset, f, 0, place}.copy_to(left);
    search::ItemRange{subset, f, place, subset.size}.copy_to(right);
    ASSERT_EQ(left.size, place);
    ASSERT_EQ(right.size, subset.size - place);
    EXPECT_NEAR(left.total_weight + right.total_weight, subset.total_weight, 1e-9);
    EXPECT_NEAR(left.total_reach + right.total_reach, subset.total_reach, 1e-9);
    EXPECT_EQ(left.rows + right.rows, std::accumulate(subset.count.begin(), subset.count.end(), std::int64_t{0}));

    const std::vector<Identity> items = identities(subset, orderings);
    std::vector<Identity> expected[2], found[2] = {identities(left, orderings), identities(right, orderings)};
    for (std::uint32_t at = 0; at < subset.size; ++at) expected[at >= place].push_back(items[subset.order_of(f)[at]]);
    for (int side = 0; side < 2; ++side) {
      std::sort(expected[side].begin(), expected[side].end());
      std::sort(found[side].begin(), found[side].end());
      EXPECT_EQ(found[side], expected[side]);
    }
    for (const search::Subset* child : {&left, &right}) {
      for (std::size_t g = 0; g < orderings; ++g) EXPECT_TRUE(std::is_sorted(child->ranks_of(g).begin(), child->ranks_of(g).end()));
    }
  }
}

TEST(Subset, TakesTheItemsFromTheProblem) {
  Random random(56);
  for (int round = 0; round < 50; ++round) {
    search::Problem problem = random_problem(random);
    const search::Subset all = search::Subset::all(problem), taken = search::Subset::take(problem);
    EXPECT_EQ(taken.size, all.size);
    EXPECT_EQ(taken.label, all.label);
    EXPECT_EQ(taken.weight, all.weight);
    EXPECT_EQ(taken.reach, all.reach);
    EXPECT_EQ(taken.count, all.count);
    EXPECT_EQ(taken.order, all.order);
    EXPECT_EQ(taken.rank, all.rank);
    EXPECT_EQ(problem.label.capacity() + problem.weight.capacity() + problem.reach.capacity() + problem.count.capacity(), 0u);
    for (const search::Ordering& ordering : problem.orderings) EXPECT_EQ(ordering.rank.capacity(), 0u);
  }
}

TEST(Subset, RanksAroundACutOfARange) {
  Random random(57);
  search::Subset copy;
  search::Cuts cuts;
  for (int round = 0; round < 200; ++round) {
    const search::Problem problem = random_problem(random);
    const search::Subset subset = testing::random_subset(random, problem, 1);
    const std::size_t orderings = problem.orderings.size();
    if (orderings == 0 || subset.size < 2) continue;
    const search::ItemRange range{subset, random.below(orderings), 0, static_cast<std::uint32_t>(1 + random.below(subset.size))};
    range.copy_to(copy);
    const std::size_t f = random.below(orderings);
    cuts.assign(copy, f);
    for (std::size_t c = 0; c < static_cast<std::size_t>(cuts.size()); ++c) {
      for (std::uint32_t rank = cuts.low(c) + 1; rank <= cuts.high(c); ++rank)
        EXPECT_EQ(range.ranks_around(f, rank), std::pair(cuts.low(c), cuts.high(c)));
    }
  }
}

TEST(Subset, TheWholeIsARange) {
  Random random(55);
  search::Subset copy;
  for (int round = 0; round < 50; ++round) {
    const search::Problem problem = random_problem(random);
    const search::Subset subset = testing::random_subset(random, problem, 1);
    search::ItemRange::all(subset).copy_to(copy);
    EXPECT_TRUE(search::ItemRange::all(subset).is_whole());
    EXPECT_EQ(copy.order, subset.order);
    EXPECT_EQ(copy.rank, subset.rank);
    EXPECT_EQ(identities(copy, problem.orderings.size()), identities(subset, problem.orderings.size()));
  }
}

TEST(Subset, ClassWeightsAndLeafErrors) {
  Random random(53);
  for (int round = 0; round < 100; ++round) {
    const search::Problem problem = random_problem(random);
    const search::Subset subset = testing::random_subset(random, problem, 2);
    std::vector<double> totals(problem.classes, 0.0);
    double reach = 0;
    for (std::uint32_t i = 0; i < subset.size; ++i) {
      totals[subset.label[i]] += subset.weight[i];
      reach += subset.reach_or_weight()[i];
    }
    EXPECT_EQ(subset.class_weights(problem.classes), totals);
    EXPECT_NEAR(subset.leaf_errors(problem.classes), reach - *std::max_element(totals.begin(), totals.end()), 1e-9);
  }
}

TEST(Cuts, AreThePlacesWhereTheRankChanges) {
  Random random(54);
  search::Cuts cuts;
  for (int round = 0; round < 200; ++round) {
    const search::Problem problem = random_problem(random);
    if (problem.orderings.empty()) continue;
    const search::Subset subset = testing::random_subset(random, problem, static_cast<int>(random.below(3)));
    const std::size_t f = random.below(problem.orderings.size());
    cuts.assign(subset, f);
    std::size_t c = 0;
    double reach = 0;
    std::int64_t rows = 0;
    for (std::uint32_t at = 0; at < subset.size; ++at) {
      if (at > 0 && subset.ranks_of(f)[at] != subset.ranks_of(f)[at - 1]) {
        ASSERT_LT(c, static_cast<std::size_t>(cuts.size()));
        EXPECT_EQ(cuts.place(c), at);
        EXPECT_NEAR(cuts.reach_left(c), reach, 1e-9);
        EXPECT_EQ(cuts.rows_left(c), rows);
        ++c;
      }
      reach += subset.reach_or_weight()[subset.order_of(f)[at]];
      rows += subset.count[subset.order_of(f)[at]];
    }
    EXPECT_EQ(cuts.size(), static_cast<std::int64_t>(c));
  }
}

}  // namespace
}  // namespace treewright
