#include "treewright/formulate/oct.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"
#include "support/mip_case.h"
#include "support/random_tree.h"
#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/grow/cart.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::MipCase;
using Losses = formulate::OctFormulation::Losses;

constexpr Losses kBoth[] = {Losses::oct, Losses::p};

// Everything on, everything off, and every rule off alone.
std::vector<std::string> switches() {
  std::vector<std::string> result = {"", "all"};
  for (const formulate::StrengtheningInfo& rule : formulate::strengthening_table()) result.emplace_back(rule.name);
  return result;
}

double cost_of(const Tree& tree, const MipCase& c) {
  return count_errors(tree, c.data) + c.options.price * static_cast<double>(tree.splits());
}

// A tree within the limits stays within the model, whatever rules are on, and costs there what it costs.
void expect_feasible(const Tree& tree, const MipCase& c, const std::string& what) {
  for (const std::string& off : switches()) {
    formulate::FormulationOptions options = c.options;
    options.rules = formulate::strengthening_without(off);
    for (const Losses losses : kBoth) {
      Deadline none;
      const formulate::OctFormulation formulation(c.data, options, losses, none);
      const auto values = formulation.encode(tree);
      ASSERT_TRUE(values.has_value()) << what << testing::to_string(c);
      EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{}) << what << ", without '" << off << "'\n"
                                                                                       << testing::to_string(c);
      Tree simple = tree;
      simple.simplify();
      // Splits that pay nothing, or less than they cost, may be gone.
      const double objective = formulation.model().objective(*values);
      EXPECT_LE(objective, cost_of(simple, c) + 1e-7) << what << ", without '" << off << "'\n" << testing::to_string(c);
      EXPECT_LE(cost_of(formulation.decode(*values), c), objective + 1e-7) << what << ", without '" << off << "'\n"
                                                                           << testing::to_string(c);
    }
  }
}

TEST(FormulateOct, NoRuleCutsOffTheOptimum) {
  Random random(601);
  for (int round = 0; round < 60; ++round) {
    const MipCase c = testing::random_mip_case(random);
    expect_feasible(testing::exact_optimum(c).first, c, "the optimum\n");
    if (HasFatalFailure()) return;
  }
}

// Not only optimal trees are in the model: without the rules that speak of optimal trees alone, all are.
TEST(FormulateOct, TreesWithinTheLimitsAreFeasible) {
  Random random(602);
  int trees = 0;
  for (int round = 0; round < 60; ++round) {
    MipCase c = testing::random_mip_case(random);
    grow::CartOptions cart;
    cart.max_depth = c.options.max_depth;
    cart.min_leaf_rows = c.options.min_rows;
    Tree tree = grow::grow_cart(c.data, cart);
    trim(tree, c.options.max_depth, c.options.max_splits);
    expect_feasible(tree, c, "CART's tree\n");
    trees += tree.splits() > 0;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(trees, 20);
}

TEST(FormulateOct, TreesItCannotSayAreRefused) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 0, 1, 1});
  formulate::FormulationOptions options;
  options.max_depth = 1;
  Deadline none;
  const formulate::OctFormulation formulation(data, options, Losses::oct, none);
  Tree plane(data);
  plane.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 1.0}}, 2.5}, false});
  plane.tally(data);
  EXPECT_FALSE(formulation.encode(plane).has_value());
}

// The agreement that the method stands on: two models and the exact search, with rules on and off.
TEST(FormulateOct, HeavyAgreesWithTheExactSearch) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(604);
  const std::vector<std::string> off = {
      "split_bounds", "split_bounds,merge_rows", "all", "", "split_bounds,thresholds", "rank_scale,thresholds,split_bounds"};
  for (int round = 0; round < 210; ++round) {
    MipCase c = testing::random_mip_case(random);
    const double optimum = testing::exact_optimum(c).second;
    // The papers' models take minutes where there are more rows.
    c.options.rules =
        formulate::strengthening_without(c.data.rows() <= 12 || c.options.max_depth == 1 ? off[round % off.size()] : off[round % 2]);
    for (const Losses losses : kBoth) {
      Deadline none;
      const formulate::OctFormulation formulation(c.data, c.options, losses, none);
      const mip::MipSolution solution = mip::solve(formulation.model(), {}, {}, none);
      SCOPED_TRACE("round " + std::to_string(round) + (losses == Losses::p ? " (P)\n" : "\n") + testing::to_string(c));
      ASSERT_EQ(solution.status, Status::optimal);
      EXPECT_NEAR(solution.objective, optimum, 1e-5);
      const Tree tree = formulation.decode(solution.values);
      EXPECT_NEAR(cost_of(tree, c), optimum, 1e-7);
      EXPECT_LE(tree.depth(), c.options.max_depth);
      for (const Node& node : tree.nodes()) EXPECT_TRUE(node.rows >= c.options.min_rows || tree.splits() == 0);
      EXPECT_TRUE(c.options.max_splits < 0 || tree.splits() <= static_cast<std::size_t>(c.options.max_splits));
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace treewright
