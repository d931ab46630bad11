#include "treewright/export.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/explain/outline.h"
#include "treewright/export/literal.h"
#include "treewright/export/verify_export.h"
#include "treewright/result.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

TEST(Export, EveryFormatTakesEveryTreeAndAwkwardNames) {
  Random random(81);
  for (int round = 0; round < 40; ++round) {
    Dataset data = testing::random_data(random, {60, 4, 3, true, true, 5, true});
    const std::string evil = "\"'\\ <b>]]>*/ \n--\xe9\x01%{}$_^&#~;[,";
    for (Column& column : data.columns) {
      column.name += evil;
      for (std::string& level : column.levels) level += evil;
    }
    for (std::string& name : data.class_names) name += evil;
    Result result;
    result.tree = testing::random_tree(random, data, static_cast<int>(random.below(9)));
    for (const ExportFormat& format : export_table()) {
      EXPECT_FALSE(export_tree(result, format.name).empty()) << format.name;
      EXPECT_FALSE(export_tree(result, format.name, &data).empty()) << format.name;
    }
    const std::string lines = export_tree(result, "text");
    EXPECT_EQ(static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')), result.tree.leaves() + 2 * result.tree.splits());
  }
  Result result;
  expect_error([&] { export_tree(result, "xml"); }, {"'xml' is unknown", "rules, text, dot"});
}

TEST(Export, PlainTextHasTheLookOfScikitLearn) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4}), numbers("y", {1, 2, std::nan(""), 4})}, {0, 0, 1, 1});
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.split(right, {AxisSplit{FeatureId{1}, 3}, true});
  tree.tally(data);
  EXPECT_EQ(explain::to_plain_text(tree),
            "|--- x < 2.5\n|   |--- class: a\n|--- x >= 2.5\n|   |--- y < 3 or missing\n|   |   |--- class: b\n|   |--- y >= 3\n"
            "|   |   |--- class: b\n");
}

// A tree of one split on dates; set_decimals has looked at `days`.
std::string split_on_dates(const std::vector<double>& days, double threshold, const char* format, bool missing_left = false) {
  Dataset data = make_data({numbers("signup", days)}, std::vector<std::int32_t>(days.size(), 0));
  data.columns[0].notation = Notation::date;
  Result result;
  result.tree = Tree(data);
  result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, threshold}, missing_left});
  result.tree.tally(data);
  set_decimals(result.tree, data);
  return export_tree(result, format);
}

TEST(Export, DatesAreWrittenAsTheLanguageWritesThem) {
  const auto has = [](const std::string& text, const std::string& part) { EXPECT_NE(text.find(part), std::string::npos) << text; };
  // Whole days, neighboring days, moments, and moments less than a second apart.
  has(split_on_dates({18890, 18894}, 18892, "sql"), "WHEN \"signup\" < DATE '2021-09-22'\n");
  has(split_on_dates({18890, 18894}, 18892, "sql", true), "WHEN \"signup\" < DATE '2021-09-22' OR (\"signup\") IS NULL\n");
  has(split_on_dates({18891, 18892}, 18891.5, "sql"), "WHEN \"signup\" < DATE '2021-09-22'\n");
  has(split_on_dates({18891.25, 18891.75}, 18891.5, "sql"), "WHEN \"signup\" < TIMESTAMP '2021-09-21 12:00:00'\n");
  has(split_on_dates({18891.25, 18891.25 + 3 / 86400.0}, 18891.25 + 1.5 / 86400, "sql"), "TIMESTAMP '2021-09-21 06:00:02'\n");
  has(split_on_dates({18891.5, 18891.500001}, 18891.5000005, "sql"), "WHEN \"signup\" < TIMESTAMP '2021-09-21 12:00:00.0432'\n");
  // A question for a value, and years that SQL does not have.
  const double most = std::numeric_limits<double>::max();
  has(split_on_dates({1, 2}, most, "sql"), "WHEN \"signup\" IS NOT NULL\n");
  has(split_on_dates({1, 2}, most, "sql", true), "WHEN 1 = 1\n");
  has(split_on_dates({1, 2}, -most, "sql", true), "WHEN \"signup\" IS NULL\n");
  has(split_on_dates({1, 2}, -most, "sql"), "WHEN 1 = 0\n");
  has(split_on_dates({1e7, 2e7}, 1.5e7, "sql"), "EXTRACT(EPOCH FROM \"signup\")");
  has(split_on_dates({2932895, 2932896}, 2932896, "sql"), "DATE '9999-12-31'\n");
  has(split_on_dates({2932895, 2932896}, 2932896, "excel"), "A2<DATE(9999,12,31)");
  has(split_on_dates({-30000, -29999.5}, -29999.5, "excel"), "A2<-4431+TIME(12,0,0)");
  has(split_on_dates({18890, 18894}, 18892, "python"), "if _days(row, \"signup\") < 18892.0:  # before 2021-09-22\n");
  has(split_on_dates({18890, 18894}, 18892, "c"), "if (x[0] < 18892.0) { /* before 2021-09-22 */\n");
  for (const char* format : {"c", "cpp", "pmml", "onnx"}) has(split_on_dates({18890, 18894}, 18892, format), "days since 1970-01-01");
  Result plain;
  plain.tree = Tree(make_data({numbers("x", {1, 2})}, {0, 1}));
  EXPECT_EQ(export_tree(plain, "python").find("_days"), std::string::npos);
}

TEST(Excel, AsksForANumberFirst) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4}), numbers("day", {18890, 18891, 18892, 18893})}, {0, 0, 1, 1});
  data.columns[1].notation = Notation::date;
  Result result;
  result.tree = Tree(data);
  const auto [left, right] = result.tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, true});
  result.tree.split(right, {AxisSplit{FeatureId{1}, 18892.5}, false});
  result.tree.tally(data);
  EXPECT_EQ(export_tree(result, "excel"),
            "=IF(IF(ISNUMBER(A2),A2<2.5,TRUE),\"a\",IF(IF(ISNUMBER(B2),B2<DATE(2021,9,22)+TIME(12,0,0),FALSE),\"b\",\"b\"))\n");
  for (std::int32_t f = 0; f < 5000; ++f) data.columns.push_back(numbers("y" + std::to_string(f), {1, 2, 3, 4}));
  Tree wide(data);
  wide.split(Tree::root(), {AxisSplit{FeatureId{700}, 2.5}, false});
  result.tree = wide;
  EXPECT_EQ(export_tree(result, "excel").substr(0, 27), "=IF(IF(ISNUMBER(ZY2),ZY2<2.");
}

TEST(Excel, RefusesWhatACellCannotHold) {
  Random random(83);
  const Dataset data = testing::random_data(random, {3000, 4, 2, true, true, 5});
  Result result;
  result.tree = testing::random_tree(random, data, 700);
  expect_error([&] { export_tree(result, "excel"); }, {"export as excel", "a cell holds 8192", "another format"});
}

TEST(Recheck, DigitsAreAsManyAsTheRowsNeed) {
  const Dataset data = make_data({numbers("x", {1, 1.00000001, 1.00000002, 1.00000003})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 1.000000015}, false});
  tree.tally(data);
  const int digits = exports::digits_needed(tree, data);
  EXPECT_GT(digits, explain::kDigits);
  EXPECT_EQ(exports::as_read(
                tree, [&](double v) { return exports::rounded(v, digits); }, [](double v) { return v; })
                .apply(data),
            tree.apply(data));
  EXPECT_NE(exports::as_read(
                tree, [&](double v) { return exports::rounded(v, digits - 1); }, [](double v) { return v; })
                .apply(data),
            tree.apply(data));
  const Dataset wide = make_data({numbers("x", {0.5, 2, 3, 4})}, {0, 0, 1, 1});
  EXPECT_EQ(exports::digits_needed(tree, wide), explain::kDigits);
}

TEST(Recheck, FindsTheRowThatMoves) {
  const Dataset data = make_data({numbers("x", {0.5, 1.2, 3, 4})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 1.5}, false});
  tree.tally(data);
  const auto round = [](double v) { return std::floor(v); };
  exports::verify_export(tree, tree, data, "test");
  expect_error([&] { exports::verify_export(tree, exports::as_read(tree, round, round), data, "test"); }, {"test, row 1", "another leaf"});
}

TEST(Recheck, RefusesRowsOnAHyperplane) {
  const Dataset data = make_data({numbers("x", {0.7, 2, 3, 4}), numbers("y", {0.3, 1, 1, 1})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 0.1}, {FeatureId{1}, 0.2}}, 0.1 * 0.7 + 0.2 * 0.3}, false});
  tree.tally(data);
  expect_error([&] { exports::verify_export(tree, tree, data, "test"); }, {"row 0", "hyperplane of node 0"});
  Tree apart(data);
  apart.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 0.1}, {FeatureId{1}, 0.2}}, 0.35}, false});
  exports::verify_export(apart, apart, data, "test");
  Tree whole(data);  // 1 * 2 + 2 * 1 is exact
  whole.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 10}, {FeatureId{1}, 10}}, 30}, false});
  exports::verify_export(whole, whole, data.subset(std::vector<std::int32_t>{1, 2, 3}), "test");
}

TEST(Literal, ReadsBack) {
  EXPECT_EQ(exports::literal(3), "3.0");
  EXPECT_EQ(exports::literal(-0.5), "-0.5");
  EXPECT_EQ(exports::literal(1e300), "1e+300");
  Random random(82);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(200)) - 100);
    EXPECT_EQ(std::strtod(exports::literal(value).c_str(), nullptr), value);
  }
}

}  // namespace
}  // namespace treewright
