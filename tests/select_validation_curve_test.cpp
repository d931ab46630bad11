#include "treewright/tune.h"

#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"

namespace treewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// setting, fold, alpha_low, alpha_high, score, features
const std::vector<ScoredTree> kOneFold = {
    {0, 0, 0.5, kInfinity, 0.6, 0}, {0, 0, 0.3, 0.5, 0.8, 1}, {0, 0, 0.1, 0.3, 0.8, 2}, {0, 0, 0, 0.1, 0.7, 3}};

TEST(ValidationCurve, OfOneFoldIsItsPath) {
  const std::vector<CurveStep> curve = validation_curve(kOneFold);
  ASSERT_EQ(curve.size(), 4u);
  EXPECT_EQ(curve.front().alpha_low, 0);
  EXPECT_EQ(curve.front().score, 0.7);
  EXPECT_EQ(curve.back().alpha_high, kInfinity);
  EXPECT_EQ(curve.back().score, 0.6);
}

TEST(ValidationCurve, ScoresAreNumbers) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<ScoredTree>& trees : {std::vector<ScoredTree>{{0, 0, 0, kInfinity, kNone, 0}},
                                               std::vector<ScoredTree>{{0, 0, 0.5, kInfinity, 0.6, 0}, {0, 0, 0, 0.5, kNone, 1}}}) {
    for (const ChoiceRule rule : {ChoiceRule::best, ChoiceRule::sparse}) {
      expect_error([&] { choose(validation_curve(trees), rule); }, {"score", "no number"});
    }
  }
}

TEST(ValidationCurve, OfTwoFoldsChangesWhereEitherDoes) {
  const std::vector<CurveStep> curve =
      validation_curve({{0, 0, 0.4, kInfinity, 0.5, 0}, {0, 0, 0, 0.4, 0.9, 2}, {0, 1, 0.2, kInfinity, 0.7, 1}, {0, 1, 0, 0.2, 0.3, 3}});
  ASSERT_EQ(curve.size(), 3u);
  const double scores[] = {0.6, 0.8, 0.6}, features[] = {2.5, 1.5, 0.5}, lows[] = {0, 0.2, 0.4};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(curve[i].score, scores[i], 1e-12);
    EXPECT_NEAR(curve[i].features, features[i], 1e-12);
    EXPECT_EQ(curve[i].alpha_low, lows[i]);
  }
  EXPECT_NEAR(choose(curve, ChoiceRule::best).alpha, 0.3, 1e-12);
}

TEST(ValidationCurve, TiesAreOneInterval) {
  const Choice choice = choose(validation_curve(kOneFold), ChoiceRule::best);
  EXPECT_EQ(choice.step.alpha_low, 0.1);
  EXPECT_EQ(choice.step.alpha_high, 0.5);
  EXPECT_NEAR(choice.alpha, 0.3, 1e-12);
}

TEST(ValidationCurve, OfTiesThatAreNoNeighborsTheWidestWins) {
  std::vector<ScoredTree> trees = kOneFold;
  trees[2].score = 0.1;
  trees[3].score = 0.8;  // 0 .. 0.1 and 0.3 .. 0.5 are best
  const Choice choice = choose(validation_curve(trees), ChoiceRule::best);
  EXPECT_EQ(choice.step.alpha_low, 0.3);
  EXPECT_NE(choice.why.find("widest of 2"), std::string::npos);
}

TEST(ValidationCurve, TheLastStepIsAsLongAsTheWayToIt) {
  std::vector<ScoredTree> trees = kOneFold;
  trees[0].score = 0.9;
  const Choice choice = choose(validation_curve(trees), ChoiceRule::best);
  EXPECT_EQ(choice.step.alpha_high, kInfinity);
  EXPECT_NEAR(choice.alpha, 0.75, 1e-12);
  trees[1].score = 0.9;  // the union begins at 0.3, but the last step still ends at 1
  EXPECT_NEAR(choose(validation_curve(trees), ChoiceRule::best).alpha, 0.65, 1e-12);
}

TEST(ValidationCurve, TheSparseRuleTakesTheFewestFeaturesThatDo) {
  std::vector<ScoredTree> trees = kOneFold;
  trees[3].score = 0.82;  // 0.975 of it is 0.7995
  EXPECT_EQ(choose(validation_curve(trees), ChoiceRule::best).step.features, 3);
  EXPECT_EQ(choose(validation_curve(trees), ChoiceRule::sparse).step.features, 1);
  trees[3].score = 0.83;
  EXPECT_EQ(choose(validation_curve(trees), ChoiceRule::sparse).step.features, 3);
}

// Scores of costs are negative; rewards are positive scores.
TEST(ValidationCurve, TheSparseRuleAllowsSomeMoreCost) {
  std::vector<ScoredTree> trees = kOneFold;
  for (ScoredTree& tree : trees) tree.score -= 1.6;
  trees[3].score = -0.79;  // divided by 0.975 that is -0.81, and the tree of one feature has -0.8
  const Choice choice = choose(validation_curve(trees), ChoiceRule::sparse, Scoring::cost);
  EXPECT_EQ(choice.step.features, 1);
  EXPECT_NE(choice.why.find("where the least mean cost is 0.79"), std::string::npos) << choice.why;
  EXPECT_EQ(choose(validation_curve(trees), ChoiceRule::sparse).step.features, 3) << "not so of other losses";
  EXPECT_EQ(choose(validation_curve(trees), ChoiceRule::best, Scoring::cost).why.rfind("the least mean cost (0.79)", 0), 0u);
}

TEST(ValidationCurve, TheUnitOfAScoreDoesNotMatter) {
  for (const double unit : {1.0, 1e-15, 1e12}) {
    const std::vector<CurveStep> curve =
        validation_curve({{0, 0, 0.5, kInfinity, -60 * unit, 0}, {0, 0, 0.3, 0.5, -50 * unit, 1}, {0, 0, 0, 0.3, -55 * unit, 2}});
    EXPECT_EQ(choose(curve, ChoiceRule::best, Scoring::rmse).step.score, -50 * unit);
  }
}

TEST(ValidationCurve, OfEqualSettingsTheFirstWins) {
  const Choice choice = choose(validation_curve({{0, 0, 0, kInfinity, 0.8, 1}, {1, 0, 0, kInfinity, 0.8, 1}}), ChoiceRule::best);
  EXPECT_EQ(choice.step.setting, 0);
}

TEST(ValidationCurve, MissesNoTreeSilently) {
  expect_error([] { validation_curve({{0, 0, 0.5, kInfinity, 0.6, 0}}); }, {"alpha = 0"});
  expect_error([] { choice_rule_named("luck"); }, {"best or sparse"});
}

}  // namespace
}  // namespace treewright
