#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "expect_error.h"
#include "treewright/data.h"

namespace treewright {
namespace {

Dataset csv(const std::string& text, const ReadOptions& options = {}) {
  return parse_csv(text, "t.csv", options);
}

void expect_csv_error(const std::string& text, const std::vector<std::string>& parts, const ReadOptions& options = {}) {
  expect_error([&] { csv(text, options); }, parts);
}

std::vector<std::string> names_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  return names;
}

using Names = std::vector<std::string>;
using Codes = std::vector<std::int32_t>;
using Values = std::vector<double>;

TEST(Csv, ReadsNumbersLevelsAndLabels) {
  const Dataset data = csv("width,colour,kind\n1.5,red,b\n-2e3,blue,a\n+7,red,b\n");
  EXPECT_EQ(names_of(data), (Names{"width", "colour"}));
  EXPECT_EQ(data.columns[0].kind, ColumnKind::numeric);
  EXPECT_EQ(data.columns[0].values, (Values{1.5, -2000, 7}));
  EXPECT_EQ(data.columns[1].kind, ColumnKind::categorical);
  EXPECT_EQ(data.columns[1].levels, (Names{"blue", "red"}));
  EXPECT_EQ(data.columns[1].codes, (Codes{1, 0, 1}));
  EXPECT_EQ(data.target_name, "kind");
  EXPECT_EQ(data.class_names, (Names{"a", "b"}));
  EXPECT_EQ(data.labels, (Codes{1, 0, 1}));
  EXPECT_TRUE(data.weights.empty());
}

TEST(Csv, SortsLevelsByValueWhenAllAreNumbers) {
  EXPECT_EQ(csv("x,y\n1,10\n1,9\n1,-1\n1,+2\n").class_names, (Names{"-1", "+2", "9", "10"}));
  EXPECT_EQ(csv("x,y\n1,10\n1,9\n1,b\n").class_names, (Names{"10", "9", "b"}));
  EXPECT_EQ(csv("x,y\n1,1.0\n1,1\n1,01\n").class_names, (Names{"01", "1", "1.0"}));
}

TEST(Csv, QuotesMayHoldSeparatorsLineEndsAndQuotes) {
  const Dataset data = csv("\"a,1\",\"b\"\"q\"\"\",y\n1,\"two\nlines, \"\"so\"\"\",u\n 2 , \"x\" ,v\n");
  EXPECT_EQ(names_of(data), (Names{"a,1", "b\"q\""}));
  EXPECT_EQ(data.columns[1].levels, (Names{"two\nlines, \"so\"", "x"}));
  EXPECT_EQ(data.columns[0].values, (Values{1, 2}));
}

TEST(Csv, ErrorsAfterAQuotedLineEndNameThePhysicalLine) {
  expect_csv_error("x,y\n\"1\n2\",a\n3\n", {"t.csv, line 4", "1 cells, but the first row has 2"});
  expect_csv_error("x,y\r\n\"1\r\n2\",a\r\n3\r\n", {"line 4"});
}

TEST(Csv, RefusesAFileWithNothingButWeights) {
  ReadOptions options;
  options.target.reset();
  options.weights = "w";
  expect_error([&] { parse_csv("w\n1\n2\n", "t.csv", options); }, {"t.csv", "every column is dropped"});
}

TEST(Csv, NamesTheFileOfAValueThatIsTooLarge) {
  expect_csv_error("x,y\n1,a\n1.5e308,b\n", {"t.csv", "'x', row 1", "too large"});
}

TEST(Csv, TakesEveryLineEnd) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text;
    for (const char* line : {"x,y", "1,a", "", "2,b"}) text += std::string(line) + end;
    const Dataset data = csv(text);
    EXPECT_EQ(data.columns[0].values, (Values{1, 2}));
    EXPECT_EQ(data.class_names, (Names{"a", "b"}));
    EXPECT_EQ(csv(text.substr(0, text.size() - 1)).rows(), 2u) << "without the last line end";
  }
}

TEST(Csv, SkipsTheByteOrderMark) {
  EXPECT_EQ(names_of(csv("\xEF\xBB\xBFx,y\n1,a\n")), (Names{"x"}));
  EXPECT_EQ(names_of(csv("\xEF\xBB\xBF\"x\",y\n1,a\n")), (Names{"x"}));
}

TEST(Csv, RemarksOnTop) {
  const Dataset data = csv("# made by hand, in 2020\n#\n\nx,y\n1,a\n2,b\n");
  EXPECT_EQ(names_of(data), (Names{"x"}));
  EXPECT_EQ(data.reading.remarks, (Names{"the first 3 lines begin with '#' or are empty, and are no rows"}));
  const Dataset named = csv("\xEF\xBB\xBFsep=;\r\nx;y\r\n1,5;a\r\n2,5;b\r\n");
  EXPECT_EQ(named.reading.remarks, (Names{"the first line, 'sep=;', names the separator and is no row"}));
  EXPECT_EQ(named.columns[0].values, (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(csv("sep=:\nx:y\n1:a\n2:b\n").columns[0].values, (std::vector<double>{1, 2})) << "one that is not found without it";
  EXPECT_EQ(csv("\xEF\xBB\xBF# one\r\nx,y\r\n1,a\r\n2,b\r\n").reading.remarks, (Names{"the first line begins with '#' and is no row"}));
  expect_csv_error("# one\n# two\nx,y\n1,a\n2\n", {"t.csv, line 5"});
  EXPECT_EQ(names_of(csv("# one\n#x,y\n1,a\n2,b\n")), (Names{"#x"})) << "a header that begins with #";
  EXPECT_EQ(csv("#1,2,a\n#2,3,b\nC,4,b\n").rows(), 3u) << "rows that begin with #";
  EXPECT_TRUE(csv("#1,a\n#2,b\n").reading.remarks.empty()) << "all lines begin with #";
}

TEST(Csv, EqualNamesAreToldApart) {
  const Dataset data = csv("a,b,a,a.1,a,y\n1,2,3,4,5,u\n5,4,3,2,1,v\n");
  EXPECT_EQ(names_of(data), (Names{"a", "b", "a.2", "a.1", "a.3"}));
  ASSERT_EQ(data.reading.remarks.size(), 2u);
  EXPECT_EQ(data.reading.remarks[0].substr(0, 62), "several columns are called 'a': one of them reads as 'a.2'; re");
}

TEST(Csv, AGuessedTargetIsNamedInTheMessagesAboutIt) {
  expect_csv_error("x,y\n1,a\n2,\n", {"the label is missing", "'y' is the target because it is the last column, --target names another"});
  ReadOptions options;
  options.training = true;
  expect_csv_error("x,y\n1,a\n2,a\n", {"'y' is the target because it is the last column"}, options);
  options.target = "y";
  try {
    csv("x,y\n1,a\n2,a\n", options);
    FAIL() << "one class only";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("last column"), std::string::npos) << "the user has named it";
  }
}

TEST(Csv, ATabInACellIsShown) {
  expect_csv_error("x,y\n1,a\n2\t3,b\n", {"'2\\t3' is not a number"}, [] {
    ReadOptions options;
    options.kinds["x"] = ColumnKind::numeric;
    return options;
  }());
}

TEST(Csv, SpreadsheetsAreNotText) {
  expect_csv_error(std::string("PK\3\4\0", 5), {"spreadsheet", "save the sheet as CSV"});
  expect_csv_error("PAR1x", {"Parquet", "pandas.read_parquet('t.csv')"});
  expect_error([] { read_dataset("no-such.xlsx"); }, {"no-such.xlsx", "spreadsheets are not read"});
  expect_error([] { read_dataset("no-such.Parquet"); }, {"pandas.read_parquet('no-such.Parquet')"});
}

TEST(Csv, MarkersOfMissingValuesInEachWriting) {
  const Dataset data = csv("x,y\nn/a,a\nN/A,a\nN/a,a\nn/A,a\nNULL,b\nnull,b\n1,b\n");
  EXPECT_EQ(data.columns[0].kind, ColumnKind::numeric);
  for (std::size_t row = 0; row < 6; ++row) EXPECT_TRUE(data.columns[0].missing(row)) << row;
}

TEST(Csv, NothingIsLostBehindTheLastSeparator) {
  std::string text = "x,y,\n";
  for (int row = 0; row < 300; ++row) text += std::to_string(row) + (row % 2 == 0 ? ",a,\n" : ",b,\n");
  EXPECT_EQ(csv(text).target_name, "y");
  expect_csv_error(text + "300,a,late\n", {"line 302", "a cell in the last column, which has no name"});
}

TEST(Csv, MissingCells) {
  const Dataset data = csv("x,c,y\n?,red,a\n,,a\nNA,?,b\nnan,N/A,b\n\"\",\"\",b\nNaN,\"NA\",b\n3,null,a\n");
  for (int row = 0; row < 6; ++row) EXPECT_TRUE(data.columns[0].missing(row)) << row;
  EXPECT_EQ(data.columns[0].values[6], 3);
  EXPECT_EQ(data.columns[1].levels, (Names{"NA", "red"})) << "a marker in quotes is a level";
  EXPECT_EQ(data.columns[1].codes, (Codes{1, -1, -1, -1, -1, 0, -1}));
}

TEST(Csv, AMarkerInQuotesDoesNotTurnTheOthersIntoLevels) {
  EXPECT_EQ(csv("c,y\nred,a\n\"NA\",a\nNA,b\n").columns[0].codes, (Codes{1, 0, -1}));
}

TEST(Csv, OwnMissingMarkers) {
  ReadOptions options;
  options.missing = {"-9", "none"};
  const Dataset data = csv("x,c,y\n-9,none,a\n4,?,b\n,,b\n-9.0,u,b\n", options);
  EXPECT_TRUE(data.columns[0].missing(0) && data.columns[0].missing(3)) << "a marker that is a number means the number";
  EXPECT_EQ(data.columns[1].codes, (Codes{-1, 0, -1, 1})) << "an empty cell is missing whatever the markers";
  EXPECT_EQ(data.columns[1].levels, (Names{"?", "u"}));
}

TEST(Csv, AColumnWithoutAnyValueIsNumeric) {
  const Dataset data = csv("x,z,y\n1,,a\n2,?,b\n");
  EXPECT_EQ(data.columns[1].kind, ColumnKind::numeric);
  EXPECT_TRUE(data.columns[1].missing(0) && data.columns[1].missing(1));
}

TEST(Csv, TextFarBelowTurnsTheColumnIntoLevelsAsWritten) {
  std::string text = "x,z,y\n";
  for (int i = 0; i < 1000; ++i) text += "1.50," + std::to_string(i % 3) + ",a\n";
  text += "word,7,b\n";
  const Dataset data = csv(text);
  EXPECT_EQ(data.columns[0].levels, (Names{"1.50", "word"}));
  EXPECT_EQ(data.rows(), 1001u);
  EXPECT_EQ(data.columns[0].codes.size(), 1001u);
  EXPECT_EQ(data.columns[1].kind, ColumnKind::numeric);
  EXPECT_EQ(data.columns[1].values.size(), 1001u);
  EXPECT_EQ(data.columns[1].values[1000], 7);
}

TEST(Csv, FindsTheSeparator) {
  for (const char* separator : {",", ";", "\t", " "}) {
    std::string text;
    for (const char* cell : {"x", "z", "y\n1", "2", "a b\n3", "4", "c d\n"})
      text += (text.empty() || text.back() == '\n' ? "" : separator) + std::string(cell);
    if (std::string(separator) == " ") text = " x z  y\n1  2 a\n3 4   b \n";
    const Dataset data = csv(text);
    EXPECT_EQ(names_of(data), (Names{"x", "z"})) << separator;
    EXPECT_EQ(data.columns[1].values, (Values{2, 4})) << separator;
  }
}

TEST(Csv, SeparatorsInQuotesDoNotCount) {
  const Dataset data = csv("\"x;1;2\",y\n\"1\",a\n2,b\n");
  EXPECT_EQ(names_of(data), (Names{"x;1;2"}));
}

TEST(Csv, GivenSeparator) {
  ReadOptions options;
  options.separator = '|';
  const Dataset data = csv("x|y\n1|a,b\n2|c\n", options);
  EXPECT_EQ(data.class_names, (Names{"a,b", "c"}));
  options.separator = '\t';
  EXPECT_TRUE(csv("x\ty\n\ta\n2\tb\n", options).columns[0].missing(0)) << "an empty first cell";
}

TEST(Csv, OneColumnOfTextHasNoBlankSeparator) {
  ReadOptions options;
  options.target.reset();
  EXPECT_EQ(csv("the name\nIris setosa\nIris virginica\n", options).columns[0].levels, (Names{"Iris setosa", "Iris virginica"}));
}

TEST(Csv, DecimalCommasAreReadUnlessTheyAreLevels) {
  EXPECT_EQ(csv("x;y\n1,5;a\n2;b\n").columns[0].values, (Values{1.5, 2}));
  ReadOptions options;
  options.kinds["x"] = ColumnKind::categorical;
  EXPECT_EQ(csv("x;y\n1,5;a\n2;b\n", options).columns[0].levels, (Names{"1,5", "2"}));
}

TEST(Csv, HeaderIsFound) {
  const auto features = [](const std::string& text) { return names_of(csv(text)); };
  EXPECT_EQ(features("a,b,y\n1,2,u\n"), (Names{"a", "b"}));
  EXPECT_EQ(features("1,2,u\n3,4,v\n"), (Names{"x0", "x1"}));
  EXPECT_EQ(csv("1,2,u\n3,4,v\n").target_name, "class");
  EXPECT_EQ(csv("1,2,u\n3,4,v\n").rows(), 2u);
  EXPECT_EQ(features("a,b,y\n?,2,u\n3,,v\n"), (Names{"a", "b"})) << "missing cells do not make a column text";
  EXPECT_EQ(features("?,2,u\n3,4,v\n"), (Names{"x0", "x1"}));
  EXPECT_EQ(features("?,a,u\n3,b,v\n"), (Names{"x0", "x1"})) << "a missing marker is no name";
  EXPECT_EQ(features("red,no\nred,yes\nblue,no\n"), (Names{"x0"})) << "cells of the first row occur again below";
  EXPECT_EQ(features("colour,kind\nred,yes\nblue,no\n"), (Names{"colour"})) << "words over words, all new";
  EXPECT_EQ(features("red,red,no\nblue,red,yes\n"), (Names{"x0", "x1"})) << "equal cells are no names";
  EXPECT_EQ(features(",a,y\n0,1,u\n1,2,v\n"), (Names{"x0", "a"})) << "the unnamed index column of other tools";
  EXPECT_EQ(features(",,y\n0,1,u\n1,2,v\n"), (Names{"x0", "x1"})) << "only the class has a name";
  EXPECT_EQ(csv(",,y\n0,1,u\n1,2,v\n").rows(), 2u);
  EXPECT_EQ(csv(",,u\n0,1,u\n1,2,v\n").rows(), 3u) << "a class that occurs again is no name";
  EXPECT_EQ(features("1,2,y\n3,4,u\n"), (Names{"x0", "x1"})) << "names that are numbers need header = yes";
  EXPECT_EQ(features("2019,2020,price\n3,2,12.5\n8,8,79\n"), (Names{"2019", "2020"})) << "years beside a name";
  EXPECT_EQ(features("land,2019,2020,kind\nno,1.5,2,a\nse,3,4,b\n"), (Names{"land", "2019", "2020"})) << "years, and no word again";
  EXPECT_EQ(features("no,2019,2020,a\nse,3,4,a\n"), (Names{"x0", "x1", "x2"})) << "a word occurs again";
  EXPECT_EQ(features("2019,2020,u\n2021,5,v\n"), (Names{"x0", "x1"})) << "years above years are values";
  EXPECT_EQ(features("a,2020\nb,5\nc,7\n"), (Names{"x0"})) << "one year beside a word above words";
}

// What the rule takes for data may still be names: somebody should look.
TEST(Csv, ALineThatMayHoldNamesIsToldOf) {
  const auto remarks = [](const std::string& first, const std::vector<std::string>& more, const ReadOptions& options = {}) {
    std::string text = first + "\n";
    for (int round = 0; round < 8; ++round) {
      for (const std::string& line : more) text += line + "\n";
    }
    return csv(text, options).reading.remarks.size();
  };
  EXPECT_EQ(remarks("sex,y", {"m,y", "f,n"}), 1u) << "the name of the class is a class";
  EXPECT_EQ(remarks("1,2,outcome", {"1,5,u", "2,3,v"}), 1u) << "names that are numbers";
  EXPECT_EQ(csv("1,2,price\n3,5,12.5\n4,6,13\n").reading.remarks.size(), 1u) << "a word above numbers, be they few";
  EXPECT_EQ(remarks("m,y", {"m,y", "f,n"}), 0u);
  EXPECT_EQ(remarks("sex,age", {"m,y", "f,n"}), 0u) << "a header";
  EXPECT_EQ(remarks("1,5,w,red", {"1,5,u,red", "2,3,v,red"}), 1u);
  EXPECT_EQ(remarks("blue,1,u", {"red,1,u", "green,2,v", "red,1,u"}), 1u);
  EXPECT_EQ(remarks("a,1,u", {"a,1,u", "b,2,v"}), 0u);
  ReadOptions no;
  no.header = Header::no;
  EXPECT_EQ(remarks("sex,y", {"m,y", "f,n"}, no), 0u) << "somebody has said so";
}

TEST(Csv, ATreeKnowsItsNames) {
  ReadOptions options;
  options.numbers = {"1", "2"};
  EXPECT_EQ(names_of(csv("1,2,y\n3,4,u\n", options)), (Names{"1", "2"})) << "its file was read with --header yes";
  options.numbers = {};
  options.categories = {"x1"};
  EXPECT_EQ(csv("u,v,y\nw,z,n\n", options).rows(), 2u) << "its file had no names";
  EXPECT_EQ(names_of(csv("x0,x1,y\nw,z,n\n", options)), (Names{"x0", "x1"}));
  options.categories = {"a"};
  EXPECT_EQ(names_of(csv("b,y\nu,n\nv,m\n", options)), (Names{"b"})) << "as without a tree";
}

TEST(Csv, HeaderIsForced) {
  ReadOptions options;
  options.header = Header::yes;
  EXPECT_EQ(names_of(csv("1,2,y\n3,4,u\n", options)), (Names{"1", "2"}));
  options.header = Header::no;
  const Dataset data = csv("a,b,y\nc,d,u\n", options);
  EXPECT_EQ(names_of(data), (Names{"x0", "x1"}));
  EXPECT_EQ(data.rows(), 2u);
}

TEST(Csv, Target) {
  const std::string text = "a,b,1\n1,2,3\n4,5,6\n";
  ReadOptions options;
  options.header = Header::yes;
  options.target = "a";
  EXPECT_EQ(names_of(csv(text, options)), (Names{"b", "1"}));
  options.target = "0";
  EXPECT_EQ(csv(text, options).target_name, "a");
  options.target = "-2";
  EXPECT_EQ(csv(text, options).target_name, "b");
  options.target = "1";
  EXPECT_EQ(csv(text, options).target_name, "1") << "a name comes before an index";
  options.target.reset();
  const Dataset unlabeled = csv(text, options);
  EXPECT_EQ(unlabeled.features(), 3u);
  EXPECT_FALSE(unlabeled.labeled());
  EXPECT_EQ(unlabeled.classes(), 0u);
  EXPECT_EQ(unlabeled.rows(), 2u);
}

TEST(Csv, DropAndWeights) {
  const std::string text = "id,w,x,y\nrow1,2,5,a\nrow2,0.5,6,b\n";
  ReadOptions options;
  options.drop = {"0"};
  options.weights = "w";
  const Dataset data = csv(text, options);
  EXPECT_EQ(names_of(data), (Names{"x"}));
  EXPECT_EQ(data.weights, (Values{2, 0.5}));
  EXPECT_EQ(data.weight(1), 0.5);
  options.drop = {"y"};
  options.target = "x";
  EXPECT_EQ(names_of(csv(text, options)), (Names{"id"}));
}

TEST(Csv, DroppedColumnsAreNotLookedAt) {
  ReadOptions options;
  options.drop = {"x"};
  EXPECT_EQ(names_of(csv("x,z,y\ninf,1,a\n\xFF,2,b\n", options)), (Names{"z"}));
}

TEST(Csv, KindsAreOverridden) {
  ReadOptions options;
  options.kinds["code"] = ColumnKind::categorical;
  const Dataset data = csv("code,x,y\n10,1,a\n9,2,b\n?,3,b\n", options);
  EXPECT_EQ(data.columns[0].levels, (Names{"9", "10"}));
  EXPECT_EQ(data.columns[0].codes, (Codes{1, 0, -1}));
  options.kinds = {{"code", ColumnKind::numeric}};
  expect_csv_error("code,x,y\n10,1,a\n9,2,b\nten,3,b\n", {"t.csv, line 4, column 'code'", "'ten' is not a number", "categorical"}, options);
}

TEST(Csv, ExtremeNumbers) {
  const Dataset data = csv("x,y\n1e-400,a\n-0.0000,b\n8.98e307,b\n4.9e-324,a\n");
  EXPECT_EQ(data.columns[0].values[0], 0);
  EXPECT_EQ(data.columns[0].values[2], 8.98e307);
  expect_csv_error("x,y\n1,a\n1.7976931348623157e308,b\n", {"column 'x'", "too large"});
  EXPECT_EQ(data.columns[0].values[3], 4.9e-324);
  const std::string zeros(400, '0');
  EXPECT_EQ(csv("x,y\n0." + zeros + "1,a\n2,b\n").columns[0].values[0], 0);
  for (const std::string& big : {std::string("1e400"), "1" + zeros, "-1" + zeros + ".5", std::string("inf"), std::string("-Infinity")}) {
    expect_csv_error("x,y\n1,a\n" + big + ",b\n", {"t.csv, line 3, column 'x'", "infinite"});
    ReadOptions options;
    options.infinite_missing = true;
    const Dataset read = csv("x,y\n1,a\n" + big + ",b\n3,a\n", options);
    EXPECT_EQ(read.columns[0].values[0], 1);
    EXPECT_TRUE(std::isnan(read.columns[0].values[1]));
    EXPECT_EQ(read.columns[0].values[2], 3);
  }
}

TEST(Csv, InfIsALevelInATextColumn) {
  EXPECT_EQ(csv("x,y\ninf,a\nword,b\n").columns[0].levels, (Names{"inf", "word"}));
}

TEST(Csv, WhatLooksLikeANumberButIsNone) {
  for (const char* text : {"1.5.2", "--1", "+-1", "1e", "0x10", "1_000", "5 6", "+"}) {
    EXPECT_EQ(csv("x,y\n" + std::string(text) + ",a\n2,b\n").columns[0].kind, ColumnKind::categorical) << text;
  }
}

TEST(Csv, OneRowOrOneClassIsReadButNotTrainedOn) {
  EXPECT_EQ(csv("x,y\n1,a\n").rows(), 1u);
  EXPECT_EQ(csv("x,y\n1,a\n2,a\n").classes(), 1u);
  ReadOptions training;
  training.training = true;
  EXPECT_EQ(csv("x,y\n1,a\n2,b\n", training).rows(), 2u);
  expect_csv_error("x,y\n1,a\n", {"t.csv", "too few rows to train on"}, training);
  expect_csv_error("x,y\n1,a\n2,a\n", {"t.csv", "target 'y'", "only one class"}, training);
  expect_csv_error("y\na\nb\n", {"t.csv", "no feature column"}, training);
  training.target.reset();
  expect_csv_error("x,y\n1,a\n2,b\n", {"t.csv", "no labels"}, training);
}

TEST(Csv, Errors) {
  expect_csv_error("", {"t.csv", "empty"});
  expect_csv_error(" \r\n\n", {"t.csv", "empty"});
  expect_csv_error("\xEF\xBB\xBF", {"t.csv", "empty"});
  expect_csv_error("x,y\n", {"t.csv", "header but no row"});
  expect_csv_error("x,y\n1,a\n1,2,a\n", {"t.csv, line 3", "3 cells, but the first row has 2"});
  expect_csv_error("x,y\n1,a\n1\n", {"t.csv, line 3", "1 cells"});
  expect_csv_error("x,y\n1,a\n2,\n", {"t.csv, line 3, column 'y'", "label is missing"});
  expect_csv_error("x,y\n1,a\n\"2,b\n3,c\n", {"t.csv, line 3", "never closed"});
  expect_csv_error("x,y\n1,\"a\"b\n", {"t.csv, line 2", "after its closing quote"});
  expect_csv_error("x,y\n1,\"a\" b\n", {"t.csv, line 2", "after its closing quote"});
  expect_csv_error(std::string("x,y\n1,a\n2,\0b\n", 14), {"t.csv, line 3", "NUL", "binary"});
  expect_csv_error("\xFF\xFEx\0,\0", {"UTF-16"});
  expect_csv_error("x,y\n1,a\n2,\xE9t\xE9\n", {"t.csv, line 3, column 'y'", "UTF-8"});
  expect_csv_error("\xE9,y\n1,a\n", {"t.csv, line 1, column 1", "UTF-8"});
  EXPECT_EQ(csv("\xC3\xA9,y\n1,\xF0\x9F\x8C\xB3\n").columns[0].name, "\xC3\xA9");
}

TEST(Csv, ColumnErrors) {
  ReadOptions options;
  options.target = "specis";
  expect_csv_error("width,species\n1,a\n", {"t.csv, target", "no column 'specis'", "did you mean 'species'", "width, species"}, options);
  options.target = "colour";
  expect_csv_error("width,species\n1,a\n", {"no column 'colour'", "use one of width, species"}, options);
  options.target = "7";
  expect_csv_error("width,species\n1,a\n", {"no column 7", "-2..1"}, options);
  options.target = "-3";
  expect_csv_error("width,species\n1,a\n", {"no column -3"}, options);
  options = {};
  options.drop = {"nothing"};
  expect_csv_error("x,y\n1,a\n", {"columns to drop", "no column 'nothing'"}, options);
  options.drop = {"y"};
  expect_csv_error("x,y\n1,a\n", {"column 'y'", "the target and dropped at once"}, options);
  options = {};
  options.weights = "y";
  expect_csv_error("x,y\n1,a\n", {"column 'y'", "the target and the weights at once"}, options);
  options = {};
  options.kinds["y"] = ColumnKind::numeric;
  expect_csv_error("x,y\n1,a\n", {"column 'y'", "is the target"}, options);
  options.kinds = {{"z", ColumnKind::numeric}};
  expect_csv_error("x,y\n1,a\n", {"column kinds", "no column 'z'"}, options);
}

// The standard library takes these for numbers.
TEST(Csv, NanWithAPayloadIsText) {
  for (const std::string cell :
       {"nan(1)", "nan()", "NaN(ind)", "-nan(snan)", "+nan(1)", "nan(0x1)", "NAN(a_b)", "-NaN()", "nan(123456)", "Nan(_)"}) {
    const Dataset data = csv("x,y\n1,a\n" + cell + ",b\n");
    ASSERT_EQ(data.columns[0].kind, ColumnKind::categorical) << cell;
    EXPECT_EQ(data.columns[0].levels_present(), 2u) << cell;
    ReadOptions options;
    options.kinds["x"] = ColumnKind::numeric;
    EXPECT_THROW(csv("x,y\n1,a\n" + cell + ",b\n", options), Error) << cell;
  }
  EXPECT_TRUE(csv("x,y\n1,a\n+nan,b\n").columns[0].missing(1));
}

TEST(Csv, WeightErrors) {
  ReadOptions options;
  options.weights = "w";
  for (const char* weight : {"-1", "heavy", "", "nan", "inf", "?"}) {
    expect_csv_error("w,x,y\n1,1,a\n" + std::string(weight) + ",2,b\n", {"t.csv, line 3, column 'w'", "is not a weight"}, options);
  }
}

TEST(Csv, WeightsAreWrittenAsOtherNumbers) {
  ReadOptions options;
  options.weights = "w";
  EXPECT_EQ(csv("w;x;y\n0,5;1;a\n2;2;b\n1,25;3;a\n", options).weights, (std::vector<double>{0.5, 2, 1.25}));
  EXPECT_EQ(csv("w;x;y\n1.234,5;1;a\n2,0;2;b\n", options).weights, (std::vector<double>{1234.5, 2}));
  EXPECT_EQ(csv("w,x,y\n\"1,234.5\",1,a\n2,2,b\n", options).weights, (std::vector<double>{1234.5, 2}));
  EXPECT_EQ(csv("w;x;y\n1.234;0,5;a\n2.000;1,5;b\n", options).weights, (std::vector<double>{1234, 2000}));
  for (const char* weight : {"-0,5", "heavy", "", "2024-01-05", "12:30", "0,5 oder 1"})
    expect_csv_error("w;x;y\n0,5;1;a\n" + std::string(weight) + ";2;b\n", {"t.csv, line 3, column 'w'", "is not a weight"}, options);
}

TEST(Csv, LongCellsAreCutInMessages) {
  ReadOptions options;
  options.kinds["x"] = ColumnKind::numeric;
  std::string cell;
  for (int i = 0; i < 100; ++i) cell += "a\xC3\xA9";
  try {
    csv("x,y\n" + cell + ",a\n", options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(error.problem().size(), 100u);
    EXPECT_EQ(error.problem().find("\xC3..."), std::string::npos) << "a character was cut in half";
  }
}

std::string remarks(const Dataset& data) {
  std::string text;
  for (const std::string& remark : data.reading.remarks) text += remark + '\n';
  return text;
}

TEST(Csv, QuotesBehindBackslashes) {
  const Dataset data = csv("qty,name,y\n59,\"say \\\"hi\\\"\",big\n5,\"a\\\\b\\\"\",small\n6,\"x\\y\",big\n");
  EXPECT_EQ(data.columns[1].levels, (Names{"a\\b\"", "say \"hi\"", "x\\y"}));
  EXPECT_NE(remarks(data).find("with a backslash"), std::string::npos);
  const Dataset doubled = csv("x,y\n\"C:\\dir\\\",a\n\"q\"\"\",b\n");
  EXPECT_EQ(doubled.columns[0].levels, (Names{"C:\\dir\\", "q\""})) << "a backslash before the closing quote is only a backslash";
  EXPECT_EQ(remarks(doubled), "");
  expect_csv_error("x,y\n\"1\\\"2,a\n", {"line 2", "continues after its closing quote"});
}

TEST(Csv, ATitleAboveTheNamesIsNoRow) {
  for (const std::string title : {"Quarterly report,,,\n,,,\n", "Quarterly report\n\n", "\"Report, Q1\"\n", "\xEF\xBB\xBFReport,,,\n"}) {
    const Dataset data = csv(title + "Region,Sales,Margin,Status\nNorth,217,21,bad\nSouth,818,3,good\n");
    EXPECT_EQ(names_of(data), (Names{"Region", "Sales", "Margin"})) << title;
    EXPECT_EQ(data.rows(), 2u);
    EXPECT_NE(remarks(data).find("a title stands above the names"), std::string::npos);
  }
  EXPECT_EQ(names_of(csv("Umsatz 2024\n\nRegion;Umsatz;S\nN;1.234,50;a\nS;6,00;b\n")), (Names{"Region", "Umsatz"}));
  EXPECT_EQ(names_of(csv("a,\nu,5\nv,6\n")), (Names{"a"})) << "no names below";
  EXPECT_EQ(names_of(csv(",,y\n1,2,a\n2,3,b\n")), (Names{"x0", "x1"})) << "only the class has a name";
  ReadOptions two;
  two.skip = 2;
  EXPECT_EQ(names_of(csv("made by Q1, Q2\n2024,1,2\na,y\n1,u\n2,v\n", two)), (Names{"a"}));
  expect_csv_error("made by Q1, Q2, Q3\na,y\n1,u\n2,v\n", {"line 2", "2 cells, but the first row has 3", "--skip"});
  ReadOptions none;
  none.skip = 0;
  expect_csv_error("Report\na,y\n1,u\n", {"--skip"}, none);
}

TEST(Csv, EmptyLinesOfOneColumnAreRowsToPredictOn) {
  ReadOptions options;
  options.target.reset();
  const Dataset data = csv("word\na\n\nc\n\n\n", options);
  EXPECT_EQ(data.columns[0].codes, (std::vector<std::int32_t>{0, -1, 1})) << "but for those at the end";
  EXPECT_NE(remarks(data).find("the last 2 lines are empty and no rows; a row without its value is written as \"\""), std::string::npos);
  EXPECT_EQ(remarks(csv("word\na\n\nc\n", options)), "");
  EXPECT_EQ(csv("c,d\na,1\n\nc,2\n", options).rows(), 2u);
}

TEST(Csv, UnitsBelowTheNamesAreNoRow) {
  const Dataset data = csv("name;height;weight;class\n;cm;kg;\nA;180;80,5;x\nB;170;70,5;y\n");
  EXPECT_EQ(data.columns[1].values, (Values{180, 170}));
  EXPECT_EQ(data.columns[2].values, (Values{80.5, 70.5}));
  EXPECT_NE(remarks(data).find("line 2, below the names, holds units"), std::string::npos);
  EXPECT_EQ(csv("name,height,weight,class\nZ,unknown,unknown,x\nA,180,80,x\nB,170,70,y\n").rows(), 3u) << "its class occurs below";
  ReadOptions no_target;
  no_target.target.reset();
  EXPECT_EQ(csv("a,b\nunknown,unknown\n2,3\n3,4\n", no_target).rows(), 3u) << "each row to predict on has its label";
  EXPECT_EQ(csv("height,class\ncm,\n180,x\n170,y\n",
                [] {
                  ReadOptions options;
                  options.drop_unlabeled = true;
                  return options;
                }())
                .columns[0]
                .kind,
            ColumnKind::categorical)
      << "one word may be a value";
}

TEST(Csv, EmptyColumnsAndLinesOfSpreadsheetsAreNone) {
  const Dataset data = csv("\xEF\xBB\xBFRegion;Umsatz;Quote;Status;;;\nS;652;79 %;gut;;;\nN;130;33 %;schlecht;;;\n;;;;;;\n;;;;;;\n");
  EXPECT_EQ(names_of(data), (Names{"Region", "Umsatz", "Quote"}));
  EXPECT_EQ(data.target_name, "Status");
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_NE(remarks(data).find("3 separators"), std::string::npos);
  EXPECT_NE(remarks(data).find("the last 2 lines are empty"), std::string::npos);
  std::string late = "a,y,,\n";
  for (int i = 0; i < 200; ++i) late += "1,u,,\n";
  expect_csv_error(late + "1,v,3,\n", {"line 202", "which has no name"});
  EXPECT_EQ(csv("a,b,y\n1,,u\n,2,v\n,,\n").rows(), 2u);
}

TEST(Csv, PagesAndJsonAreNamed) {
  expect_csv_error("\n<!DOCTYPE html>\n<html><body>", {"an HTML page", "the raw one"});
  expect_csv_error("<HTML>\n", {"an HTML page"});
  for (const std::string json : {"{\"a\": 1}\n{\"a\": 2}\n", "[{\"a\": 1}]", "[\n{\"a\": 1}]"})
    expect_csv_error(json, {"JSON", "pandas.read_json('t.csv')"});
}

TEST(Csv, NaMayBeNorthAmerica) {
  const std::string text = "region,x,y\nEU,1,a\nNA,2,b\nAS,3,a\nNA,4,b\n";
  const Dataset data = csv(text);
  EXPECT_EQ(data.columns[0].codes, (Codes{1, -1, 0, -1}));
  EXPECT_NE(remarks(data).find("column 'region': 2 cells NA are read as missing"), std::string::npos);
  EXPECT_EQ(remarks(csv("color,y\nred,a\nNA,b\nblue,a\n")), "") << "there it is missing";
  ReadOptions options;
  std::erase(options.missing, "NA");
  EXPECT_EQ(csv(text, options).columns[0].levels, (Names{"AS", "EU", "NA"}));
  EXPECT_EQ(remarks(csv(text, options)), "");
  expect_csv_error("x,y\n1,EU\n2,NA\n", {"the label is missing", "--not-missing NA"});
}

TEST(Csv, WholeNumbersThatDoublesDoNotTellApartAreCategories) {
  std::string text = "id,n,y\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("17000000000000000{:02},{},{}\n", i, i * i % 7, i % 2 == 0 ? "a" : "b");
  const Dataset data = csv(text);
  EXPECT_EQ(data.columns[0].kind, ColumnKind::categorical);
  EXPECT_EQ(data.columns[0].levels.size(), 30u);
  EXPECT_NE(remarks(data).find("whole numbers above 2^53"), std::string::npos);
  EXPECT_EQ(csv("n,y\n1000000000000000000,a\n2000000000000000000,b\n").columns[0].values, (Values{1e18, 2e18})) << "these are";
  ReadOptions options;
  options.numbers = {"id"};
  EXPECT_EQ(csv(text, options).columns[0].kind, ColumnKind::numeric) << "the tree takes them so";
  options = {};
  options.kinds["id"] = ColumnKind::numeric;
  EXPECT_EQ(csv(text, options).columns[0].kind, ColumnKind::numeric);
}

TEST(Csv, NumbersOfATreeNameTheCellThatIsNone) {
  ReadOptions options;
  options.target.reset();
  options.numbers = {"a"};
  expect_csv_error("a;c\n4,6;q\n8,7;p\nunknown;r\n9,5;r\n", {"line 4", "column 'a'", "'unknown' is not a number", "--missing"}, options);
  expect_csv_error("a,c\n$5,q\n$6,p\n€7,r\n", {"line 4", "'€7' is written otherwise than '$6' above it"}, options);
  options = {};
  options.kinds["a"] = ColumnKind::numeric;
  EXPECT_EQ(csv("a;y\n1,5;u\n2,5;v\n", options).columns[0].values, (Values{1.5, 2.5})) << "numbers, however they are written";
}

TEST(Csv, FaultsOfOtherColumnsArePassedOver) {
  ReadOptions options;
  options.target.reset();
  options.numbers = {"a"};
  options.only_listed = true;
  const Dataset data = csv("a,exported,b\n1,03/04/2024,1e400\n2,05/06/2024,3\n", options);
  EXPECT_EQ(data.columns[0].values, (Values{1, 2}));
  EXPECT_EQ(data.columns[1].kind, ColumnKind::categorical);
  EXPECT_TRUE(data.columns[2].missing(0));
  options.numbers.push_back("exported");
  expect_csv_error("a,exported\n1,03/04/2024\n2,05/06/2024\n", {"'exported'", "--dates"}, options);
}

}  // namespace
}  // namespace treewright
