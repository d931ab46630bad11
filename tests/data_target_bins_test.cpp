#include "treewright/data/read/target_bins.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "support/make_data.h"

namespace treewright {
namespace {

// Labels 0.5, 1.5, ... in another order than their classes.
Dataset prices(int rows) {
  std::string text = "x,price\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i % 3) + "," + std::to_string((i * 7) % rows) + ".5\n";
  return parse_csv(text, "t.csv");
}

TEST(TargetBins, ClassesOfEquallyManyRows) {
  Dataset data = prices(30);
  ReadOptions options;
  options.bins = 3;
  group_target(data, "t.csv", options);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"below 10.5", "10.5 to below 20.5", "from 20.5"}));
  EXPECT_EQ(data.class_totals(), (std::vector<double>{10, 10, 10}));
  EXPECT_EQ(data.reading.edges, (std::vector<double>{10.5, 20.5}));
  EXPECT_EQ(data.labels[1], 0) << "7.5";
  EXPECT_EQ(data.labels[3], 2) << "21.5";
}

TEST(TargetBins, LaterRowsFallIntoTheSameClasses) {
  Dataset data = parse_csv("x,price\n1,10.5\n2,10.4\n3,1000\n4,-3\n", "t.csv");
  ReadOptions options;
  options.edges = {10.5, 20.5};
  group_target(data, "t.csv", options);
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 2, 0}));
}

TEST(TargetBins, WhatCannotBeGrouped) {
  ReadOptions options;
  options.bins = 2;
  Dataset words = parse_csv("x,y\n1,a\n2,3\n", "t.csv");
  expect_error([&] { group_target(words, "t.csv", options); }, {"t.csv, target 'y'", "'a' is no number", "--bins"});
  Dataset commas = parse_csv("x;y\n1;-1,4\n2;0,5\n3;2,5\n4;3\n", "t.csv");
  group_target(commas, "t.csv", options);
  EXPECT_EQ(commas.reading.edges, (std::vector<double>{2.5}));
  EXPECT_EQ(commas.labels, (std::vector<std::int32_t>{0, 0, 1, 1}));
  Dataset thousands = parse_csv("x;y\n0,5;1.500\n1,5;900\n2,5;2.000\n3,5;80\n", "t.csv");
  group_target(thousands, "t.csv", options);
  EXPECT_EQ(thousands.reading.edges, (std::vector<double>{1500})) << "commas are decimal beside it";
  Dataset equal = parse_csv("x,y\n1,3\n2,3\n", "t.csv");
  expect_error([&] { group_target(equal, "t.csv", options); }, {"its numbers make one class of 2"});
}

TEST(TargetBins, AQuantityIsRefused) {
  const Dataset data = prices(60);
  expect_error([&] { refuse_quantity(data, "t.csv", {}); }, {"t.csv, target 'price'", "60 different numbers in 60 rows", "--target-classes",
                                                             "--bins 3", "'price' is the target because it is the last column"});
  ReadOptions options;
  options.target_classes = true;
  refuse_quantity(data, "t.csv", options);
  refuse_quantity(prices(18), "t.csv", {});
}

TEST(AgainstRest, MergesAllOtherClasses) {
  Dataset data = parse_csv("x,kind\n1,rye\n2,oats\n3,wheat\n4,rye\n", "t.csv");
  one_against_rest(data, "rye");
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"not rye", "rye"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 0, 0, 1}));
  expect_error([&] { one_against_rest(data, "oats"); }, {"target 'kind'", "no class 'oats'", "not rye, rye"});
}

TEST(AgainstRest, RowsToTestOnNeedNotHaveTheClass) {
  ReadOptions options;
  options.against_rest = "rye";
  Dataset data = parse_csv("x,kind\n2,oats\n3,wheat\n", "t.csv");
  take_against_rest(data, options);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"not rye", "rye"}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{0, 0}));
  options.training = true;
  Dataset more = parse_csv("x,kind\n2,oats\n3,wheat\n", "t.csv");
  expect_error([&] { take_against_rest(more, options); }, {"no class 'rye'"});
}

}  // namespace
}  // namespace treewright
