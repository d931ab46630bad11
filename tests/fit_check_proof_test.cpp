#include "treewright/fit/check_proof.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "treewright/base/exact_sum.h"
#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/error.h"
#include "treewright/fit.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table_text.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

// What a proof of that bound says of the tree, in errors, or the refusal.
std::string said(const Result& result, const Dataset& data, int depth, double bound) {
  proof::Verified verified;
  verified.bound = bound;
  try {
    Claim of;
    of.rows = result.rows;
    of.depth = depth;
    const ProvedTree proved = compare(result, data, of, verified, "proof");
    const double scale = dynamic_cast<const ErrorObjective&>(*result.objective_function).error_scale();
    return fmt::format("{:.9g}{}{}", proved.bound * scale, proved.optimal ? ", optimal" : "", proved.shows_bound ? "" : ", short");
  } catch (const Error& error) {
    return error.problem();
  }
}

Result best(const Dataset& data, std::int64_t depth) {
  Options options;
  options.max_depth = depth;
  return fit(data, options);
}

TEST(CheckProof, RefusesABoundAboveTheTree) {
  const Dataset data = parse_csv("x,y\n1,a\n2,b\n3,a\n4,b\n5,b\n", "data");
  Result result = best(data, 1);
  ASSERT_EQ(result.errors, 1);
  EXPECT_EQ(said(result, data, 1, 1), "1, optimal");
  EXPECT_NE(said(result, data, 1, 2).find("one of the two is wrong"), std::string::npos);
  EXPECT_EQ(said(result, data, 1, 0), "0, short");
  EXPECT_NE(said(result, data, 0, 1).find("speaks of trees of depth 0"), std::string::npos);
  // A tree that is deeper than its limit says is none of those that the proof speaks of.
  result = best(data, 3);
  ASSERT_EQ(result.errors, 0);
  ASSERT_GT(result.tree.depth(), 1);
  result.max_depth = 1;
  result.bound = 0;
  EXPECT_EQ(said(result, data, 1, 1), "1");
}

TEST(CheckProof, ALimitOnSplitsThatEveryTreeKeepsIsNone) {
  const Dataset data = parse_csv("x,y\n1,a\n2,b\n3,a\n4,b\n5,b\n", "data");
  const Result result = best(data, 1);
  proof::Verified verified;
  verified.bound = 1;
  Claim of;
  of.rows = result.rows;
  of.depth = 1;
  of.max_splits = 1;
  EXPECT_TRUE(compare(result, data, of, verified, "proof").optimal);
  of.max_splits = 0;
  EXPECT_THROW(compare(result, data, of, verified, "proof"), Error);
}

// A proof chooses its unit. In a coarse one every label costs nothing, so that nothing is shown of any tree.
TEST(CheckProof, OfCoarseUnitsCallsNoTreeOptimal) {
  const Dataset data = parse_csv("x,y\n1,a\n2,b\n3,a\n4,b\n5,b\n", "data");
  Result result = best(data, 1);
  ASSERT_EQ(result.errors, 1);
  result.tree = Tree(data);
  result.tree.tally(data);
  result.errors = result.objective = result.bound = 2;
  for (const proof::Binary unit : {proof::Binary{1, 1}, {3, -1}, {3, 0}, {1, 2}, {1, 20}}) {
    proof::Proof coarse;
    coarse.unit = unit;
    coarse.table = proof::fingerprint(data);
    coarse.depth = 1;
    coarse.orderings = {{0, proof::Ordering::Form::numbers, {}}};
    for (const std::int64_t bound : {0, 1}) {
      coarse.bound = bound;
      try {
        const ProvedTree proved = check_proof(result, data, proof::to_bytes(coarse, "test"), "coarse");
        EXPECT_FALSE(proved.optimal || proved.shows_bound) << unit.value() << " " << bound;
      } catch (const Error&) {
      }
    }
    // It holds, and shows little.
    coarse.bound = 0;
    EXPECT_LE(proof::verify(coarse, data, "coarse").bound, 1) << unit.value();
  }
}

TEST(CheckProof, WithoutALimitLeavesMayBeEmpty) {
  Result result = best(parse_csv("x,y\n1,a\n9,b\n", "data"), 1);
  ASSERT_EQ(result.tree.splits(), 1);
  result.bound = result.objective = 1;
  EXPECT_EQ(said(result, parse_csv("x,y\n1,a\n1,b\n", "data"), 1, 1), "1, optimal");
}

// Thirteen levels of two rows, with shares of 1, 1/2 and 0. A set of levels that is neither a single one nor those of larger shares is no
// split of the family.
TEST(CheckProof, ATreeOutsideTheFamilyIsNeitherRefusedNorOptimal) {
  std::string text = "c,y\n";
  for (int level = 0; level < 13; ++level) {
    const char* labels[] = {"aa", "ab", "bb"};
    for (const char* label = labels[level % 3]; *label != '\0'; ++label) text += fmt::format("l{:02},{}\n", level, *label);
  }
  const Dataset data = parse_csv(text, "data");
  Result result = best(data, 1);
  const double optimum = result.errors;
  EXPECT_EQ(said(result, data, 1, optimum), fmt::format("{}, optimal", optimum));
  EXPECT_NE(said(result, data, 1, optimum + 1).find("one of the two is wrong"), std::string::npos);
  // Levels 0 (aa) and 2 (bb) go left, and 1 (ab) right.
  auto split = std::get<CategorySplit>(result.tree.node(Tree::root()).split->rule);
  Result other = result;
  other.tree = Tree(data);
  split.left.assign(split.left.size(), false);
  split.left[0] = split.left[2] = true;
  other.tree.split(Tree::root(), Split{split});
  other.tree.tally(data);
  other.bound = 0;
  const double its = count_errors(other.tree, data);
  EXPECT_EQ(said(other, data, 1, its + 1), fmt::format("{}", its + 1));
  EXPECT_EQ(said(other, data, 1, its), fmt::format("{}", its));
}

// Tree, rows and proof of trees of one split.
struct Proved {
  Result result;
  Dataset data;
  std::string proof;

  Proved(Dataset of, Options options = {}) : data(std::move(of)) {
    const testing::ScratchFolder folder;
    options.max_depth = 1;
    options.proof = folder / "proof";
    result = fit(data, options);
    proof = read_file(options.proof);
    apply_class_weights(data, options.class_weight);
  }
};

// The refusal, or "".
std::string refusal(const Result& result, const Dataset& data, const std::string& proof) {
  try {
    check_proof(result, data, proof, "proof");
    return "";
  } catch (const Error& error) {
    return error.problem();
  }
}

// Of eight rows the columns c0 and c1 tell what two labels cost. Nobody holds a proof about them against a tree that counts errors, nor the
// other way around, whatever rows are read.
TEST(CheckProof, SpeaksOfWhatTheTreeCounts) {
  const std::string rows = "x,c0,c1\n0,0,2\n1,2,0\n2,0,2\n3,0,2\n4,2,0\n5,2,0\n6,2,0\n7,2,0\n";
  ReadOptions by_row;
  by_row.cost_columns = {"c0", "c1"};
  Dataset errors = parse_csv(rows, "data", by_row), classes = errors, weighted = errors, scaled = errors;
  for (Dataset* data : {&errors, &classes, &weighted}) data->row_costs.clear();
  classes.costs = {0, 2, 2, 0};
  Dataset others = classes;
  others.costs = {0, 2, 3, 0};
  weighted.weights.assign(8, 2.0);
  for (double& cost : scaled.row_costs) cost *= 2;
  const Proved all[] = {Proved(errors),   Proved(classes), Proved(others),
                        Proved(weighted), Proved(scaled),  Proved(parse_csv(rows, "data", by_row))};
  for (const Proved& of_proof : all) {
    for (const Proved& of_tree : all) {
      const bool same = &of_proof == &of_tree;
      EXPECT_EQ(refusal(of_tree.result, of_tree.data, of_proof.proof).empty(), same);
      EXPECT_EQ(refusal(of_tree.result, of_proof.data, of_proof.proof).empty(), same);
    }
  }
  Result result = all[0].result;
  EXPECT_NE(refusal(result, all[5].data, all[5].proof).find("speaks of costs by row, and the tree's objective of errors"),
            std::string::npos);
  EXPECT_FALSE(check_claims(result, all[5].data).empty());
  result.rows = 7;
  EXPECT_NE(refusal(result, all[0].data, all[0].proof).find("speaks of 8 rows, and the tree was trained on 7"), std::string::npos);
}

// Rewards that nearly cancel: sums in doubles say 0, and the exact optimum is below.
TEST(CheckProof, ABoundIsNotRoundedUpToTheTree) {
  ReadOptions by_row;
  by_row.cost_columns = {"c0", "c1"};
  by_row.weights = "w";
  const Dataset data =
      parse_csv("x,c0,c1,w\n0,41935092676,41935092676,1.134364244112401\n0,-47569669705.19423,-47569669705.19423,1\n1,0,1,1\n1,1,0,1\n",
                "data", by_row);
  const Proved made(data);
  const ProvedTree proved = check_proof(made.result, data, made.proof, "proof");
  ExactSum exact;
  exact.add(41935092676, 1.134364244112401);
  exact.add(-47569669705.19423);
  exact.add(1);
  EXPECT_LE(proved.bound, exact.up() / made.result.objective_function->error_scale());
}

TEST(CheckProof, AnOptimumOfRealWeightsIsOneUpToRounding) {
  const Dataset whole = parse_csv("x,y\n1,a\n2,b\n3,a\n4,b\n5,b\n", "data");
  Dataset real = whole;
  real.weights = {0.1, 0.2, 0.7, 0.3, 1.0 / 3};
  const Proved of_whole(whole), of_real(real);
  const ProvedTree first = check_proof(of_whole.result, whole, of_whole.proof, "proof");
  EXPECT_TRUE(first.optimal && first.exactly);
  const ProvedTree second = check_proof(of_real.result, real, of_real.proof, "proof");
  EXPECT_TRUE(second.optimal);
  EXPECT_LE(second.bound, of_real.result.objective);
  EXPECT_NEAR(second.bound, of_real.result.objective, 1e-12);
}

}  // namespace
}  // namespace treewright
