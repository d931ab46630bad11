// CSV and similar formats, read in one pass if possible.
//
// The scanner cuts a row into cells without copying their text. The builder of each column turns its cell into a number or a level (a value
// of a category). The kind of a column is guessed from the first rows. If text occurs later in a column that was guessed numeric, the whole
// file is read once more. There are at most two such passes, because a text column never becomes numeric again. Another one follows where
// numbers turn out not to be what they looked like: 1.234 with decimal commas elsewhere, or whole numbers too large to be told apart.

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "treewright/data.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/csv_header.h"
#include "treewright/data/read/csv_scanner.h"
#include "treewright/data/read/file_writing.h"
#include "treewright/data/read/target_bins.h"
#include "treewright/data/read/target_numbers.h"
#include "treewright/error.h"

namespace treewright {

namespace {

ColumnBuilder::Content content_of(const ColumnPlan& plan) {
  if (!plan.kind) return ColumnBuilder::Content::guess;
  return *plan.kind == ColumnKind::numeric ? ColumnBuilder::Content::written : ColumnBuilder::Content::text;
}

// The text behind all that stands above the first row of data.
struct Table {
  CsvScanner scanner;
  char separator;
  std::vector<Row> sample = {};  // its first rows, with the header
  bool header = false;
  std::size_t empty = 0;  // columns at its end without a name and without cells
  std::vector<std::string> names = {};
};

/// Reads up to `limit` rows into the builders; false when a column guessed numeric turned out to be text.
bool read_rows(Table& table, std::vector<ColumnBuilder>& builders, const std::string& origin, std::size_t limit) {
  bool guesses_held = true;
  Row cells;
  for (std::size_t row = 0; row < limit && table.scanner.next(cells); ++row) {
    const auto place = [&] { return fmt::format("{}, line {}", origin, table.scanner.line()); };
    if (cells.size() != builders.size()) {
      throw Error(place(), fmt::format("{} cells, but the first row has {}", cells.size(), builders.size()),
                  fmt::format("give every row as many cells; put cells that hold the separator in quotes{}{}",
                              row == 0 && builders.size() > 1 && cells.size() == builders.size() + 1
                                  ? "; name the first column too, if it holds the names of rows"
                                  : "",
                              row == 0 ? "; leave out lines above the names with --skip" : ""));
    }
    for (std::size_t column = cells.size() - table.empty; column < cells.size(); ++column) {
      if (!cells[column].text.empty()) {
        throw Error(place(), "there is a cell in the last column, which has no name",
                    "name the column in the first line, or take the cell away");
      }
    }
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (builders[column].role() == ColumnRole::dropped) continue;
      guesses_held &= builders[column].add(cells[column], table.scanner.line());
    }
  }
  return guesses_held;
}

// Takes lines of separators alone from the end of the text, as spreadsheets write them below a table; how many there were.
std::size_t drop_empty_lines_behind(std::string_view& text, char separator) {
  const std::string_view blanks = " \t\r\n";
  std::size_t lines = 0;
  for (;;) {
    const std::size_t last = text.find_last_not_of(blanks);
    if (last == std::string_view::npos || text[last] != separator) return lines;
    const std::size_t before = text.find_last_of("\r\n", last);
    if (before == std::string_view::npos) return lines;
    const std::string_view line = text.substr(before + 1, last - before);
    if (!std::all_of(line.begin(), line.end(), [&](char c) { return c == separator || c == ' '; })) return lines;
    text = text.substr(0, before + 1);
    ++lines;
  }
}

// Empty lines at the end of the text, behind the end of its last row.
std::int64_t empty_lines_behind(std::string_view text) {
  const std::string_view behind = text.substr(text.find_last_not_of(" \t\r\n") + 1);
  return std::max<std::int64_t>(0, lines_in(behind) - 1);
}

std::string remark_on_empty_lines(std::int64_t lines) {
  return lines == 1 ? "the last line is empty and no row" : fmt::format("the last {} lines are empty and no rows", lines);
}

// Finds the names. What belongs to none of the rows is dropped, or behind the scanner then, and a remark says so.
Table table_of(std::string_view text, const std::string& origin, ReadOptions& options, std::vector<std::string>& remarks) {
  const TopLines top = lines_on_top(text, options, origin);
  if (!top.remark.empty()) remarks.push_back(top.remark);
  const char separator = separator_of(text, options.separator, top.bytes);
  // Rows to predict on may lack all values, and each of them has its label in the output.
  if (const std::size_t lines = options.target ? drop_empty_lines_behind(text, separator) : 0; lines > 0)
    remarks.push_back(remark_on_empty_lines(static_cast<std::int64_t>(lines)));
  Table table{CsvScanner(text, separator, origin), separator};
  if (top.bytes > 0) table.scanner.rewind({text.data() + top.bytes, 1 + lines_in(text.substr(0, top.bytes))});
  const CsvScanner::Mark start = table.scanner.mark();
  for (Row row; table.sample.size() < kSampleRows && table.scanner.next(row);) table.sample.push_back(row);
  if (table.sample.empty()) throw Error(origin, "the file is empty", "give a file with data");
  table.scanner.rewind(start);

  // Of rows to predict on, none may get lost.
  const bool units = options.target && options.header != Header::no && second_row_holds_units(table.sample, options);
  const bool guess = options.header == Header::automatic;
  table.header = guess ? units || names_of_tree(table.sample.front(), options).value_or(first_row_is_header(table.sample, options))
                       : options.header == Header::yes;
  if (table.header && table.sample.size() == 1) throw Error(origin, "there is a header but no row of data", "give at least one row");
  if (!table.header && guess && may_hold_names(table.sample, options))
    remarks.emplace_back("the first line was read as data, and the columns are called x0, x1, ...; if it holds names, add --header yes");
  table.empty = table.header ? empty_columns_behind(table.sample) : 0;
  if (table.empty > 0) {
    remarks.push_back(table.empty == 1
                          ? "each line ends with a separator: there is no column behind it"
                          : fmt::format("each line ends with {} separators: there are no columns between and behind them", table.empty));
    for (std::size_t column = 1; column <= table.empty; ++column) options.drop.push_back(fmt::format("-{}", column));
    if (options.target == ReadOptions().target) options.target = fmt::format("-{}", table.empty + 1);
  }
  table.names = names_of(table.header, table.scanner, table.sample.front(), origin, remarks);
  // The empty line of a file of one column is the row whose value is missing.
  if (!options.target && table.names.size() == 1) {
    table.scanner.keep_empty_lines();
    if (const std::int64_t lines = empty_lines_behind(text); lines > 0)
      remarks.push_back(remark_on_empty_lines(lines) + "; a row without its value is written as \"\" there");
  }
  if (units) {
    Row row;
    table.scanner.next(row);
    remarks.push_back(
        fmt::format("line {}, below the names, holds units or other words above the numbers and is no row", table.scanner.line()));
  }
  return table;
}

// Which numbers have decimal commas is known when all cells are read. Those that were taken for others are read once more.
DecimalMark settle_writing(FileWriting& writing, Table& table, std::vector<ColumnBuilder>& builders, ReadOptions& settled,
                           const std::function<void()>& read_again) {
  for (const ColumnBuilder& builder : builders) builder.show_writing(writing);
  if (settled.date_order == '\0') settled.date_order = writing.date_order;
  const char separator = table.names.size() > 1 ? table.separator : '\0';  // nothing separates the cells of one column
  const DecimalMark decimal = decide_decimal_mark(writing, settled, separator);
  const auto misread =
      std::count_if(builders.begin(), builders.end(), [&](ColumnBuilder& builder) { return builder.was_misread(decimal); });
  if (misread > 0) read_again();
  return decimal;
}

}  // namespace

Dataset parse_csv(std::string_view text, const std::string& origin, const ReadOptions& asked) {
  const ReadOptions given = labels_of_costs(asked, origin);
  ReadOptions options = given;
  check_is_text(text, origin);
  std::vector<std::string> remarks;
  Table table = table_of(text, origin, options, remarks);
  const std::vector<ColumnPlan> plans = plan_columns(table.names, options, origin);
  ReadOptions settled = options;
  std::vector<ColumnBuilder> builders;
  builders.reserve(table.names.size());
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (std::size_t column = 0; column < table.names.size(); ++column) {
    const bool unnamed_target = !table.header && plans[column].role == ColumnRole::target;
    builders.emplace_back(unnamed_target ? "class" : table.names[column], plans[column].role, content_of(plans[column]), settled, origin);
  }
  const auto restart = [&, data_start = table.scanner.mark()] {
    table.scanner.rewind(data_start);
    for (ColumnBuilder& builder : builders) builder.restart();
  };
  constexpr std::size_t kGuessOn = 256, kAll = static_cast<std::size_t>(-1);
  read_rows(table, builders, origin, kGuessOn);
  const auto read_all = [&] {
    do restart();
    while (!read_rows(table, builders, origin, kAll));
  };
  for (ColumnBuilder& builder : builders) builder.reserve(lines);
  read_all();
  FileWriting writing;
  const DecimalMark decimal = settle_writing(writing, table, builders, settled, read_all);
  if (table.scanner.has_backslash_quotes()) remarks.emplace_back("quotes inside quoted cells are written with a backslash");
  Dataset data;
  data.reading = reading_of(table.names, plans, options);
  data.reading.remarks = std::move(remarks);
  for (ColumnBuilder& builder : builders) builder.finish(data, decimal);
  const auto is_doubtful = [](const Column& column) { return !column.doubtful.empty(); };
  const std::string& of_target = writing.doubtful_target;
  if (decimal.known || !of_target.empty() || std::any_of(data.columns.begin(), data.columns.end(), is_doubtful))
    data.reading.decimal = decimal.mark;
  take_cost_columns(data, origin);
  if (options.drop_unlabeled) keep_labeled(data, origin, given);
  take_numbers(data, origin, given);
  const bool numbers_wanted = data.response || given.bins > 0 || !given.edges.empty();
  if (numbers_wanted && !of_target.empty() && (of_target.find(',') != std::string::npos ? decimal.note_commas : decimal.note_points))
    note_reading_of_target(data, of_target);
  validate(data, origin, options.training, guess_of_target(data.target_name, given));
  return data;
}

}  // namespace treewright
