// Each model of the same six rows as an LP file in tests/models, worked out by hand:
//
//   x      1 1 2 2 3 3      ranks 0, 1, 2; scaled 0, 0.5, 1; eps = 0.5 (the only feature: eps_min = eps_max = eps)
//   class  a a a b b b      class 0, 1
//
// Rows of equal x are one cell of two rows: cell 0 weighs 2 in class 0, cell 1 weighs 1 in each (whatever its label one row is lost:
// weights 0, base errors 1, which is the `constant`), cell 2 weighs 2 in class 1. Total weight 4, two in each class. At depth 1 node 1 may
// split into the leaves 2 (left) and 3. A split costs 0.5, N_min is 2. The optimum cuts at 1.5 or 2.5: 1 + 0.5; a leaf costs 3.
//
// oct.lp, the paper's: left of node 1, a x + 0.5 <= b + 1.5 (1 - z), which is a x + 1.5 z - b <= 1; right, a x >= b - (1 - z).
//   N_t - N_at is 2 z_2t, so that loss_0: 2 z_2 - L <= 4 (1 - c_0), M = 4.
// oct_strengthened.lp, all rules: thresholds instead, with a = "rank 0 goes left" and g_0_1_1 = "rank 1 goes left" (rank 2 never does);
//   M of a loss is the other class's weight, 2; by split_bounds a root that splits on x costs 0.5 beyond the base error, none costs 2:
//   cost >= 2 - 1.5 a.
// p.lp: theta for every cell, class and leaf. Those of cost: cell 0 under label 1 and cell 2 under label 0, 2 each. AHL24 (8): leaf 2 needs
// a
//   split of node 1.
// oct_h.lp: left, a x + 0.005 <= b + (M + 0.005)(1 - z) with M = 1 + x: the row's own reach.
// binoct.lp: two cuts, q = 0 or 1, so one bit: cell 0 is always left, cell 2 (rank 2^1) always right, cell 1 right where the bit is 0.
// fair.lp: fairness 2 on x itself: three groups of weight 2 among 6. An impact costs 2 * 6 = 12; cell i counts 2/6 among all and 2/2 among
// its
//   group, so its coefficient is 1/3 - 1 = -2/3 in its own group's rows and 1/3 in others'.

#include <gtest/gtest.h>

#include "support/make_data.h"
#include "support/source_folder.h"
#include "treewright/base/file.h"
#include "treewright/formulate/oct.h"
#include "treewright/methods/binoct/model.h"
#include "treewright/methods/fair/model.h"
#include "treewright/methods/oct_mip/oct_h.h"
#include "treewright/mip/write.h"

namespace treewright {
namespace {

const Dataset& six_rows() {
  static const Dataset data = testing::make_data({testing::numbers("x", {1, 1, 2, 2, 3, 3})}, {0, 0, 0, 1, 1, 1});
  return data;
}

formulate::FormulationOptions options_without(const char* off) {
  formulate::FormulationOptions options;
  options.max_depth = 1;
  options.min_rows = 2;
  options.price = 0.5;
  options.rules = formulate::strengthening_without(off);
  options.rules.merge_rows = true;
  return options;
}

void expect_file(const formulate::Formulation& formulation, const char* name) {
  EXPECT_EQ(mip::to_lp(formulation.model()), read_file(testing::in_source("tests/models/" + std::string(name))));
}

// The tree x < 2.5 in the model, and what it costs.
double cost_in(const formulate::Formulation& formulation) {
  Tree tree(six_rows());
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(six_rows());
  const auto values = formulation.encode(tree);
  EXPECT_TRUE(values.has_value());
  EXPECT_EQ(formulation.model().broken(*values), std::vector<std::string>{});
  return formulation.model().objective(*values);
}

TEST(FormulateGolden, Oct) {
  Deadline none;
  const formulate::OctFormulation paper(six_rows(), options_without("all"), formulate::OctFormulation::Losses::oct, none);
  expect_file(paper, "oct.lp");
  EXPECT_DOUBLE_EQ(cost_in(paper), 1.5);
  const formulate::OctFormulation strong(six_rows(), options_without(""), formulate::OctFormulation::Losses::oct, none);
  expect_file(strong, "oct_strengthened.lp");
  EXPECT_DOUBLE_EQ(cost_in(strong), 1.5);
}

TEST(FormulateGolden, P) {
  Deadline none;
  const formulate::OctFormulation formulation(six_rows(), options_without("all"), formulate::OctFormulation::Losses::p, none);
  expect_file(formulation, "p.lp");
  EXPECT_DOUBLE_EQ(cost_in(formulation), 1.5);
}

TEST(FormulateGolden, OctH) {
  const oct_mip::OctHFormulation formulation(six_rows(), options_without("leaf_splits,used_sides,sibling_labels"), 0.005);
  expect_file(formulation, "oct_h.lp");
  EXPECT_DOUBLE_EQ(cost_in(formulation), 1.5);
}

TEST(FormulateGolden, Binoct) {
  const binoct::BinoctFormulation formulation(six_rows(), options_without(""));
  expect_file(formulation, "binoct.lp");
  EXPECT_DOUBLE_EQ(cost_in(formulation), 1) << "BinOCT has no price";
}

TEST(FormulateGolden, Fair) {
  Deadline none;
  const fair::FairFormulation formulation(six_rows(), options_without("all"), FeatureId{0}, 2, none);
  expect_file(formulation, "fair.lp");
  // Shares of class a: 2/3 of all, 1, 1 and 0 of the groups: differences 1/3, 1/3, 2/3, and the same for b: 8/3 in sum.
  EXPECT_NEAR(cost_in(formulation), 1.5 + 12 * 8.0 / 3, 1e-9);
}

}  // namespace
}  // namespace treewright
