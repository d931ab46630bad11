#include "treewright/search/first_trees/discrepancy_search.h"

#include <gtest/gtest.h>

#include "support/brute_force.h"
#include "support/random_data.h"
#include "support/random_subset.h"
#include "support/search_runs.h"
#include "treewright/search/depth_two/pack.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

struct Found {
  std::vector<search::SubproblemResult> trees;
  std::vector<std::int64_t> work;  // after each round
  search::Problem problem;
};

// All trees with fewer discrepancies than `most`.
Found find(const Dataset& data, const search::SearchLimits& limits, int depth, int threads, std::int64_t most,
           std::size_t bytes = 1 << 24) {
  Found found;
  found.problem = search::make_problem(data, limits.min_rows > 1);
  const search::Subset all = search::packed(search::Subset::all(found.problem), found.problem.classes, limits.min_rows);
  Deadline deadline;
  ThreadPool pool(threads);
  search::RootLists known(bytes);
  search::DiscrepancySearch discrepancies(found.problem, limits, all, depth, deadline, pool, known, nullptr);
  double best = std::numeric_limits<double>::infinity();
  while (!discrepancies.ended() && discrepancies.discrepancies() < most) {
    const double upper = best;
    discrepancies.run_some(upper, [&](const search::SubproblemResult& tree) {
      EXPECT_LT(tree.cost, upper);
      best = std::min(best, tree.cost);
      found.trees.push_back(tree);
    });
    found.work.push_back(deadline.work());
  }
  return found;
}

TEST(DiscrepancySearch, CostsWhatItClaimsAndEndsWithTheOptimum) {
  Random random(91);
  int rounds = 0;
  for (int round = 0; round < 200; ++round) {
    Dataset data = testing::random_data(random, {14, 3, 3, true, true, 3});
    testing::give_weights(random, random.below(2) == 0 ? testing::Weights::none : testing::Weights::whole, data);
    search::SearchLimits limits;
    limits.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(3)), static_cast<std::int64_t>(data.rows()));
    limits.split_price = random.below(2) == 0 ? 0 : 0.5;
    if (search::make_problem(data, limits.min_rows > 1).orderings.empty()) continue;
    ++rounds;
    const int depth = 2 + static_cast<int>(random.below(2));
    const Found found = find(data, limits, depth, 1, std::numeric_limits<std::int64_t>::max());
    const auto& weights = found.problem.row_weights;
    ASSERT_FALSE(found.trees.empty());
    double best = std::numeric_limits<double>::infinity();
    for (const search::SubproblemResult& result : found.trees) {
      ASSERT_TRUE(result.found());
      const Tree tree = result.tree.to_tree(found.problem, data, 0);
      const double splits = static_cast<double>(result.tree.nodes.size() / 2);
      EXPECT_LE(weights.errors(data.labels, tree.predict(data)) + limits.split_price * splits,
                result.cost + found.problem.base_errors + 1e-9)
          << testing::to_string(data);
      EXPECT_LE(tree.depth(), depth);
      for (const Node& node : tree.nodes()) {
        if (node.is_leaf() && tree.splits() > 0) {
          EXPECT_GE(node.rows, limits.min_rows) << testing::to_string(data);
        }
      }
      best = std::min(best, result.cost);
    }
    const double unit = weights.unit;
    const double optimum =
        testing::BruteForce(data, limits.min_rows).best_cost(depth, search::full_splits(depth), limits.split_price * unit);
    EXPECT_NEAR((best + found.problem.base_errors) * unit, optimum, 1e-9) << testing::to_string(data);
  }
  EXPECT_GT(rounds, 100);
}

TEST(DiscrepancySearch, AnyNumberOfThreadsAndAnyMemoryFindsTheSame) {
  for (const int values : {2, 4}) {
    const Dataset data = testing::coarse_data(150, 7, values);
    const Found one = find(data, {}, 5, 1, 8);
    EXPECT_GT(one.trees.size(), 2u);
    for (const std::size_t bytes : {std::size_t{1} << 12, std::size_t{1} << 24}) {
      const Found many = find(data, {}, 5, 4, 8, bytes);
      EXPECT_EQ(many.work, one.work);
      ASSERT_EQ(many.trees.size(), one.trees.size());
      for (std::size_t i = 0; i < one.trees.size(); ++i) {
        EXPECT_EQ(many.trees[i].cost, one.trees[i].cost);
        EXPECT_EQ(many.trees[i].tree.to_tree(many.problem, data, 0), one.trees[i].tree.to_tree(one.problem, data, 0));
      }
    }
  }
}

}  // namespace
}  // namespace treewright
