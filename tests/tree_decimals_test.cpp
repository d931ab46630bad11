#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "support/make_data.h"
#include "treewright/base/random.h"
#include "treewright/data/midpoint.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/explain.h"
#include "treewright/explain/text.h"
#include "treewright/export.h"
#include "treewright/fit.h"
#include "treewright/result.h"
#include "treewright/tree.h"
#include "treewright/tree/decimals.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

// How a split in the middle of two neighboring values is shown.
std::string shown(double low, double high, bool date = false) {
  Dataset data = make_data({numbers("x", {low, high})}, {0, 1});
  data.columns[0].notation = date ? Notation::date : Notation::plain;
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, low / 2 + high / 2}, false});
  tree.tally(data);
  set_decimals(tree, data);
  const std::string text = explain::question(*tree.node(Tree::root()).split, tree);
  return text.substr(4, text.size() - 5);
}

TEST(Decimals, AsManyAsKeepTheRowsApartAndNoMore) {
  EXPECT_EQ(shown(1.9, 3.0), "2.45");
  EXPECT_EQ(shown(0.1, 0.2), "0.15");
  EXPECT_EQ(shown(128, 128.1), "128.05");
  EXPECT_EQ(shown(1700000000, 1700000001), "1700000000.5");
  EXPECT_EQ(shown(9007199254740990, 9007199254740992), "9007199254740991");
  EXPECT_EQ(shown(0.123456789, 0.9), "0.51");
  EXPECT_EQ(shown(1e-9, 3e-9), "2e-09");
  EXPECT_EQ(shown(-5, -4), "-4.5");
}

TEST(Decimals, TheShownNumberSeparatesTheRows) {
  for (double low = 1; low < 1e15; low *= 7.3) {
    for (const double gap : {1e-3, 0.37, 1.0, 123.4}) {
      const double high = low + gap, read = std::strtod(shown(low, high).c_str(), nullptr);
      if (high == low) continue;
      EXPECT_GT(read, low) << shown(low, high);
      EXPECT_LE(read, high) << shown(low, high);
    }
  }
}

// The threshold of a split in the middle of two neighboring values, after training has rounded it.
double rounded(double low, double high, bool date = false) {
  Dataset data = make_data({numbers("x", {low, high})}, {0, 1});
  data.columns[0].notation = date ? Notation::date : Notation::plain;
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, midpoint(low, high)}, false});
  tree.tally(data);
  round_thresholds(tree, data);
  return std::get<AxisSplit>(tree.node(Tree::root()).split->rule).threshold;
}

TEST(Decimals, TheThresholdOfDatesIsTheDateThatIsShown) {
  EXPECT_EQ(rounded(18778, 18779, true), 18779) << "not noon: a row of the evening before would be on the wrong side";
  EXPECT_EQ(rounded(18778, 18788, true), 18783);
  EXPECT_EQ(rounded(18778.25, 18778.75, true), 18778.5);
  EXPECT_NEAR(rounded(18778.25, 18778.25 + 3.0 / 86400, true), 18778.25 + 2.0 / 86400, 1e-9);
  const double close = 18778.25 + 0.5 / 86400;
  EXPECT_EQ(rounded(18778.25, close, true), days_of_seconds(std::int64_t{1622440800}, 0.25)) << "within a second";
}

// Rows on neighboring dates, and one on the date that is printed: texts, SQL and prediction agree on it, in every year. Microseconds as far
// as doubles have them.
TEST(Decimals, ADateOfAnyYearIsTheThresholdThatItsTextSays) {
  Random random(70);
  for (int round = 0; round < 4000; ++round) {
    const bool whole = round % 4 > 0;
    const std::int64_t gap = whole ? 1 + static_cast<std::int64_t>(random.below(round % 3 == 0 ? 3 : 100000)) : 0;
    const auto second = static_cast<std::int64_t>(whole ? random.uniform(-62e9, 253e9) : random.uniform(-2.1e9, 2.1e9));
    const double fraction = whole ? 0 : static_cast<double>(random.below(500000)) / 1e6;
    const double low = days_of_seconds(second, fraction), high = days_of_seconds(second + gap, whole ? 0 : fraction + 0.00001);
    Dataset data = make_data({numbers("when", {low, high})}, {0, 1});
    data.columns[0].notation = Notation::date;
    Result result;
    result.tree = Tree(data);
    result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, midpoint(low, high)}, false});
    result.tree.tally(data);
    round_thresholds(result.tree, data);
    set_decimals(result.tree, data);
    const double threshold = std::get<AxisSplit>(result.tree.node(Tree::root()).split->rule).threshold;
    const std::string text = explain::number_text(threshold, result.tree.features[0]);
    const auto read = read_written_dates({text}, '\0');
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(read->days.front(), threshold) << text;
    EXPECT_LT(low, threshold) << text;
    EXPECT_LE(threshold, high) << text;
    EXPECT_NE(export_tree(result, "sql").find("'" + text + "'"), std::string::npos) << text << "\n" << export_tree(result, "sql");
  }
}

TEST(Decimals, TheThresholdIsTheNumberThatIsShown) {
  EXPECT_EQ(rounded(17.61, 17.62), 17.615);
  EXPECT_NE(17.61 / 2 + 17.62 / 2, 17.615) << "the middle as a double has a tail";
  EXPECT_EQ(rounded(1.9, 3.0), 2.45);
  EXPECT_EQ(rounded(0.123456789, 0.9), 0.51);
  EXPECT_EQ(rounded(1, std::nextafter(1.0, 2.0)), std::nextafter(1.0, 2.0)) << "no number lies between";
  for (double low = -3; low < 1e15; low = (low + 4) * 1.37) {
    for (const double gap : {1e-7, 1e-3, 0.37, 1.0, 123.4}) {
      const double high = low + gap;
      if (low == high) continue;
      const double threshold = rounded(low, high);
      EXPECT_LT(low, threshold);
      EXPECT_LE(threshold, high);
      EXPECT_EQ(threshold, rounded(low, high));
      EXPECT_NEAR(threshold, low / 2 + high / 2, 0.021 * gap + 1e-12 * std::abs(low));
    }
  }
}

TEST(Decimals, TrainedTreesHaveRoundThresholds) {
  const Dataset data = make_data({numbers("x", {17.6, 17.61, 17.62, 17.9})}, {0, 0, 1, 1});
  for (const char* method : {"oct", "cart", "local"}) {
    Options options;
    options.method = method;
    options.max_depth = 1;
    const Result result = fit(data, options);
    EXPECT_EQ(std::get<AxisSplit>(result.tree.node(Tree::root()).split->rule).threshold, 17.615) << method;
    EXPECT_EQ(result.errors, 0) << method;
  }
}

TEST(Decimals, DatesAreShownAsDates) {
  EXPECT_EQ(shown(18320, 18322, true), "2020-02-29");
  EXPECT_EQ(shown(18321, 18322, true), "2020-03-01");
  EXPECT_EQ(shown(18322, 18322.5, true), "2020-03-01 06:00:00");
}

TEST(Decimals, SurviveTheTreeFile) {
  Dataset data = make_data({numbers("x", {1.5, 2}), numbers("day", {1, 2})}, {0, 1});
  data.columns[1].notation = Notation::date;
  Result result;
  result.tree = Tree(data);
  result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 1.75}, false});
  result.tree.tally(data);
  set_decimals(result.tree, data);
  EXPECT_EQ(result.tree.features[0].decimals, 2);
  EXPECT_EQ(result.tree.features[1].decimals, -1);
  const Tree read = from_json(to_json(result), "t").tree;
  EXPECT_EQ(read.features[0].decimals, 2);
  EXPECT_EQ(read.features[1].decimals, -1);
  EXPECT_TRUE(read.features[1].notation == Notation::date);
}

TEST(Decimals, LevelsWithCommasAreQuoted) {
  const Feature town{"town", ColumnKind::categorical, {"Basel, Stadt", "Lugano", "it's"}, false};
  EXPECT_EQ(explain::level_set({true, true, false}, town), "{'Basel, Stadt', Lugano}");
  EXPECT_EQ(explain::level_set({false, false, true}, town), "{'it's'}");
}

}  // namespace
}  // namespace treewright
