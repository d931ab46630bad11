#include "treewright/proof/table_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/data.h"
#include "treewright/error.h"

namespace treewright::proof {
namespace {

double number_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

TEST(ProofTableText, SpellsNumbersWithTheFewestDigits) {
  const std::pair<double, const char*> known[] = {
      {0, "0"},
      {-0.0, "0"},
      {17, "17"},
      {-2.5, "-2.5"},
      {0.1, "0.1"},
      {100, "100"},
      {1e15, "1000000000000000"},
      {1e16, "1e16"},
      {1.5e300, "1.5e300"},
      {1234567890123456.8, "1234567890123456.8"},
      {9007199254740993.0, "9007199254740992"},
      {0.0001, "0.0001"},
      {0.00012, "0.00012"},
      {0.00001, "1e-5"},
      {-1.5e-7, "-1.5e-7"},
      {5e-324, "5e-324"},
      {0x1p-1017, "7.120236347223045e-307"},
      {0.30000000000000004, "0.30000000000000004"},
  };
  for (const auto& [number, text] : known) EXPECT_EQ(spelled(number), text);
  Random random(1);
  for (int round = 0; round < 100'000; ++round) {
    const double number = std::bit_cast<double>(random.below(std::numeric_limits<std::uint64_t>::max()));
    if (!std::isfinite(number)) continue;
    const std::string text = spelled(number);
    EXPECT_EQ(number_of(text), number) << text;
    EXPECT_LE(text.size(), 25u) << text;
  }
}

TEST(ProofTableText, SpellsTextsInPrintableAscii) {
  EXPECT_EQ(spelled(" a-Z~'#"), " a-Z~'#");
  EXPECT_EQ(spelled("\"\\"), "\\x22\\x5c");
  EXPECT_EQ(spelled("\n\t\x7f\x1b"), "\\x0a\\x09\\x7f\\x1b");
  EXPECT_EQ(spelled("\xc3\xa9\xff"), "\\xc3\\xa9\\xff");
}

TEST(ProofTableText, HoldsWhatWasReadInOneSpelling) {
  ReadOptions options;
  options.weights = "w";
  options.date_order = 'd';
  Dataset data = parse_csv(
      "day;price;color;w;y\r\n"
      "01/02/1970;1.234,5;rot;1;ja\r\n"
      ";7,25;\"\";2;nein\r\n"
      "31/12/1969;;gr\xc3\xbcn;0.5;ja\r\n",
      "data", options);
  EXPECT_EQ(table_text(data),
            "treewright table 1\n"
            "labels \"ja\" \"nein\"\n"
            "number \"day\"\n"
            "number \"price\"\n"
            "level \"color\"\n"
            "weight \"w\"\n"
            "class \"y\"\n"
            "rows 3\n"
            "31 1234.5 \"rot\" 1 \"ja\"\n"
            "- 7.25 - 2 \"nein\"\n"
            "-1 - \"gr\\xc3\\xbcn\" 0.5 \"ja\"\n");
  one_against_rest(data, "nein");
  apply_class_weights(data, "nein=3");
  data.costs = {0, 5, 1.5, 0};
  EXPECT_TRUE(
      table_text(data).starts_with("treewright table 1\n"
                                   "labels \"nein\" \"not nein\"\n"
                                   "costs 0 1.5\n"
                                   "costs 5 0\n"
                                   "number \"day\"\n"
                                   "number \"price\"\n"
                                   "level \"color\"\n"
                                   "weight \"w times class weights\"\n"
                                   "class \"y\"\n"
                                   "rows 3\n"
                                   "31 1234.5 \"rot\" 1 \"not nein\"\n"))
      << table_text(data);
}

TEST(ProofTableText, ColumnsOfCostsAreLabelsInTheirOrder) {
  ReadOptions options;
  options.cost_columns = {"wait", "call"};
  const Dataset data = parse_csv("x,call,wait\n1,-0,0.5\n2,1e3,2\n", "data", options);
  EXPECT_EQ(table_text(data),
            "treewright table 1\nlabels \"wait\" \"call\"\nnumber \"x\"\ncost \"wait\"\ncost \"call\"\nrows 2\n1 0.5 0\n2 2 1000\n");
}

// A class without rows is a label only where something is said of its costs, and no other name stands for it.
TEST(ProofTableText, LabelsAreThoseThatOccur) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2})}, {2, 0}, 3);
  data.class_names = {"\xff", "\xef\xbf\xbd", "a"};
  EXPECT_EQ(labels_of(data).names, (std::vector<std::string>{"\\xff", "a"}));
  EXPECT_EQ(labels_of(data).place, (std::vector<std::int32_t>{0, -1, 1}));
  data.costs.assign(9, 1);
  EXPECT_EQ(labels_of(data).names, (std::vector<std::string>{"\\xef\\xbf\\xbd", "\\xff", "a"}));
}

TEST(ProofTableText, WeightsOfAProgramHaveNoName) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2})}, {1, 0}, 2);
  EXPECT_EQ(weights_in_words(data), "");
  Dataset weighted = data;
  weighted.weights = {1, 2};
  EXPECT_EQ(weights_in_words(weighted), "row weights");
  apply_class_weights(weighted, "balanced");
  EXPECT_EQ(weights_in_words(weighted), "row weights times class weights");
  apply_class_weights(data, "balanced");
  EXPECT_EQ(weights_in_words(data), "class weights");
}

TEST(ProofTableText, HasNoRoomForHugeNumbers) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2})}, {1, 0}, 2);
  data.costs = {0, 1.7e308, 1, 0};
  EXPECT_THROW(table_text(data), Error);
}

}  // namespace
}  // namespace treewright::proof
