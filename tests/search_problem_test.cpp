#include "treewright/search/items/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_subset.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

// A random tree of cuts, grown on the rows and on the items side by side; compares what reaches each leaf.
struct SideBySide {
  const Dataset& data;
  const search::Problem& problem;
  Random& random;
  Tree tree;
  double item_errors;
  std::vector<std::pair<NodeId, std::int64_t>> leaf_counts;  // leaf, rows that its items stand for

  void grow(NodeId node, const std::vector<std::size_t>& items, int depth) {
    if (depth == 0 || problem.orderings.empty() || random.below(5) == 0) {
      std::vector<double> weight(problem.classes, 0.0);
      const std::vector<double>& of_item = problem.reach.empty() ? problem.weight : problem.reach;
      double reach = 0;
      std::int64_t rows = 0;
      for (const std::size_t i : items) {
        reach += of_item[i];
        weight[problem.label[i]] += problem.weight[i];
        rows += problem.count[i];
      }
      item_errors += reach - *std::max_element(weight.begin(), weight.end());
      leaf_counts.emplace_back(node, rows);
      return;
    }
    const search::Ordering& ordering = problem.orderings[random.below(problem.orderings.size())];
    const auto low = static_cast<std::uint32_t>(random.below(ordering.ranks - 1));
    const auto [left, right] = tree.split(node, ordering.cut(low, low + 1, data));
    std::vector<std::size_t> parts[2];
    for (const std::size_t i : items) parts[ordering.rank[i] <= low ? 0 : 1].push_back(i);
    grow(left, parts[0], depth - 1);
    grow(right, parts[1], depth - 1);
  }
};

TEST(Problem, ItemsReproduceTheErrorsOfEveryTree) {
  Random random(41);
  for (int round = 0; round < 600; ++round) {
    // Few values: many rows are equal.
    Dataset data = testing::random_data(random, {60, 2, 4, true, true, 3});
    testing::give_weights(random, static_cast<testing::Weights>(random.below(3)), data);
    if (!data.weights.empty() && random.below(2) == 0) data.weights[random.below(data.rows())] = 0;
    const bool count_rows = random.below(2) == 0, merge = random.below(4) > 0;
    search::Problem problem = search::make_problem(data, count_rows, merge);
    if (random.below(2) == 0) problem.forget_reach();
    EXPECT_EQ(problem.total_rows, static_cast<std::int64_t>(data.rows()));
    EXPECT_NEAR(problem.total_weight, std::accumulate(problem.weight.begin(), problem.weight.end(), 0.0), 1e-9);

    SideBySide both{data, problem, random, Tree(data), 0, {}};
    std::vector<std::size_t> items(problem.items());
    std::iota(items.begin(), items.end(), 0);
    both.grow(Tree::root(), items, 3);
    both.tree.tally(data);
    ASSERT_NEAR(count_errors(both.tree, data), (problem.base_errors + both.item_errors) * problem.row_weights.unit, 1e-9)
        << testing::to_string(data);
    for (const auto& [leaf, rows] : both.leaf_counts) {
      if (count_rows) {
        ASSERT_EQ(both.tree.node(leaf).rows, rows) << testing::to_string(data);
      }
    }
  }
}

TEST(Problem, EqualRowsBecomeOneItem) {
  const Dataset data = make_data({numbers("x", {1, 1, 1, 2, 2}), numbers("y", {5, 5, 5, 5, 5})}, {0, 0, 1, 0, 1});
  const search::Problem problem = search::make_problem(data, false);
  EXPECT_EQ(problem.items(), 1u) << "x = 1 leaves one row of class a, x = 2 leaves nothing";
  EXPECT_EQ(problem.label, (std::vector<std::int32_t>{0}));
  EXPECT_EQ(problem.weight, (std::vector<double>{1}));
  EXPECT_EQ(problem.count, (std::vector<std::int32_t>{3}));
  EXPECT_EQ(problem.base_errors, 2);
  EXPECT_EQ(problem.orderings.size(), 1u) << "y never changes";
  EXPECT_EQ(search::make_problem(data, true).items(), 2u) << "rows that cancel still fill leaves";
  EXPECT_EQ(search::make_problem(data, false, false).items(), 5u);
  EXPECT_EQ(search::make_problem(data, false, false).base_errors, 0);
}

// A group is a run of items that begins with its heaviest, which bears the reach.
TEST(Problem, EqualRowsOfSeveralClassesRaiseTheOptimumByTheirReach) {
  // x = 1: 3, 2 and 1 rows of the classes; x = 2: 1, 2 and 0; x = 3: one of each.
  const Dataset data = make_data({numbers("x", {1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3})}, {0, 0, 0, 1, 1, 2, 0, 1, 1, 0, 1, 2}, 3);
  search::Problem problem = search::make_problem(data, false);
  EXPECT_EQ(problem.label, (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(problem.weight, (std::vector<double>{2, 1, 2, 1}));
  EXPECT_EQ(problem.reach, (std::vector<double>{2, 0, 2, 0}));
  EXPECT_EQ(problem.base_errors, 3 + 1 + 2);
  EXPECT_EQ(problem.total_reach, 4);
  problem.forget_reach();
  EXPECT_TRUE(problem.reach.empty());
  EXPECT_EQ(problem.base_errors, 2 + 0 + 2) << "the lightest class, once for each other one";
  EXPECT_EQ(problem.total_reach, problem.total_weight);
  EXPECT_TRUE(search::make_problem(data, false, false).reach.empty()) << "each row is a group of its own";
  const Dataset two = make_data({numbers("x", {1, 1, 1, 2, 2})}, {0, 0, 1, 0, 1});
  EXPECT_TRUE(search::make_problem(two, true).reach.empty()) << "with two classes reach is weight";
}

TEST(Problem, EqualOrderingsAreOne) {
  const std::vector<double> missing = {1, 2, 3, std::nan("")};
  const Dataset data = make_data({numbers("x", {1, 2, 3, 3}), numbers("twice", {2, 4, 6, 6}), numbers("reverse", {0, -1, -2, -2}),
                                  numbers("z", {2, 1, 3, 3}), numbers("gap", missing)},
                                 {0, 1, 0, 1});
  const auto orderings = [&](bool merge) { return search::make_problem(data, true, false, merge).orderings; };
  EXPECT_EQ(orderings(false).size(), 6u) << "two of the column with a missing value";
  ASSERT_EQ(orderings(true).size(), 4u);
  EXPECT_EQ(orderings(true)[0].feature, FeatureId{0});
  EXPECT_EQ(orderings(true)[1].feature, FeatureId{3});
}

TEST(Problem, KnowsWholeWeights) {
  Dataset data = make_data({numbers("x", {1, 2})}, {0, 1});
  data.weights = {3, 2};
  EXPECT_EQ(search::make_problem(data, false).row_weights.unit, 1);
  data.weights = {3, 2.5};
  EXPECT_EQ(search::make_problem(data, false).weight, (std::vector<double>{6, 5})) << "in halves";
}

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

TEST(Problem, EverySubsetOfLevelsIsAPrefixOfAnOrdering) {
  for (int levels = 2; levels <= 8; ++levels) {
    for (const bool missing : {false, true}) {
      // One row for each level, and one that lacks it.
      std::vector<std::string> names;
      std::vector<std::int32_t> codes, labels;
      for (int l = 0; l < levels; ++l) {
        names.push_back(std::string(1, static_cast<char>('a' + l)));
        codes.push_back(l);
        labels.push_back(l % 2);
      }
      if (missing) codes.push_back(-1), labels.push_back(0);
      const Dataset data = make_data({categories("c", names, codes)}, labels);
      const search::Problem problem = search::make_problem(data, false);
      const unsigned present = static_cast<unsigned>(codes.size());
      EXPECT_EQ(problem.orderings.size(), binomial(present - 1, (present - 1) / 2)) << "as few as there can be";
      std::set<unsigned> reached;
      for (const search::Ordering& ordering : problem.orderings) {
        for (std::uint32_t low = 0; low + 1 < ordering.ranks; ++low) {
          const Split split = ordering.cut(low, low + 1, data);
          unsigned left = 0;
          for (std::size_t row = 0; row < data.rows(); ++row) {
            const bool goes = goes_left(split, data, row);
            EXPECT_EQ(goes, ordering.rank[row] <= low);
            left |= static_cast<unsigned>(goes) << row;
          }
          reached.insert(left);
        }
      }
      const unsigned all = (1u << present) - 1;
      for (unsigned subset = 1; subset < all; ++subset) {
        // A subset and the rest are the same split.
        EXPECT_TRUE(reached.contains(subset) || reached.contains(all ^ subset)) << levels << " levels, subset " << subset;
      }
    }
  }
}

TEST(Problem, ManyLevelsAreSplitOneAgainstTheRestAndByShare) {
  std::vector<std::string> names;
  std::vector<std::int32_t> codes, labels;
  for (int l = 0; l < 13; ++l) {
    names.push_back("level" + std::to_string(l));
    for (int row = 0; row < 3; ++row) {
      codes.push_back(l);
      labels.push_back(row < l % 4);
    }
  }
  const Dataset data = make_data({categories("c", names, codes)}, labels);
  const search::Problem problem = search::make_problem(data, false);
  ASSERT_EQ(problem.orderings.size(), 14u) << "both classes have the same order";
  for (std::size_t f = 0; f < 13; ++f) {
    ASSERT_EQ(problem.orderings[f].ranks, 2u);
    const Split split = problem.orderings[f].cut(0, 1, data);
    for (std::size_t row = 0; row < data.rows(); ++row) EXPECT_EQ(goes_left(split, data, row), codes[row] == static_cast<std::int32_t>(f));
  }
  const search::Ordering& by_share = problem.orderings[13];
  ASSERT_EQ(by_share.ranks, 4u) << "levels of equal share stay together";
  for (std::uint32_t low = 0; low < 3; ++low) {
    const Split split = by_share.cut(low, low + 1, data);
    const bool first = goes_left(split, data, 0);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const auto ones = static_cast<std::uint32_t>(codes[row] % 4);
      EXPECT_EQ(goes_left(split, data, row) == first, by_share.rank[0] == 0 ? ones <= low : ones < 3 - low);
    }
  }
}

TEST(Problem, MissingNumbersComeFirstOrLast) {
  const double missing = std::nan("");
  const Dataset data = make_data({numbers("x", {1, missing, 2, 4})}, {0, 1, 0, 1});
  const search::Problem problem = search::make_problem(data, false);
  ASSERT_EQ(problem.orderings.size(), 2u);
  std::set<std::vector<bool>> seen;
  for (const search::Ordering& ordering : problem.orderings) {
    for (std::uint32_t low = 0; low + 1 < ordering.ranks; ++low) {
      const Split split = ordering.cut(low, low + 1, data);
      std::vector<bool> left;
      for (std::size_t row = 0; row < 4; ++row) left.push_back(goes_left(split, data, row));
      seen.insert(left);
    }
  }
  EXPECT_EQ(seen, (std::set<std::vector<bool>>{{true, false, false, false},
                                               {true, false, true, false},
                                               {true, false, true, true},
                                               {true, true, false, false},
                                               {true, true, true, false},
                                               {false, true, false, false}}));
}

TEST(Problem, CutsLieInTheMiddleOfTheGapOfTheRowsTheySeparate) {
  const Dataset data = make_data({numbers("x", {1, 2, 5})}, {0, 1, 0});
  const search::Problem problem = search::make_problem(data, false);
  EXPECT_EQ(std::get<AxisSplit>(problem.orderings[0].cut(1, 2, data).rule).threshold, 3.5);
  EXPECT_EQ(std::get<AxisSplit>(problem.orderings[0].cut(0, 2, data).rule).threshold, 3) << "no row of the node lies between";
}

TEST(Problem, CutsOfManyValuesAreFoundInTheData) {
  Random random(47);
  for (const bool missing : {false, true}) {
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    for (int row = 0; row < 1000; ++row) {
      values.push_back(missing && random.below(10) == 0 ? std::nan("") : static_cast<double>(random.below(400)) / 7 - 20);
      labels.push_back(static_cast<std::int32_t>(random.below(2)));
    }
    const Dataset data = make_data({numbers("x", values)}, labels);
    std::set<double> distinct;
    for (const double value : values) {
      if (!std::isnan(value)) distinct.insert(value);
    }
    const std::vector<double> sorted(distinct.begin(), distinct.end());
    const search::Problem problem = search::make_problem(data, true, false);
    ASSERT_EQ(problem.orderings.size(), missing ? 2u : 1u);
    for (const search::Ordering& ordering : problem.orderings) {
      const std::uint32_t shift = ordering.missing_first ? 1 : 0;
      for (std::uint32_t r = 0; r + 1 < sorted.size(); ++r) {
        const double threshold = std::get<AxisSplit>(ordering.cut(r + shift, r + 1 + shift, data).rule).threshold;
        ASSERT_GT(threshold, sorted[r]);
        ASSERT_LE(threshold, sorted[r + 1]);
      }
    }
  }
}

}  // namespace
}  // namespace treewright
