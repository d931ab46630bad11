// Times to an event: hazards, curves and concordance by hand, and trees beside an enumeration.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/data/survival.h"
#include "treewright/fit.h"
#include "treewright/result.h"

namespace treewright {
namespace {

Dataset rows(std::vector<double> times, std::vector<double> events, std::vector<double> weights = {}) {
  Dataset data;
  Column& column = data.columns.emplace_back();
  column.name = "x";
  for (std::size_t row = 0; row < times.size(); ++row) column.values.push_back(static_cast<double>(row));
  data.target_name = "time";
  data.weights = std::move(weights);
  data.response = Response{Loss::survival, std::move(events), {}, std::move(times)};
  set_hazards(data);
  return data;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  constexpr double kRounded = 0x1p-46;  // hazards have 50 bits of their sum
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], kRounded) << i;
}

TEST(Survival, HazardsAddUpSharesOfRowsStillObserved) {
  // At 2: one event of four. At 3 one event and one row that is seen last then: one of three. At 5: one of one.
  const Dataset data = rows({3, 2, 5, 3}, {0, 1, 1, 1});
  expect_near(data.response->exposure, {0.25 + 1.0 / 3, 0.25, 0.25 + 1.0 / 3 + 1, 0.25 + 1.0 / 3});
  expect_near(rows({1, 2}, {1, 0}, {3, 1}).response->exposure, {0.75, 0.75});
  // Before the first event nothing is expected.
  expect_near(rows({1, 2}, {0, 1}).response->exposure, {0, 1});
  // A part has hazards of its own.
  expect_near(data.subset(std::vector<std::int32_t>{0, 2}).response->exposure, {0, 1});
}

TEST(Survival, HazardsKnowNoUnitOfWeights) {
  Random random(12);
  std::vector<double> times, events;
  for (int row = 0; row < 300; ++row) {
    times.push_back(1 + static_cast<double>(random.below(100)));
    events.push_back(random.below(3) > 0);
  }
  const std::vector<double> plain = rows(times, events).response->exposure;
  for (const double weight : {0x1p-30, 3.0, 1e9, 1e12, 1e15}) {
    EXPECT_EQ(rows(times, events, std::vector<double>(300, weight)).response->exposure, plain) << weight;
  }
  // One row as heavy as 10^8 others, and seen to the end: the first of the hazards is far below the last.
  std::vector<double> weights(300, 1);
  weights[0] = 1e8, times[0] = 200, events[0] = 1;
  const Dataset heavy = rows(times, events, weights);
  for (std::size_t row = 1; row < 300; ++row) {
    double hazard = 0;
    for (double at = 1; at <= times[row]; ++at) {
      double seen = 0, died = 0;
      for (std::size_t other = 0; other < 300; ++other) {
        if (times[other] >= at) seen += weights[other];
        if (times[other] == at) died += weights[other] * events[other];
      }
      hazard += died / seen;
    }
    EXPECT_NEAR(heavy.response->exposure[row], hazard, 1e-9 * hazard) << row;
  }
}

// The first of many hazards are far below the last ones. What they are rounded by must not keep a finished search from its proof.
TEST(Survival, ManyTimesAreProvedToo) {
  Random random(20);
  for (const bool weighted : {false, true}) {
    std::vector<double> times, events, weights;
    for (int row = 0; row < 20000; ++row) {
      times.push_back(-std::log(1 - random.uniform()) * (row % 2 == 0 ? 1 : 2));
      events.push_back(random.below(10) < 7);
      if (weighted) weights.push_back(random.uniform(0.3, 1.3));
    }
    Dataset data = rows(times, events, weights);
    for (std::size_t row = 0; row < data.rows(); ++row) data.columns[0].values[row] = static_cast<double>(row % 2 + 2 * random.below(4));
    Options options;
    options.max_depth = 2;
    EXPECT_EQ(fit(data, options).status, Status::optimal) << weighted;
  }
}

TEST(Survival, CurvesFallByTheSharesOfEvents) {
  const Dataset data = rows({3, 2, 5, 3}, {0, 1, 1, 1});
  const RowNumbers all{0, 1, 2, 3};
  const std::vector<SurvivalStep> curve = survival_curve(data, all);
  ASSERT_EQ(curve.size(), 3);
  EXPECT_EQ(curve[0], (SurvivalStep{2, 0.75}));
  EXPECT_NEAR(curve[1].share, 0.5, 1e-15);
  EXPECT_EQ(curve[2], (SurvivalStep{5, 0}));
  EXPECT_EQ(median_time(curve), 3);
  EXPECT_EQ(median_time(std::span(curve).first(1)), std::nullopt);
}

TEST(Survival, ConcordanceCountsPairsOfKnownOrder) {
  const Dataset data = rows({1, 2, 2, 4}, {1, 0, 1, 0});
  // Pairs: 0 before 1, 2, 3; 2 before 1 (seen last at the same time) and 3.
  EXPECT_EQ(concordance(std::vector<double>{4, 1, 2, 0}, data), 1);
  EXPECT_EQ(concordance(std::vector<double>{0, 2, 1, 4}, data), 0);
  EXPECT_EQ(concordance(std::vector<double>{1, 1, 1, 1}, data), 0.5);
  EXPECT_EQ(concordance(std::vector<double>{2, 1, 1, 1}, data), (3 + 0.5 * 2) / 5);
  EXPECT_EQ(concordance(std::vector<double>{2, 1}, rows({1, 2}, {0, 1})), std::nullopt);
}

// Its error is the root of the sum of squares of what each row moves, here by a little weight more.
TEST(Survival, TheErrorOfAConcordanceIsWhatRowsMove) {
  const std::vector<double> predicted = {3, 1, 2, 2, 0, 1, 3}, weights = {1, 2, 0.5, 1, 1, 3, 1};
  const std::vector<double> times = {1, 2, 2, 4, 4, 5, 3}, events = {1, 0, 1, 1, 0, 1, 1};
  const double share = *concordance(predicted, rows(times, events, weights));
  double squares = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    constexpr double kLittle = 1e-6;
    std::vector<double> more = weights;
    more[row] += kLittle;
    squares += std::pow(weights[row] * (*concordance(predicted, rows(times, events, more)) - share) / kLittle, 2);
  }
  EXPECT_NEAR(*concordance_error(predicted, rows(times, events, weights)), std::sqrt(squares), 1e-5);
  EXPECT_EQ(concordance_error(std::vector<double>{2, 1}, rows({1, 2}, {1, 0})), 0);
  EXPECT_EQ(concordance_error(std::vector<double>{2, 1}, rows({1, 2}, {0, 1})), std::nullopt);
}

TEST(Survival, BadTimesAndEventsAreRefused) {
  const auto refused = [](const Dataset& data, const std::vector<std::string>& parts) {
    expect_error([&] { data.validate_for_training(); }, parts);
  };
  refused(rows({1, 2}, {0, 0}), {"target 'time'", "all rows are censored", "1 where the event was seen"});
  refused(rows({1, -2}, {1, 0}), {"target 'time', row 1", "the time is -2", "0 or more"});
  refused(rows({1, 2}, {1, 3}), {"row 1", "neither 0 nor 1"});
  Dataset fewer = rows({1, 2}, {1, 0});
  fewer.response->times.pop_back();
  refused(fewer, {"1 times for 2 rows"});
  EXPECT_NO_THROW(rows({1, 2}, {1, 1}).validate_for_training());
}

TEST(Survival, FilesNameTheColumnOfEvents) {
  const std::string csv = "age,seen,time\n40,1,3\n50,0,4\n60,1,1\n";
  ReadOptions read;
  read.loss = Loss::survival;
  expect_error([&] { parse_csv(csv, "rows", read); }, {"--loss survival", "--event"});
  read.event = "seen";
  const Dataset data = parse_csv(csv, "rows", read);
  ASSERT_TRUE(data.response);
  EXPECT_EQ(data.features(), 1);
  EXPECT_EQ(data.response->times, (std::vector<double>{3, 4, 1}));
  EXPECT_EQ(data.response->values, (std::vector<double>{1, 0, 1}));
  expect_near(data.response->exposure, {1.0 / 3 + 0.5, 1.0 / 3 + 0.5, 1.0 / 3});
  read.loss = Loss::poisson;
  expect_error([&] { parse_csv(csv, "rows", read); }, {"--event", "survival alone"});
  read.loss = Loss::survival;
  expect_error([&] { parse_csv("age,seen,time\n40,yes,3\n50,no,4\n", "rows", read); }, {"column 'seen'", "1 where the event was seen"});
}

Dataset draw(Random& random) {
  Dataset data = testing::random_data(random, {12, 3, 3, true, true, 5});
  const std::size_t n = data.rows();
  Response response{Loss::survival, {}, {}, {}};
  for (std::size_t row = 0; row < n; ++row) {
    response.values.push_back(row == 0 || random.below(3) > 0 ? 1 : 0);
    response.times.push_back(static_cast<double>(random.below(9)));
    if (n % 2 == 0) data.weights.push_back(1 + static_cast<double>(random.below(3)));
  }
  data.labels.clear();
  data.class_names.clear();
  data.target_name = "time";
  data.response = std::move(response);
  set_hazards(data);
  return data;
}

TEST(Survival, TheExactSearchFindsTheBestTree) {
  Random random(11);
  for (int round = 0; round < 150; ++round) {
    const Dataset data = draw(random);
    Options options;
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    options.n_jobs = 1;
    const Result result = fit(data, options);
    const double scale = result.objective_function->error_scale();
    const auto depth = static_cast<int>(options.max_depth);
    const auto best = static_cast<double>(testing::SumBruteForce(data, 1, 0).best(depth, (1 << depth) - 1)) / scale;
    ASSERT_EQ(result.status, Status::optimal) << round << result.proved;
    ASSERT_NEAR(result.objective, best, 1e-9) << round;
    ASSERT_LE(result.bound, best + 1e-14) << round;
    EXPECT_TRUE(check_claims(result, data).empty()) << check_claims(result, data).front();
    Options greedy;
    greedy.method = "cart";
    greedy.max_depth = options.max_depth;
    EXPECT_GE(fit(data, greedy).objective, best - 1e-12);
  }
}

// More rows than a tree routes at a time.
TEST(Survival, CurvesAreOfAllRowsOfTheirLeaves) {
  std::vector<double> times, seen;
  for (int i = 0; i < 9000; ++i) {
    times.push_back(1 + i % 977);
    seen.push_back(i % (i < 4500 ? 2 : 5) == 0 ? 1 : 0);
  }
  const Dataset data = rows(times, seen);
  Options options;
  options.max_depth = 1;
  const Result result = fit(data, options);
  ASSERT_EQ(result.tree.leaves(), 2);
  std::vector<RowNumbers> of_leaf(result.tree.nodes().size());
  const std::vector<NodeId> leaves = result.tree.apply(data);
  for (std::size_t row = 0; row < data.rows(); ++row) of_leaf[static_cast<std::size_t>(+leaves[row])].push_back(static_cast<int>(row));
  for (std::size_t i = 1; i < of_leaf.size(); ++i) EXPECT_EQ(result.tree.nodes()[i].estimate.survival, survival_curve(data, of_leaf[i]));
  EXPECT_EQ(check_claims(result, data), std::vector<std::string>());
}

TEST(Survival, TreesKeepTheirCurvesInFiles) {
  Random random(12);
  const Dataset data = draw(random);
  Options options;
  options.max_depth = 2;
  const Result result = fit(data, options);
  for (const Node& node : result.tree.nodes()) EXPECT_TRUE(node.is_leaf() || node.estimate.survival.empty());
  const Result read = from_json(to_json(result), "json");
  EXPECT_EQ(read.tree, result.tree);
  EXPECT_TRUE(check_claims(read, data).empty());
  Dataset other = data;
  other.response->times[0] += 1;
  set_hazards(other);
  EXPECT_FALSE(check_claims(read, other).empty());
}

}  // namespace
}  // namespace treewright
