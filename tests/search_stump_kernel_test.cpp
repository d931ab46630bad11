#include "treewright/search/depth_two/stump_kernel.h"

#include <gtest/gtest.h>

#include <hwy/targets.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "support/make_data.h"
#include "support/plain_stumps.h"
#include "support/random_data.h"
#include "support/random_subset.h"
#include "treewright/data/costs/costs.h"

namespace treewright {
namespace {

using testing::plain_stumps;
using testing::StumpErrors;

template <class T>
void compare(testing::Weights weights, int classes, bool many_values, std::uint64_t seed, std::uint64_t most_cost = 0) {
  Random random(seed);
  for (int round = 0; round < 60; ++round) {
    Dataset data = testing::random_data(random, {150, 4, classes, false, true, many_values ? 1000 : 6});
    while (static_cast<int>(data.classes()) != classes)
      data = testing::random_data(random, {150, 4, classes, false, true, many_values ? 1000 : 6});
    testing::give_weights(random, weights, data);
    if (most_cost > 0) {
      for (std::size_t i = 0; i < data.classes() * data.classes(); ++i) data.costs.push_back(static_cast<double>(random.below(most_cost)));
      const GainsTable table = gains_table(data);
      if (table.constant) continue;
      data = table.rows;
    }
    const std::int64_t min_rows = random.below(2) == 0 ? 1 : 1 + static_cast<std::int64_t>(random.below(20));
    const search::Problem problem = search::make_problem(data, min_rows > 1, random.below(2) == 0);
    const search::Subset whole = testing::random_subset(random, problem, static_cast<int>(random.below(3)));
    if (whole.total_reach > static_cast<double>(std::numeric_limits<T>::max())) continue;
    // The kernel lays out a range without copying it; the plain loop gets the copy.
    search::ItemRange range = search::ItemRange::all(whole);
    if (!problem.orderings.empty() && random.below(2) == 0) {
      range.ordering = random.below(problem.orderings.size());
      search::Cuts cuts;
      cuts.assign(whole, range.ordering);
      if (cuts.size() > 0)
        (random.below(2) == 0 ? range.first : range.last) = cuts.place(random.below(static_cast<std::uint64_t>(cuts.size())));
    }
    search::Subset subset;
    range.copy_to(subset);
    search::KernelColumns<T> columns;
    columns.assign(range, problem.classes, min_rows);
    for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
      search::Cuts cuts;
      cuts.assign(subset, f);
      if (cuts.size() == 0) continue;
      T places[search::kLanes];
      std::size_t chosen_cuts[search::kLanes];
      std::uint32_t chosen[search::kLanes];
      for (std::size_t& cut : chosen_cuts) cut = random.below(static_cast<std::uint64_t>(cuts.size()));
      std::sort(std::begin(chosen_cuts), std::end(chosen_cuts));  // the kernel is only asked for ascending cuts
      for (std::size_t lane = 0; lane < search::kLanes; ++lane) {
        chosen[lane] = cuts.place(chosen_cuts[lane]);
        places[lane] = static_cast<T>(columns.boundaries_of(f)[chosen_cuts[lane]]);
      }
      search::CutErrors out;
      search::best_stumps(columns, f, places, out);
      for (std::size_t lane = 0; lane < search::kLanes; ++lane) {
        std::vector<bool> left(subset.size, false), right(subset.size, true);
        for (std::uint32_t at = 0; at < chosen[lane]; ++at) left[subset.order_of(f)[at]] = true, right[subset.order_of(f)[at]] = false;
        const StumpErrors l = plain_stumps(subset, problem.orderings.size(), problem.classes, left, min_rows);
        const StumpErrors r = plain_stumps(subset, problem.orderings.size(), problem.classes, right, min_rows);
        const std::string where = "round " + std::to_string(round) + ", ordering " + std::to_string(f) + ", cut " +
                                  std::to_string(chosen[lane]) + ", min_rows " + std::to_string(min_rows) + ", " + search::vector_target();
        ASSERT_NEAR(out.left_leaf[lane], l.leaf, 1e-9) << where;
        ASSERT_NEAR(out.right_leaf[lane], r.leaf, 1e-9) << where;
        ASSERT_NEAR(out.left[lane], l.strict, 1e-9) << where;
        ASSERT_NEAR(out.right[lane], r.strict, 1e-9) << where;
        ASSERT_NEAR(out.left_relaxed[lane], l.relaxed, 1e-9) << where;
        ASSERT_NEAR(out.right_relaxed[lane], r.relaxed, 1e-9) << where;
      }
    }
  }
}

using testing::Weights;

// With a million rows each of these is a fifth of the memory of the search.
TEST(StumpKernel, HoldsNeitherTheOrderNorTheBoundariesTwice) {
  Random random(14);
  std::vector<Column> columns(3);
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 100; ++row) labels.push_back(static_cast<std::int32_t>(random.below(2)));
  for (Column& column : columns) {
    column.name = "x" + std::to_string(&column - columns.data());
    for (int row = 0; row < 100; ++row) column.values.push_back(random.uniform());
  }
  const search::Subset whole = search::Subset::all(search::make_problem(testing::make_data(columns, labels), false));
  search::KernelColumns<std::int32_t> wide;
  wide.assign(search::ItemRange::all(whole), 2, 1);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(wide.walk(f).order, whole.order_of(f).data());
    EXPECT_EQ(wide.boundaries_of(f).data(), wide.boundaries_of(0).data());
    EXPECT_EQ(wide.boundaries_of(f).size(), whole.size);
    EXPECT_EQ(wide.reach_before(f, 7), 7);
  }
}

TEST(StumpKernel, Int16) {
  compare<std::int16_t>(Weights::none, 2, false, 1);
  compare<std::int16_t>(Weights::none, 2, true, 2);
  compare<std::int16_t>(Weights::whole, 2, false, 3);
  compare<std::int16_t>(Weights::none, 3, false, 4);
  compare<std::int16_t>(Weights::whole, 7, true, 5);
}

TEST(StumpKernel, Int32) {
  compare<std::int32_t>(Weights::none, 2, true, 6);
  compare<std::int32_t>(Weights::whole, 2, false, 7);
  compare<std::int32_t>(Weights::whole, 3, true, 8);
  compare<std::int32_t>(Weights::none, 7, false, 9);
}

// Labels with costs: rows have several items, all of which together weigh more than a narrow number holds.
TEST(StumpKernel, Costs) {
  compare<std::int16_t>(Weights::none, 3, true, 14, 9);
  compare<std::int16_t>(Weights::none, 6, false, 15, 9);
  compare<std::int16_t>(Weights::none, 7, true, 16, 220);
  compare<std::int16_t>(Weights::none, 9, false, 17, 330);
  compare<std::int16_t>(Weights::none, 14, true, 18, 2);
  compare<std::int32_t>(Weights::whole, 5, true, 19, 9);
  compare<std::int32_t>(Weights::whole, 8, false, 20, 1000);
}

// Every set of vector instructions that this machine has.
TEST(StumpKernel, EveryTarget) {
  const auto use = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  std::set<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    use(target);
    names.insert(search::vector_target());
    compare<std::int16_t>(Weights::none, 2, true, 21);
    compare<std::int16_t>(Weights::whole, 5, false, 22);
    compare<std::int16_t>(Weights::none, 7, true, 23, 220);
    compare<std::int32_t>(Weights::none, 6, false, 24, 9);
    compare<double>(Weights::real, 4, true, 25);
  }
  use(0);
  EXPECT_GE(names.size(), 1u);
}

TEST(StumpKernel, Double) {
  compare<double>(Weights::real, 2, true, 10);
  compare<double>(Weights::real, 2, false, 11);
  compare<double>(Weights::real, 3, false, 12);
  compare<double>(Weights::real, 7, true, 13);
}

}  // namespace
}  // namespace treewright
