#include "treewright/trade_off.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "expect_error.h"
#include "support/data_folder.h"
#include "support/draw_case.h"
#include "support/error_pairs.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/select/certified_line.h"

namespace treewright {
namespace {

using testing::ErrorPairs;

constexpr int kRounds = 60, kFewer = 6;  // of cases; a wide category has many trees to try: a sixth of the cases

// wide: whole ones, so unequal that some levels of a category of more than twelve are rare. heavy: some rows weigh as much as 1e11 others.
enum class Weights { none, whole, real, wide, heavy };

double draw_heavy_weight(Random& random) {
  return (1 + random.uniform()) * (random.below(9) == 0 ? std::pow(10, random.below(12)) : 1);
}

struct Problem {
  Dataset data;
  Options options;
  std::int32_t positive = 0;
  ErrorPairs::Pairs hull;
  std::string text;
};

Problem draw(Random& random, Weights weights) {
  Problem problem;
  Dataset& data = problem.data;
  do {
    data = weights == Weights::wide ? testing::draw_wide_category(random, 30)
                                    : testing::random_data(random, {17, 3, 2, random.below(3) == 0, random.below(3) == 0, 10});
    for (std::size_t row = 0; row < data.rows() && weights != Weights::none; ++row) {
      data.weights.push_back(weights == Weights::wide    ? testing::draw_very_unequal_weight(random)
                             : weights == Weights::whole ? static_cast<double>(random.below(5))
                             : weights == Weights::heavy ? draw_heavy_weight(random)
                                                         : 0.1 + 3 * random.uniform());
    }
  } while (data.classes() != 2 || !testing::has_two_classes(data));
  problem.options.max_depth = 1 + static_cast<std::int64_t>(random.below(weights == Weights::wide ? 2 : 3));
  problem.options.min_samples_leaf = std::min(1 + static_cast<double>(random.below(2)), static_cast<double>(data.rows()));
  if (random.below(4) == 0) problem.options.max_splits = static_cast<std::int64_t>(random.below(5));
  problem.positive = static_cast<std::int32_t>(random.below(2));
  const int full = (1 << problem.options.max_depth) - 1;
  const int splits = problem.options.max_splits < 0 ? full : std::min(static_cast<int>(problem.options.max_splits), full);
  ErrorPairs pairs(data, problem.positive, static_cast<std::int64_t>(problem.options.min_samples_leaf));
  problem.hull = ErrorPairs::hull(pairs.best(static_cast<int>(problem.options.max_depth), splits));
  problem.text = testing::to_string(data);
  return problem;
}

TradeOff solve(const Problem& problem, const FitHooks& hooks = {}) {
  return trade_off(problem.data, problem.data.class_names[static_cast<std::size_t>(problem.positive)], problem.options, hooks);
}

void expect_true_claims(const TradeOff& found, const Problem& problem) {
  for (const TradeOffCorner& corner : found.corners) {
    const Result& result = corner.result;
    Dataset weighted = problem.data;
    for (const auto& [name, value] : result.options) {
      if (name == "class_weight") apply_class_weights(weighted, value);
    }
    EXPECT_EQ(check_claims(result, weighted), std::vector<std::string>()) << problem.text;
    const ErrorPair errors = error_pair(result.tree, problem.data, problem.positive);
    EXPECT_NEAR(errors.false_positives, corner.errors.false_positives, 1e-9) << problem.text;
    EXPECT_NEAR(errors.false_negatives, corner.errors.false_negatives, 1e-9) << problem.text;
  }
}

void expect_hull(const TradeOff& found, const ErrorPairs::Pairs& hull, const std::string& text) {
  ASSERT_EQ(found.corners.size(), hull.size()) << text;
  ASSERT_EQ(found.frontier.size(), hull.size()) << text;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    EXPECT_NEAR(found.corners[i].errors.false_positives, hull[i].false_positives, 1e-9) << text;
    EXPECT_NEAR(found.corners[i].errors.false_negatives, hull[i].false_negatives, 1e-9) << text;
  }
}

// The certified line lies nowhere above the hull.
void expect_nothing_below(const TradeOff& found, const Problem& problem) {
  for (const ErrorPair& corner : problem.hull) {
    for (std::size_t i = 0; i + 1 < found.frontier.size(); ++i) {
      const ErrorPair &p = found.frontier[i], &q = found.frontier[i + 1];
      const double a = p.false_negatives - q.false_negatives, b = q.false_positives - p.false_positives;
      EXPECT_GE(a * corner.false_positives + b * corner.false_negatives, (a * p.false_positives + b * p.false_negatives) * (1 - 1e-9))
          << problem.text;
    }
    EXPECT_LE(least_false_positives(found, corner.false_negatives), corner.false_positives * (1 + 1e-9) + 1e-9) << problem.text;
  }
}

class TradeOffs : public ::testing::TestWithParam<Weights> {
 protected:
  static int rounds(int usual) { return GetParam() == Weights::wide ? usual / kFewer : usual; }
};

TEST_P(TradeOffs, LengthyAreTheHullOfAllTrees) {
  Random random(1979);
  std::size_t longest = 0;
  for (int round = 0; round < rounds(kRounds); ++round) {
    const Problem problem = draw(random, GetParam());
    const TradeOff found = solve(problem);
    ASSERT_EQ(found.status, Status::optimal) << problem.text;
    expect_hull(found, problem.hull, problem.text);
    expect_true_claims(found, problem);
    longest = std::max(longest, found.corners.size());
    EXPECT_LE(found.solves, 2 * static_cast<std::int64_t>(found.corners.size())) << problem.text;
    for (const TradeOffCorner& corner : found.corners) EXPECT_EQ(corner.result.status, Status::optimal);
  }
  EXPECT_GE(longest, 4u) << "the data are too easy";
}

// The tree of a corner comes out again where the trade-off says that it is optimal, and costs no less than elsewhere said.
TEST_P(TradeOffs, LengthyIntervalsOfRatiosMeetAndHold) {
  Random random(7);
  for (int round = 0; round < rounds(40); ++round) {
    const Problem problem = draw(random, GetParam());
    const TradeOff found = solve(problem);
    EXPECT_EQ(found.corners.front().ratio_low, 0);
    EXPECT_EQ(found.corners.back().ratio_high, std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < found.corners.size(); ++i) {
      const TradeOffCorner& corner = found.corners[i];
      if (i > 0) {
        EXPECT_EQ(corner.ratio_low, found.corners[i - 1].ratio_high);
      }
      EXPECT_LT(corner.ratio_low, corner.ratio_high);
      const double ratio = i + 1 == found.corners.size() ? 2 * corner.ratio_low + 1 : (corner.ratio_low + corner.ratio_high) / 2;
      EXPECT_EQ(corner_at_ratio(found, ratio), i);
      Options options = problem.options;
      options.class_weight = problem.data.class_names[static_cast<std::size_t>(problem.positive)] + "=" + std::to_string(ratio);
      const ErrorPair again = error_pair(fit(problem.data, options).tree, problem.data, problem.positive);
      EXPECT_NEAR(again.false_positives, corner.errors.false_positives, 1e-9) << problem.text;
      EXPECT_NEAR(again.false_negatives, corner.errors.false_negatives, 1e-9) << problem.text;
    }
  }
}

// Limits on the work of a solve.
TEST_P(TradeOffs, LengthyAreTrueWhereTheyAreStopped) {
  Random random(11);
  int stopped = 0;
  for (int round = 0; round < rounds(120); ++round) {
    Problem problem = draw(random, GetParam());
    problem.options.node_limit = static_cast<std::int64_t>(random.below(30));
    const TradeOff found = solve(problem);
    stopped += found.status != Status::optimal;
    expect_true_claims(found, problem);
    expect_nothing_below(found, problem);
  }
  EXPECT_GE(stopped, rounds(5) + 1);
}

// Digits of the total weight are more than all errors of some trees.
TEST(TradeOff, LengthyOfHeavyRowsBesideLightOnesClaimsNoMoreThanIsTrue) {
  Random random(23);
  int proved = 0;
  for (int round = 0; round < 100; ++round) {
    const Problem problem = draw(random, Weights::heavy);
    if (problem.data.total_weight() > 5e11) continue;  // refused
    const TradeOff found = solve(problem);
    EXPECT_TRUE(found.status == Status::optimal || !found.unsolved.empty()) << problem.text;
    proved += found.status == Status::optimal;
    expect_nothing_below(found, problem);
  }
  EXPECT_GE(proved, 25);
}

INSTANTIATE_TEST_SUITE_P(Weighted, TradeOffs, ::testing::Values(Weights::none, Weights::whole, Weights::real, Weights::wide));

// A few rows and columns of each set, so that all trees of two levels can be tried.
TEST(TradeOff, OfRowsOfRealSetsIsTheHullOfAllTrees) {
  const auto folder = testing::data_folder();
  if (!folder) GTEST_SKIP() << testing::no_data_folder;
  Random random(29);
  std::size_t corners = 0;
  for (const char* name : {"banknote",
                           "blood-transfusion",
                           "breast-cancer-diagnostic",
                           "breast-cancer-wisconsin",
                           "climate-model",
                           "credit-approval",
                           "haberman",
                           "heart-cleveland-binary",
                           "hepatitis",
                           "htru2",
                           "indian-liver",
                           "ionosphere",
                           "kr-vs-kp",
                           "magic04",
                           "mammographic-mass",
                           "parkinsons",
                           "pima-diabetes",
                           "raisin",
                           "tic-tac-toe",
                           "wilt"}) {
    const Dataset whole = read_dataset((*folder / (std::string(name) + ".csv")).string());
    Problem problem;
    do {
      RowNumbers rows;
      while (rows.size() < 26) rows.push_back(static_cast<std::int32_t>(random.below(whole.rows())));
      problem.data = whole.subset(rows);
      random.shuffle(problem.data.columns);
      problem.data.columns.resize(std::min<std::size_t>(3, problem.data.columns.size()));
    } while (!testing::has_two_classes(problem.data));
    problem.options.max_depth = 2;
    problem.positive = 1;
    problem.text = name;
    const ErrorPairs::Pairs hull = ErrorPairs::hull(ErrorPairs(problem.data, 1).best(2, 3));
    const TradeOff found = solve(problem);
    ASSERT_EQ(found.status, Status::optimal) << name;
    expect_hull(found, hull, name);
    expect_true_claims(found, problem);
    corners += hull.size();
  }
  EXPECT_GT(corners, 40u);
}

TEST(TradeOff, ALimitPicksACornerAndTellsWhatIsOpen) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, {0, 0, 1, 0, 0, 1, 0, 1, 1, 1});
  Options options;
  options.max_depth = 1;
  const TradeOff found = trade_off(data, "b", options);
  ASSERT_EQ(found.corners.size(), 3u);  // (0, 2), (1, 1), (3, 0)
  EXPECT_EQ(found.corners[corner_at_most(found, 1)].errors.false_positives, 1);
  EXPECT_EQ(found.corners[corner_at_most(found, 0)].errors.false_positives, 3);
  EXPECT_EQ(least_false_positives(found, 1), 1);
  EXPECT_EQ(least_false_positives(found, 0.5), 2);
  EXPECT_EQ(least_false_positives(found, 5), 0);
  // The same errors, seen from the other class.
  const TradeOff other = trade_off(data, "a", options);
  ASSERT_EQ(other.corners.size(), 3u);
  EXPECT_EQ(other.corners.front().errors.false_negatives, 3);
}

TEST(TradeOff, APerfectTreeIsTheOnlyCorner) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 0, 1, 1});
  const TradeOff found = trade_off(data, "", {});
  ASSERT_EQ(found.corners.size(), 1u);
  EXPECT_EQ(found.solves, 1);
  EXPECT_EQ(found.corners[0].result.status, Status::optimal);
}

TEST(TradeOff, StopsAtOnce) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  Options options;
  options.time_limit = 0;
  const TradeOff late = trade_off(data, "", options);
  EXPECT_EQ(late.status, Status::time_limit);
  EXPECT_EQ(late.solves, 0);
  ASSERT_EQ(late.corners.size(), 2u);
  EXPECT_EQ(late.corners[0].result.status, Status::time_limit);
  EXPECT_EQ(least_false_positives(late, 0), 0);
  std::atomic<bool> stop = true;
  FitHooks hooks;
  hooks.stop = &stop;
  Random random(3);
  const Dataset more = testing::random_data(random, {60, 3, 2, false, false, 30});
  EXPECT_EQ(trade_off(more, "", {}, hooks).status, Status::interrupted);
}

TEST(TradeOff, NamesOfClassesMayHaveCommas) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4, 5})}, {0, 1, 0, 1, 1});
  data.class_names = {"a,b=2", "a"};
  const TradeOff found = trade_off(data, "a", {});
  EXPECT_EQ(found.status, Status::optimal);
}

TEST(TradeOff, RefusesWhatDoesNotFit) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  const auto with = [&](const char* name, const char* value) {
    return [&data, name, value] {
      Options options;
      set_option(options, name, value);
      trade_off(data, "", options);
    };
  };
  expect_error(with("method", "cart"), {"method", "oct"});
  expect_error(with("ccp_alpha", "0.1"), {"ccp_alpha", "max_splits"});
  expect_error(with("class_weight", "balanced"), {"class_weight", "all ratios"});
  expect_error(with("min_weight_fraction_leaf", "0.1"), {"min_weight_fraction_leaf", "min_samples_leaf"});
  expect_error(with("checkpoint", "file"), {"checkpoint"});
  expect_error([&] { trade_off(data, "c", {}); }, {"'c'"});
  data.class_names.emplace_back("c");
  expect_error([&] { trade_off(data, "", {}); }, {"3 classes", "one_against_rest"});
}

TEST(CertifiedLine, IsTheUpperEnvelope) {
  select::CertifiedLine line;
  EXPECT_EQ(line.corners().size(), 1u);
  line.add(1, 1, 10);
  line.add(3, 1, 12);
  line.add(1, 4, 10);
  line.add(2, 1, 11);  // through the corner of the first two
  const std::vector<ErrorPair> corners = line.corners();
  ASSERT_EQ(corners.size(), 3u);
  EXPECT_NEAR(corners[0].false_negatives, 12, 1e-9);
  EXPECT_NEAR(corners[1].false_positives, 1, 1e-9);
  EXPECT_NEAR(corners[1].false_negatives, 9, 1e-9);
  EXPECT_NEAR(corners[2].false_positives, 10, 1e-9);
  EXPECT_EQ(line.least_false_negatives(5), 5);
  EXPECT_NEAR(select::least_cost(corners, 1, 1), 10, 1e-9);
}

}  // namespace
}  // namespace treewright
