#include "treewright/data/written_numbers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "treewright/data.h"
#include "treewright/data/written_dates.h"

namespace treewright {
namespace {

using Texts = std::vector<std::string>;
using Values = std::vector<double>;

Values values(const Texts& texts, char decimal = '\0') {
  const auto numbers = read_written_numbers(texts, decimal);
  return numbers ? numbers->values : Values{};
}

Values days(const Texts& texts, char order = '\0') {
  const auto dates = read_written_dates(texts, order);
  return dates ? dates->days : Values{};
}

TEST(WrittenNumbers, DecimalCommasAndThousands) {
  EXPECT_EQ(values({"1,5", "-2", "0,25"}), (Values{1.5, -2, 0.25}));
  EXPECT_EQ(values({"1.234,5", "17"}), (Values{1234.5, 17}));
  EXPECT_EQ(values({"1,234.5", "12,345,678"}), (Values{1234.5, 12345678}));
  EXPECT_EQ(values({"12 345", "7"}), (Values{12345, 7}));
  EXPECT_EQ(values({"1'000", "2"}), (Values{1000, 2}));
  EXPECT_EQ(values({"45 %", "3.5%"}), (Values{45, 3.5}));
  EXPECT_EQ(values({"1,234", "0,125"}), (Values{1.234, 0.125})) << "no thousands begin with 0 and a comma: only one reading is possible";
}

TEST(WrittenNumbers, WhatMayMeanTwoThingsIsDoubtful) {
  EXPECT_TRUE(read_written_numbers({"1,234", "5"}, '\0')->doubtful);
  EXPECT_EQ(read_written_numbers({"1,234", "5"}, '\0', '.')->values, (Values{1234, 5}));
  EXPECT_EQ(read_written_numbers({"1,234", "5"}, '\0', ',')->values, (Values{1.234, 5}));
  EXPECT_EQ(values({"1,234", "5"}, ','), (Values{1.234, 5}));
  EXPECT_EQ(values({"1,234", "5"}, '.'), (Values{1234, 5}));
  EXPECT_FALSE(read_written_numbers({"1,5", "5"}, '\0')->doubtful);
  for (const Texts& texts :
       {Texts{"red"}, Texts{"1,5", "many"}, Texts{"12,34,5"}, Texts{"5 %", "6"}, Texts{"1 23"}, Texts{}, Texts{""}, Texts{"-"}}) {
    EXPECT_FALSE(read_written_numbers(texts, '\0'));
  }
}

TEST(WrittenDates, YearFirstAndDayFirst) {
  EXPECT_EQ(days({"1970-01-01", "2020-03-01", "1969-12-31"}), (Values{0, 18322, -1}));
  EXPECT_EQ(days({"2000/02/29", "2020-03-01T12:00:00"}), (Values{11016, 18322.5}));
  EXPECT_EQ(days({"01.03.2020", "31.12.1999"}), (Values{18322, 10956}));
  EXPECT_EQ(days({"2020-03-01 06:00", "2020-3-1"}), (Values{18322.25, 18322}));
  for (const char* text : {"2021-02-29", "2020-13-01", "2020-03-01x", "2020-03-01 25:00", "2020-03-01 12:30:99", "2020-03/01", "20-03-01",
                           "13.14.2020", "2020", "1-2", "12:30", ""}) {
    EXPECT_TRUE(days({text}).empty()) << text;
  }
}

TEST(WrittenDates, SlashesAreReadByTheWholeColumn) {
  EXPECT_EQ(days({"01/03/2020", "25/12/1999"}), (Values{18322, 10950}));
  EXPECT_EQ(days({"3/1/2020", "12/25/1999"}), (Values{18322, 10950}));
  EXPECT_EQ(read_written_dates({"3/1/2020", "12/25/1999"}, '\0')->order, 'm');
  EXPECT_TRUE(read_written_dates({"03/04/2020", "05/06/2020"}, '\0')->doubtful);
  EXPECT_FALSE(read_written_dates({"03/03/2020"}, '\0')->doubtful) << "both orders mean the same";
  EXPECT_EQ(days({"01/03/2020"}, 'd'), Values{18322});
  EXPECT_EQ(days({"03/01/2020"}, 'm'), Values{18322});
  EXPECT_TRUE(days({"25/12/2020", "12/25/2020"}).empty()) << "no order fits both";
}

TEST(WrittenDates, NamesOfMonthsAndTimes) {
  EXPECT_EQ(days({"1 Mar 2020", "31 december 1999"}), (Values{18322, 10956}));
  EXPECT_EQ(days({"01-Mar-2020"}), Values{18322});
  EXPECT_EQ(days({"Mar 1, 2020", "December 31, 1999"}), (Values{18322, 10956}));
  EXPECT_EQ(days({"3/25/2020 6:00 PM", "3/1/2020 12:00 AM"}), (Values{18346.75, 18322}));
  for (const char* text : {"1 Mai 2020", "1 Ma 2020", "3 1 2020", "3, 1, 2020", "3/25/2020 13:00 PM", "May 2020"}) {
    EXPECT_TRUE(days({text}).empty()) << text;
  }
}

TEST(WrittenDates, AsText) {
  EXPECT_EQ(date_text(18322, DateUnit::day), "2020-03-01");
  EXPECT_EQ(date_text(18321.5, DateUnit::day), "2020-03-01") << "the days below stay below";
  EXPECT_EQ(date_text(-0.5, DateUnit::day), "1970-01-01");
  EXPECT_EQ(date_text(18322.5, DateUnit::second), "2020-03-01 12:00:00");
  EXPECT_EQ(date_text(18322.0 + 1 / 86400.0, DateUnit::second), "2020-03-01 00:00:01");
  EXPECT_EQ(date_text(18322.0 + 37.25 / 86400.0, DateUnit::microsecond), "2020-03-01 00:00:37.25");
  EXPECT_EQ(date_text(18322.0 + 37.25 / 86400.0, DateUnit::second), "2020-03-01 00:00:38");
  EXPECT_EQ(date_text(-0.25, DateUnit::microsecond), "1969-12-31 18:00:00");
  EXPECT_EQ(finest_unit(3), DateUnit::day);
  EXPECT_EQ(finest_unit(18322.0 + 37.0 / 86400.0), DateUnit::second);
  EXPECT_EQ(finest_unit(18322.0 + 37.001 / 86400.0), DateUnit::microsecond);
  for (double day = -200000; day < 200000; day += 977) EXPECT_EQ(days({date_text(day, DateUnit::day)}), Values{day});
  EXPECT_EQ(date_text(2932896, DateUnit::day), "9999-12-31") << "what stands for 'never'";
  EXPECT_EQ(date_text(18322.0 + 0.00005 / 86400, DateUnit::microsecond), "2020-03-01 00:00:00.00005");
}

Dataset csv(const std::string& text, const ReadOptions& options = {}) {
  return parse_csv(text, "t.csv", options);
}

TEST(WrittenNumbers, InFiles) {
  const Dataset data = csv("price;since;share;class\n1.200,50;2020-01-05;5 %;a\n;2021-06-30;7 %;b\n900;?;1 %;a\n");
  ASSERT_EQ(data.features(), 3u);
  for (const Column& column : data.columns) EXPECT_EQ(column.kind, ColumnKind::numeric) << column.name;
  EXPECT_EQ(data.columns[0].values[0], 1200.5);
  EXPECT_TRUE(std::isnan(data.columns[0].values[1]));
  EXPECT_TRUE(data.columns[1].notation == Notation::date);
  EXPECT_TRUE(data.columns[1].missing(2));
  EXPECT_EQ(data.columns[2].values, (Values{5, 7, 1}));
  ReadOptions categorical;
  categorical.kinds["since"] = ColumnKind::categorical;
  EXPECT_EQ(csv("since,class\n2020-01-05,a\n2021-06-30,b\n", categorical).columns[0].kind, ColumnKind::categorical);
  ReadOptions comma;
  comma.decimal = ',';
  EXPECT_EQ(csv("x;y\n1.234;a\n5;b\n", comma).columns[0].values, (Values{1234, 5}));
  EXPECT_EQ(csv("x|y\n1|a\n5|b\n").columns[0].values, (Values{1, 5})) << "bars separate";
}

TEST(WrittenNumbers, OtherColumnsAndTheSeparatorSettleDoubts) {
  const auto first_of = [](const std::string& text) { return csv(text).columns[0]; };
  EXPECT_EQ(first_of("x;y\n1,234;a\n5;b\n").values, (Values{1.234, 5})) << "semicolons: commas are decimal";
  EXPECT_EQ(first_of("x\ty\n1,234\ta\n5\tb\n").values, (Values{1234, 5}));
  EXPECT_EQ(first_of("x;z;y\n1,234;0.5;a\n5;2.5;b\n").values, (Values{1234, 5})) << "points are decimal in another column";
  EXPECT_EQ(first_of("x\tz\ty\n1,234\t0,5\ta\n5\t2,5\tb\n").values, (Values{1.234, 5})) << "commas are";
  EXPECT_EQ(first_of("x;y\n1,234;a\n5;b\n").doubtful, "1,234");
  EXPECT_EQ(first_of("x;y\n1,5;a\n5;b\n").doubtful, "");
  ReadOptions as_before;
  as_before.doubtful_decimal = '.';
  EXPECT_EQ(csv("x;y\n1,234;a\n5;b\n", as_before).columns[0].values, (Values{1234, 5}));
}

TEST(WrittenDates, AmbiguousDatesAreAskedFor) {
  expect_error([] { csv("d,y\n03/04/2020,a\n05/06/2020,b\n"); }, {"column 'd'", "03/04/2020", "--dates day-first"});
  const Dataset shown = csv("d,e,y\n03/04/2020,25/12/2020,a\n05/06/2020,1/1/2020,b\n");
  EXPECT_EQ(shown.columns[0].values[0], 18355) << "3 April, as the other column begins with the day";
  EXPECT_EQ(shown.columns[0].date_order, 'd');
  ReadOptions month_first;
  month_first.date_order = 'm';
  EXPECT_EQ(csv("d,y\n03/04/2020,a\n05/06/2020,b\n", month_first).columns[0].values[0], 18325);
}

TEST(DropUnlabeled, RowsWithoutALabelAreLeftOut) {
  const std::string text = "x,y\n1,a\n2,\n3,b\n4,?\n";
  expect_error([&] { csv(text); }, {"line 3", "the label is missing"});
  ReadOptions options;
  options.drop_unlabeled = true;
  const Dataset data = csv(text, options);
  EXPECT_EQ(data.columns[0].values, (Values{1, 3}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{0, 1}));
  expect_error([&] { csv("x,y\n1,\n2,\n", options); }, {"no row has a label"});
}

}  // namespace
}  // namespace treewright
