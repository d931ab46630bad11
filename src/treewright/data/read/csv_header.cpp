// Is the first row a header? The rule looks at the next 100 rows. There a column is numeric if it has a number, and all its cells are
// numbers or stand for missing values (`?`, `NA`, ...). The first row holds names if none of its cells is a number or stands for a missing
// value (an empty cell is allowed), and either
//   (a) some numeric column has a non-empty first cell (text above numbers), or
//   (b) no column is numeric, the first cells are distinct and non-empty, and none of them occurs again in its column, or
//   (c) some column is numeric, the first cell of each of these is empty, and there is another cell, which does not occur again in its
//   column (",,y": only the class has a name).
// So names that are numbers need `header = yes`. An empty name becomes x<position>.
//
// Spreadsheets are written for people, so there may be lines above the names: a title, a date, an empty line. They are no rows if each of
// them has one cell at most, the first, and the line below is a header by (a) of several cells, none of them empty. And there may be a line
// below the names with units (kg, cm): it is no row if it holds a word above two columns of numbers or more, and above each of them a word
// or nothing, and no number. A note tells of both.

#include "treewright/data/read/csv_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "treewright/data/read/parse_number.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/data/read/written_numbers.h"
#include "treewright/error.h"

namespace treewright {

namespace {

enum class CellLook { missing, number, word };

CellLook look_of(const Cell& cell, const ReadOptions& options) {
  if (cell.text.empty()) return CellLook::missing;
  if (!cell.quoted && std::find(options.missing.begin(), options.missing.end(), cell.text) != options.missing.end()) {
    return CellLook::missing;
  }
  double value;
  return parse_number(cell.text, value) == NumberText::no_number ? CellLook::word : CellLook::number;
}

bool is_year(const Cell& cell) {
  double year = 0;
  return cell.text.size() == 4 && parse_number(cell.text, year) == NumberText::number && year >= 1900 && year <= 2100;
}

// A number or a date, however it is written.
bool is_amount(const Cell& cell) {
  const std::vector<std::string> text{std::string(cell.text)};
  return read_written_numbers(text, '\0') || read_written_dates(text, 'd') || read_written_dates(text, 'm') || read_written_times(text);
}

// Whether all cells of the column but the first so many are amounts or missing, and some is an amount.
bool holds_amounts(const std::vector<Row>& rows, std::size_t column, std::size_t above, const ReadOptions& options) {
  bool any = false;
  for (std::size_t row = above; row < rows.size(); ++row) {
    const Cell& cell = rows[row][column];
    if (look_of(cell, options) == CellLook::missing) continue;
    if (!is_amount(cell)) return false;
    any = true;
  }
  return any;
}

bool have_as_many_cells(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row.size() == rows.front().size(); });
}

// Names above all columns, and numbers below some of them.
bool begins_with_names(const std::vector<Row>& rows, const ReadOptions& options) {
  if (rows.size() < 2 || rows.front().size() < 2 || !have_as_many_cells(rows)) return false;
  // Spreadsheets write empty columns behind the last one.
  std::size_t columns = rows.front().size();
  while (columns > 1 && rows.front()[columns - 1].text.empty()) --columns;
  bool above_amounts = false;
  for (std::size_t column = 0; column < columns; ++column) {
    const Cell& name = rows.front()[column];
    if (look_of(name, options) != CellLook::word || is_amount(name)) return false;
    above_amounts |= holds_amounts(rows, column, 1, options);
  }
  return columns > 1 && above_amounts;
}

// The first rows of a text, with a copy of their cells: those in quotes may end with their scanner. Of a text whose quotes are at fault,
// none: the reader tells of it with its line.
struct Sample {
  std::vector<Row> rows;
  std::deque<std::string> texts;

  Sample(std::string_view text, char separator, const std::string& origin, std::size_t most) {
    try {
      CsvScanner scanner(text, separator, origin);
      for (Row row; rows.size() < most && scanner.next(row);) {
        for (Cell& cell : row) cell.text = texts.emplace_back(cell.text);
        rows.push_back(row);
      }
    } catch (const Error&) {
      rows.clear();
    }
  }
};

// The bytes at the top that hold a title above the names; 0 = there is none.
std::size_t bytes_of_title(std::string_view text, const ReadOptions& options, const std::string& origin) {
  constexpr std::size_t kMostLines = 10;
  std::size_t end = 0;
  for (std::size_t line = 0; line < kMostLines; ++line) {
    const std::size_t begin = end;
    end = next_line(text, begin);
    if (end == text.size()) return 0;
    const char separator = separator_of(text, options.separator, end);
    const Sample of_line(text.substr(begin, end - begin), separator, origin, 1);
    const std::vector<Row>& title = of_line.rows;
    const auto is_empty = [](const Cell& cell) { return cell.text.empty(); };
    if (line == 0 && (title.empty() || title.front().front().text.empty())) return 0;
    if (!title.empty() && !std::all_of(title.front().begin() + 1, title.front().end(), is_empty)) return 0;
    if (begins_with_names(Sample(text.substr(end), separator, origin, kSampleRows).rows, options)) return end;
  }
  return 0;
}

// Names that occur twice get a number, as in pandas: trees match columns by name.
void tell_apart(std::vector<std::string>& names, std::vector<std::string>& remarks) {
  std::set<std::string> all(names.begin(), names.end()), met;
  for (std::string& name : names) {
    if (met.insert(name).second) continue;
    std::string other;
    for (int number = 1; other.empty() || !all.insert(other).second; ++number) other = fmt::format("{}.{}", name, number);
    remarks.push_back(
        fmt::format("several columns are called '{}': one of them reads as '{}'; rename them if you name one in an option", name, other));
    name = other;
    met.insert(name);
  }
}

std::vector<std::string> header_names(const Row& first, const std::string& origin, std::int64_t line) {
  std::vector<std::string> names;
  for (const Cell& cell : first) {
    if (!valid_utf8(cell.text)) {
      throw Error(fmt::format("{}, line {}, column {}", origin, line, names.size() + 1), "the name is not UTF-8 text",
                  "save the file as UTF-8");
    }
    names.push_back(cell.text.empty() ? fmt::format("x{}", names.size()) : std::string(cell.text));
  }
  return names;
}

std::vector<std::string> invented_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("x{}", i));
  return names;
}

}  // namespace

std::int64_t lines_in(std::string_view text) {
  const auto breaks = std::count(text.begin(), text.end(), '\n');
  return breaks > 0 ? breaks : std::count(text.begin(), text.end(), '\r');
}

bool first_row_is_header(const std::vector<Row>& rows, const ReadOptions& options) {
  const Row& first = rows.front();
  std::set<std::string_view> distinct;
  for (const Cell& cell : first) {
    if (!cell.text.empty() && look_of(cell, options) != CellLook::word && !is_year(cell)) return false;
    distinct.insert(cell.text);
  }
  bool any_numeric = false, word_over_numbers = false, recurs = false, named = false, ascending = true;
  std::string_view last_year;
  std::size_t years = 0;
  for (std::size_t column = 0; column < first.size(); ++column) {
    bool number = false, word = false, all_years = true;
    for (std::size_t row = 1; row < rows.size(); ++row) {
      if (column >= rows[row].size()) continue;  // ragged: reported later, with its line
      const CellLook look = look_of(rows[row][column], options);
      number |= look == CellLook::number;
      word |= look == CellLook::word;
      all_years &= look == CellLook::missing || is_year(rows[row][column]);
      recurs |= !first[column].text.empty() && rows[row][column].text == first[column].text;
    }
    const bool numeric = number && !word;
    named |= !first[column].text.empty();
    any_numeric |= numeric;
    if (is_year(first[column])) {
      if (!numeric || all_years) return false;
      ++years;
      ascending &= last_year < first[column].text;
      last_year = first[column].text;
    } else {
      word_over_numbers |= numeric && !first[column].text.empty();
    }
  }
  if (years > 0) return word_over_numbers || (years > 1 && years < first.size() && ascending && !recurs);
  if (any_numeric) return word_over_numbers || (named && !recurs && rows.size() > 1);
  return distinct.size() == first.size() && distinct.count("") == 0 && !recurs;
}

std::optional<bool> names_of_tree(const Row& first, const ReadOptions& options) {
  std::vector<std::string> asked = options.numbers;
  asked.insert(asked.end(), options.categories.begin(), options.categories.end());
  if (asked.empty()) return std::nullopt;
  const std::vector<std::string> invented = invented_names(first.size());
  const auto stands = [&](const std::string& name) {
    return std::ranges::any_of(first, [&](const Cell& cell) { return cell.text == name; });
  };
  if (std::ranges::all_of(asked, stands)) return true;
  const auto is_invented = [&](const std::string& name) { return std::ranges::find(invented, name) != invented.end(); };
  if (std::ranges::all_of(asked, is_invented) && std::ranges::none_of(asked, stands)) return false;
  return std::nullopt;
}

// Half of its words, or more, stand above numbers alone, or above few values and are none of them.
bool may_hold_names(const std::vector<Row>& rows, const ReadOptions& options) {
  constexpr std::size_t kFewest = 10;  // rows, below which any value may be new
  std::size_t words = 0, strangers = 0;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    if (look_of(rows.front()[column], options) != CellLook::word) continue;
    std::set<std::string_view> below;
    bool numbers = rows.size() > 1;
    for (std::size_t row = 1; row < rows.size(); ++row) {
      if (column >= rows[row].size()) continue;
      below.insert(rows[row][column].text);
      numbers &= look_of(rows[row][column], options) != CellLook::word;
    }
    ++words;
    strangers += numbers || (rows.size() > kFewest && below.size() * 2 < rows.size() && below.count(rows.front()[column].text) == 0);
  }
  return words > 0 && strangers * 2 >= words;
}

std::size_t empty_columns_behind(const std::vector<Row>& rows) {
  const auto is_empty = [&](std::size_t column) {
    return std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return column >= row.size() || row[column].text.empty(); });
  };
  std::size_t count = 0;
  while (count + 1 < rows.front().size() && is_empty(rows.front().size() - 1 - count)) ++count;
  return count;
}

bool second_row_holds_units(const std::vector<Row>& rows, const ReadOptions& options) {
  if (rows.size() < 4 || !have_as_many_cells(rows)) return false;
  std::size_t words = 0;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    const Cell& unit = rows[1][column];
    if (look_of(rows.front()[column], options) != CellLook::word) return false;
    if (unit.text.empty()) continue;
    if (is_amount(unit)) return false;
    if (holds_amounts(rows, column, 2, options)) {
      words += look_of(unit, options) == CellLook::word;
      continue;
    }
    for (std::size_t row = 2; row < rows.size(); ++row) {
      if (rows[row][column].text == unit.text) return false;
    }
  }
  return words > 1;
}

TopLines lines_on_top(std::string_view text, const ReadOptions& options, const std::string& origin) {
  TopLines top;
  if (options.skip > 0) {
    for (int line = 0; line < options.skip; ++line) top.bytes = next_line(text, top.bytes);
    return top;
  }
  top.bytes = remarks_on_top(text, options.separator, origin);
  if (top.bytes == 0) {
    if (options.skip == 0 || options.header == Header::no) return top;
    top.bytes = bytes_of_title(text, options, origin);
    const std::int64_t lines = lines_in(text.substr(0, top.bytes));
    if (lines > 0)
      top.remark = fmt::format("a title stands above the names, in {} (--skip 0 reads it as rows)",
                               lines == 1 ? "the first line" : fmt::format("the first {} lines", lines));
    return top;
  }
  const std::int64_t lines = lines_in(text.substr(0, top.bytes));
  if (const char named = named_separator(text); named != '\0' && lines == 1) {
    top.remark = fmt::format("the first line, 'sep={}', names the separator and is no row", named);
  } else {
    top.remark = lines == 1 ? "the first line begins with '#' and is no row"
                            : fmt::format("the first {} lines begin with '#' or are empty, and are no rows", lines);
  }
  return top;
}

std::vector<std::string> names_of(bool header, CsvScanner& scanner, const Row& first, const std::string& origin,
                                  std::vector<std::string>& remarks) {
  if (!header) return invented_names(first.size());
  Row row;
  scanner.next(row);
  std::vector<std::string> names = header_names(row, origin, scanner.line());
  tell_apart(names, remarks);
  return names;
}

}  // namespace treewright
