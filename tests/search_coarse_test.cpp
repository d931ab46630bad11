#include "treewright/search/first_trees/coarse.h"

#include <gtest/gtest.h>

#include <map>

#include "support/random_data.h"
#include "support/random_subset.h"
#include "treewright/search/first_trees/discrepancy_search.h"
#include "treewright/search/first_trees/primal_heuristic.h"

namespace treewright {
namespace {

double cost_of(const search::Problem& problem, const search::SearchLimits& limits, const search::RankTree& tree, const Dataset& data) {
  return problem.row_weights.errors(data.labels, tree.to_tree(problem, data, 0).predict(data)) - problem.base_errors +
         limits.split_price * static_cast<double>(tree.nodes.size() / 2);
}

bool every_leaf_holds(const Tree& tree, std::int64_t rows) {
  return std::all_of(tree.nodes().begin(), tree.nodes().end(), [&](const Node& node) { return !node.is_leaf() || node.rows >= rows; });
}

TEST(Coarse, ItsTreesAreTreesOfTheProblemAndPolishingMakesThemNoWorse) {
  Random random(93);
  int found = 0;
  std::map<int, int> better;  // by exact levels
  for (int round = 0; round < 150; ++round) {
    Dataset data = testing::random_data(random, {300, 6, 3, true, true, 120});
    testing::give_weights(random, random.below(2) == 0 ? testing::Weights::none : testing::Weights::whole, data);
    search::SearchLimits limits;
    limits.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(4)), static_cast<std::int64_t>(data.rows()));
    limits.split_price = random.below(2) == 0 ? 0 : 0.5;
    const search::Problem problem = search::make_problem(data, limits.min_rows > 1);
    const std::optional<search::CoarseProblem> coarse = search::coarse_problem(problem, search::Subset::all(problem), limits.min_rows);
    if (!coarse) continue;
    for (const search::Ordering& ordering : coarse->problem.orderings) EXPECT_LE(ordering.ranks, 33u);
    const int depth = 3 + static_cast<int>(random.below(3));
    Deadline deadline;
    ThreadPool pool(1);
    search::RootLists known(1 << 24);
    search::DiscrepancySearch discrepancies(coarse->problem, limits, coarse->packed, depth, deadline, pool, known, nullptr);
    search::SubproblemResult best;
    while (discrepancies.discrepancies() < 3 && !discrepancies.ended()) {
      discrepancies.run_some(best.cost, [&](const search::SubproblemResult& tree) {
        if (tree.cost < best.cost) best = tree;
      });
    }
    ASSERT_TRUE(best.found());
    const search::RankTree fine = coarse->refined(best.tree);
    EXPECT_LE(cost_of(problem, limits, fine, data), best.cost + 1e-9) << testing::to_string(data);
    const search::Subset all = search::Subset::all(problem);
    search::Crew crew(problem, limits, pool);
    const search::PrimalHeuristic heuristic(problem, limits, deadline, crew, nullptr);
    for (const int exact : {2, 3}) {
      if (exact == 3 && round % 10 != 0) continue;  // takes long
      const search::SubproblemResult polished = heuristic.polish(all, fine, exact);
      ASSERT_TRUE(polished.found());
      EXPECT_LE(polished.cost, best.cost);
      EXPECT_LE(cost_of(problem, limits, polished.tree, data), polished.cost + 1e-9) << testing::to_string(data);
      EXPECT_LE(polished.tree.depth(), depth);
      for (const search::RankTree& tree : {fine, polished.tree}) {
        if (tree.nodes.size() > 1) {
          EXPECT_TRUE(every_leaf_holds(tree.to_tree(problem, data, 0), limits.min_rows)) << testing::to_string(data);
        }
      }
      better[exact] += polished.cost < best.cost;
    }
    ++found;
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(better[2], 10);
  EXPECT_GT(better[3], 5);
}

TEST(Coarse, LeavesOutItemsOfUnevenWeights) {
  Random random(95);
  Dataset data = testing::random_data(random, {50, 2, 2, false, false, 40});
  data.weights.assign(data.rows(), 1.0);
  data.weights.front() = 1e6;
  const search::Problem problem = search::make_problem(data, false);
  EXPECT_FALSE(search::coarse_problem(problem, search::Subset::all(problem), 1).has_value());
}

}  // namespace
}  // namespace treewright
