#include "treewright/base/progress_table.h"

#include <gtest/gtest.h>

namespace treewright {
namespace {

TEST(ProgressTable, HeadStandsBeforeTheFirstLineOnly) {
  ProgressTable table;
  EXPECT_EQ(
      table.line({0, 4, 1, 'C'}),
      "  seconds      incumbent         bound      gap   done  subproblems/s   (objective of the best tree; found by: C = a greedy tree, "
      "H = a heuristic, L = look-ahead, S = exact search, P = a round on clusters, M = MIP solver; done: bound / incumbent, over all "
      "depths)\n"
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
  EXPECT_EQ(table.line({2, 4, 2, ' ', 3000, 0.25}), "     2.00              4             2   50.00%    25%           1500\n");
  EXPECT_EQ(table.line({4, 4, 3, ' ', 13000, 0.5}), "     4.00              4             3   25.00%    50%           3250\n");
}

}  // namespace
}  // namespace treewright
