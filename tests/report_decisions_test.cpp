// The parts of the page that help to decide: the trade-off between two kinds of errors, what each column is worth, and other trees.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "expect_error.h"
#include "support/random_data.h"
#include "treewright/column_worth.h"
#include "treewright/fit.h"
#include "treewright/near_trees.h"
#include "treewright/report.h"
#include "treewright/result.h"
#include "treewright/trade_off.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

const std::string kEvil = "</script><script>alert(1)</script>\"'&<b>";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

Dataset two_classes(const std::string& more = "") {
  Random random(7);
  Dataset data;
  do {
    data = testing::random_data(random, {60, 4, 2, true, true, 8});
  } while (data.rows() < 40 || data.features() < 3 || !testing::has_two_classes(data));
  for (Column& column : data.columns) {
    column.name += more;
    for (std::string& level : column.levels) level += more;
  }
  for (std::string& name : data.class_names) name += more;
  return data;
}

struct Made {
  Dataset data;
  Options options;
  Result result;
  TradeOff trade_off;
  ColumnWorths worths;
  NearTrees near;

  explicit Made(Dataset rows) : data(std::move(rows)) {
    options.max_depth = 2;
    result = fit(data, options);
    trade_off = treewright::trade_off(data, "", options);
    worths = column_worth(data, options);
    near = near_trees(data, options, {2, 10, true});
  }

  ReportParts parts() const {
    ReportParts parts;
    parts.result = &result;
    parts.train = &data;
    parts.trade_off = &trade_off;
    parts.greedy = greedy_errors(data, trade_off);
    parts.worths = &worths;
    parts.near = &near;
    return parts;
  }
};

TEST(ReportDecisions, EveryCornerAndColumnAndOtherTreeIsThere) {
  const Made made(two_classes());
  ASSERT_GT(made.trade_off.corners.size(), 2u);
  ASSERT_GT(made.near.trees.size(), 1u);
  const std::string page = to_html(made.parts());
  const std::size_t choices = made.trade_off.corners.size() + made.near.trees.size();
  EXPECT_EQ(count(page, "<tr data-choice="), choices);
  EXPECT_EQ(count(page, "<details data-choice="), choices);
  EXPECT_EQ(count(page, "Other trees</h2>"), 1u);
  EXPECT_EQ(count(page, "Two kinds of errors"), 1u);
  EXPECT_EQ(count(page, "Each column's worth"), 1u);
  const std::string of_near = page.substr(page.find("Other trees</h2>"));
  EXPECT_EQ(count(of_near, "this tree's columns</td>"), 1u) << "the best tree of the same columns";
  EXPECT_LE(count(page, "<td>this tree</td>"), 1u) << "a tree of fewest errors may lie between two corners";
  for (const ColumnWorth& column : made.worths.columns) EXPECT_NE(page.find("<th scope=\"row\">" + column.name), std::string::npos);
  ReportParts alone;
  alone.result = &made.result;
  alone.train = &made.data;
  const std::string plain = to_html(alone);
  EXPECT_EQ(count(plain, "Two kinds of errors") + count(plain, "Each column's worth") + count(plain, "Other trees</h2>"), 0u);
}

TEST(ReportDecisions, OtherTreesAreCountedOnTestRowsToo) {
  const Made made(two_classes());
  ReportParts parts = made.parts();
  const auto between = [](const std::string& page, const std::string& first, const std::string& last) {
    const std::size_t from = page.find(first);
    return page.substr(from, page.find(last, from) - from);
  };
  EXPECT_EQ(count(to_html(parts), "test rows</th>"), 0u);
  const Dataset test = made.data.subset(RowNumbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  parts.test = &test;
  const std::string page = to_html(parts);
  const std::string header = "<th class=\"n\">on test rows</th>";
  EXPECT_EQ(count(between(page, "Other trees</h2>", "The tree as rules</h2>"), header), 1u);
  EXPECT_EQ(count(between(page, "Two kinds of errors</h2>", "Other trees</h2>"), "both on<br>test rows</th>"), 1u);
  const auto cell = [](double number) { return fmt::format("<td class=\"n\">{}</td>", number); };
  for (const Result& tree : made.near.trees) {
    const std::string cells = cell(tree.errors) + cell(count_errors(tree.tree, test)) + cell(static_cast<double>(tree.tree.splits()));
    EXPECT_NE(page.find(cells), std::string::npos) << cells;
  }
  for (const TradeOffCorner& corner : made.trade_off.corners) {
    const ErrorPair on_test = error_pair(corner.result.tree, test, made.trade_off.positive);
    const std::string cells = cell(corner.errors.false_positives) + cell(corner.errors.false_negatives) +
                              fmt::format("<td class=\"n\">{}, {}</td>", on_test.false_positives, on_test.false_negatives);
    EXPECT_NE(page.find(cells), std::string::npos) << cells;
  }
}

TEST(ReportDecisions, NamesCannotBreakOut) {
  const Made made(two_classes(kEvil));
  const std::string page = to_html(made.parts());
  EXPECT_EQ(count(page, "<script"), 3u) << "two blocks of data and the script";
  EXPECT_EQ(count(page, "</script>"), 3u);
  EXPECT_EQ(count(page, "alert(1)</"), 0u);
  EXPECT_EQ(count(page, "http://") + count(page, "https://"), count(page, "http://www.w3.org/2000/svg"));
}

// Class weights are in the rows of the page, and not in those of the trade-off.
TEST(ReportDecisions, ATreeWithClassWeightsIsFoundAmongTheCorners) {
  const Dataset data = two_classes();
  const Made made(data);
  const TradeOffCorner& corner = made.trade_off.corners[made.trade_off.corners.size() / 2];
  Dataset weighted = data;
  for (const auto& [name, value] : corner.result.options) {
    if (name == "class_weight") apply_class_weights(weighted, value);
  }
  ReportParts parts = made.parts();
  parts.result = &corner.result;
  parts.train = &weighted;
  const std::string page = to_html(parts);
  const std::size_t here = page.find("class=\"here\"><td class=\"n\">" + std::to_string(made.trade_off.corners.size() / 2 + 1) + "<");
  EXPECT_NE(here, std::string::npos);
}

TEST(ReportDecisions, ATradeOffNeedsTwoClasses) {
  Made made(two_classes());
  ReportParts parts = made.parts();
  parts.train = nullptr;
  expect_error([&] { to_html(parts); }, {"report", "two classes"});
}

}  // namespace
}  // namespace treewright
