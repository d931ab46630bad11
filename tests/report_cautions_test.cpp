#include "treewright/report/cautions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"
#include "treewright/base/random.h"
#include "treewright/fit.h"
#include "treewright/report.h"
#include "treewright/result.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

TEST(Chances, OfSharesAreBinomialTails) {
  for (const int n : {1, 2, 7, 20}) {
    for (const double p : {0.02, 0.3, 0.5, 0.9}) {
      std::vector<double> weight;
      for (int k = 0; k <= n; ++k)
        weight.push_back(std::tgamma(n + 1) / std::tgamma(k + 1) / std::tgamma(n - k + 1) * std::pow(p, k) * std::pow(1 - p, n - k));
      for (int k = 0; k <= n; ++k) {
        double below = 0, above = 0;
        for (int i = 0; i <= n; ++i) (i <= k ? below : above) += weight[i];
        const double expected = k == n * p ? 1 : std::min(1.0, 2 * (k < n * p ? below : above + weight[k]));
        EXPECT_NEAR(report::chance_of_share(static_cast<double>(k) / n, n, p), expected, 1e-9) << n << " " << p << " " << k;
      }
    }
  }
  EXPECT_EQ(report::chance_of_share(1, 5, 1), 1);
  EXPECT_EQ(report::chance_of_share(0.8, 5, 1), 0);
  EXPECT_EQ(report::chance_of_share(0.5, 0, 0.9), 1) << "no row";
  EXPECT_NEAR(report::chance_of_share(0, 1, 0.99), 0.02, 1e-12) << "nine standard errors, once in a hundred rows";
  EXPECT_NEAR(report::chance_of_share(0.502, 1e6, 0.5), 6.3e-5, 2e-6) << "four standard errors";
}

TEST(Chances, OfEventsArePoissonTails) {
  EXPECT_NEAR(report::chance_of_events(0, 3), 2 * std::exp(-3.0), 1e-12);
  EXPECT_NEAR(report::chance_of_events(3, 1), 2 * (1 - 2.5 * std::exp(-1.0)), 1e-12);
  EXPECT_EQ(report::chance_of_events(4, 4), 1);
  EXPECT_EQ(report::chance_of_events(1, 0), 0);
  EXPECT_EQ(report::chance_of_events(3.7, 3.2), 1) << "no whole count lies between";
}

TEST(Chances, OfMeansAreThoseOfTables) {
  const std::tuple<std::int64_t, double, double> known[] = {{1, 12.706, 0.05},  {2, 4.303, 0.05},   {3, 3.182, 0.05},
                                                            {3, 12.924, 0.001}, {10, 4.587, 0.001}, {1'000'000, 1.96, 0.05}};
  for (const auto& [degrees, off, chance] : known) EXPECT_NEAR(report::chance_of_mean(off, degrees), chance, 0.01 * chance) << degrees;
  EXPECT_NEAR(report::chance_of_mean(0, 4), 1, 1e-12);
}

// Leaves of 9, 30 and 30 rows at x = 1, 2 and 3; the test rows have so many of the second class among their `rows`.
struct Leaves {
  Dataset train, test;
  Result result;
  explicit Leaves(int second_in_first, int rows = 6) {
    std::vector<double> x, tested;
    std::vector<std::int32_t> labels, seen;
    for (int i = 0; i < 69; ++i) {
      x.push_back(i < 9 ? 1 : i < 39 ? 2 : 3);
      labels.push_back(i < 9 || (i >= 39 && i % 10 != 0));
    }
    for (int i = 0; i < rows + 40; ++i) {
      tested.push_back(i < rows ? 1 : i % 2 == 0 ? 2 : 3);
      seen.push_back(i < rows ? i < second_in_first : i % 2);
    }
    train = make_data({numbers("x", x)}, labels);
    test = make_data({numbers("x", tested)}, seen);
    Options options;
    options.max_depth = 2;
    result = fit(train, options);
  }
  std::string page() const {
    ReportParts parts;
    parts.result = &result;
    parts.train = &train;
    parts.test = &test;
    return to_html(parts);
  }
};

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(Cautions, OfALeafThatItsTestRowsContradict) {
  const std::string page = Leaves(0).page(), rules = page.substr(page.find("id=\"rules\""));
  const std::string said = "Test rows contradict its probability: 0 of 6 (0 %) are “b”.";
  EXPECT_EQ(count(rules, said), 1u);
  EXPECT_EQ(count(page, said), 2u) << "in its card and in the table";
  EXPECT_EQ(count(page, "Test rows contradict its"), 2u) << "and no other leaf";
  EXPECT_EQ(count(rules, "fewer than 1 of 20 sets of test rows"), 1u);
  EXPECT_EQ(count(rules, "Only 9 training rows: the share of “b” may be anywhere from 70.1 % to 100 % (95 % confidence)."), 1u);
  EXPECT_EQ(count(page, "Only "), 2u) << "leaves of 30 rows are no small ones";
}

TEST(Cautions, AreNotOfWhatChanceDoes) {
  for (const auto& [second, rows] : {std::pair{6, 6}, {5, 6}, {0, 1}, {30, 34}}) {
    const std::string page = Leaves(second, rows).page();
    EXPECT_EQ(count(page, "Test rows contradict"), 0u) << second << " of " << rows;
  }
  // A probability of weighted classes is no share of rows.
  Leaves weighted(0);
  Options options;
  options.max_depth = 2;
  options.class_weight = "balanced";
  weighted.result = fit(weighted.train, options);
  EXPECT_EQ(count(weighted.page(), "Test rows contradict"), 0u);
}

// Where what the leaves say is true, a page of many leaves raises an alarm in one of 20 cases at most.
TEST(Cautions, AreRarelyFalse) {
  Random random(5);
  constexpr int kPages = 4000, kLeaves = 12;
  int alarms = 0;
  for (int page = 0; page < kPages; ++page) {
    bool alarm = false;
    for (int leaf = 0; leaf < kLeaves; ++leaf) {
      const double p = leaf % 3 == 0 ? 0.99 : 0.5 + 0.04 * leaf;
      const int rows = 1 + 3 * leaf;
      int seen = 0;
      for (int row = 0; row < rows; ++row) seen += random.uniform() < p;
      alarm = alarm || report::is_clear(report::chance_of_share(static_cast<double>(seen) / rows, rows, p), kLeaves);
    }
    alarms += alarm;
  }
  EXPECT_LT(alarms, 0.05 * kPages);
  EXPECT_GT(alarms, 0);
}

std::string page_of_numbers(Loss loss, double tested, double trained = 8) {
  std::vector<double> x, values, at, seen;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i < 10 ? 1 : 2);
    values.push_back((i < 10 ? trained : 1) + i % 2);
  }
  for (int i = 0; i < 20; ++i) {
    at.push_back(i < 8 ? 1 : 2);
    seen.push_back((i < 8 ? tested : 1) + i % 2);
  }
  Dataset train = make_data({numbers("x", x)}, {}, 0), test = make_data({numbers("x", at)}, {}, 0);
  train.target_name = test.target_name = "y";
  train.response = Response{loss, values, {}};
  test.response = Response{loss, seen, {}};
  Options options;
  options.max_depth = 1;
  const Result result = fit(train, options);
  ReportParts parts;
  parts.result = &result;
  parts.train = &train;
  parts.test = &test;
  return to_html(parts);
}

TEST(Cautions, OfNumbers) {
  const std::string means = page_of_numbers(Loss::squared, 2), rates = page_of_numbers(Loss::poisson, 2);
  EXPECT_EQ(count(means, "Test rows contradict its mean: the mean of 8 is 2.5."), 2u);
  EXPECT_EQ(count(rates, "Test rows contradict its rate: 20 events, where 68 would fit."), 2u);
  EXPECT_EQ(count(means, "Only 10 training rows: the mean may be anywhere from 8.123 to 8.877 (95 % confidence)."), 2u);
  EXPECT_EQ(count(rates, "Only "), 0u) << "ten rows of 85 events tell a rate";
  EXPECT_EQ(count(page_of_numbers(Loss::poisson, 0, 0), "Only 5 events: the rate may be anywhere from "), 2u);
  for (const Loss loss : {Loss::squared, Loss::poisson}) EXPECT_EQ(count(page_of_numbers(loss, 8), "Test rows contradict its"), 0u);
}

}  // namespace
}  // namespace treewright
