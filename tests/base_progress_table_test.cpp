#include "treewright/base/progress_table.h"

#include <gtest/gtest.h>

namespace treewright {
namespace {

TEST(ProgressTable, HeadStandsBeforeTheFirstLineOnly) {
  ProgressTable table;
  EXPECT_EQ(table.line({0, 4, 1, 'C'}),
            "  seconds      incumbent         bound      gap   (objective of the best tree; found by: C = a greedy tree, H = a heuristic, "
            "L = look-ahead, S = exact search, P = a round on clusters, M = MIP solver)\n"
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
}

}  // namespace
}  // namespace treewright
