#include "treewright/methods/margot/method.h"

#include <gtest/gtest.h>

#include <set>

#include "support/compare_margot.h"
#include "support/make_data.h"
#include "support/random_data.h"

namespace treewright {
namespace {

using testing::AllAssignments;
using testing::Case;
using testing::random_data;

// Prices below, at and above that of slack: rows first from the tree without prices, and features first.
TEST(MargotTrain, FindsTheOptimumForCheapAndDearFeatures) {
  Random random(41);
  int solved = 0;
  for (int round = 0; round < 40; ++round) {
    Case c;
    c.data = random_data(random, {7, 3, 2, false, false, 5});
    if (std::set<std::int32_t>(c.data.labels.begin(), c.data.labels.end()).size() < 2) continue;
    c.options.method = "margot";
    c.options.feature_selection = "soft";
    c.options.max_depth = 2;
    c.options.level_costs = "1";
    c.options.feature_budgets = "1";
    const double alphas[] = {0.1, 0.5, 1, 3};
    c.options.ccp_alpha = alphas[round % 4];
    c.options.n_jobs = 1;
    const margot::MargotProblem problem = testing::margot_problem(c);
    if (problem.points.axes == 0) continue;
    ASSERT_EQ(problem.features_are_cheap(), round % 4 < 3);
    const double least = AllAssignments(problem).best();
    const Result found = fit(c.data, c.options);
    EXPECT_EQ(found.status, Status::optimal) << "round " << round;
    EXPECT_NEAR(found.objective, least, 1.2e-4 * std::max(1.0, least)) << "round " << round;
    EXPECT_LE(found.bound, least * (1 + 1e-6)) << "round " << round;
    ++solved;
  }
  EXPECT_GT(solved, 30);
}

// Where the tree's only split has more features than the root may have, it stands at the second level, and is recounted there.
TEST(MargotTrain, BudgetsByLevelHoldInTheRecount) {
  Dataset data = testing::make_data({testing::numbers("x1", {}), testing::numbers("x2", {})}, {});
  for (int k = 0; k < 8; ++k) {
    data.columns[0].values.push_back(k < 6 ? k / 5.0 : 0.4 + 0.1 * (k - 6));
    data.columns[1].values.push_back(k < 6 ? k / 5.0 : 0.9 + 0.1 * (k - 6));
    data.labels.push_back(k < 6 ? 0 : 1);
  }
  for (const char* gap : {"0.0001", "0.3"}) {
    for (const char* budgets : {"1,2", "0,2", "0,1"}) {
      Case c;
      c.data = data;
      c.options.method = "margot";
      c.options.feature_selection = "hard";
      c.options.max_depth = 2;
      c.options.level_costs = "1,100";
      c.options.feature_budgets = budgets;
      c.options.gap_tolerance = std::stod(gap);
      c.options.n_jobs = 1;
      const double least = AllAssignments(testing::margot_problem(c)).best();
      const Result found = fit(c.data, c.options);
      EXPECT_EQ(found.status, Status::optimal) << budgets << ' ' << gap << ": " << found.proved;
      EXPECT_GE(found.objective, least * (1 - 1e-6)) << budgets << ' ' << gap;
      EXPECT_LE(found.bound, least * (1 + 1e-6)) << budgets << ' ' << gap;
      EXPECT_LE(found.gap(), std::stod(gap) + 1e-9);
    }
  }
}

}  // namespace
}  // namespace treewright
