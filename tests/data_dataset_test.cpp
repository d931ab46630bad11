#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/make_data.h"
#include "treewright/data.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

Dataset rows() {
  return make_data({numbers("size", {1, 2, 3}), categories("color", {"red", "green"}, {0, -1, 1})}, {0, 1, 0});
}

void refused(const std::function<void(Dataset&)>& change, const std::vector<std::string>& parts) {
  Dataset data = rows();
  EXPECT_NO_THROW(data.validate_for_training());
  change(data);
  expect_error([&] { data.validate_for_training(); }, parts);
}

TEST(Dataset, NamesOccurOnce) {
  refused([](Dataset& data) { data.columns[1].name = "size"; }, {"column 'size' occurs twice"});
  refused([](Dataset& data) { data.columns[1].levels = {"red", "red"}; }, {"column 'color'", "level 'red' occurs twice"});
  refused([](Dataset& data) { data.class_names = {"a", "a"}; }, {"target 'class'", "class 'a' occurs twice"});
}

TEST(Dataset, NamesHoldNoZeroCharacter) {
  const std::string name("a\0b", 3);
  refused([&](Dataset& data) { data.columns[0].name = name; }, {"name of a column", "zero character"});
  refused([&](Dataset& data) { data.columns[1].levels[0] = name; }, {"column 'color'", "name of a level", "zero character"});
  refused([&](Dataset& data) { data.class_names[1] = name; }, {"name of a class", "zero character"});
}

TEST(Dataset, WhatIsTooShortIsNamed) {
  refused([](Dataset& data) { data.labels.pop_back(); }, {"target 'class'", "2 labels for 3 rows"});
  refused([](Dataset& data) { data.columns[1].codes.pop_back(); }, {"column 'color'", "has 2 rows, but the data have 3"});
  refused([](Dataset& data) { data = make_data({numbers("size", {}), numbers("age", {})}, {}); }, {"too few rows to train on: 0"});
  refused([](Dataset& data) { data.labels.clear(); }, {"no labels"});
  refused([](Dataset& data) { data.weights = {0, 0, 0}; }, {"weights", "all of them are 0"});
  refused([](Dataset& data) { data.labels = {1, 1, 1}; }, {"only one class occurs"});
}

TEST(Dataset, AColumnHasValuesOrCodes) {
  refused([](Dataset& data) { data.columns[0].codes = {0, 0, 0}; }, {"column 'size'", "is numeric, but has codes"});
  refused([](Dataset& data) { data.columns[1].values = {0, 0, 0}; }, {"column 'color'", "is categorical, but has values"});
}

TEST(Dataset, ASubsetIsOfRowsThatAreThere) {
  const Dataset data = rows();
  EXPECT_EQ(data.subset(std::vector<std::int32_t>{2, 0, 2}).labels, (std::vector<std::int32_t>{0, 0, 0}));
  for (const std::int32_t row : {-1, 3, 900}) {
    expect_error([&] { data.subset(std::vector<std::int32_t>{0, row}); }, {"row " + std::to_string(row), "none of the 3 rows"});
  }
  Dataset few = rows();
  few.weights = {1, 2};
  expect_error([&] { few.subset(std::vector<std::int32_t>{2}); }, {"2 weights for 3 rows"});
}

}  // namespace
}  // namespace treewright
