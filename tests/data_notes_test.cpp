#include "treewright/data/read/notes.h"

#include <fmt/format.h>
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
  EXPECT_EQ(look_at(data)[1].problem, "column 'copy' has one value for each class of the target 'class'");
  index[50] = index[49];
  copy[3] = 9;
  EXPECT_TRUE(look_at(make_data({numbers("id", index), numbers("copy", copy)}, halves())).empty());
}

TEST(Notes, IdentifiersInAnyOrderAndInASample) {
  std::vector<double> shuffled(kRows), sample(kRows), quantity(kRows), id(kRows), fractions(kRows);
  for (int i = 0; i < kRows; ++i) {
    shuffled[i] = 5000 + i * 37 % kRows;
    sample[i] = i * 331 % 401;
    quantity[i] = i * 7919 % 100003;  // so few of so many numbers may well be different by chance
    fractions[i] = shuffled[i] / 2;
  }
  for (const std::vector<double>& values : {shuffled, sample}) {
    const std::vector<DataNote> notes = look_at(make_data({numbers("n", values), fine("x")}, halves()));
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].kind, NoteKind::row_numbers);
    EXPECT_TRUE(notes[0].leave_out());
    EXPECT_EQ(notes[0].problem, "column 'n' holds another whole number in each row");
  }
  EXPECT_TRUE(look_at(make_data({numbers("income", quantity), numbers("f", fractions)}, halves())).empty());
  for (const char* name : {"id", "ID", "user_id", "userId", "Index", "customer ID"})
    EXPECT_EQ(kinds(make_data({numbers(name, quantity)}, halves())), std::vector{NoteKind::row_numbers}) << name;
  for (const char* name : {"paid", "PAID", "humid", "acid"})
    EXPECT_TRUE(look_at(make_data({numbers(name, quantity)}, halves())).empty()) << name;
  sample[3] = sample[70];
  EXPECT_TRUE(look_at(make_data({numbers("n", sample)}, halves())).empty()) << "a value occurs twice";
}

TEST(Notes, NumbersOfRecords) {
  std::vector<double> records(kRows), amounts(kRows);
  for (int i = 0; i < kRows; ++i) records[i] = 1234567 + std::fmod(i * 7654321.0, 987654321.0);
  const std::vector<DataNote> notes = look_at(make_data({numbers("mrn", records), fine("x")}, halves()));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, NoteKind::record_numbers);
  EXPECT_EQ(notes[0].problem, "column 'mrn' holds another whole number in each row, as numbers of records do");
  EXPECT_FALSE(notes[0].leave_out());
  amounts = records;
  amounts[3] = amounts[70];
  EXPECT_TRUE(look_at(make_data({numbers("amount", amounts), fine("x")}, halves())).empty()) << "a value occurs twice";
  amounts = records;
  amounts[3] = 999;
  EXPECT_TRUE(look_at(make_data({numbers("amount", amounts), fine("x")}, halves())).empty()) << "a small one";
}

TEST(Notes, WordsAmongNumbersWithDecimalCommas) {
  std::string text = "t;y\n";
  for (int i = 0; i < 60; ++i)
    text += (i % 30 == 7 ? "unknown" : fmt::format("{},{}", 36 + i % 3, i % 10)) + (i % 2 == 0 ? ";a\n" : ";b\n");
  const std::vector<DataNote> notes = look_at(parse_csv(text, "t", {}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, NoteKind::stray_cells);
  EXPECT_EQ(notes[0].cells, std::vector<std::string>{"unknown"});
  ReadOptions options;
  options.missing.push_back("unknown");
  const Dataset read = parse_csv(text, "t", options);
  EXPECT_TRUE(look_at(read).empty());
  EXPECT_EQ(read.columns[0].kind, ColumnKind::numeric);
  EXPECT_EQ(read.columns[0].values[1], 37.1);
}

TEST(Notes, ATextOfItsOwnInEachOfFewRows) {
  const Dataset data = parse_csv("name,x,y\nAda,1,a\nBob,2,b\nCy,1,a\nDan,2,b\nEva,1,b\n", "t", {});
  EXPECT_EQ(kinds(data), std::vector{NoteKind::near_unique});
  EXPECT_TRUE(kinds(parse_csv("name,x,y\nAda,1,a\nBob,2,b\nCy,1,a\nAda,2,b\nEva,1,b\n", "t", {})).empty());
}

TEST(Notes, ManyLevelsAndWordsAmongFewNumbers) {
  std::string towns = "town,y\n";
  for (int i = 0; i < 2 * kRows; ++i) towns += "t" + std::to_string(i % 55) + (i % 7 < 3 ? ",a\n" : ",b\n");
  const Dataset twice = parse_csv(towns, "t", {});
  ASSERT_EQ(kinds(twice), std::vector{NoteKind::many_levels});
  EXPECT_EQ(look_at(twice)[0].problem, "column 'town' has 55 categories in 200 rows");
  EXPECT_FALSE(look_at(twice)[0].leave_out());
  const Column mixed = levels("rooms", cells([](int i) { return i == 41 ? "many" : std::to_string(i % 15); }));
  const std::vector<DataNote> notes = look_at(make_data({mixed}, halves()));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, NoteKind::mixed_cells);
  EXPECT_EQ(notes[0].problem, "column 'rooms' holds numbers and 1 other cell ('many'), so it reads as 16 categories");
  EXPECT_EQ(notes[0].cells, std::vector<std::string>{"many"});
  EXPECT_FALSE(notes[0].leave_out()) << "of so few levels it does as a category";
  const Column word = levels("rooms", cells([](int i) { return i % 10 == 0 ? "many" : std::to_string(i % 7); }));
  EXPECT_EQ(kinds(make_data({word}, halves())), std::vector{NoteKind::mixed_cells}) << "a tenth of the cells, and always the same word";
  const Column words = levels("rooms", cells([](int i) { return i % 10 == 0 ? i % 20 == 0 ? "many" : "few" : std::to_string(i % 7); }));
  EXPECT_EQ(kinds(make_data({words}, halves())), std::vector<NoteKind>{});
}

TEST(Notes, CodesAndSpelling) {
  std::string text = "zip,c,y\n";
  for (int i = 0; i < 40; ++i)
    text += (i % 3 == 0 ? "00501" : "9450" + std::to_string(i % 7)) + (i % 5 == 0 ? ",red" : ",Red") +
            (i % 2 == 0   ? ",yes\n"
             : i % 3 == 0 ? ",YES\n"
                          : ",Yes\n");
  const std::vector<DataNote> notes = look_at(parse_csv(text, "t", {}));
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].kind, NoteKind::codes);
  EXPECT_EQ(notes[0].problem, "column 'zip' holds numbers such as 00501, which look like codes");
  EXPECT_EQ(notes[1].problem, "column 'c': the categories 'Red' and 'red' differ in capital letters only");
  EXPECT_EQ(notes[2].problem, "target 'y': the classes 'YES', 'Yes', 'yes' differ in capital letters only");
  EXPECT_EQ(look_at(parse_csv("x,y\n1,01\n2,1\n3,1.0\n4,2\n5,z\n6,z\n7,2\n", "t", {}))[0].problem,
            "target 'y': the classes '01', '1', '1.0' differ in blanks or the zeros of a number only");
  const std::string large = "x,y\n1,9007199254740992\n2,9007199254740993\n3,9007199254740992\n4,9007199254740993\n";
  EXPECT_EQ(look_at(parse_csv(large, "t", {})).size(), 0u) << "numbers that are the same double";
  ReadOptions options;
  options.kinds["zip"] = ColumnKind::numeric;
  EXPECT_EQ(look_at(parse_csv(text, "t", options)).size(), 2u) << "the user has said that they are numbers";
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
  for (const int classes : {19, 20}) {
    Dataset few = make_data({fine("x")}, halves());
    few.class_names.clear();
    for (int k = 0; k < classes; ++k) few.class_names.push_back(std::to_string(k));
    for (int i = 0; i < kRows; ++i) few.labels[i] = i % classes;
    EXPECT_EQ(kinds(few).empty() || kinds(few)[0] != NoteKind::many_classes, classes < 20) << "trained with a note, not refused";
  }
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

TEST(Notes, NumbersThatLookLikeMonthsOrTimes) {
  std::string text = "month,at,share,y\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("{:02}.{},{:02}.{:02},0.{:02},{}\n", 1 + i % 12, 1990 + i % 30, i % 24, i % 60, i, i % 7 < 3 ? "a" : "b");
  const std::vector<DataNote> notes = look_at(parse_csv(text, "t", {}));
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].problem, "column 'month' holds numbers such as 01.1990, which look like months or times");
  EXPECT_EQ(notes[1].problem, "column 'at' holds numbers such as 00.00, which look like months or times");
}

TEST(Notes, IdentifiersThatDoublesDoNotTellApart) {
  std::vector<double> ids(kRows);
  for (int i = 0; i < kRows; ++i) ids[i] = 1.7e18 + 37.0 * i;
  Dataset data = make_data({numbers("id", ids)}, halves());
  ASSERT_EQ(kinds(data), std::vector{NoteKind::large_numbers});
  EXPECT_EQ(look_at(data)[0].problem, "column 'id' holds only whole numbers above 2^53, some of which may be one number to programs");
  data.columns[0].values[3] = std::nan("");
  EXPECT_EQ(kinds(data), std::vector{NoteKind::large_numbers});
  data.columns[0].values[3] = 3;
  EXPECT_TRUE(kinds(data).empty());
  for (double& value : data.columns[0].values) value *= 1e6;
  EXPECT_TRUE(kinds(data).empty()) << "a quantity of physics";
}

TEST(Notes, TotalsBelowTheTable) {
  const auto notes_on = [](const std::string& last, const ReadOptions& options = {}) {
    std::string text = "region,sales,margin,returns,y\n";
    for (int i = 0; i < 60; ++i)
      text += fmt::format("{},{},{}.25,{},{}\n", i % 2 == 0 ? "north" : "south", 100 + i, i % 9, i % 20 == 0, i % 7 < 3);
    return look_at(parse_csv(text + last + "\n", "t", options));
  };
  ASSERT_EQ(notes_on("Total,7770,246.0,3,1").size(), 1u);
  EXPECT_EQ(notes_on("Total,7770,246.0,3,1")[0].problem, "the last row holds the sum of all others ('sales', 'margin')");
  EXPECT_EQ(notes_on("Total,7770,246.0,3,1")[0].kind, NoteKind::totals);
  EXPECT_TRUE(notes_on("north,7771,249.5,3,1").empty());
  ReadOptions number;
  number.target = "sales";
  number.loss = Loss::squared;
  EXPECT_EQ(notes_on("Total,7770,8.25,0,1", number)[0].names, std::vector<std::string>{"sales"});
}

TEST(Notes, TextsThatLookLikeAmounts) {
  const auto note_on = [](const std::function<std::string(int)>& cell) {
    std::string text = "v\ty\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("{}\t{}\n", cell(i), i % 7 < 3);
    const std::vector<DataNote> notes = look_at(parse_csv(text, "t.tsv"));
    return notes.empty() ? DataNote{NoteKind::how_read, {}, ""} : notes.front();
  };
  const DataNote units = note_on([](int i) { return (i % 3 == 0 ? "EUR " : "$") + std::to_string(100 + i); });
  EXPECT_EQ(units.kind, NoteKind::unread_amounts);
  EXPECT_TRUE(units.leave_out());
  EXPECT_NE(units.problem.find("are not written in one way ('$"), std::string::npos) << units.problem;
  EXPECT_EQ(note_on([](int i) { return fmt::format("{} lb {} oz", i + 3, i % 16); }).kind, NoteKind::unread_amounts);
  EXPECT_EQ(note_on([](int i) { return fmt::format("2024-03-{:02} 20:{:02} CET", 1 + i % 28, i); }).kind, NoteKind::unread_amounts);
  EXPECT_EQ(note_on([](int i) { return fmt::format("{}{}", i % 2 == 0 ? "" : "0.", i + 10) + (i % 4 == 0 ? " %" : ""); }).kind,
            NoteKind::unread_amounts);
  const DataNote stars = note_on([](int i) { return fmt::format("{}{}", i + 1000, i % 9 == 4 ? "*" : i % 9 == 5 ? " 1)" : ""); });
  EXPECT_NE(stars.problem.find("are not written in one way ('1000', '1004*')"), std::string::npos) << stars.problem;
  EXPECT_EQ(note_on([](int i) { return fmt::format("person {}", i); }).kind, NoteKind::near_unique);
  EXPECT_EQ(note_on([](int i) { return fmt::format("G{}", i); }).kind, NoteKind::near_unique);
  EXPECT_EQ(note_on([](int i) { return fmt::format("{:x}-{:x}", i * 7919 + 1000000, i * 104729); }).kind, NoteKind::near_unique);
}

}  // namespace
}  // namespace treewright
