#include "treewright/methods/margot/deep_starts.h"

#include <gtest/gtest.h>

#include "treewright/data/generate.h"
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

TEST(MargotDeepStart, ALimitOnTimeStillGivesATree) {
  const Dataset data = generate("6-partitions", {});
  const margot::MargotRows rows = rows_of(data, 3, "1e3");
  Deadline over(0.0);
  EXPECT_EQ(margot::deep_start(data, rows, {}, over).size(), rows.problem.nodes());
}

}  // namespace
}  // namespace treewright
