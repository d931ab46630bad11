#include "treewright/search/first_trees/primal_heuristic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "support/brute_force.h"
#include "support/random_data.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

struct Found {
  std::vector<search::SubproblemResult> trees;  // of look-ahead, then of every root tried
  std::size_t quick = 0;                        // those without three exact levels
  search::Problem problem;
};

Found find(const Dataset& data, const search::SearchLimits& limits, int depth, int threads) {
  Found found;
  found.problem = search::make_problem(data, limits.min_rows > 1);
  Deadline deadline;
  ThreadPool pool(threads);
  search::Crew crew(found.problem, limits, pool);
  const search::PrimalHeuristic primal_heuristic(found.problem, limits, deadline, crew, nullptr);
  const search::Subset all = search::Subset::all(found.problem);
  found.trees.push_back(primal_heuristic.look_ahead(all, depth));
  std::vector<search::Cuts> cuts(found.problem.orderings.size());
  for (std::size_t f = 0; f < cuts.size(); ++f) cuts[f].assign(all, f);
  std::vector<std::size_t> orderings(cuts.size());
  std::iota(orderings.begin(), orderings.end(), std::size_t{0});
  search::RootTrials trials(primal_heuristic, all, cuts, orderings, depth);
  const auto keep = [&](const search::SubproblemResult& tree) { found.trees.push_back(tree); };
  while (!trials.ended()) trials.run_some(keep);
  found.quick = found.trees.size();
  while (!trials.exact_ended()) trials.run_exact(keep);
  return found;
}

TEST(PrimalHeuristic, CostsWhatItClaimsWithinTheLimits) {
  Random random(31);
  std::size_t optimal = 0, rounds = 150;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Dataset data = testing::random_data(random, {14, 3, 3, true, true, 5});
    search::SearchLimits limits;
    limits.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(3)), static_cast<std::int64_t>(data.rows()));
    limits.split_price = random.below(2) == 0 ? 0 : 0.4;
    const Found found = find(data, limits, 3, 1);
    const double optimum = testing::BruteForce(data, limits.min_rows).best_cost(3, 7, limits.split_price);
    double best = std::numeric_limits<double>::infinity(), best_exact = best;
    for (std::size_t i = 0; i < found.trees.size(); ++i) {
      const search::SubproblemResult& result = found.trees[i];
      ASSERT_TRUE(result.found());
      const Tree tree = result.tree.to_tree(found.problem, data, limits.split_price);
      const double cost = count_errors(tree, data) + limits.split_price * static_cast<double>(tree.splits());
      const double claimed = result.cost + found.problem.base_errors;
      EXPECT_LE(cost, claimed + 1e-9) << testing::to_string(data);  // to_tree takes back splits that do not pay
      EXPECT_GE(cost, optimum - 1e-9) << testing::to_string(data);
      EXPECT_LE(tree.depth(), 3);
      for (const Node& node : tree.nodes()) {
        if (node.is_leaf() && tree.splits() > 0) {
          EXPECT_GE(node.rows, limits.min_rows) << testing::to_string(data);
        }
      }
      (i < found.quick ? best : best_exact) = std::min(i < found.quick ? best : best_exact, cost);
    }
    EXPECT_LE(best_exact, optimum + 1e-9) << "three exact levels of three";
    optimal += best <= optimum + 1e-9;
  }
  EXPECT_GE(optimal, rounds * 9 / 10);
}

TEST(PrimalHeuristic, AnyNumberOfThreadsTriesTheSameTrees) {
  Random random(32);
  for (int round = 0; round < 5; ++round) {
    const Dataset data = testing::random_data(random, {150, 4, 3, false, false, 40});
    const Found one = find(data, {}, 4, 1), four = find(data, {}, 4, 4);
    ASSERT_EQ(one.trees.size(), four.trees.size());
    for (std::size_t i = 0; i < one.trees.size(); ++i) {
      EXPECT_EQ(one.trees[i].cost, four.trees[i].cost);
      EXPECT_EQ(one.trees[i].tree.to_tree(one.problem, data, 0), four.trees[i].tree.to_tree(four.problem, data, 0));
    }
  }
}

// A limit on work ends it at some subproblem, which threads below the root may have come to in another order.
TEST(PrimalHeuristic, PolishesTheSameTreeWithinAnyLimit) {
  Random random(35);
  const Dataset data = testing::random_data(random, {1200, 6, 2, false, false, 300});
  const search::Problem problem = search::make_problem(data, false);
  const search::SearchLimits limits;
  const search::Subset all = search::Subset::all(problem);
  const auto polished = [&](std::int64_t work, int threads) {
    Deadline without, within(std::numeric_limits<double>::infinity(), work);
    ThreadPool pool(threads);
    search::Crew crew(problem, limits, pool);
    const search::SubproblemResult tree = search::PrimalHeuristic(problem, limits, without, crew, nullptr).look_ahead(all, 4);
    const double cost = search::PrimalHeuristic(problem, limits, within, crew, nullptr).polish(all, tree.tree, 3).cost;
    return std::pair(cost, std::min(work, within.work()));
  };
  const auto [best, work] = polished(std::numeric_limits<std::int64_t>::max() / 2, 1);
  EXPECT_TRUE(std::isfinite(best));
  EXPECT_EQ(polished(work, 4), std::pair(best, work));
  for (int share = 1; share < 60; ++share) EXPECT_EQ(polished(work * share / 60, 1), polished(work * share / 60, 4)) << share;
}

TEST(PrimalHeuristic, DeeperIsNoWorse) {
  Random random(33);
  for (int round = 0; round < 20; ++round) {
    const Dataset data = testing::random_data(random, {80, 4, 2, false, false, 30});
    const search::Problem problem = search::make_problem(data, false);
    const search::SearchLimits limits;
    Deadline deadline;
    ThreadPool pool(1);
    search::Crew crew(problem, limits, pool);
    const search::PrimalHeuristic primal_heuristic(problem, limits, deadline, crew, nullptr);
    const search::Subset all = search::Subset::all(problem);
    EXPECT_LE(primal_heuristic.look_ahead(all, 4).cost, primal_heuristic.look_ahead(all, 3).cost);
    EXPECT_LE(primal_heuristic.look_ahead(all, 3).cost, primal_heuristic.look_ahead(all, 2).cost);
  }
}

}  // namespace
}  // namespace treewright
