#include "treewright/data/read/ragged_lines.h"

#include <gtest/gtest.h>

#include "expect_error.h"

namespace treewright {
namespace {

/// The text as it is left, and what is said of its faults.
struct Blanked {
  std::string text;
  std::vector<std::string> faults;
};

Blanked blanked(std::string text, const ReadOptions& options = {}) {
  std::vector<std::string> faults = blank_ragged_lines(text, options, "t");
  return {text, faults};
}

void expect_fault(const Blanked& found, const std::string& part) {
  ASSERT_EQ(found.faults.size(), 1);
  EXPECT_NE(found.faults.front().find(part), std::string::npos) << found.faults.front();
}

TEST(RaggedLines, TextInOrderStaysAsItIs) {
  for (const std::string text :
       {"x,y\n1,a\n\n2,b\n", "x\n1\n2\n", "x,y\r1,a\r2,b\r", "# a, remark\nx,y\n1,\"a,\nb\"\n2,c\n", "a b\n1 2\n", ""}) {
    const Blanked found = blanked(text.empty() ? "x" : text);
    EXPECT_TRUE(found.faults.empty()) << text;
    EXPECT_EQ(found.text, text.empty() ? "x" : text);
  }
}

TEST(RaggedLines, LinesOfOtherLengthsAreBlankedAndLinesKeepTheirNumbers) {
  const Blanked found = blanked("x,y\n1,a\n2\n3,b,c\r\n4,d\n");
  EXPECT_EQ(found.text, "x,y\n1,a\n \n     \r\n4,d\n");
  expect_fault(found, "t, lines 3, 4: 1 or other numbers of cells, but most lines have 2; left out here");
  expect_error([&] { parse_csv("x,y\n1,a\n\n\n4,d\n5\n", "t"); }, {"line 6"});
  EXPECT_EQ(parse_csv(found.text, "t").rows(), 2);
}

TEST(RaggedLines, MostLinesAreRight) {
  expect_fault(blanked("x,y\n1,a,0\n2,b,0\n"), "t, line 1: 2 cells, but most lines have 3");
  expect_fault(blanked("x,y\n1,a,0\n"), "t, line 2: 3 cells, but most lines have 2");
  std::string text = "x,y\n1,a\n";
  for (int i = 0; i < 9; ++i) text += "2\n3,c\n";
  expect_fault(blanked(text), "t, lines 3, 5, 7, 9, 11 and 4 others: 1 or other");
}

TEST(RaggedLines, QuotesThatDoNotCloseTakeTheirLineAlone) {
  const Blanked open = blanked("x,y\n\"1,a\n2,b\n3,c\n");
  EXPECT_EQ(open.text, "x,y\n    \n2,b\n3,c\n");
  expect_fault(open, "t, line 2: a quoted cell has no end");
  expect_fault(blanked("x,y\n1,a\n\n\"2\"3,b\n4,c\n"), "t, line 4: a quoted cell has no end, or goes on behind it");
  // A cell may hold line ends.
  EXPECT_EQ(blanked("x,y\n1,\"a\nb\"\n2\n3,c\n").text, "x,y\n1,\"a\nb\"\n \n3,c\n");
  EXPECT_EQ(blanked("x,y\n1,\"a\nb\",2\n3,c\n").text, "x,y\n    \n    \n3,c\n");
}

TEST(RaggedLines, RemarksOnTopStay) {
  const Blanked found = blanked("# made by, hand, once\nx;y\n1;2;3\n4;5\n");
  EXPECT_EQ(found.text, "# made by, hand, once\nx;y\n     \n4;5\n");
  expect_fault(found, "t, line 3: 3 cells");
}

TEST(RaggedLines, WhatIsNoTextIsRefused) {
  expect_error([] { blanked(std::string("PK\003\004\0", 5)); }, {"spreadsheet"});
  expect_error([] { blanked(""); }, {"t"});
}

}  // namespace
}  // namespace treewright
