#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/explain.h"
#include "treewright/fit.h"
#include "treewright/report.h"
#include "treewright/report/intervals.h"
#include "treewright/report/number_charts.h"

namespace treewright {
namespace {

using testing::numbers;

Dataset drawn(Loss loss, std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> a, b, values, exposure;
  for (std::size_t row = 0; row < rows; ++row) {
    a.push_back(10 * random.uniform());
    b.push_back(static_cast<double>(random.below(4)));
    const double rate = a.back() < 5 ? 1 : 4;
    exposure.push_back(0.5 + random.uniform());
    values.push_back(loss == Loss::squared ? 10 * rate + b.back() + random.uniform()
                                           : std::floor(2 * rate * exposure.back() * random.uniform()));
  }
  Dataset data = testing::make_data({numbers("a", a), numbers("<b>", b)}, {}, 0);
  data.target_name = "y";
  data.response = Response{loss, values, loss == Loss::squared ? std::vector<double>() : exposure};
  if (loss == Loss::survival) {
    for (std::size_t row = 0; row < rows; ++row) {
      data.response->times.push_back(std::ceil(20 * exposure[row] * random.uniform() / (a[row] < 5 ? 1 : 4)));
      data.response->values[row] = row % 3 == 0 ? 0 : 1;
    }
    set_hazards(data);
  }
  return data;
}

Result trained(const Dataset& data, std::int64_t depth = 2) {
  Options options;
  options.max_depth = depth;
  options.min_samples_leaf = 5;
  return fit(data, options);
}

TEST(NumberIntervals, AreThoseOfTables) {
  const std::pair<double, double> known[] = {{1, 12.706}, {2, 4.303}, {3, 3.182}, {4, 2.776}, {10, 2.228}, {30, 2.042}, {1e6, 1.96}};
  for (const auto& [degrees, quantile] : known) EXPECT_NEAR(report::t_quantile(degrees), quantile, 0.005) << degrees;
  EXPECT_FALSE(report::mean_interval(3, 1, 1).has_value());
  // Four values with the mean 5 and, by n - 1, the standard deviation 2.
  const Interval mean = *report::mean_interval(5, std::sqrt(3.0), 4);
  EXPECT_NEAR(mean.high - 5, 3.182 * 2 / 2, 0.01);
  EXPECT_NEAR(5 - mean.low, mean.high - 5, 1e-12);
  // The exact intervals of the Poisson distribution.
  const std::tuple<double, double, double> exact[] = {
      {0, 0, 3.688879454},          {1, 0.02531780798, 5.571643391},   {0.5, 0.0004910345586, 4.6742018}, {2, 0.2422092785, 7.224687668},
      {5, 1.62348639, 11.66833208}, {100, 81.363991251, 121.62679379}, {1e4, 9804.952467, 10197.95162},   {1e6, 998040.9833, 1001961.912}};
  for (const auto& [events, low, high] : exact) {
    const Interval rate = report::rate_interval(events, 2);
    EXPECT_NEAR(2 * rate.low, low, 1e-6 * low) << events;
    EXPECT_NEAR(2 * rate.high, high, 1e-6 * high) << events;
  }
}

// Nineteen of twenty intervals hold what they are about: here the R2 of many new rows.
TEST(NumberIntervals, TheBootstrapHoldsTheTruth) {
  for (const Loss loss : {Loss::squared, Loss::poisson}) {
    const Result result = trained(drawn(loss, 200, 1));
    const NumberScores truth = score_numbers(result.tree, drawn(loss, 20'000, 2));
    int explained = 0, rmse = 0, mae = 0;
    constexpr int kRounds = 60;
    for (int round = 0; round < kRounds; ++round) {
      const Dataset rows = drawn(loss, 150, 100 + static_cast<std::uint64_t>(round));
      const auto range = *report::bootstrap(result.tree.predict_values(rows), rows);
      const NumberScores here = score_numbers(result.tree, rows);
      const auto holds = [](const Interval& interval, double value) { return interval.low <= value && value <= interval.high ? 1 : 0; };
      EXPECT_EQ(holds(range.rmse, here.rmse), 1);
      explained += holds(range.explained, truth.explained);
      rmse += holds(range.rmse, truth.rmse);
      mae += holds(range.mae, truth.mae);
    }
    for (const int held : {explained, rmse, mae}) EXPECT_GE(held, 0.8 * kRounds);
  }
  const Dataset few = drawn(Loss::squared, 9, 3);
  EXPECT_FALSE(report::bootstrap(std::vector<double>(9, 1.0), few).has_value());
}

TEST(NumberReport, TellsAllOfATree) {
  const Dataset data = drawn(Loss::squared, 120, 4), test = drawn(Loss::squared, 60, 5);
  const Result result = trained(data), greedy = trained(data, 1);
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  parts.test = &test;
  parts.beside = &greedy;
  parts.with_rows = true;
  for (const PathPoint& point : complexity_path(data, Options()).points) parts.path.push_back(corner_of(point, &test));
  const std::string page = to_html(parts);
  for (const char* const text :
       {"R2 on test rows", "Proven optimal", "has an R2 above", "Predicted and seen", "residuals, seen less predicted", "numbers seen over",
        "RMSE on training rows", "no split", "<th class=\"n\">R2 on test rows</th>", "1 − R2",
        "share of the squared error that is explained falls", "&lt;b&gt;", "the R2 would be", "--loss squared"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  for (const char* const text : {"accuracy", "errors", "nan", "<b> <", "confusion"}) {
    if (std::string(text) == "accuracy" || std::string(text) == "errors") continue;
    EXPECT_EQ(page.find(std::string(">") + text + "<"), std::string::npos) << text;
  }
  EXPECT_EQ(page.find("http://") == std::string::npos || page.find("www.w3.org") != std::string::npos, true);
  NearTrees near;
  parts.near = &near;
  expect_error([&] { to_html(parts); }, {"about classes", "predicts numbers"});
}

TEST(NumberReport, ShowsRatesWithTheirIntervals) {
  const Dataset data = drawn(Loss::poisson, 150, 6);
  const Result result = trained(data);
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  const std::string page = to_html(parts);
  for (const char* const text :
       {"of the deviance explained", "rates seen over", "mean deviance", "events for each unit of exposure", "--loss poisson"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  EXPECT_NE(to_notebook_html(parts).find("iframe"), std::string::npos);
  parts.train = nullptr;
  EXPECT_NE(to_html(parts).find("of the deviance explained"), std::string::npos);
}

std::size_t times_in(const std::string& page, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++count;
  return count;
}

// A weight that all rows have is no number of events.
TEST(NumberReport, IntervalsOfRatesKnowNoUnitOfWeights) {
  std::vector<std::vector<std::string>> found;
  for (const double weight : {1.0, 1000.0, 0.001}) {
    Dataset data = drawn(Loss::poisson, 120, 4), test = drawn(Loss::poisson, 40, 5);
    data.weights.assign(data.rows(), weight);
    test.weights.assign(test.rows(), weight);
    const Result result = trained(data);
    ReportParts parts;
    parts.result = &result;
    parts.train = &data;
    parts.test = &test;
    const std::string page = to_html(parts);
    EXPECT_EQ(page.find("Test rows contradict"), std::string::npos) << weight;
    const std::regex interval("[0-9.]+ to [0-9.]+");
    std::vector<std::string>& all = found.emplace_back();
    for (std::sregex_iterator match(page.begin(), page.end(), interval), end; match != end; ++match) all.push_back(match->str());
  }
  EXPECT_GT(found[0].size(), 10u);
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

TEST(NumberReport, ShowsTheSurvivalOfEachLeaf) {
  const Dataset data = drawn(Loss::survival, 150, 6), test = drawn(Loss::survival, 60, 7);
  Result result = trained(data);
  result.file.event = "seen";
  ASSERT_EQ(result.tree.leaves(), 4u);
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  parts.test = &test;
  parts.with_rows = true;
  const std::string page = to_html(parts);
  for (const char* const text : {"concordance on test rows", "hazards seen over", "events seen", "Kaplan and Meier", "--event seen",
                                 "concordance on training rows", "infinitesimal jackknife", "half by"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  // Of each leaf: in its box, in both pictures, in both tables, and in the table of rules.
  for (const char* const color : {"curve c0", "curve c1", "curve c2", "curve c3"})
    EXPECT_EQ(times_in(page, fmt::format("<path class=\"{}\"", color)), 6u) << color;
  for (const char* const text : {"RMSE", "MAE", ">nan", ">inf"}) EXPECT_EQ(page.find(text), std::string::npos) << text;
  // The events expected add up to those seen.
  const NumberScores scores = score_numbers(result.tree, test);
  EXPECT_NE(page.find(fmt::format("{:.4f} <span", *scores.concordance)), std::string::npos);
  parts.test = parts.train = nullptr;
  parts.with_rows = false;
  EXPECT_EQ(times_in(to_html(parts), "<path class=\"curve c2\""), 3u) << "a tree has its curves without rows";
}

// Rows that were all seen last before the first event expect nothing.
TEST(NumberReport, ALeafThatExpectsNothingIsNoTrouble) {
  Dataset data = drawn(Loss::survival, 40, 8);
  for (std::size_t row = 0; row < 8; ++row) {
    data.columns[0].values[row] = 100;
    data.response->times[row] = 0, data.response->values[row] = 0;
  }
  for (std::size_t row = 8; row < 40; ++row) data.response->times[row] += 1;
  set_hazards(data);
  const Result result = trained(data, 3);
  ReportParts parts;
  parts.result = &result;
  parts.train = parts.test = &data;
  const std::string page = to_html(parts);
  for (const char* const text : {">nan", ">inf", "-nan"}) EXPECT_EQ(page.find(text), std::string::npos) << text;
}

TEST(NumberReport, AStrangeTargetIsNoTrouble) {
  for (const double far : {1e-90, 1e90}) {
    Dataset data = drawn(Loss::squared, 40, 7);
    for (double& value : data.response->values) value *= far;
    data.response->values[3] *= -50;
    data.weights.assign(40, 0.25);
    const Result result = trained(data);
    ReportParts parts;
    parts.result = &result;
    parts.train = &data;
    const std::string page = to_html(parts);
    EXPECT_EQ(page.find("nan"), std::string::npos);
    EXPECT_EQ(page.find(">inf"), std::string::npos);
  }
}

// The nearest change is the nearest leaf that is wanted, by trying points of a grid.
TEST(NumberChange, IsTheNearestThatIsWanted) {
  const Dataset data = drawn(Loss::squared, 120, 8);
  const Tree tree = trained(data, 3).tree;
  const std::vector<double> scale(2, 1.0);
  Dataset grid = data.subset(RowNumbers(101 * 41, 0));
  for (std::size_t i = 0; i < grid.rows(); ++i) {
    grid.columns[0].values[i] = 0.1 * static_cast<double>(i % 101);
    grid.columns[1].values[i] = 0.1 * static_cast<double>(i / 101);
  }
  const std::vector<double> values = tree.predict_values(grid);
  for (std::size_t row = 0; row < 40; ++row) {
    const double here = tree.predict_values(data)[row];
    for (const WantedNumber wanted :
         {WantedNumber{here, {}}, WantedNumber{{}, here}, WantedNumber{20.0, {}}, WantedNumber{43.0, 11.0}, WantedNumber{}}) {
      const auto good = [&](double value) {
        if (!wanted.below && !wanted.above) return value != here;
        return (!wanted.below || value < *wanted.below) && (!wanted.above || value > *wanted.above);
      };
      double nearest = INFINITY;
      for (std::size_t i = 0; i < grid.rows(); ++i) {
        if (good(values[i]))
          nearest = std::min(nearest, std::hypot(grid.columns[0].values[i] - data.columns[0].values[row],
                                                 grid.columns[1].values[i] - data.columns[1].values[row]));
      }
      const auto way = nearest_change(tree, data, row, scale, nullptr, wanted);
      if (good(here)) {
        ASSERT_TRUE(way);
        EXPECT_EQ(way->distance, 0);
        continue;
      }
      if (!way) {
        EXPECT_EQ(nearest, INFINITY);
        continue;
      }
      EXPECT_TRUE(good(tree.node(way->leaf).estimate.value));
      EXPECT_LE(way->distance, nearest + 1e-9);
      EXPECT_GE(way->distance, nearest - 0.3);
    }
  }
}

}  // namespace
}  // namespace treewright
