#include "treewright/methods/margot/root_alone.h"

#include <gtest/gtest.h>

#include <set>

#include "support/compare_margot.h"
#include "support/random_data.h"

namespace treewright {
namespace {

using testing::Case;

// Never above the optimum, and nearer to it than the root without its features wherever one hyperplane is enough.
TEST(RootAlone, BoundsEveryTree) {
  Random random(43);
  int raised = 0;
  for (int round = 0; round < 60; ++round) {
    Case c;
    c.data = testing::random_data(random, {7, 4, 2, false, false, 5});
    if (std::set<std::int32_t>(c.data.labels.begin(), c.data.labels.end()).size() < 2) continue;
    c.options.method = "margot";
    c.options.feature_selection = "soft";
    c.options.max_depth = 2;
    c.options.level_costs = "3";
    c.options.feature_budgets = round % 2 == 0 ? "0" : "1";
    c.options.ccp_alpha = round % 3 == 0 ? 0.3 : 1.5;
    const margot::MargotProblem problem = testing::margot_problem(c);
    if (problem.points.axes == 0) continue;
    const double least = testing::AllAssignments(problem).best();
    double told = 0;
    Deadline none;
    const double bound = margot::bound_of_root_alone(problem, 0, least, none, [&](double better) {
      EXPECT_GT(better, told);
      told = better;
    });
    EXPECT_LE(bound, least * (1 + 1e-6)) << "round " << round;
    EXPECT_GE(bound, told);
    raised += bound > 0 ? 1 : 0;
    EXPECT_EQ(margot::bound_of_root_alone(problem, least, least, none, [](double) { FAIL(); }), least) << "what is known is not lost";
  }
  EXPECT_GT(raised, 30);
}

}  // namespace
}  // namespace treewright
