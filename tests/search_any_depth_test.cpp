#include "treewright/search/any_depth/any_depth.h"

#include <gtest/gtest.h>

#include "support/brute_force.h"
#include "support/random_data.h"
#include "support/search_runs.h"
#include "treewright/search/depth_two/pack.h"
#include "treewright/search/exact.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

// A data set with few values, and sometimes with weights.
Dataset drawn(Random& random, int most_rows) {
  Dataset data = testing::random_data(random, {most_rows, 5, 4, true, true, 2 + static_cast<int>(random.below(3))});
  if (random.below(2) == 0) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(static_cast<double>(1 + random.below(4)));
  }
  return data;
}

bool has_cuts(const Dataset& data) {
  const search::Problem problem = search::make_problem(data, false);
  return !problem.orderings.empty() && problem.items() > 0;
}

double drawn_price(Random& random) {
  const double prices[] = {0.25, 0.5, 1, 1.5, 2, 3};
  return prices[random.below(6)];
}

// Costs are in weight of rows, with what every tree loses.
struct Searched {
  double lower = 0, cost = 0;
  Tree tree;
  bool ended = false;
};

// `slices`: so often the search is broken off after that much work; then it goes on until it ends, if `to_the_end`.
Searched search(const Dataset& data, double price, const search::Rules& rules, std::int64_t work, int slices, bool to_the_end) {
  const search::Problem problem = search::make_problem(data, false);
  search::SearchLimits limits;
  const double unit = problem.row_weights.unit;
  limits.split_price = price / unit;
  limits.rules = rules;
  Searched searched;
  const search::Subset all = search::packed(search::Subset::all(problem), problem.classes, 1);
  search::AnyDepth any_depth(problem, limits, all);
  for (int slice = 0; slice < slices; ++slice) {
    Deadline deadline(Deadline::kNoLimit, work);
    any_depth.run(deadline);
  }
  Deadline unlimited;
  if (to_the_end) any_depth.run(unlimited);
  const search::SubproblemResult best = any_depth.best();
  searched.lower = unit * (best.lower.strict + problem.base_errors);
  searched.cost = unit * (best.cost + problem.base_errors);
  searched.ended = any_depth.ended();
  searched.tree = best.tree.to_tree(problem, data, price);
  return searched;
}

double cost_of(const Tree& tree, const Dataset& data, double price) {
  return count_errors(tree, data) + price * static_cast<double>(tree.splits());
}

TEST(AnyDepth, AgreesWithAllTreesOfAnyDepth) {
  Random random(311);
  int splits = 0, deep = 0;
  for (int round = 0; round < 1500; ++round) {
    const Dataset data = drawn(random, 9);
    if (!has_cuts(data)) continue;
    const double price = drawn_price(random);
    search::Rules rules;
    rules.lipschitz = random.below(4) > 0;
    rules.class_bound = random.below(4) > 0;
    const Searched searched = search(data, price, rules, 5, static_cast<int>(random.below(3)), true);
    // No better tree has more splits than rows.
    const double optimum = testing::BruteForce(data, 1).best_cost(testing::BruteForce::kMaxDepth, 8, price);
    EXPECT_TRUE(searched.ended);
    EXPECT_EQ(searched.lower, optimum) << price << "\n" << testing::to_string(data);
    EXPECT_EQ(searched.cost, optimum);
    EXPECT_EQ(cost_of(searched.tree, data, price), optimum) << testing::to_string(data);
    splits += searched.tree.splits() > 0;
    deep += searched.tree.depth() > 2;
  }
  EXPECT_GT(splits, 300);
  EXPECT_GT(deep, 30);
}

TEST(AnyDepth, AStoppedSearchReturnsATreeAndAValidBound) {
  Random random(313);
  int open = 0;
  for (int round = 0; round < 600; ++round) {
    const Dataset data = drawn(random, 60);
    if (!has_cuts(data)) continue;
    const double price = drawn_price(random);
    const Searched whole = search(data, price, {}, 0, 0, true);
    const Searched part = search(data, price, {}, 1 + static_cast<std::int64_t>(random.below(60)), 1 + random.below(2), false);
    ASSERT_TRUE(whole.ended);
    EXPECT_LE(part.lower, whole.cost) << testing::to_string(data);
    EXPECT_GE(part.cost, whole.cost);
    EXPECT_LE(cost_of(part.tree, data, price), part.cost);
    open += !part.ended;
  }
  EXPECT_GT(open, 100);
}

// The whole search, which alternates between depths and trees of any depth.
TEST(AnyDepth, LengthyTheSearchFindsTheSameOptimumWithoutIt) {
  Random random(317);
  for (int round = 0; round < 150; ++round) {
    const Dataset data = drawn(random, 40);
    search::ExactSearchOptions options;
    options.max_depth = 5 + static_cast<int>(random.below(3));
    options.split_price = drawn_price(random);
    Tree leaf(data);
    leaf.tally(data);
    const auto found = [&](bool any_depth) {
      options.rules.any_depth = any_depth;
      Deadline deadline;
      return search::search_exact(data, options, leaf, deadline);
    };
    const search::ExactSearchResult with = found(true), without = found(false);
    EXPECT_TRUE(with.complete);
    EXPECT_EQ(with.lower, without.lower) << testing::to_string(data);
    EXPECT_EQ(cost_of(with.tree, data, options.split_price), cost_of(without.tree, data, options.split_price));
    EXPECT_LE(with.tree.depth(), options.max_depth);
  }
}

}  // namespace
}  // namespace treewright
