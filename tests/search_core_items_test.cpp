#include "treewright/search/bounds/core_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_subset.h"
#include "support/search_runs.h"

namespace treewright {
namespace {

// Many values, so that the search runs on ranks, and labels that no small tree fits.
Dataset noisy_data(Random& random, int rows, int classes) {
  std::vector<Column> columns(3);
  std::vector<std::int32_t> labels;
  for (std::size_t f = 0; f < columns.size(); ++f) columns[f].name = "f" + std::to_string(f);
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (Column& column : columns) {
      column.values.push_back(static_cast<double>(random.below(500)));
      sum += column.values.back();
    }
    const bool noise = random.below(4) == 0;
    labels.push_back(static_cast<std::int32_t>(noise ? random.below(static_cast<std::uint64_t>(classes)) : sum > 750 ? 1 : 0));
  }
  return testing::make_data(columns, labels, classes);
}

TEST(CoreItems, GrowByPairsThatATreeCannotTellApart) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const Dataset data = noisy_data(random, 60 + static_cast<int>(random.below(100)), 2 + round % 2);
    search::Problem problem = search::make_problem(data, false);
    const search::Subset all = search::Subset::all(problem);
    search::CoreItems core(all, problem.classes);
    std::uint32_t before = 0;
    while (core.add(search::RankTree::leaf(), 4)) {
      const search::Subset some = core.subset();
      ASSERT_EQ(some.size, core.size());
      ASSERT_GT(some.size, before);
      ASSERT_LE(some.size, before + 8);
      before = some.size;
      // One of each pair is of the class of the leaf, the other one is not.
      const std::vector<double> totals = all.class_weights(problem.classes);
      const auto leaf = std::max_element(totals.begin(), totals.end()) - totals.begin();
      EXPECT_EQ(std::count(some.label.begin(), some.label.end(), static_cast<std::int32_t>(leaf)),
                static_cast<std::ptrdiff_t>(some.size / 2));
      for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
        EXPECT_TRUE(std::is_sorted(some.ranks_of(f).begin(), some.ranks_of(f).end()));
      }
    }
    EXPECT_GT(before, 0U);
  }
}

// Otherwise what every tree loses would be missing in some of them.
TEST(CoreItems, HaveAllOrNoneOfEqualRows) {
  Random random(7);
  int groups_of_several = 0;
  for (int round = 0; round < 20; ++round) {
    const Dataset data = testing::random_data(random, {150, 2, 4, false, false, 6});
    const search::Problem problem = search::make_problem(data, false);
    if (problem.reach.empty() || problem.orderings.empty()) continue;
    const search::Subset all = search::Subset::all(problem);
    using Items = std::map<std::vector<std::uint32_t>, std::vector<std::pair<std::int32_t, double>>>;  // by their ranks
    const auto groups = [&](const search::Subset& subset) {
      std::vector<std::vector<std::uint32_t>> ranks(subset.size);
      for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
        for (std::uint32_t at = 0; at < subset.size; ++at) ranks[subset.order_of(f)[at]].push_back(subset.ranks_of(f)[at]);
      }
      Items items;
      for (std::uint32_t i = 0; i < subset.size; ++i) items[ranks[i]].emplace_back(subset.label[i], subset.weight[i]);
      return items;
    };
    const Items of_all = groups(all);
    search::CoreItems core(all, problem.classes);
    while (core.add(search::RankTree::leaf(), 2)) {
      const search::Subset some = core.subset();
      ASSERT_EQ(some.size, core.size());
      for (const auto& [ranks, items] : groups(some)) {
        ASSERT_EQ(items, of_all.at(ranks));
        groups_of_several += items.size() > 1;
      }
    }
  }
  EXPECT_GT(groups_of_several, 40);
}

// Whatever the limit on work, the bound is one, and it is higher where core items are searched in at least one of the runs.
TEST(CoreItems, LengthyGiveABoundThatNoTreeIsBelow) {
  Random random(6);
  int higher = 0;
  for (int round = 0; round < 6; ++round) {
    Dataset data = noisy_data(random, 150, 2 + round % 2);
    testing::give_weights(random, round % 3 == 0 ? testing::Weights::whole : testing::Weights::none, data);
    search::ExactSearchOptions with;
    with.max_depth = 4;
    with.min_rows = round % 2 == 0 ? 1 : 3;
    with.split_price = round < 3 ? 0 : 0.75;
    search::ExactSearchOptions without = with;
    without.rules.core_rows = false;
    const testing::SearchOutcome optimum = testing::search_outcome(data, without);
    const testing::SearchOutcome same = testing::search_outcome(data, with);
    ASSERT_TRUE(optimum.complete && same.complete);
    EXPECT_EQ(same.lower, optimum.lower);
    EXPECT_EQ(same.tree, optimum.tree);
    for (std::int64_t work = 50; work < optimum.work; work *= 2) {
      const testing::SearchOutcome stopped = testing::search_outcome(data, with, work);
      EXPECT_LE(stopped.lower, optimum.lower);
      higher += stopped.lower > testing::search_outcome(data, without, work).lower;
      with.threads = 2;
      const testing::SearchOutcome again = testing::search_outcome(data, with, work);
      EXPECT_EQ(again.lower, stopped.lower);
      EXPECT_EQ(again.tree, stopped.tree);
      EXPECT_EQ(again.complete, stopped.complete);
      with.threads = 1;
    }
  }
  EXPECT_GT(higher, 0);
}

}  // namespace
}  // namespace treewright
