#include "treewright/report/reliability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/report.h"
#include "treewright/report/confusions.h"
#include "treewright/result.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

TEST(Reliability, ByHand) {
  const Dataset two = make_data({numbers("x", {1, 2, 3, 4})}, {0, 1, 1, 0}, 2);
  const auto bins = report::reliability_bins({0.95, 0.05, 0.02, 0.98, 0.0, 1.0, 0.91, 0.09}, two);
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_NEAR(bins[0].predicted, 0.07, 1e-12);
  EXPECT_EQ(bins[0].observed.part_rows, 0);
  EXPECT_EQ(bins[0].observed.whole_rows, 2);
  EXPECT_NEAR(bins[1].predicted, 0.99, 1e-12);
  EXPECT_EQ(bins[1].observed.part_rows, 2);
  // Of three classes the most probable one.
  const Dataset three = make_data({numbers("x", {1, 2})}, {2, 1}, 3);
  const auto most = report::reliability_bins({0.1, 0.2, 0.7, 0.75, 0.25, 0.0}, three);
  ASSERT_EQ(most.size(), 1u);
  EXPECT_NEAR(most[0].predicted, 0.725, 1e-12);
  EXPECT_EQ(most[0].observed.part_rows, 1);
}

TEST(Reliability, BinsHoldAllRowsOnce) {
  Random random(74);
  for (int round = 0; round < 30; ++round) {
    Dataset data = testing::random_data(random, {40, 3, 4});
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0, 2));
    const Tree tree = testing::random_tree(random, data, 3);
    std::int64_t rows = 0;
    double weight = 0, last = -1;
    for (const report::ReliabilityBin& bin : report::reliability_bins(tree.predict_proba(data), data)) {
      rows += bin.observed.whole_rows;
      weight += bin.observed.whole;
      EXPECT_GT(bin.predicted, last);
      last = bin.predicted;
    }
    EXPECT_EQ(rows, static_cast<std::int64_t>(data.rows()));
    EXPECT_NEAR(weight, data.total_weight(), 1e-9);
  }
}

TEST(Reliability, IsInTheReport) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 0, 1, 1}, 2);
  Tree tree(data);
  tree.tally(data);
  EXPECT_EQ(report::reliability("training rows", tree, data), "") << "a leaf has one probability";
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(data);
  Result result;
  result.tree = tree;
  result.rows = 4;
  result.total_weight = 4;
  ReportParts parts;
  parts.result = &result;
  parts.train = &data;
  EXPECT_NE(to_html(parts).find("2 of 2 rows came true, 100.0 % expected"), std::string::npos);
}

}  // namespace
}  // namespace treewright
