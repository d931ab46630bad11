#include "treewright/methods/margot/deep_starts.h"

#include <gtest/gtest.h>

#include "support/all_assignments.h"
#include "treewright/base/random.h"
#include "treewright/data/generate/generate.h"
#include "treewright/fit.h"
#include "treewright/methods/margot/search.h"

namespace treewright {
namespace {

margot::MargotRows rows_of(const Dataset& data, int depth, const char* costs) {
  Options options;
  options.method = "margot";
  options.max_depth = depth;
  options.level_costs = costs;
  return margot::margot_rows(data, options, margot::MargotObjective::from(options));
}

TEST(MargotDeepStart, IsBetterThanTheFirstTree) {
  const Dataset data = generate("6-partitions", {});
  for (const int depth : {3, 4}) {
    const margot::MargotRows rows = rows_of(data, depth, "1e3");
    Deadline none(Deadline::kNoLimit, 0), unlimited;
    const double first = margot::solve_margot(rows.problem, none).tree.objective;
    const std::vector<Hyperplane> start = margot::deep_start(data, rows, {}, unlimited);
    ASSERT_EQ(start.size(), rows.problem.nodes());
    EXPECT_LT(margot::margot_objective(rows.problem, start), 0.9 * first) << "depth " << depth;
  }
}

TEST(MargotDeepStart, IsTheSameAgainAndNoWorseThanWhatIsGiven) {
  const Dataset data = generate("6-partitions", {});
  const margot::MargotRows rows = rows_of(data, 3, "1e3");
  Deadline one, two, three;
  const std::vector<Hyperplane> start = margot::deep_start(data, rows, {}, one), again = margot::deep_start(data, rows, {}, two);
  const double objective = margot::margot_objective(rows.problem, start);
  EXPECT_EQ(objective, margot::margot_objective(rows.problem, again));
  EXPECT_LE(margot::margot_objective(rows.problem, margot::deep_start(data, rows, {start}, three)), objective * (1 + 1e-9));
}

TEST(MargotDeepStart, TheOptimumIsThatOfEveryAssignment) {
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    Dataset data;
    data.class_names = {"a", "b"};
    for (const char* name : {"x", "y"}) {
      Column column;
      column.name = name;
      for (int i = 0; i < 4; ++i) column.values.push_back(static_cast<double>(random.below(9)));
      data.columns.push_back(std::move(column));
    }
    for (int i = 0; i < 4; ++i) data.labels.push_back(i < 2 ? i : static_cast<std::int32_t>(random.below(2)));
    const margot::MargotRows rows = rows_of(data, 3, "1,10,100");
    if (rows.axes.empty()) continue;
    Options options;
    options.method = "margot";
    options.max_depth = 3;
    options.level_costs = "1,10,100";
    options.gap_tolerance = 1e-6;
    const Result result = fit(data, options);
    const double least = testing::AllAssignments(rows.problem).best();
    EXPECT_EQ(result.status, Status::optimal) << "round " << round;
    EXPECT_NEAR(result.objective, least, 2e-5 * std::max(1.0, least)) << "round " << round;
  }
}

TEST(MargotDeepStart, ALimitOnTimeStillGivesATree) {
  const Dataset data = generate("6-partitions", {});
  const margot::MargotRows rows = rows_of(data, 3, "1e3");
  Deadline over(0.0);
  EXPECT_EQ(margot::deep_start(data, rows, {}, over).size(), rows.problem.nodes());
}

// A tree of two levels is one of three whose last level splits nothing.
TEST(MargotDeepStart, IsNeverWorseThanAStartOfFewerLevels) {
  const Dataset data = generate("6-partitions", {});
  for (const char* costs : {"1e3,1e3,0.1", "1,10,100"}) {
    Options shallow, deep;
    shallow.method = deep.method = "margot";
    shallow.node_limit = deep.node_limit = 0;
    shallow.level_costs = "1e3";
    shallow.max_depth = 2;
    deep.level_costs = costs;
    deep.max_depth = 3;
    const Result start = fit(data, shallow);
    FitHooks hooks;
    hooks.starts = {&start.tree};
    const Result result = fit(data, deep, hooks);
    EXPECT_LE(result.objective, result.objective_function->of(start.tree, data) * (1 + 1e-9));
  }
}

TEST(MargotDeepStart, LengthyTheSearchKeepsWhatItsFirstTreeShows) {
  const Dataset data = generate("6-partitions", {});
  const margot::MargotRows rows = rows_of(data, 3, "1e3");
  Deadline none(Deadline::kNoLimit, 0);
  const double first = margot::solve_margot(rows.problem, none).tree.objective;
  for (const std::int64_t nodes : {0, 1, 40, 300}) {
    Options options;
    options.method = "margot";
    options.max_depth = 3;
    options.level_costs = "1e3";
    options.node_limit = nodes;
    double best = std::numeric_limits<double>::infinity(), bound = 0;
    FitHooks hooks;
    hooks.listener = [&](const Progress& progress) {
      EXPECT_LE(progress.incumbent, best);
      EXPECT_GE(progress.bound, bound);
      best = progress.incumbent;
      bound = progress.bound;
    };
    const Result result = fit(data, options, hooks);
    EXPECT_LE(result.objective, first * (1 + 1e-9)) << nodes << " nodes";
    EXPECT_LE(result.objective, best * (1 + 1e-9)) << nodes << " nodes";
    EXPECT_GE(result.bound, bound * (1 - 1e-9)) << nodes << " nodes";
  }
}

}  // namespace
}  // namespace treewright
