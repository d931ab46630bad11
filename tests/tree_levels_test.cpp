#include "treewright/tree/levels.h"

#include <gtest/gtest.h>

namespace treewright {
namespace {

TEST(Levels, NumbersOfOneLevelAloneAreFoundByValue) {
  const Levels levels({"01", "1", "2", "3.50", "x", "inf", "0x10"});
  EXPECT_EQ(levels.code("2.0"), 2);
  EXPECT_EQ(levels.code("+35e-1"), 3);
  EXPECT_EQ(levels.code("1.0"), -1) << "two levels are 1";
  EXPECT_EQ(levels.code(1.0), 1) << "1 rather than 01";
  EXPECT_EQ(levels.code("infinity"), -1);
  EXPECT_EQ(levels.code(16.0), -1);
  EXPECT_EQ(levels.code(" 2"), -1);
  EXPECT_EQ(levels.numbers(), (std::vector<std::pair<double, std::int32_t>>{{2, 2}, {3.5, 3}}));
  EXPECT_TRUE(levels.has_numbers());
  EXPECT_FALSE(Levels({"x", "nan"}).has_numbers());
}

TEST(Levels, TruthValuesHaveSeveralNames) {
  EXPECT_EQ(Levels({"true", "True", "1"}).code_of_truth(true), 1);
  EXPECT_EQ(Levels({"TRUE", "true", "1"}).code_of_truth(true), 1);
  EXPECT_EQ(Levels({"FALSE", "TRUE"}).code_of_truth(false), 0);
  EXPECT_EQ(Levels({"1", "0"}).code_of_truth(false), 1);
  EXPECT_EQ(Levels({"yes", "no"}).code_of_truth(true), -1);
}

}  // namespace
}  // namespace treewright
