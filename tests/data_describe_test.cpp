#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "treewright/data.h"
#include "treewright/data/describe.h"

namespace treewright {
namespace {

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(Describe, SmallTable) {
  const Dataset data = parse_csv("width,colour,kind\n1,red,a\n1,red,a\n1,red,b\n4,,b\n,blue,b\n7,blue,a\n", "t");
  EXPECT_EQ(describe(data),
            "rows      6\n"
            "features  2 (1 numeric, 1 categorical)\n"
            "target    kind (2 classes)\n"
            "\n"
            "class  rows  share\n"
            "a      3     50.00 %\n"
            "b      3     50.00 %\n"
            "\n"
            "column  kind         distinct  missing  min .. median .. max, or levels (rows)\n"
            "width   numeric      3         1        1 .. 1 .. 7\n"
            "colour  categorical  2         1        red (3), blue (2)\n"
            "\n"
            "duplicate rows    1 (equal to an earlier row, label included)\n"
            "conflicting rows  3 (equal features, different labels)\n"
            "accuracy ceiling  83.33 % (no tree has a higher accuracy on these rows)\n"
            "rows per column   3.0 (with at most 10 columns hyperplanes gain most over CART: Bertsimas & Dunn 2017)\n");
}

TEST(Describe, RowsPerColumn) {
  std::string head, row;
  for (int column = 0; column < 11; ++column) {
    head += fmt::format("x{},", column);
    row += "1,";
  }
  std::string few = head + "y\n", many = few;
  for (int i = 0; i < 109; ++i) few += row + "a\n";
  for (int i = 0; i < 110; ++i) many += row + "a\n";
  expect_has(describe(parse_csv(few, "t")), "rows per column   9.9 (below 10 an optimal tree is sometimes worse than CART on new rows: ");
  expect_has(describe(parse_csv(many, "t")), "rows per column   10.0 (from 10 on an optimal tree is seldom worse than CART on new rows: ");
}

TEST(Describe, DatesAsDates) {
  const std::string days = describe(parse_csv("born,kind\n2020-03-01,a\n2020-03-04,a\n,b\n", "t"));
  expect_has(days, "features  1 (0 numeric, 0 categorical, 1 of dates)\n");
  expect_has(days, "born    date  2         1        2020-03-01 .. 2020-03-02 .. 2020-03-04\n");
  const std::string times = describe(parse_csv("at,kind\n2020-03-01T12:30,a\n2020-03-01T12:31,a\n2020-03-04,b\n", "t"));
  expect_has(times, "2020-03-01 12:30:00 .. 2020-03-01 12:31:00 .. 2020-03-04\n");
}

TEST(Describe, Repeats) {
  Dataset data = parse_csv("x,y\n1,a\n1,b\n1,b\n2,a\n2,a\n-0.0,c\n0,c\n?,a\n?,b\n", "t");
  Repeats repeats = find_repeats(data);
  EXPECT_EQ(repeats.duplicates, 3);
  EXPECT_EQ(repeats.conflicts, 5);
  EXPECT_DOUBLE_EQ(repeats.accuracy_ceiling, 7.0 / 9);
  data.weights = {5, 1, 1, 1, 1, 1, 1, 1, 3};
  EXPECT_DOUBLE_EQ(find_repeats(data).accuracy_ceiling, 12.0 / 15);
  data.weights.clear();
  data.labels.clear();
  repeats = find_repeats(data);
  EXPECT_EQ(repeats.duplicates, 5);
  EXPECT_EQ(repeats.conflicts, 0);
  EXPECT_EQ(repeats.accuracy_ceiling, 1);
}

TEST(Describe, RowsDifferWhenAnyColumnDoes) {
  EXPECT_EQ(find_repeats(parse_csv("a,b,y\n1,u,p\n1,v,p\n2,u,p\n1,,q\n", "t")).duplicates, 0);
  EXPECT_EQ(find_repeats(parse_csv("a,b,y\n1,u,p\n1,v,p\n2,u,p\n1,,q\n", "t")).conflicts, 0);
}

TEST(Describe, MedianOfAnEvenNumber) {
  expect_has(describe(parse_csv("x,y\n1,a\n4,b\n2,a\n9,b\n", "t")), "1 .. 3 .. 9");
  expect_has(describe(parse_csv("x,y\n6e307,a\n8e307,b\n", "t")), "7e+307");
}

TEST(Describe, UnlabeledAndWeightedData) {
  ReadOptions options;
  options.target.reset();
  const std::string text = describe(parse_csv("x\n1\n2\n", "t", options));
  expect_has(text, "target    none");
  EXPECT_EQ(text.find("ceiling"), std::string::npos);
  options = {};
  options.weights = "w";
  const std::string weighted = describe(parse_csv("x,w,y\n1,3,a\n2,1,b\n", "t", options));
  expect_has(weighted, "weights   4 in all, 1 .. 3");
  expect_has(weighted, "a      1     75.00 %");
}

TEST(Describe, NamesAreSafeToPrint) {
  const std::string name = "\"evil\x1b[31m\nname\",\"" + std::string(100, 'n') + "\"";
  std::string accents;
  for (int i = 0; i < 50; ++i) accents += "\xC3\xA9";
  const std::string text = describe(parse_csv(name + ",y\n1,2,\"a\tb\"\n2,3," + accents + "\n", "t"));
  expect_has(text, "evil?[31m?name");
  expect_has(text, std::string(28, 'n') + "...");
  expect_has(text, "a\\tb");
  expect_has(text, accents.substr(0, 56) + "...");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find(std::string(29, 'n')), std::string::npos);
}

TEST(Describe, LongListsAreCut) {
  Dataset data;
  for (int j = 0; j < 205; ++j) {
    data.columns.emplace_back().name = fmt::format("c{}", j);
    for (int i = 0; i < 40; ++i) data.columns.back().values.push_back(i);
  }
  data.columns[0] = {"c0", ColumnKind::categorical, {}, {}, {}};
  for (int k = 0; k < 40; ++k) {
    data.columns[0].levels.push_back(fmt::format("l{}", k));
    data.columns[0].codes.push_back(k);
    data.class_names.push_back(fmt::format("k{}", k));
    data.labels.push_back(k);
  }
  const std::string text = describe(data);
  expect_has(text, "l5 (1), ... and 34 more");
  expect_has(text, "... and 10 more classes");
  expect_has(text, "... and 5 more columns");
}

TEST(Describe, ColumnWithoutValuesAndNoRows) {
  expect_has(describe(parse_csv("x,z,y\n1,,a\n2,,b\n", "t")), "no value");
  expect_has(describe(Dataset{}), "rows      0");
}

TEST(Describe, LevelsAsTheyAreListed) {
  using Levels = std::vector<std::string>;
  const auto levels = [](const std::string& rows) { return summarize_columns(parse_csv("x,y\n" + rows, "t")).front().levels; };
  EXPECT_EQ(levels("u,a\nv,b\nv,a\n"), (Levels{"v", "u"}));
  EXPECT_EQ(levels("1,a\n2,b\n"), Levels{});
  std::string many;
  for (int level = 0; level < 101; ++level) many += fmt::format("l{},{}\n", level, level % 2 == 0 ? "a" : "b");
  EXPECT_EQ(levels(many), Levels{});
  Dataset ordered = parse_csv("x,y\n0,a\n2,b\n2,a\n", "t");
  ordered.columns.front().notation = Notation::ordered;
  ordered.columns.front().levels = {"u", "w", "v"};
  EXPECT_EQ(summarize_columns(ordered).front().levels, (Levels{"u", "w", "v"}));
}

TEST(Describe, HistogramsOfEachColumn) {
  const auto bars = [](const std::string& rows) { return summarize_columns(parse_csv("x,y\n" + rows, "t")).front().histogram; };
  EXPECT_EQ(bars("0,a\n1,b\n12,a\n11.9,b\n,a\n"), (std::vector<std::int64_t>{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(bars("-8e307,a\n8e307,b\n"), (std::vector<std::int64_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(bars("u,a\nv,b\nv,a\n"), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(bars(",a\n,b\n"), std::vector<std::int64_t>{});
}

}  // namespace
}  // namespace treewright
