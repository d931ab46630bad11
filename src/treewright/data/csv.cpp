// CSV and similar formats, read in one pass if possible.
//
// The scanner cuts a row into cells without copying their text. The builder of each column turns its cell into a number or a level (a value
// of a category). The kind of a column is guessed from the first rows. If text occurs later in a column that was guessed numeric, the whole
// file is read once more. There are at most two passes, because a text column never becomes numeric again.
//
// Is the first row a header? The rule looks at the next 100 rows. There a column is numeric if it has a number, and all its cells are
// numbers or stand for missing values (`?`, `NA`, ...). The first row holds names if none of its cells is a number or stands for a missing
// value (an empty cell is allowed), and either
//   (a) some numeric column has a non-empty first cell (text above numbers), or
//   (b) no column is numeric, the first cells are distinct and non-empty, and none of them occurs again in its column, or
//   (c) some column is numeric, the first cell of each of these is empty, and there is another cell, which does not occur again in its
//   column (",,y": only the class has a name).
// So names that are numbers need `header = yes`. An empty name becomes x<position>.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "treewright/data.h"
#include "treewright/data/column_builder.h"
#include "treewright/data/column_plan.h"
#include "treewright/data/csv_scanner.h"
#include "treewright/data/parse_number.h"
#include "treewright/error.h"

namespace treewright {

namespace {

using Row = std::vector<Cell>;

enum class CellLook { missing, number, word };

CellLook look_of(const Cell& cell, const ReadOptions& options) {
  if (cell.text.empty()) return CellLook::missing;
  if (!cell.quoted && std::find(options.missing.begin(), options.missing.end(), cell.text) != options.missing.end()) {
    return CellLook::missing;
  }
  double value;
  return parse_number(cell.text, value) == NumberText::no_number ? CellLook::word : CellLook::number;
}

/// The rule above. `rows`: the first row and those after it.
bool first_row_is_header(const std::vector<Row>& rows, const ReadOptions& options) {
  const Row& first = rows.front();
  std::set<std::string_view> distinct;
  for (const Cell& cell : first) {
    if (!cell.text.empty() && look_of(cell, options) != CellLook::word) return false;
    distinct.insert(cell.text);
  }
  bool any_numeric = false, word_over_numbers = false, recurs = false, named = false;
  for (std::size_t column = 0; column < first.size(); ++column) {
    bool number = false, word = false;
    for (std::size_t row = 1; row < rows.size(); ++row) {
      if (column >= rows[row].size()) continue;  // ragged: reported later, with its line
      const CellLook look = look_of(rows[row][column], options);
      number |= look == CellLook::number;
      word |= look == CellLook::word;
      recurs |= !first[column].text.empty() && rows[row][column].text == first[column].text;
    }
    named |= !first[column].text.empty();
    any_numeric |= number && !word;
    word_over_numbers |= number && !word && !first[column].text.empty();
  }
  if (any_numeric) return word_over_numbers || (named && !recurs && rows.size() > 1);
  return distinct.size() == first.size() && distinct.count("") == 0 && !recurs;
}

// Whether the first row may hold names all the same: half of its words, or more, stand above few values and are none of them.
bool may_hold_names(const std::vector<Row>& rows, const ReadOptions& options) {
  constexpr std::size_t kFewest = 10;  // rows, below which any value may be new
  if (rows.size() <= kFewest) return false;
  std::size_t words = 0, strangers = 0;
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    if (look_of(rows.front()[column], options) != CellLook::word) continue;
    std::set<std::string_view> below;
    for (std::size_t row = 1; row < rows.size(); ++row) {
      if (column < rows[row].size()) below.insert(rows[row][column].text);
    }
    ++words;
    strangers += below.size() * 2 < rows.size() && below.count(rows.front()[column].text) == 0;
  }
  return words > 0 && strangers * 2 >= words;
}

std::vector<Row> read_sample(CsvScanner& scanner) {
  constexpr std::size_t kSample = 101;
  std::vector<Row> rows;
  for (Row row; rows.size() < kSample && scanner.next(row);) rows.push_back(row);
  return rows;
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

// As spreadsheets write them: the last column has neither a name nor a cell.
bool ends_with_separators(const std::vector<Row>& rows) {
  return rows.front().size() > 1 &&
         std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.empty() || row.back().text.empty(); });
}

std::vector<std::string> invented_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("x{}", i));
  return names;
}

ColumnBuilder::Content content_of(const ColumnPlan& plan) {
  if (!plan.kind) return ColumnBuilder::Content::guess;
  return *plan.kind == ColumnKind::numeric ? ColumnBuilder::Content::number : ColumnBuilder::Content::text;
}

/// Reads up to `limit` rows into the builders; false when a column guessed numeric turned out to be text.
/// `ends`: each line ends with a separator; a cell behind it is an Error.
bool read_rows(CsvScanner& scanner, std::vector<ColumnBuilder>& builders, const std::string& origin, std::size_t limit, bool ends) {
  bool guesses_held = true;
  Row cells;
  for (std::size_t row = 0; row < limit && scanner.next(cells); ++row) {
    if (cells.size() != builders.size()) {
      throw Error(fmt::format("{}, line {}", origin, scanner.line()),
                  fmt::format("{} cells, but the first row has {}", cells.size(), builders.size()),
                  "give every row as many cells; put cells that hold the separator in quotes");
    }
    if (ends && !cells.back().text.empty()) {
      throw Error(fmt::format("{}, line {}", origin, scanner.line()), "there is a cell in the last column, which has no name",
                  "name the column in the first line, or take the cell away");
    }
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (builders[column].role() == ColumnRole::dropped) continue;
      guesses_held &= builders[column].add(cells[column], scanner.line());
    }
  }
  return guesses_held;
}

// What the cells of one column leave open, other columns may show; if not, who separates cells by semicolons needs the comma in numbers.
void settle_doubts(const std::vector<ColumnBuilder>& builders, const std::vector<Row>& sample, char separator, ReadOptions& settled) {
  for (const ColumnBuilder& builder : builders) builder.show_writing(settled);
  if (settled.doubtful_decimal != '\0') return;
  const auto has_point = [](const Cell& cell) {
    double value;
    return cell.text.find('.') != std::string_view::npos && parse_number(cell.text, value) == NumberText::number;
  };
  const bool points =
      std::any_of(sample.begin(), sample.end(), [&](const Row& row) { return std::any_of(row.begin(), row.end(), has_point); });
  settled.doubtful_decimal = separator == ';' && !points ? ',' : '.';
}

// Moves the scanner behind remarks on top of the file, of `skipped` bytes.
void skip_top(CsvScanner& scanner, std::string_view text, std::size_t skipped, std::vector<std::string>& remarks) {
  if (skipped == 0) return;
  const std::string_view top = text.substr(0, skipped);
  const auto breaks = std::count(top.begin(), top.end(), '\n');
  const std::int64_t lines = breaks > 0 ? breaks : std::count(top.begin(), top.end(), '\r');
  scanner.rewind({text.data() + skipped, 1 + lines});
  if (const char named = named_separator(text); named != '\0' && lines == 1)
    remarks.push_back(fmt::format("the first line, 'sep={}', names the separator and is no row", named));
  else
    remarks.push_back(lines == 1 ? "the first line begins with '#' and is no row"
                                 : fmt::format("the first {} lines begin with '#' or are empty, and are no rows", lines));
}

// Of a header, which is behind the scanner then, or invented.
std::vector<std::string> names_of(bool header, CsvScanner& scanner, const Row& first, const std::string& origin,
                                  std::vector<std::string>& remarks) {
  if (!header) return invented_names(first.size());
  Row row;
  scanner.next(row);
  std::vector<std::string> names = header_names(row, origin, scanner.line());
  tell_apart(names, remarks);
  return names;
}

}  // namespace

Dataset parse_csv(std::string_view text, const std::string& origin, const ReadOptions& asked) {
  const ReadOptions given = labels_of_costs(asked, origin);
  ReadOptions options = given;
  check_is_text(text, origin);
  std::vector<std::string> remarks;
  const std::size_t skipped = remarks_on_top(text, options.separator, origin);
  const char separator = separator_of(text, options.separator, skipped);
  CsvScanner scanner(text, separator, origin);
  skip_top(scanner, text, skipped, remarks);
  const CsvScanner::Mark start = scanner.mark();
  const std::vector<Row> sample = read_sample(scanner);
  if (sample.empty()) throw Error(origin, "the file is empty", "give a file with data");
  scanner.rewind(start);

  const bool header = options.header == Header::automatic ? first_row_is_header(sample, options) : options.header == Header::yes;
  if (header && sample.size() == 1) throw Error(origin, "there is a header but no row of data", "give at least one row");
  if (!header && options.header == Header::automatic && may_hold_names(sample, options))
    remarks.emplace_back("the first line was read as data, and the columns are called x0, x1, ...; if it holds names, add --header yes");
  const bool ends = header && ends_with_separators(sample);
  if (ends) {
    remarks.emplace_back("each line ends with a separator: there is no column behind it");
    options.drop.emplace_back("-1");
    if (options.target == ReadOptions().target) options.target = "-2";
  }
  const std::vector<std::string> names = names_of(header, scanner, sample.front(), origin, remarks);
  const std::vector<ColumnPlan> plans = plan_columns(names, options, origin);
  ReadOptions settled = options;
  std::vector<ColumnBuilder> builders;
  builders.reserve(names.size());
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (std::size_t column = 0; column < names.size(); ++column) {
    const bool unnamed_target = !header && plans[column].role == ColumnRole::target;
    builders.emplace_back(unnamed_target ? "class" : names[column], plans[column].role, content_of(plans[column]), settled, origin);
  }
  const auto restart = [&, data_start = scanner.mark()] {
    scanner.rewind(data_start);
    for (ColumnBuilder& builder : builders) builder.restart();
  };
  constexpr std::size_t kGuessOn = 256, kAll = static_cast<std::size_t>(-1);
  read_rows(scanner, builders, origin, kGuessOn, ends);
  restart();
  for (ColumnBuilder& builder : builders) builder.reserve(lines);
  while (!read_rows(scanner, builders, origin, kAll, ends)) restart();

  settle_doubts(builders, sample, separator, settled);
  Dataset data;
  for (ColumnBuilder& builder : builders) builder.finish(data);
  data.reading = reading_of(names, plans, options);
  data.reading.remarks = std::move(remarks);
  take_cost_columns(data, origin);
  if (options.drop_unlabeled) keep_labeled(data, origin, given);
  validate(data, origin, options.training, guess_of_target(data.target_name, given));
  return data;
}

}  // namespace treewright
