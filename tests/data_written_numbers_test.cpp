#include "treewright/data/read/written_numbers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/data/read/target_bins.h"
#include "treewright/data/read/written_dates.h"

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

TEST(WrittenNumbers, MoneyAndUnitsAreTheSameInAllTexts) {
  EXPECT_EQ(values({"$68,775.66", "$ 5", "-$3"}), (Values{68775.66, 5, -3}));
  EXPECT_EQ(values({"1.234,56 €", "900 €"}), (Values{1234.56, 900}));
  EXPECT_EQ(values({"EUR 1'234.50", "EUR 2"}), (Values{1234.5, 2}));
  EXPECT_EQ(values({"12 °C", "-3.5°C"}), (Values{12, -3.5}));
  EXPECT_EQ(read_written_numbers({"5 kg", "7 kg"}, '\0')->unit, "kg");
  EXPECT_EQ(read_written_numbers({"5", "5 "}, '\0')->unit, "");
  EXPECT_EQ(read_written_numbers({"1", "$2"}, '\0'), std::nullopt);
  for (const Texts& texts :
       {Texts{"5 %", "0.3"}, Texts{"5 kg", "200 g"}, Texts{"$5", "€5"}, Texts{"5 a3"}, Texts{"A5"}, Texts{"Q1"}, Texts{"$"}, Texts{"- %"},
        Texts{"5 of what there is in all"}, Texts{"5_a"}, Texts{"5+"}, Texts{"5 (6)"}, Texts{"$5 €"}}) {
    EXPECT_FALSE(read_written_numbers(texts, '\0')) << texts.front();
  }
}

TEST(WrittenNumbers, SignsOfAccountants) {
  EXPECT_EQ(values({"(1,234.50)", "3"}), (Values{-1234.5, 3}));
  EXPECT_EQ(values({"($2.00)", "$(3)", "$4"}), (Values{-2, -3, 4}));
  EXPECT_EQ(values({"5-", "1.234,50-", "7"}), (Values{-5, -1234.5, 7}));
  EXPECT_EQ(values({"−5", "\u20090\u202f,5"}), Values{}) << "no blank before the comma";
  EXPECT_EQ(values({"−5", "1\u2009234", "1\u202f234", "1\u00a0234"}), (Values{-5, 1234, 1234, 1234}));
  EXPECT_EQ(values({"1’234", "5"}), (Values{1234, 5}));
  EXPECT_EQ(values({"3.5k", "1.2M", "2B", "900", "$1"}), Values{}) << "two units";
  EXPECT_EQ(values({"3.5k", "1.2M", "2B", "900", "1e3"}), (Values{3500, 1.2e6, 2e9, 900, 1000}));
  EXPECT_EQ(values({"12,34,567.5", "1,00,000", "5,000"}), (Values{1234567.5, 100000, 5000}));
  EXPECT_EQ(values({"$ 1,234.50", "$ (3.25)", "$ -"}), (Values{1234.5, -3.25, 0})) << "a dash in place of the number";
  EXPECT_EQ(values({"1.234,50 €", "-2,00 €", "- €", "-   €"}), (Values{1234.5, -2, 0, 0}));
  EXPECT_EQ(read_written_numbers({"$ 3", "$ -"}, '\0')->marked, 1u) << "what the note tells of";
  EXPECT_EQ(values({"80.-", "12.50", "1'234.–", "-7.--"}), (Values{80, 12.5, 1234, -7})) << "no minus: whole francs";
  EXPECT_EQ(values({"Fr. 80.—", "Fr. 12.50"}), (Values{80, 12.5}));
  EXPECT_EQ(values({"1.234,- €", "80,-- €", "2,50 €"}), (Values{1234, 80, 2.5}));
  EXPECT_EQ(values({"–5", "\u20115", "—5", "5–"}), (Values{-5, -5, -5, -5})) << "what word processors make of a minus";
  for (const char* text : {"5–10", "80.-5", "80.---", ".-", "80-,"}) EXPECT_FALSE(read_written_numbers({text}, '\0')) << text;
  for (const char* text : {"(5", "5)", "--5", "-(5)", "(-5)", "-5-", "12,34,56", "1,2,345,678", "5k6", "1,23,4567"}) {
    EXPECT_FALSE(read_written_numbers({text}, '\0')) << text;
  }
}

// Draws numbers, writes them in a notation, and reads them again: the same doubles.
TEST(WrittenNumbers, RoundTripsOfNotations) {
  Random random(7);
  const std::vector<std::pair<char, std::string>> styles = {{'.', ""},  {',', ""},  {'.', ","}, {',', "."},
                                                            {'.', " "}, {',', " "}, {'.', "'"}, {',', "\u202f"}};
  const std::vector<std::pair<std::string, std::string>> signs = {{"", ""},   {"$", ""},  {"", " €"}, {"CHF ", ""},
                                                                  {"", " %"}, {"", "kg"}, {"R$ ", ""}};
  for (int round = 0; round < 400; ++round) {
    const auto& [point, thousands] = styles[random.below(styles.size())];
    const auto& [before, behind] = signs[random.below(signs.size())];
    const int how = static_cast<int>(random.below(3));  // a minus is written
    Texts texts;
    Values wanted;
    for (int i = 0; i < 12; ++i) {
      const std::string digits = std::to_string(random.below(i == 0 ? 90000000 : 900) + (i == 0 ? 10000000 : 1)),
                        decimals = fmt::format("{:02}", random.below(100));
      std::string grouped;
      for (std::size_t k = 0; k < digits.size(); ++k) grouped += (k > 0 && (digits.size() - k) % 3 == 0 ? thousands : "") + digits[k];
      const bool negative = random.below(3) == 0;
      const std::string number = before + grouped + point + decimals + behind;
      texts.push_back(!negative ? number : how == 0 ? "-" + number : how == 1 ? "(" + number + ")" : "−" + number);
      wanted.push_back(std::stod((negative ? "-" : "") + digits + "." + decimals));
    }
    const auto read = read_written_numbers(texts, '\0');
    ASSERT_TRUE(read) << texts.front();
    EXPECT_FALSE(read->doubtful) << texts.front();
    EXPECT_EQ(read->values, wanted) << texts.front();
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
  EXPECT_EQ(days({"1 Sept 2020", "Sept 1, 2020", "1-sept-2020"}), (Values{})) << "two orders";
  EXPECT_EQ(days({"1 Sept 2020", "1-sept-2020"}), (Values{18506, 18506}));
  EXPECT_EQ(days({"25/03/2020, 18:00", "1/3/2020, 12:00:00 a.m.", "1/3/2020, 6:00:00\u202fPM"}), (Values{18346.75, 18322, 18322.75}));
  EXPECT_EQ(days({"2020-03-01 00:00:37,25"}), days({"2020-03-01 00:00:37.25"})) << "as ISO 8601 allows, and loggers write";
  for (const char* text : {"1 Mai 2020", "1 Marc 2020", "1 Ma 2020", "3 1 2020", "3, 1, 2020", "3/25/2020 13:00 PM", "May 2020"}) {
    EXPECT_TRUE(days({text}).empty()) << text;
  }
}

TEST(WrittenDates, Zones) {
  const auto dates =
      read_written_dates({"2020-03-01T20:00:00+01:00", "2020-03-01 19:00Z", "2020-03-01 19:00:00 UTC", "2020-03-01 15:30-0330"}, '\0');
  ASSERT_TRUE(dates);
  EXPECT_TRUE(dates->zoned);
  for (const double day : dates->days) EXPECT_EQ(day, dates->days.front()) << "one moment is one number";
  EXPECT_EQ(days({"2020-03-01 00:30+01"}), days({"2020-02-29 23:30 GMT"}));
  EXPECT_FALSE(read_written_dates({"2020-03-01 12:00"}, '\0')->zoned);
  EXPECT_TRUE(days({"2020-03-01 12:00", "2020-03-01 12:00Z"}).empty()) << "with and without a zone";
  for (const char* text : {"2020-03-01+01:00", "2020-03-01 12:00+1", "2020-03-01 12:00+15:00", "2020-03-01 12:00+01:60",
                           "2020-03-01 12:00 CET", "2020-03-01 12:00+01:", "2020-03-01 12:00+010", "2020-03-01 24:00"}) {
    EXPECT_TRUE(days({text}).empty()) << text;
  }
}

TEST(WrittenDates, ShortYearsAndNamesWithoutSeparators) {
  EXPECT_EQ(days({"25/12/99", "01/03/20"}), (Values{10950, 18322}));
  EXPECT_EQ(days({"01.03.20", "31.12.68"}), (Values{18322, 36159}));
  EXPECT_TRUE(read_written_dates({"03/04/20"}, '\0')->doubtful);
  EXPECT_EQ(days({"01MAR2020", "31dec1999"}), (Values{18322, 10956}));
  EXPECT_EQ(days({"01MAR2020:12:00:00"}), Values{18322.5});
  EXPECT_EQ(days({"01-Mar-20"}), Values{18322});
  for (const char* text : {"01/03/20x", "01/03/020", "MAR012020", "01MAR", "20-03-01"}) EXPECT_TRUE(days({text}).empty()) << text;
  EXPECT_TRUE(days({"01/03/20", "01/03/2020"}).empty()) << "written in two ways";
}

TEST(WrittenDates, TimesAreHours) {
  EXPECT_EQ(read_written_times({"12:50", "9:36", "00:00:36"}), (Values{12 + 5.0 / 6, 9.6, 0.01}));
  EXPECT_EQ(read_written_times({"1:30 PM", "12:00am", "36:15"}), (Values{13.5, 0, 36.25}));
  for (const char* text : {"12", "12:5", "12:60", "12:30:60", "13:00 PM", "12:30 x", "-1:30", ""})
    EXPECT_FALSE(read_written_times({text})) << text;
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

TEST(WrittenNumbers, OneDecimalMarkForAFile) {
  const Dataset data = csv("pop;rate;y\n9.500;1,5;a\n12.000;2,5;b\n980;3,5;a\n11.000;0,5;b\n");
  EXPECT_EQ(data.columns[0].values, (Values{9500, 12000, 980, 11000}));
  EXPECT_EQ(data.columns[0].doubtful, "9.500");
  EXPECT_TRUE(data.columns[0].written) << "a proof names the column";
  EXPECT_EQ(data.reading.decimal, ',');
  EXPECT_EQ(csv("a,b,y\n1.234,0.5,u\n950,1.5,v\n2.500,2,u\n").columns[0].values, (Values{1.234, 950, 2.5}))
      << "points are decimal beside it";
  EXPECT_EQ(csv("a\ty\n1.234\tu\n950\tv\n2.500\tu\n").columns[0].values, (Values{1234, 950, 2500}));
  const Dataset commas = csv("a,y\n1.125,u\n80,v\n2.500,u\n");
  EXPECT_EQ(commas.columns[0].values, (Values{1.125, 80, 2.5})) << "commas between cells are none in numbers";
  EXPECT_EQ(commas.columns[0].doubtful, "1.125");
  EXPECT_EQ(csv("a,b,y\n1.125,\"0,5\",u\n80,\"1,5\",v\n2.500,\"2,5\",u\n").columns[0].values, (Values{1125, 80, 2500}));
  EXPECT_EQ(csv("a\ty\n1.234\tu\n9500\tv\n2.500\tu\n").columns[0].values, (Values{1.234, 9500, 2.5}))
      << "other thousands are not separated";
  EXPECT_EQ(csv("a\ty\n1.234\tu\n1e3\tv\n2.500\tu\n80\tv\n").columns[0].values, (Values{1.234, 1000, 2.5, 80}))
      << "programs write exponents";
  EXPECT_EQ(csv("a;y\n1,234;u\n950;v\n2,500;u\n").columns[0].values, (Values{1234, 950, 2500})) << "so it is with commas";
  EXPECT_EQ(csv("a;b;c;y\n1.234;0.5;0,5;u\n5;1.5;1,5;v\n").columns[0].doubtful, "1.234") << "the others show both";
  ReadOptions options;
  options.weights = "w";
  EXPECT_EQ(csv("w;a;y\n1.500;0,5;u\n2;1,5;v\n", options).weights, (Values{1500, 2}));
  options = {};
  options.kinds["a"] = ColumnKind::numeric;
  EXPECT_EQ(csv("a;b;y\n1.500;0,5;u\n2;1,5;v\n", options).columns[0].values, (Values{1500, 2}));
  options = {};
  options.decimal = '.';
  const Dataset told = csv("a;b;y\n1.500;x;u\n2;z;v\n", options);
  EXPECT_EQ(told.columns[0].values, (Values{1.5, 2}));
  EXPECT_EQ(told.columns[0].doubtful, "");
}

TEST(WrittenNumbers, ATargetIsWrittenAsItsFile) {
  ReadOptions options;
  options.loss = Loss::squared;
  const auto values = [&](const std::string& text) { return csv(text, options).response->values; };
  const Dataset commas = csv("a,y\n1,1.230\n2,2.345\n5,5\n", options);
  EXPECT_EQ(commas.response->values, (Values{1.23, 2.345, 5})) << "commas between cells are none in numbers";
  EXPECT_EQ(commas.reading.decimal, '.');
  EXPECT_EQ(commas.reading.remarks, (std::vector<std::string>{"the target 'y' holds numbers such as 1.230, read with decimal points; "
                                                              "--decimal , reads points between thousands"}));
  EXPECT_EQ(values("a;y\n1;1.230\n2;2.345\n5;5\n"), (Values{1230, 2345, 5})) << "who separates cells by semicolons has decimal commas";
  EXPECT_EQ(values("a;y\n1.5;1.230\n2.5;2.345\n5;5\n"), (Values{1.23, 2.345, 5})) << "points are decimal beside it";
  EXPECT_EQ(csv("a;y\n1.500;0,5\n2.250;1,5\n", options).columns[0].values, (Values{1500, 2250})) << "and the target shows it of others";
  EXPECT_TRUE(csv("a,y\n1,1.5\n2,2\n", options).reading.remarks.empty()) << "nothing to say";
  options.decimal = ',';
  EXPECT_EQ(values("a,y\n1,1.230\n2,2.345\n5,5\n"), (Values{1230, 2345, 5}));
  options = {};
  options.bins = 2;
  Dataset grouped = csv("a,y\n1,1.230\n2,2.345\n5,5\n4,900\n", options);
  group_target(grouped, "t.csv", options);
  EXPECT_EQ(grouped.reading.edges, (Values{5}));
}

TEST(WrittenNumbers, AStatedMarkThatDoesNotFitIsNamed) {
  ReadOptions options;
  options.decimal = ',';
  options.kinds["a"] = ColumnKind::numeric;
  expect_error([&] { csv("a;y\n1.5;u\n2.25;v\n", options); }, {"line 2", "'1.5'", "decimal mark is the comma", "--decimal ."});
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
