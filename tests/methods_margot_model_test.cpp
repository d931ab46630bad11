// The quadratic models of margin trees.
#include "support/source_folder.h"
#include "treewright/methods/margot/model.h"
#include "treewright/methods/margot/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "support/make_data.h"
#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/fit.h"
#include "treewright/mip/solve.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

margot::MargotProblem random_problem(Random& random, int round) {
  margot::MargotProblem problem;
  const std::size_t rows = 4 + random.below(6);
  problem.points.axes = 1 + random.below(3);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < problem.points.axes; ++j) problem.points.x.push_back(static_cast<double>(random.below(9)) / 8);
    problem.target.push_back(i % 2 == 0 ? -1 : 1);
    problem.weight.push_back(random.below(3) == 0 ? 2 : 1);
  }
  problem.depth = 1 + round % 3;
  problem.level_cost.assign(static_cast<std::size_t>(problem.depth), 0.5);
  const double price = round % 4 == 1 ? std::numeric_limits<double>::infinity() : 0.1;
  if (round % 2 == 1) problem.level_price.assign(static_cast<std::size_t>(problem.depth), {1, price});
  return problem;
}

TEST(FormulateMargot, TheSearchsTreesAreFeasibleAndCostTheSame) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const margot::MargotProblem problem = random_problem(random, round);
    Deadline deadline(Deadline::kNoLimit, 200);
    const margot::MargotTree tree = margot::solve_margot(problem, deadline).tree;
    const margot::MargotFormulation formulation(problem);
    const std::vector<double> values = formulation.encode(tree);
    EXPECT_EQ(formulation.model().broken(values), std::vector<std::string>{}) << "round " << round;
    EXPECT_NEAR(formulation.model().objective(values), tree.objective, 1e-9 * std::max(1.0, tree.objective));
    EXPECT_LE(formulation.decode(values).objective, tree.objective * (1 + 1e-6) + 1e-9) << "round " << round;
  }
}

TEST(FormulateMargot, LengthyScipAgreesWithTheSearch) {
  const std::string python = testing::in_source(".venv-highs/bin/python"), script = testing::in_source("examples/solve_with_scip.py");
  if (std::system((python + " -c 'import pyscipopt' > /dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "no pyscipopt in .venv-highs";
  Random random(2);
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 14; ++i) {
    x.push_back(random.uniform(0, 5));
    y.push_back(random.uniform(10, 11));
    labels.push_back((x.back() > 2.5) != (y.back() > 10.5));
  }
  const Dataset data = make_data({numbers("x", x), numbers("y", y)}, labels);
  for (const char* selection : {"none", "hard", "soft"}) {
    Options options;
    options.method = "margot";
    options.feature_selection = selection;
    options.max_depth = 2;
    options.level_costs = "1,2";
    options.gap_tolerance = 1e-3;
    if (options.feature_selection == "soft") options.ccp_alpha = 0.5;
    const Result ours = fit(data, options);
    options.solver = "mip";
    options.mip_solver = python + " " + script + " {lp} {solution} {time} {start}";
    const Result theirs = fit(data, options);
    EXPECT_EQ(ours.status, Status::optimal);
    EXPECT_EQ(theirs.status, Status::optimal) << theirs.proved;
    EXPECT_NEAR(ours.objective, theirs.objective, 2e-3 * ours.objective) << selection;
    EXPECT_LE(ours.bound, theirs.objective * (1 + 1e-6));
    EXPECT_EQ(check_claims(theirs, data), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace treewright
