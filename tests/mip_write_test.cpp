#include "treewright/mip/write.h"

#include <gtest/gtest.h>

#include "expect_error.h"

namespace treewright {
namespace {

// Every kind of bound, row and coefficient.
mip::MipModel sample() {
  mip::MipModel model;
  model.name = "sample";
  const int x = model.add("x", 0, mip::MipModel::kInfinity, 1.5), y = model.add_binary("y", -2),
            z = model.add("z", -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
  const int w = model.add("w", -1, 7, 0.1, true);
  model.at_most("cap", {{x, 1}, {y, -3}, {x, 1}}, 4);
  model.at_least("floor", {{z, 1}, {w, 1e-7}}, -2.5);
  model.equal("same", {{x, 1}, {z, -1}}, 0);
  model.add_row("between", 1, {{w, 1}, {y, 1}}, 5);
  model.offset = 10;
  return model;
}

TEST(MipWrite, Lp) {
  EXPECT_EQ(mip::to_lp(sample()), R"(\ sample
Minimize
 objective: + 1.5 x - 2 y + 0.1 w + 10 constant
Subject To
 cap: + 2 x - 3 y <= 4
 floor: + z + 1e-07 w >= -2.5
 same: + x - z = 0
 between: + y + w <= 5
 between_low: + y + w >= 1
Bounds
 0 <= x <= +inf
 z free
 -1 <= w <= 7
 1 <= constant <= 1
Binary
  y
General
  w
End
)");
}

TEST(MipWrite, Mps) {
  EXPECT_EQ(mip::to_mps(sample()), R"(NAME sample FREE
ROWS
 N objective
 L cap
 G floor
 E same
 L between
COLUMNS
 x objective 1.5
 x cap 2
 x same 1
 marker0 'MARKER' 'INTORG'
 y objective -2
 y cap -3
 y between 1
 marker1 'MARKER' 'INTEND'
 z floor 1
 z same -1
 marker2 'MARKER' 'INTORG'
 w objective 0.1
 w floor 1e-07
 w between 1
 marker3 'MARKER' 'INTEND'
 constant objective 10
RHS
 rhs cap 4
 rhs floor -2.5
 rhs between 5
RANGES
 range between 4
BOUNDS
 LO bound x 0
 LO bound y 0
 UP bound y 1
 FR bound z
 LO bound w -1
 UP bound w 7
 FX bound constant 1
ENDATA
)");
}

TEST(MipWrite, QuadraticObjective) {
  mip::MipModel model;
  const int x = model.add("x", 0, 1), y = model.add("y", 0, 1);
  model.quadratic = {{x, x, 2}, {y, x, -1}};
  EXPECT_NE(mip::to_lp(model).find("objective: 0 x + [ + 2 x ^2 - 2 y * x ] / 2"), std::string::npos) << mip::to_lp(model);
  EXPECT_NE(mip::to_mps(model).find("QUADOBJ\n x x 2\n x y -1\n"), std::string::npos) << mip::to_mps(model);
  const double at[] = {1, 0.5};
  EXPECT_DOUBLE_EQ(model.objective(at), 1 - 0.5);
}

TEST(MipWrite, QuadraticRows) {
  mip::MipModel model;
  const int x = model.add("x", 0, 1), y = model.add("y", 0, 1);
  model.add_row("disc", -mip::MipModel::kInfinity, {{y, -1}}, 0.25, {{x, x, 2}, {y, x, 3}});
  EXPECT_NE(mip::to_lp(model).find(" disc: - y + [ + x ^2 + 3 y * x ] <= 0.25\n"), std::string::npos) << mip::to_lp(model);
  expect_error([&] { mip::to_mps(model); }, {"quadratic rows", ".lp"});
  const double inside[] = {0.5, 0}, outside[] = {0.5, 0.5};
  EXPECT_EQ(model.broken(inside), std::vector<std::string>{});
  EXPECT_EQ(model.broken(outside), std::vector<std::string>{"disc"});
}

TEST(MipModel, SaysWhatIsBroken) {
  const mip::MipModel model = sample();
  const double good[] = {1, 0, 1, 1};
  EXPECT_EQ(model.broken(good), std::vector<std::string>{});
  EXPECT_DOUBLE_EQ(model.objective(good), 11.6);
  const double bad[] = {3, 0.5, 2, 9};
  EXPECT_EQ(model.broken(bad), (std::vector<std::string>{"y (integer)", "w (bounds)", "cap", "same", "between"}));
}

}  // namespace
}  // namespace treewright
