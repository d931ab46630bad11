#include "treewright/data/notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "support/make_data.h"
#include "treewright/data.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

constexpr int kRows = 100;

std::vector<std::int32_t> halves() {
  std::vector<std::int32_t> labels(kRows);
  for (int i = 0; i < kRows; ++i) labels[i] = i % 7 < 3;
  return labels;
}

// A column of numbers in which nothing is wrong.
Column fine(const std::string& name) {
  std::vector<double> values(kRows);
  for (int i = 0; i < kRows; ++i) values[i] = i * 37 % 11;
  return numbers(name, values);
}

Column levels(const std::string& name, const std::vector<std::string>& cells) {
  std::vector<std::string> names = cells;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::int32_t> codes;
  for (const std::string& cell : cells)
    codes.push_back(static_cast<std::int32_t>(std::find(names.begin(), names.end(), cell) - names.begin()));
  return categories(name, names, codes);
}

std::vector<std::string> cells(const std::function<std::string(int)>& cell) {
  std::vector<std::string> all;
  for (int i = 0; i < kRows; ++i) all.push_back(cell(i));
  return all;
}

std::vector<NoteKind> kinds(const Dataset& data) {
  std::vector<NoteKind> found;
  for (const DataNote& note : look_at(data)) found.push_back(note.kind);
  return found;
}

TEST(Notes, NothingIsSaidOfDataInOrder) {
  const Column color = levels("color", cells([](int i) { return i % 3 == 0 ? "red" : "blue"; }));
  EXPECT_TRUE(look_at(make_data({fine("x"), color}, halves())).empty());
  EXPECT_TRUE(look_at(parse_csv("x,y\n1,a\n2,b\n", "t", {})).empty()) << "few rows show no pattern";
}

TEST(Notes, NamesAreLeftOut) {
  const Dataset data = make_data({fine("x"), levels("name", cells([](int i) { return "person " + std::to_string(i); }))}, halves());
  const std::vector<DataNote> notes = look_at(data);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, NoteKind::near_unique);
  EXPECT_TRUE(notes[0].leave_out());
  EXPECT_EQ(notes[0].problem, "column 'name' has 100 categories in 100 rows");
  Dataset declared = data;
  declared.columns[1].declared = true;
  EXPECT_TRUE(look_at(declared).empty()) << "the user wants these categories";
  const Column towns = levels("town", cells([](int i) { return "town " + std::to_string(i % 49); }));
  EXPECT_TRUE(look_at(make_data({towns}, halves())).empty()) << "less than half as many categories as rows";
}

TEST(Notes, AWordAmongNumbersIsNamed) {
  const Dataset data =
      make_data({fine("x"), levels("age", cells([](int i) { return i == 40 ? "unknown" : std::to_string(20 + i % 60); }))}, halves());
  const std::vector<DataNote> notes = look_at(data);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, NoteKind::stray_cells);
  EXPECT_EQ(notes[0].cells, std::vector<std::string>{"unknown"});
  EXPECT_EQ(notes[0].problem, "column 'age' holds numbers and 1 other cell ('unknown'), so it reads as 60 categories");
}

TEST(Notes, RowNumbersConstantsAndCopiesOfTheTarget) {
  std::vector<double> index(kRows), copy(kRows);
  std::iota(index.begin(), index.end(), 1);
  for (int i = 0; i < kRows; ++i) copy[i] = 5 - 3 * halves()[i];
  const std::vector<double> constant(kRows, 7), nothing(kRows, std::nan(""));
  const Dataset data =
      make_data({numbers("id", index), numbers("c", constant), numbers("copy", copy), numbers("empty", nothing), fine("x")}, halves());
  EXPECT_EQ(kinds(data), (std::vector{NoteKind::row_numbers, NoteKind::copies_target, NoteKind::constant}));
  EXPECT_EQ(look_at(data)[2].names, (std::vector<std::string>{"c", "empty"}));
  Dataset kept = data;
  for (Column& column : kept.columns) column.declared = true;
  EXPECT_EQ(kinds(kept), std::vector{NoteKind::constant}) << "who names the kind of a column wants it";
  index[50] = 0;
  copy[3] = 9;
  EXPECT_TRUE(look_at(make_data({numbers("id", index), numbers("copy", copy)}, halves())).empty());
}

TEST(Notes, TargetsThatAreQuantitiesAndRareClasses) {
  Dataset price = make_data({fine("x")}, halves());
  price.target_name = "price";
  price.class_names.clear();
  for (int i = 0; i < kRows; ++i) {
    price.class_names.push_back(std::to_string(1000 + i));
    price.labels[i] = i;
  }
  EXPECT_EQ(kinds(price), std::vector{NoteKind::many_classes});
  price.columns.push_back(numbers("tax", std::vector<double>(kRows)));
  for (int i = 0; i < kRows; ++i) price.columns.back().values[i] = 2.5 * ((i * 37) % kRows);
  EXPECT_EQ(kinds(price), std::vector{NoteKind::many_classes}) << "where each row is a class, every column has one value for each";
  EXPECT_EQ(look_at(price)[0].problem, "the target 'price' has 100 different numbers in 100 rows");
  std::vector<std::int32_t> labels = halves();
  labels[5] = 2;
  const Dataset rare = make_data({fine("x")}, labels, 3);
  EXPECT_EQ(kinds(rare), std::vector{NoteKind::rare_class});
  EXPECT_EQ(look_at(rare)[0].names, std::vector<std::string>{rare.class_names[2]});
}

TEST(Notes, NumbersThatCanBeReadInTwoWays) {
  Dataset data = make_data({fine("x")}, halves());
  data.columns[0].doubtful = "1,234";
  data.columns[0].point = ',';
  ASSERT_EQ(kinds(data), std::vector{NoteKind::two_readings});
  EXPECT_EQ(look_at(data)[0].problem, "1 column holds numbers such as 1,234 ('x'), read with decimal commas");
  EXPECT_FALSE(look_at(data)[0].leave_out());
}

TEST(Notes, AsJson) {
  const Dataset data = make_data({numbers("c", std::vector<double>(kRows, 7)), fine("x")}, halves());
  EXPECT_EQ(to_json(look_at(data)),
            "[{\"kind\":\"constant\",\"names\":[\"c\"],\"problem\":\"1 column has one value only ('c')\",\"leave_out\":false}]");
}

}  // namespace
}  // namespace treewright
