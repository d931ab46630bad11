// The other models of trees: hyperplanes, BinOCT, fairness. Those of axis trees are in formulate_oct_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>

#include "expect_error.h"
#include "support/compare_fair.h"
#include "support/make_data.h"
#include "support/mip_case.h"
#include "support/random_tree.h"
#include "support/scratch_folder.h"
#include "support/training.h"
#include "treewright/base/deadline.h"
#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/data/costs/costs.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"
#include "treewright/grow/cart.h"
#include "treewright/methods/binoct/model.h"
#include "treewright/methods/fair/model.h"
#include "treewright/methods/oct_mip/oct_h.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::MipCase;
using testing::numbers;

// Errors alone: what BinOCT can say.
MipCase plain_case(Random& random) {
  MipCase c = testing::random_mip_case(random);
  c.options.max_splits = -1;
  c.options.min_rows = 1;
  c.options.price = 0;
  return c;
}

TEST(FormulateBinoct, TreesAreFeasible) {
  Random random(611);
  for (int round = 0; round < 100; ++round) {
    const MipCase c = plain_case(random);
    grow::CartOptions cart;
    cart.max_depth = c.options.max_depth;
    for (const Tree& tree : {testing::exact_optimum(c).first, grow::grow_cart(c.data, cart), Tree(c.data)}) {
      const binoct::BinoctFormulation formulation(c.data, c.options);
      const auto values = formulation.encode(tree);
      if (formulate::Cells::from(c.data, true).orderings().empty()) continue;
      ASSERT_TRUE(values.has_value()) << testing::to_string(c);
      Tree tallied = tree;
      tallied.tally(c.data);
      EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{}) << testing::to_string(c);
      EXPECT_NEAR(formulation.model().objective(*values), count_errors(tallied, c.data), 1e-7) << testing::to_string(c);
      // Below a leaf the splits are any, and their leaves may say better.
      EXPECT_LE(count_errors(formulation.decode(*values), c.data), count_errors(tallied, c.data) + 1e-7) << testing::to_string(c);
    }
    if (HasFailure()) return;
  }
}

TEST(FormulateBinoct, HeavyAgreesWithTheExactSearch) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(612);
  for (int round = 0; round < 80; ++round) {
    MipCase c = plain_case(random);
    if (c.data.rows() > 15 || c.data.columns.empty()) continue;
    if (round % 3 == 0) c.options.rules = formulate::strengthening_without("all");
    Deadline none;
    const binoct::BinoctFormulation formulation(c.data, c.options);
    if (formulate::Cells::from(c.data, true).orderings().empty()) continue;
    const mip::MipSolution solution = mip::solve(formulation.model(), {}, {}, none);
    const double optimum = testing::exact_optimum(c).second;
    ASSERT_EQ(solution.status, Status::optimal) << testing::to_string(c);
    EXPECT_NEAR(solution.objective, optimum, 1e-5) << testing::to_string(c);
    EXPECT_NEAR(count_errors(formulation.decode(solution.values), c.data), optimum, 1e-7) << testing::to_string(c);
    if (HasFailure()) return;
  }
}

// x + y tells the classes apart, no single column does.
Dataset diagonal() {
  return make_data({numbers("x", {0, 1, 2, 3, 0, 1, 2, 3, 3}), numbers("y", {30, 20, 10, 0, 10, 0, 20, 10, 30})},
                   {1, 1, 1, 1, 0, 0, 1, 1, 1});
}

TEST(FormulateOctH, FindsAHyperplane) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  const Dataset data = diagonal();
  formulate::FormulationOptions options;
  options.max_depth = 1;
  options.price = 0.1;
  for (const char* off : {"", "all", "side_rows", "tight_m", "merge_rows"}) {
    options.rules = formulate::strengthening_without(off);
    const oct_mip::OctHFormulation formulation(data, options, 0.005);
    Deadline none;
    const mip::MipSolution solution = mip::solve(formulation.model(), {}, {}, none);
    EXPECT_EQ(solution.status, Status::optimal) << off;
    EXPECT_NEAR(solution.objective, 0.2, 1e-6) << off << ": no errors, one split on two features";
    const Tree tree = formulation.decode(solution.values);
    EXPECT_EQ(count_errors(tree, data), 0) << off;
    EXPECT_EQ(tree.terms(), 2u) << off;
    // There and back again.
    const auto values = formulation.encode(tree);
    ASSERT_TRUE(values.has_value()) << off;
    EXPECT_EQ(formulation.model().broken(*values), std::vector<std::string>{}) << off;
    EXPECT_NEAR(formulation.model().objective(*values), 0.2, 1e-9) << off;
  }
  options.price = 2;  // now two features cost more than a single one that errs once
  const oct_mip::OctHFormulation dear(data, options, 0.005);
  Deadline none;
  const mip::MipSolution solution = mip::solve(dear.model(), {}, {}, none);
  EXPECT_NEAR(solution.objective, 2, 1e-6) << "a leaf, which errs twice";
}

TEST(FormulateOctH, AxisTreesWithRoomAreFeasible) {
  Random random(613);
  int feasible = 0;
  for (int round = 0; round < 60; ++round) {
    MipCase c = testing::random_mip_case(random);
    c.options.max_splits = -1;
    grow::CartOptions cart;
    cart.max_depth = c.options.max_depth;
    cart.min_leaf_rows = c.options.min_rows;
    const Tree tree = grow::grow_cart(c.data, cart);
    bool missing = false, categories = false;
    for (const Column& column : c.data.columns) missing |= column.has_missing(), categories |= column.kind == ColumnKind::categorical;
    for (const char* off : {"", "all", "sibling_labels"}) {
      c.options.rules = formulate::strengthening_without(off);
      const oct_mip::OctHFormulation formulation(c.data, c.options, 1e-3);
      const auto values = formulation.encode(tree);
      // A missing value sits at the mean, which need not be where CART sends it.
      if (missing) continue;
      ASSERT_TRUE(values.has_value()) << testing::to_string(c);
      EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{}) << off << "\n" << testing::to_string(c);
      Tree simple = tree;
      simple.simplify();
      // A set of levels costs as many features as it names levels.
      if (!categories) {
        EXPECT_LE(formulation.model().objective(*values),
                  count_errors(simple, c.data) + c.options.price * static_cast<double>(simple.terms()) + 1e-7);
      }
      EXPECT_NEAR(count_errors(formulation.decode(*values), c.data), count_errors(simple, c.data), 1e-7) << testing::to_string(c);
      ++feasible;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(feasible, 60);
}

// The tree parts x = 0.5 from 0.502. The nearest places where 0.005 is free are one row away.
TEST(FormulateOctH, AThresholdMovesToWhereTheModelHasRoom) {
  const Dataset data = make_data({numbers("x", {0, 0.3, 0.5, 0.502, 0.9, 1})}, {0, 0, 0, 1, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 0.501}, false});
  tree.tally(data);
  formulate::FormulationOptions options;
  options.max_depth = 1;
  options.price = 0.1;
  const auto expect = [&](double mu, double cost, std::size_t splits) {
    const oct_mip::OctHFormulation formulation(data, options, mu);
    const auto values = formulation.encode(tree);
    ASSERT_TRUE(values.has_value()) << mu;
    EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{}) << mu;
    EXPECT_NEAR(formulation.model().objective(*values), cost, 1e-9) << mu;
    EXPECT_EQ(formulation.decode(*values).splits(), splits) << mu;
  };
  expect(0.002, 0.1, 1);
  expect(0.005, 1.1, 1);
  expect(0.35, 1.1, 1);
  expect(0.5, 3, 0);
  options.min_rows = 3;
  expect(0.005, 3, 0);
}

// Whatever the tree, its start is a point of the model, and its objective what the tree costs that the model has instead.
TEST(FormulateOctH, HyperplanesAreFeasibleStarts) {
  Random random(614);
  int moved = 0, same = 0;
  for (int round = 0; round < 600; ++round) {
    MipCase c = testing::random_mip_case(random);
    c.options.max_splits = -1;
    const Tree tree = testing::random_tree(random, c.data, static_cast<int>(1 + random.below(3)));
    if (tree.depth() > c.options.max_depth) continue;
    const double mu = random.below(2) == 0 ? 0.005 : 0.2;
    const oct_mip::OctHFormulation formulation(c.data, c.options, mu);
    const auto values = formulation.encode(tree);
    if (!values) continue;
    EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{}) << testing::to_string(c);
    const Tree instead = formulation.decode(*values);
    EXPECT_LE(count_errors(instead, c.data) + c.options.price * static_cast<double>(instead.terms()),
              formulation.model().objective(*values) + 1e-7)
        << testing::to_string(c);
    ++(count_errors(instead, c.data) == count_errors(tree, c.data) ? same : moved);
    if (HasFailure()) return;
  }
  EXPECT_GT(moved, 20);
  EXPECT_GT(same, 20);
}

TEST(FormulateSolve, AStartThatCostsNothingNeedsNoSolver) {
  Options options;
  options.method = "oct";
  options.solver = "mip";
  options.max_depth = 1;
  options.mip_solver = "no-such-solver {lp} {solution}";
  const Result result = fit(make_data({numbers("x", {1, 2, 3, 4})}, {0, 0, 1, 1}), options);
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(result.bound, 0);
  EXPECT_EQ(result.proved, "no objective is below 0");
}

// A tree of a file may become the result, so it is within the limits itself, and not only the tree near it that the model has.
TEST(FormulateSolve, AFileBeyondTheLimitsIsRefused) {
  const testing::ScratchFolder folder;
  const std::string file = folder / "tree.json";
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}, {0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0});
  Options options;
  options.method = "oct";
  options.max_depth = 2;
  write_file(file, to_json(fit(data, options)));
  for (const Method& method : methods()) {
    if (!method.reads_option("mip_start") || method.objective != &ErrorObjective::kKind) continue;
    for (const auto& [limit, value] : {std::pair{"max_depth", "1"}, {"max_splits", "1"}, {"min_samples_leaf", "3"}}) {
      if (!method.reads_option(limit)) continue;
      Options within = testing::options_of(testing::settings_of(method));
      within.max_depth = options.max_depth;
      within.mip_start = file;
      within.mip_solver = "no-such-solver {lp} {solution}";
      set_option(within, limit, value);
      expect_error([&] { fit(data, within); }, {"tree.json", "the tree has"});
    }
  }
}

// A threshold may send missing values to either side, and a set of four levels costs as much as one of one level: the model has neither.
TEST(FormulateSolve, LengthyOctHClaimsNothingWhereItsModelLacksTrees) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  const std::vector<std::int32_t> labels = {0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0};
  const Column z = numbers("z", {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1}), d = numbers("d", {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
  const std::vector<std::int32_t> codes = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
  Options options;
  options.method = "oct-h";
  options.solver = "mip";
  options.max_depth = 2;
  options.ccp_alpha = 0.3;
  options.alpha_scale = "errors";
  const auto result_of = [&](Column first) { return fit(make_data({std::move(first), z, d}, labels), options); };
  const Result levels = result_of(categories("g", {"a", "b", "c", "d", "e", "f"}, codes));
  EXPECT_EQ(levels.status, Status::heuristic);
  EXPECT_EQ(levels.bound, 0);
  EXPECT_NE(levels.proved.find("a set of levels of 'g'"), std::string::npos) << levels.proved;
  const Result missing = result_of(numbers("x", {0, 0.5, 1, NAN, NAN, NAN, 0, 0.5, 1, NAN, NAN, 3}));
  EXPECT_EQ(missing.status, Status::heuristic);
  EXPECT_NE(missing.proved.find("a split of 'x' alone"), std::string::npos) << missing.proved;
  EXPECT_EQ(result_of(numbers("x", {0, 0.5, 1, 9, 9, 9, 0, 0.5, 1, 9, 9, 3})).status, Status::optimal);
  options.ccp_alpha = 0;
  EXPECT_EQ(result_of(categories("g", {"a", "b", "c", "d", "e", "f"}, codes)).status, Status::optimal);
}

TEST(FormulateOctH, GreedyGrowsFromTheRoot) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  const Dataset data = diagonal();
  formulate::FormulationOptions options;
  options.max_depth = 2;
  Deadline none, over(0);
  const Tree tree = oct_mip::greedy_oct_h(data, options, 0.005, {}, none);
  EXPECT_EQ(count_errors(tree, data), 0);
  EXPECT_EQ(tree.splits(), 1u);
  EXPECT_EQ(oct_mip::greedy_oct_h(data, options, 0.005, {}, over).splits(), 0u);
  options.max_splits = 0;
  EXPECT_EQ(oct_mip::greedy_oct_h(data, options, 0.005, {}, none).splits(), 0u);
}

// What a solver proves on some of the rows holds for all of them: with equal rows of two classes, weights, limits and prices.
TEST(FormulateOctH, LengthyTheOptimumOnSomeRowsBoundsThatOnAll) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(11);
  int proved = 0;
  for (int round = 0; round < 24; ++round) {
    SCOPED_TRACE(round);
    Dataset data = testing::random_data(random, {16, 2, 2 + round % 2, false, false, 4});
    if (round % 3 == 1) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(static_cast<double>(1 + random.below(3)));
    }
    Options options;
    options.method = "oct-h";
    options.solver = "mip";
    options.max_depth = 1 + round % 2;
    options.alpha_scale = "errors";
    options.ccp_alpha = round % 4 == 0 ? 0 : 0.4;
    options.min_samples_leaf = round % 5 == 0 ? 3 : 1;
    if (round % 6 == 0) options.max_splits = 1;
    const Result some = fit(data, options);
    options.disable = "some_rows";
    const Result all = fit(data, options);
    ASSERT_EQ(all.status, Status::optimal) << all.proved;
    EXPECT_LE(some.bound, all.objective + 1e-6);
    if (some.status != Status::optimal) continue;
    EXPECT_NEAR(std::min(some.objective, all.objective), some.bound, 1e-6);
    ++proved;
  }
  EXPECT_GT(proved, 15);
}

// Six people of two groups; x tells the labels but also the groups apart.
Dataset people() {
  return make_data({numbers("x", {1, 2, 3, 4, 5, 6}), numbers("group", {0, 0, 1, 0, 1, 1})}, {0, 0, 0, 1, 1, 1});
}

TEST(FormulateFair, TheIndexByHand) {
  const Dataset data = people();
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 3.5}, false});
  tree.tally(data);
  // Of all rows 3/6 are given each class; of group 0 (rows 1, 2, 4) 2/3 and 1/3, of group 1 the other way round: 4 times 1/6.
  EXPECT_NEAR(fair::discrimination_index(tree, data, FeatureId{1}), 4.0 / 6, 1e-12);
  Tree leaf(data);
  leaf.tally(data);
  EXPECT_EQ(fair::discrimination_index(leaf, data, FeatureId{1}), 0);
}

TEST(FormulateFair, PaysForFairnessWithErrors) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  const Dataset data = people();
  formulate::FormulationOptions options;
  options.max_depth = 1;
  for (const double fairness : {0.0, 0.1, 0.5, 0.9, 5.0}) {
    // By hand: x < 3.5 costs 0 errors and 6 * 2/3 = 4 fairness; a leaf costs 3 and nothing. Any other cut of x: one error, and more.
    double best = 3;
    for (const FeatureId f : {FeatureId{0}, FeatureId{1}}) {
      for (const double cut : {0.5, 1.5, 2.5, 3.5, 4.5, 5.5}) {
        Tree tree(data);
        tree.split(Tree::root(), {AxisSplit{f, cut}, false});
        tree.tally(data);
        best = std::min(best, count_errors(tree, data) + fairness * 6 * fair::discrimination_index(tree, data, FeatureId{1}));
      }
    }
    Deadline none;
    const fair::FairFormulation formulation(data, options, FeatureId{1}, fairness, none);
    const mip::MipSolution solution = mip::solve(formulation.model(), {}, {}, none);
    ASSERT_EQ(solution.status, Status::optimal);
    EXPECT_NEAR(solution.objective, best, 1e-6) << fairness;
    const Tree tree = formulation.decode(solution.values);
    EXPECT_NEAR(count_errors(tree, data) + fairness * 6 * fair::discrimination_index(tree, data, FeatureId{1}), best, 1e-6) << fairness;
    const auto values = formulation.encode(tree);
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(formulation.model().broken(*values), std::vector<std::string>{});
    EXPECT_NEAR(formulation.model().objective(*values), best, 1e-6);
  }
}

// Where classes are equally heavy in a leaf, fairness depends on which of them it predicts.
TEST(FormulateFair, ClaimsTheLeastCostOfAllTreesAndLabels) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(661);
  int ties = 0;
  for (int round = 0; round < 80; ++round) {
    const std::size_t rows = 5 + random.below(4), classes = 2 + random.below(2);
    std::vector<double> x, group;
    std::vector<std::int32_t> labels;
    for (std::size_t row = 0; row < rows; ++row) {
      x.push_back(static_cast<double>(random.below(3)));
      group.push_back(static_cast<double>(random.below(2)));
      labels.push_back(static_cast<std::int32_t>(random.below(classes)));
    }
    group[0] = 0, group[1] = 1;
    if (std::set<std::int32_t>(labels.begin(), labels.end()).size() < 2) continue;
    Dataset data = make_data({numbers("x", x), numbers("g", group)}, labels, static_cast<int>(classes));
    for (std::size_t row = 0; row < rows && round % 3 == 2; ++row) data.weights.push_back(0.5 * static_cast<double>(1 + random.below(4)));
    Options options;
    options.method = "fair";
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(2));
    const double fairness[] = {0.1, 0.3, 1, 3};
    options.fairness = fairness[random.below(4)];
    options.protected_column = "g";
    options.min_samples_leaf = 1 + static_cast<double>(random.below(4) / 3);
    options.alpha_scale = "errors";
    options.ccp_alpha = random.below(3) == 0 ? 0.25 : 0;
    const Result result = fit(data, options);
    EXPECT_EQ(testing::compare_fair({data, options}, result), "") << result.proved << "\n" << testing::to_string(data);
    EXPECT_EQ(result.proved.find("nothing is claimed"), std::string::npos) << result.proved << "\n" << testing::to_string(data);
    for (const Node& node : result.tree.nodes()) ties += node.is_leaf() && node.label != best_label(node.class_weight, {});
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
    EXPECT_EQ(from_json(to_json(result), "memory").tree, result.tree);
  }
  EXPECT_GT(ties, 0) << "no leaf has another label than its first";
}

// Two rows of each kind, one of each class: no label wins any row.
TEST(FormulateFair, RowsThatAreAllTiesHaveABound) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  const Dataset data = make_data({numbers("x", {0, 0, 1, 1, 2, 2}), numbers("g", {0, 0, 1, 1, 0, 0})}, {0, 1, 0, 1, 0, 1});
  Options options;
  options.method = "fair";
  options.max_depth = 2;
  options.fairness = 1;
  options.protected_column = "g";
  const Result result = fit(data, options);
  EXPECT_EQ(result.errors, 3);
  EXPECT_NE(result.proved.find("errors + fairness is 0.5"), std::string::npos) << result.proved;
  EXPECT_NE(result.proved.find("no tree within the limits has less than 0.5"), std::string::npos) << result.proved;
}

// HiGHS takes 1e-6 for 0, and the total weight times that is more than the smallest rows here.
TEST(SolveModel, ClaimsNothingWhereWeightsDifferTooMuch) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Dataset data =
      make_data({numbers("x0", {-0.896, -2.051, -0.477, -0.971, 0.215, 0.705, 0.695, 2.163}), numbers("x1", {1, 1, 2, 2, 0, 2, 2, 2})},
                {1, 0, 0, 0, 0, 1, 0, 1});
  Options options;
  options.method = "oct";
  options.solver = "mip";
  options.max_depth = 2;
  options.mip_start = "none";
  for (const bool unequal : {false, true}) {
    data.weights = unequal ? std::vector<double>{1e4, 1e6, 1e6, 1e-3, 1, 1e4, 1e-3, 1e-3} : std::vector<double>{2, 3, 3, 1, 1, 2, 1, 1};
    const Result result = fit(data, options);
    EXPECT_EQ(result.status, unequal ? Status::heuristic : Status::optimal);
    EXPECT_LE(result.bound, unequal ? 0 : result.objective);
    EXPECT_EQ(result.proved.find("so nothing is claimed") != std::string::npos, unequal) << result.proved;
  }
}

}  // namespace
}  // namespace treewright
