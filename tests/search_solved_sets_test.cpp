#include "treewright/search/depth_two/solved_sets.h"

#include <gtest/gtest.h>

#include <bit>

#include "support/numbers_data.h"
#include "support/random_data.h"
#include "support/search_runs.h"
#include "treewright/search/depth_two/pack.h"

namespace treewright {
namespace {

using search::ItemSet;
using search::SolvedSets;

// Bits of each group of the columns.
std::vector<std::uint32_t> bits_of(const ItemSet& set, const search::BitColumns& columns) {
  std::vector<std::uint32_t> bits(columns.groups, 0);
  for (std::size_t g = 0; g < columns.groups; ++g) {
    for (std::size_t w = columns.group_begin[g]; w < columns.group_begin[g + 1]; ++w) bits[g] += std::popcount(set.words[w]);
  }
  return bits;
}

TEST(SolvedSets, APartHoldsTheItemsOfTheChild) {
  Random random(67);
  int parts = 0;
  for (int round = 0; round < 200; ++round) {
    const Dataset data = testing::random_data(random, {300, 4, 3, true, true, 2 + static_cast<int>(random.below(6))});
    const std::int64_t min_rows = 1 + static_cast<std::int64_t>(random.below(2));
    const search::Problem problem = search::make_problem(data, min_rows > 1);
    if (problem.orderings.empty()) continue;
    const search::Subset all = search::packed(search::Subset::all(problem), problem.classes, min_rows);
    const SolvedSets sets(all.bits);
    search::Subset node = all;
    ItemSet set = sets.all();
    for (int level = 0; level < 4; ++level) {
      ASSERT_EQ(bits_of(set, all.bits), node.bits.bits);
      const std::size_t f = random.below(problem.orderings.size());
      search::Cuts cuts;
      cuts.assign(node, f);
      if (cuts.size() == 0) continue;
      const std::size_t cut = random.below(static_cast<std::uint64_t>(cuts.size()));
      const bool right = random.below(2) == 0;
      search::Subset child;
      search::ItemRange{node, f, right ? cuts.place(cut) : 0, right ? node.size : cuts.place(cut)}.copy_to(child);
      ItemSet part;
      sets.side(set, f, cuts.low(cut), right, part);
      node = std::move(child);
      set = std::move(part);
      ++parts;
    }
  }
  EXPECT_GT(parts, 300);
}

TEST(SolvedSets, FindsWhatWasAdded) {
  Random random(71);
  const Dataset data = testing::coarse_data(200, 3, 2);
  const search::Problem problem = search::make_problem(data, false);
  const search::Subset all = search::packed(search::Subset::all(problem), problem.classes, 1);
  SolvedSets sets(all.bits, 1 << 16);
  const auto result = [](double cost) {
    search::SubproblemResult result;
    result.cost = cost;
    result.lower = search::Bound::of_all_trees(cost);
    return result;
  };
  std::vector<ItemSet> added;
  for (int i = 0; i < 2000; ++i) {
    ItemSet set = sets.all();
    for (auto& word : set.words) word = random.next();
    set.hash = random.next();
    sets.add(set, 2, 3, result(i));
    sets.add(set, 2, 2, result(i + 0.25));
    sets.add(set, 1, 1, result(i + 0.5));
    added.push_back(set);
    ASSERT_EQ(sets.find(set, 1, 1)->cost, i + 0.5) << "the last one is always kept";
  }
  int kept = 0;
  for (std::size_t i = 0; i < added.size(); ++i) {
    const auto found = sets.find(added[i], 2, 3), other = sets.find(added[i], 2, 2);
    kept += found.has_value();
    EXPECT_TRUE(!found || found->cost == static_cast<double>(i));
    EXPECT_TRUE(!other || other->cost == static_cast<double>(i) + 0.25);
  }
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 1000) << "the memory is limited";
}

TEST(SolvedSets, NumbersAreAsTheyAreWithoutFromDepthFourOn) {
  Random random(29);
  for (const Loss loss : {Loss::squared, Loss::poisson}) {
    const Dataset data = testing::with_numbers(testing::coarse_data(120, 4, 5), random, loss);
    search::ExactSearchOptions options;
    options.max_depth = 4;
    const testing::SearchOutcome one = testing::search_outcome(data, options);
    options.threads = 3;
    EXPECT_EQ(testing::search_outcome(data, options), one);
    options.rules = search::rules_without("repeated_sets");
    const testing::SearchOutcome without = testing::search_outcome(data, options);
    EXPECT_NEAR(without.lower, one.lower, 1e-9 * one.lower);
    EXPECT_NE(without.work, one.work);
  }
}

TEST(SolvedSets, TheSearchDoesNotDependOnThreads) {
  int stopped = 0;
  for (const int values : {2, 3}) {
    const Dataset data = testing::coarse_data(150, 7, values);
    search::ExactSearchOptions options;
    options.max_depth = 4;
    for (const std::int64_t work : {std::int64_t{300}, std::int64_t{3000}, std::numeric_limits<std::int64_t>::max()}) {
      options.threads = 1;
      const testing::SearchOutcome one = testing::search_outcome(data, options, work);
      stopped += !one.complete;
      for (const int threads : {2, 5}) {
        options.threads = threads;
        testing::SearchOutcome many = testing::search_outcome(data, options, work);
        if (!one.complete) many.work = one.work;  // when a search that is stopped notices it may differ
        EXPECT_EQ(many, one) << threads << " threads, work " << work << ", " << values << " values";
      }
    }
    search::ExactSearchOptions without = options;
    without.rules = search::rules_without("repeated_sets");
    EXPECT_EQ(testing::search_outcome(data, without).lower, testing::search_outcome(data, options).lower);
  }
  EXPECT_GT(stopped, 0);
}

}  // namespace
}  // namespace treewright
