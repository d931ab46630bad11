// The table of docs/command.md: what is written, how it is read, and what is said about it. Each of its rows is a file here.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "support/source_folder.h"
#include "treewright/data.h"
#include "treewright/data/read/notes.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/error.h"

namespace treewright {
namespace {

using Texts = std::vector<std::string>;

struct TableRow {
  std::string cells, reading, note;
};

std::vector<TableRow> table() {
  std::ifstream page(testing::in_source("docs/command.md"));
  std::vector<TableRow> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "| cells of a column | read as | note |") inside = true;
    if (!inside) continue;
    if (line.empty()) break;
    const std::size_t first = line.find(" | "), second = line.find(" |", first + 3);
    std::string note = line.substr(second + 2);
    note = note.substr(0, note.rfind('|'));
    const std::size_t begin = note.find_first_not_of(' ');
    rows.push_back({line.substr(2, first - 2), line.substr(first + 3, second - first - 3),
                    begin == std::string::npos ? "" : note.substr(begin, note.find_last_not_of(' ') + 1 - begin)});
  }
  rows.erase(rows.begin(), rows.begin() + 2);
  return rows;
}

// The texts between back quotes.
Texts quoted(const std::string& text) {
  Texts texts;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
    const std::size_t end = text.find('`', at + 1);
    texts.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  return texts;
}

std::string file_of(const TableRow& row, char separator) {
  const std::size_t beside = row.cells.find(" beside ");
  const Texts cells = quoted(row.cells.substr(0, beside));
  const std::string other = beside == std::string::npos ? "" : quoted(row.cells.substr(beside)).front();
  std::string text = fmt::format("v{0}other{0}y\n", separator);
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += fmt::format("{1}{0}{2}{0}{3}\n", separator, cells[i], other, i % 2 == 0 ? "a" : "b");
  return text;
}

std::string reading_of(const Column& column) {
  if (column.kind == ColumnKind::categorical) return "categories";
  Texts values;
  for (const double value : column.values)
    values.push_back(
        fmt::format("`{}`", column.notation == Notation::date ? date_text(value, finest_unit(value)) : fmt::format("{}", value)));
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string notes_of(const Dataset& data) {
  std::string text;
  for (const DataNote& note : look_at(data)) {
    const bool other = !note.names.empty() && note.names.front() != "v";
    if ((note.kind == NoteKind::two_readings || note.kind == NoteKind::how_read) && !other) text += note.problem + '\n';
  }
  return text;
}

TEST(ReadingTable, EachRowOfThePageIsTrue) {
  const std::vector<TableRow> rows = table();
  ASSERT_GT(rows.size(), 45u);
  for (const TableRow& row : rows) {
    const auto says = [&](const char* words) { return row.cells.find(words) != std::string::npos; };
    const char separator = says("with semicolons") ? ';' : says("with commas") ? ',' : '\t';
    ReadOptions options;
    options.separator = separator;
    if (says("tree of decimal commas")) options.doubtful_decimal = ',';
    if (says("tree of decimal points")) options.doubtful_decimal = '.';
    try {
      const Dataset data = parse_csv(file_of(row, separator), "t.csv", options);
      EXPECT_EQ(reading_of(data.columns[0]), row.reading) << row.cells;
      const std::string notes = notes_of(data);
      EXPECT_TRUE(row.note.empty() ? notes.empty() : notes.find(row.note) != std::string::npos) << row.cells << ": " << notes;
    } catch (const Error& error) {
      EXPECT_EQ("an error: " + error.problem().substr(error.problem().find("may begin")), row.reading) << row.cells << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace treewright
