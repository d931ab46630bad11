#include "treewright/fit/check_proof.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "treewright/data.h"
#include "treewright/error.h"
#include "treewright/fit.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table_text.h"
#include "treewright/tree/objective.h"

namespace treewright {
namespace {

// What a proof of that bound says of the tree, in errors, or the refusal.
std::string said(const Result& result, const Dataset& data, int depth, double bound) {
  proof::Verified verified;
  verified.bound = bound;
  try {
    const ProvedTree proved = compare(result, data, {depth, {}}, verified, "proof");
    const double scale = dynamic_cast<const ErrorObjective&>(*result.objective_function).error_scale();
    return fmt::format("{:.9g}{}", proved.bound * scale, proved.optimal ? ", optimal" : "");
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
  EXPECT_NE(said(result, data, 1, 0).find("the tree's bound is"), std::string::npos);
  EXPECT_NE(said(result, data, 0, 1).find("speaks of trees of depth 0"), std::string::npos);
  // A tree that is deeper than its limit says is none of those that the proof speaks of.
  result = best(data, 3);
  ASSERT_EQ(result.errors, 0);
  ASSERT_GT(result.tree.depth(), 1);
  result.max_depth = 1;
  result.bound = 0;
  EXPECT_EQ(said(result, data, 1, 1), "1");
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
      EXPECT_THROW(check_proof(result, data, proof::to_bytes(coarse, "test"), "coarse"), Error) << unit.value() << " " << bound;
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

}  // namespace
}  // namespace treewright
