#include "treewright/explain/row_notes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

// A tree that asks about both columns.
Tree tree_of_both() {
  const Dataset data = make_data({categories("sex", {"female", "male"}, {0, 0, 1, 1}), numbers("age", {1, 2, 3, 4})}, {0, 0, 1, 1});
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), {CategorySplit{FeatureId{0}, {true, false}}, false});
  tree.split(right, {AxisSplit{FeatureId{1}, 3.5}, false});
  tree.tally(data);
  return tree;
}

Column ages(std::size_t rows) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) values.push_back(static_cast<double>(i));
  return numbers("age", values);
}

std::vector<explain::RowNote> notes_on(std::vector<Column> columns, const Tree& tree = tree_of_both()) {
  Dataset data;
  data.columns = std::move(columns);
  return explain::look_at_rows(data, align(data, tree), tree);
}

TEST(RowNotes, LevelsThatTrainingDidNotSee) {
  const auto notes = notes_on({categories("sex", {"F", "M", "female", "m", "x"}, {1, 1, 1, 0, 0, 2, 3, 4}), ages(8)});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].column, "sex");
  EXPECT_EQ(notes[0].problem, "column 'sex': 7 of 8 rows hold a level that training did not see: 'M' (3), 'F' (2), 'm' (1) and 1 more");
  EXPECT_EQ(notes[0].remedy, "such a level counts as missing; write levels as in training: 'female', 'male'");
  // Numbers where the tree knows texts.
  EXPECT_EQ(notes_on({numbers("sex", {0, 1, 1}), ages(3)}).at(0).problem,
            "column 'sex': 3 of 3 rows hold a level that training did not see: '1' (2), '0' (1)");
  // One of few present values, but all of them.
  std::vector<std::int32_t> rare(40, -1);
  rare[7] = 0;
  EXPECT_EQ(notes_on({categories("sex", {"M"}, rare), ages(40)}).size(), 1u);
}

TEST(RowNotes, AFewNewLevelsAreNoFault) {
  std::vector<std::int32_t> codes(40, 0);
  codes[3] = 1;
  codes[5] = codes[6] = 2;
  EXPECT_TRUE(notes_on({categories("sex", {"female", "male", "other"}, codes), ages(40)}).empty());
  codes[7] = 2;
  EXPECT_EQ(notes_on({categories("sex", {"female", "male", "other"}, codes), ages(40)}).size(), 1u);
  EXPECT_TRUE(notes_on({categories("sex", {"female", "male"}, {}), ages(0)}).empty());
}

TEST(RowNotes, OneValueOrNone) {
  const auto sexes = [](std::size_t rows) {
    std::vector<std::int32_t> codes(rows, 0);
    codes[0] = 1;
    return categories("sex", {"female", "male"}, codes);
  };
  const auto same = [](std::size_t rows, double value) { return numbers("age", std::vector<double>(rows, value)); };
  EXPECT_EQ(notes_on({sexes(100), same(100, 3)}).at(0).problem, "column 'age' is '3' in all 100 rows, and the tree asks about it");
  EXPECT_TRUE(notes_on({sexes(99), same(99, 3)}).empty());
  EXPECT_EQ(notes_on({sexes(20), same(20, std::nan(""))}).at(0).problem,
            "column 'age' has no value in any of 20 rows, and the tree asks about it");
  EXPECT_TRUE(notes_on({sexes(19), same(19, std::nan(""))}).empty());
  EXPECT_EQ(notes_on({categories("sex", {"female"}, std::vector<std::int32_t>(100, 0)), ages(100)}).size(), 1u);
}

TEST(RowNotes, OnlyColumnsThatTheTreeAsksAbout) {
  Tree tree = tree_of_both();
  tree.collapse(Tree::root());
  EXPECT_TRUE(notes_on({categories("sex", {"M"}, {0, 0}), ages(2)}, tree).empty());
}

TEST(RowNotes, OtherUnitsAndNumbersOfTwoReadings) {
  Tree tree = tree_of_both();
  tree.features[1].unit = "kg";
  Dataset read;
  read.columns = {categories("sex", {"female", "male"}, {0, 1}), numbers("age", {1, 4})};
  const auto notes = [&] { return explain::look_at_rows(read, align(read, tree), tree); };
  EXPECT_TRUE(notes().empty()) << "numbers of another program have no unit";
  read.reading.of_file = true;
  ASSERT_EQ(notes().size(), 1u);
  EXPECT_EQ(notes()[0].problem, "column 'age': the numbers are written without a unit, and in training with 'kg'");
  read.columns[1].unit = "lb";
  EXPECT_EQ(notes().at(0).problem, "column 'age': the numbers are written with 'lb', and in training with 'kg'");
  read.columns[1].unit = "kg";
  EXPECT_TRUE(notes().empty());
  read.columns[1].doubtful = "1.234";
  read.columns[1].point = ',';
  EXPECT_EQ(notes().at(0).problem, "column 'age' holds numbers such as 1.234, read with points between thousands");
}

}  // namespace
}  // namespace treewright
