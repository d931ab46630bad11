#include "treewright/methods/margot/row_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/all_assignments.h"
#include "support/margot_problem.h"
#include "treewright/base/random.h"
#include "treewright/methods/margot/search.h"

namespace treewright {
namespace {

using testing::random_problem;

// Every row as often, with a share of its weight.
margot::MargotProblem copies(const margot::MargotProblem& once, int count) {
  margot::MargotProblem many = once;
  for (double& weight : many.weight) weight /= count;
  const std::vector<double> share = many.weight;
  for (int copy = 1; copy < count; ++copy) {
    many.points.x.insert(many.points.x.end(), once.points.x.begin(), once.points.x.end());
    many.target.insert(many.target.end(), once.target.begin(), once.target.end());
    many.weight.insert(many.weight.end(), share.begin(), share.end());
  }
  return many;
}

std::vector<double> bounds(const margot::MargotProblem& problem, const std::vector<std::size_t>& order, std::size_t first_rows) {
  std::vector<double> all;
  Deadline deadline;
  ThreadPool pool(1);
  const auto bound_of = [](const margot::MargotProblem& group, Deadline& limit, double lower) {
    return margot::solve_margot(group, limit, 1e-6, {}, 1, {}, lower, margot::kNoGroups).lower;
  };
  const auto raise = [&](double bound) { all.push_back(bound); };
  margot::bound_from_row_groups(problem, order, deadline, bound_of, pool, raise, first_rows);
  return all;
}

TEST(MargotRowGroups, NoBoundExceedsTheBestOfAllAssignments) {
  Random random(21);
  double nearest = 0;
  for (int round = 0; round < 60; ++round) {
    margot::MargotProblem problem = random_problem(random, 3 + random.below(5), 1 + random.below(3), 2);
    if (round % 3 > 0) {
      const double price = round % 3 == 1 ? std::numeric_limits<double>::infinity() : 0.5;
      problem.level_price = {{random.below(3), price}, {random.below(3), price}};
    }
    for (std::size_t i = 0; round % 4 == 3 && i < 2 * problem.rows(); ++i) problem.level_target.push_back(random.below(2) == 0 ? -1 : 1);
    const double least = testing::AllAssignments(problem).best();
    Deadline deadline;
    std::vector<std::size_t> order = margot::balanced_order(problem, margot::solve_margot(problem, deadline).tree.planes);
    if (round % 2 == 1) std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<double> found = bounds(problem, order, 1);
    ASSERT_FALSE(found.empty());
    EXPECT_LE(std::ranges::max(found), least + 2e-5 * std::max(1.0, least)) << "round " << round;
    if (least > 1e-3) nearest = std::max(nearest, std::ranges::max(found) / least);
  }
  EXPECT_GT(nearest, 0.9);
}

TEST(MargotRowGroups, TheOrderHoldsEveryRowOnce) {
  Random random(22);
  for (const std::size_t rows : {2, 3, 41, 100, 333}) {
    const margot::MargotProblem problem = random_problem(random, rows, 3, 2);
    Deadline none(Deadline::kNoLimit, 0);
    std::vector<std::size_t> order = margot::balanced_order(problem, margot::solve_margot(problem, none).tree.planes);
    ASSERT_EQ(order.size(), rows);
    std::ranges::sort(order);
    for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(order[i], i);
  }
}

// Groups of equal rows have the optimum of all. Where two different rows have the same decision value, the order may mix them.
TEST(MargotRowGroups, GroupsOfCopiesBoundWell) {
  Random random(23);
  for (int round = 0; round < 20; ++round) {
    const margot::MargotProblem once = random_problem(random, 6, 2, 2), many = copies(once, 16);
    const double least = testing::AllAssignments(once).best();
    Deadline deadline;
    const std::vector<std::size_t> order = margot::balanced_order(many, margot::solve_margot(once, deadline).tree.planes);
    const std::vector<double> found = bounds(many, order, 12);
    ASSERT_FALSE(found.empty());
    EXPECT_LE(std::ranges::max(found), least * (1 + 2e-5)) << "round " << round;
    EXPECT_GE(std::ranges::max(found), 0.85 * least) << "round " << round;
  }
}

TEST(MargotRowGroups, TheSearchFindsTheSameWithAndWithout) {
  Random random(24);
  for (int round = 0; round < 3; ++round) {
    const margot::MargotProblem once = random_problem(random, 6, 2, 2), many = copies(once, 30);
    const double least = testing::AllAssignments(once).best();
    for (const std::size_t many_rows : {margot::kNoGroups, std::size_t{100}}) {
      Deadline deadline;
      const margot::MargotResult found = margot::solve_margot(many, deadline, 1e-4, {}, 1, {}, 0, many_rows);
      EXPECT_TRUE(found.complete);
      EXPECT_NEAR(found.tree.objective, least, 2e-4 * std::max(1.0, least)) << "round " << round;
      EXPECT_LE(found.lower, least * (1 + 2e-5)) << "round " << round;
    }
  }
}

// Most rows of opposite quarters have one class.
TEST(MargotRowGroups, LengthyAnyNumberOfThreadsFindsTheSameAndABetterBound) {
  Random random(25);
  margot::MargotProblem problem = random_problem(random, 600, 2, 2);
  problem.level_cost = {1, 1};
  for (std::size_t i = 0; i < problem.rows(); ++i) {
    const bool same = (problem.points.row(i)[0] > 0.5) == (problem.points.row(i)[1] > 0.5);
    problem.target[i] = same == (random.below(10) > 0) ? 1 : -1;
  }
  const auto stopped = [&](std::int64_t work, int threads, std::size_t many_rows) {
    Deadline deadline(Deadline::kNoLimit, work);
    return margot::solve_margot(problem, deadline, 1e-4, {}, threads, {}, 0, many_rows);
  };
  double lower = 0;
  for (const std::int64_t work : {0, 400}) {
    const margot::MargotResult alone = stopped(work, 1, 100), together = stopped(work, 4, 100);
    EXPECT_EQ(alone.tree.objective, together.tree.objective);
    EXPECT_EQ(alone.lower, together.lower);
    lower = alone.lower;
  }
  EXPECT_GT(lower, 1.05 * stopped(20, 1, margot::kNoGroups).lower);
}

}  // namespace
}  // namespace treewright
