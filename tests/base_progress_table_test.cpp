#include "treewright/base/progress_table.h"

#include <gtest/gtest.h>

#include "treewright/base/time_left.h"

namespace treewright {
namespace {

TEST(ProgressTable, HeadStandsBeforeTheFirstLineOnly) {
  ProgressTable table;
  EXPECT_EQ(
      table.line({0, 4, 1, 'C'}),
      "  seconds      incumbent         bound      gap   done  closed    left   facts  subproblems/s   (objective of the best tree; found "
      "by: C = a greedy tree, H = a heuristic, L = look-ahead, S = exact search, P = a round on clusters, M = MIP solver; done: bound / "
      "incumbent, over all depths; closed: share of the root's cuts, at the last depth; left: estimated time; facts: in the checkpoint)\n"
      "C    0.00              4             1   75.00%\n");
  EXPECT_EQ(table.line({1.5, 3, 3, 'S'}), "S    1.50              3             3    0.00%\n");
}

TEST(ProgressTable, RisingBoundsAreThinnedAndIncumbentsAreNot) {
  ProgressTable table;
  EXPECT_NE(table.line({0, 4, 1, ' '}), "");
  EXPECT_EQ(table.line({0.4, 4, 2, ' '}), "");
  EXPECT_NE(table.line({0.4, 3, 2, 'S'}), "");
  EXPECT_EQ(table.line({0.8, 3, 2.5, ' '}), "");
  EXPECT_NE(table.line({0.9, 3, 2.6, ' '}), "");
  EXPECT_EQ(table.line({2.4, 3, 2.6, ' '}), "") << "no news";
  EXPECT_NE(table.line({2.8, 3, 2.6, ' '}), "") << "a sign of life";
}

TEST(ProgressTable, TellsWhatIsDoneAndHowFast) {
  ProgressTable table;
  table.line({0, 4, 1, 'C'});
  EXPECT_EQ(table.line({2, 4, 2, ' ', 3000, 0.25}),
            "     2.00              4             2   50.00%    25%                                   1500\n");
  EXPECT_EQ(table.line({4, 4, 3, ' ', 13000, 0.5, 0.125, 300, 17}),
            "     4.00              4             3   25.00%    50%     12%    5min      17           3250\n");
  EXPECT_EQ(table.line({6, 4, 4, ' ', 13000, 1, 1, 7300, 17, 0.4}),
            "     6.00              4             4    0.00%  proof 40% written, 2h left\n");
}

TEST(TimeLeft, FollowsTheRateOfTheSecondHalf) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  TimeLeft left;
  EXPECT_EQ(left.update(0, 0), kUnknown);
  EXPECT_EQ(left.update(1, 0.5), kUnknown) << "what was resumed says nothing of the rest";
  EXPECT_EQ(left.update(2, 0.5), kUnknown);
  EXPECT_EQ(left.update(4, 0.6), kUnknown) << "two points are any line";
  EXPECT_NEAR(left.update(5, 0.65), 7, 1e-9);
  EXPECT_NEAR(left.update(8, 0.8), 4, 1e-9);
}

TEST(TimeLeft, IsSilentWhereTheRateJumps) {
  TimeLeft left;
  for (int second = 0; second <= 10; ++second) left.update(second, 0.01 * second);
  EXPECT_NEAR(left.update(11, 0.11), 89, 1e-6);
  EXPECT_EQ(left.update(12, 0.4), std::numeric_limits<double>::infinity()) << "29 % in one second, 5 % in the five before";
  EXPECT_EQ(left.update(13, 0.4), std::numeric_limits<double>::infinity()) << "and then none";
}

}  // namespace
}  // namespace treewright
