// Faults of data that a user should hear of before training. Each alone ruins a tree without any error: a category of names separates all
// training rows and says nothing about new ones; one word in a column of numbers turns each of its numbers into a category; a quantity as a
// target is a class for each value. The thresholds are meant to be silent on data that are in order.

#include "treewright/data/read/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "treewright/base/ascii.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/read/parse_number.h"
#include "treewright/data/read/written_column.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/data/read/written_numbers.h"

namespace treewright {

bool is_number(const std::string& text) {
  double value;
  return parse_number(text, value) != NumberText::no_number || read_written_numbers({text}, '\0').has_value();
}

namespace {

constexpr std::size_t kFewLevels = 20;    // up to so many levels, a category is never taken for names
constexpr std::size_t kFewRows = 20;      // fewer rows show no pattern
constexpr std::size_t kNamesShown = 5;    // in one note
constexpr double kStrayShare = 0.1;       // cells of text among numbers
constexpr std::size_t kFewWords = 3;      // so few different texts among many numbers are signs for a missing value, whatever their share
constexpr double kRareShare = 0.005;      // of a class
constexpr std::int64_t kRareRows = 5;     // of a class
constexpr std::size_t kRareAmong = 100;   // rows, from which on a class can be called rare
constexpr std::size_t kManyClasses = 20;  // of a target of numbers
constexpr double kRowsOfAClass = 10;      // so few rows for each number make the target a quantity
constexpr std::size_t kManyLevels = 50;   // of a category
constexpr std::size_t kFewNames = 5;      // so few rows with a text of its own each may be categories
constexpr std::size_t kFewNumbers = 5;    // levels that are numbers, from which on a few others are strange among them
constexpr double kMixedShare = 0.02;      // cells of text among few numbers
constexpr double kWordShare = 0.25;       // the same where all of them are one word
constexpr double kLeastRecord = 1e6;      // numbers of records have so many digits
constexpr double kAmountShare = 0.9;      // of levels that are amounts one by one
constexpr std::size_t kFewShapes = 3;     // of the levels of one column
constexpr double kCollisions = 10;        // expected among random whole numbers; where there is none, they are not random

std::string quoted(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min(kNamesShown, names.size()); ++i) list += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  if (names.size() > kNamesShown) list += fmt::format(" and {} more", names.size() - kNamesShown);
  return list;
}

bool is_date(const std::string& text) {
  return read_written_dates({text}, 'd').has_value() || read_written_dates({text}, 'm').has_value();
}

// Rows of each level.
std::vector<std::int64_t> level_counts(const Column& column) {
  std::vector<std::int64_t> counts(column.levels.size(), 0);
  for (const std::int32_t code : column.codes) {
    if (code >= 0) ++counts[code];
  }
  return counts;
}

// The text with each run of digits as one: 9-9 of 555-1234.
std::string shape_of(const std::string& text) {
  std::string shape;
  for (const char c : text) {
    const bool digit = is_digit(c);
    if (!digit || shape.empty() || shape.back() != '9') shape += digit ? '9' : c;
  }
  return shape;
}

// Of a category that has nearly as many levels as rows. Whether they look like quantities: most are, one by one, or nearly all have one of
// a few shapes that begin with a number.
std::optional<DataNote> look_at_unread(const Column& column, const std::string& problem) {
  const auto share = [&](const auto& holds) {
    return static_cast<double>(std::count_if(column.levels.begin(), column.levels.end(), holds)) /
           static_cast<double>(column.levels.size());
  };
  const auto is_amount = [](const std::string& level) { return is_number(level) || is_date(level) || read_written_times({level}); };
  const auto is_plain = [](const std::string& level) {
    double value;
    return parse_number(level, value) != NumberText::no_number;
  };
  const auto note = [&](const std::string& how) {
    return DataNote{NoteKind::unread_amounts, {column.name}, fmt::format("{} that look like amounts or dates, {}", problem, how)};
  };
  const auto in_two_ways = [&](const std::string& one, const std::string& other) {
    return note(fmt::format("but are not written in one way ('{}', '{}')", one, other));
  };
  if (share(is_plain) == 1) return std::nullopt;
  const std::size_t misfit = share(is_amount) >= kAmountShare ? first_misfit(column.levels, '\0') : column.levels.size();
  if (misfit < column.levels.size()) return in_two_ways(column.levels[misfit == 0 ? 1 : misfit - 1], column.levels[misfit]);
  std::map<std::string, std::size_t> shapes;
  for (const std::string& level : column.levels) ++shapes[shape_of(level)];
  const auto begins = [](const auto& shape) {
    constexpr std::size_t kSign = 3;  // bytes of a sign before the number
    const std::size_t at = shape.first.find('9');
    return at <= kSign && std::none_of(shape.first.begin(), shape.first.begin() + static_cast<std::ptrdiff_t>(at),
                                       [](unsigned char c) { return std::isalpha(c) != 0; });
  };
  if (shapes.size() > kFewShapes || !std::all_of(shapes.begin(), shapes.end(), begins)) return std::nullopt;
  const auto read = std::find_if(column.levels.begin(), column.levels.end(), is_amount);
  const auto unread = std::find_if_not(column.levels.begin(), column.levels.end(), is_amount);
  const bool both = read != column.levels.end() && unread != column.levels.end();
  return both ? in_two_ways(*read, *unread) : note(fmt::format("such as '{}'", column.levels.front()));
}

std::optional<DataNote> look_at_category(const Column& column) {
  if (column.declared) return std::nullopt;
  const std::vector<std::int64_t> counts = level_counts(column);
  const bool of_dates = column.levels.size() > kFewLevels &&
                        2 * std::count_if(column.levels.begin(), column.levels.end(), is_date) > std::ssize(column.levels);
  const char* what = of_dates ? "dates" : "numbers";
  std::int64_t cells = 0, stray = 0;
  std::size_t levels = 0, numbers = 0;
  std::vector<std::string> strays;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    ++levels;
    cells += counts[k];
    if (of_dates ? is_date(column.levels[k]) : is_number(column.levels[k])) {
      ++numbers;
    } else {
      stray += counts[k];
      strays.push_back(column.levels[k]);
    }
  }
  const bool few = strays.size() <= kFewWords || static_cast<double>(stray) <= kStrayShare * static_cast<double>(cells);
  if (stray > 0 && numbers > kFewLevels && few) {
    return DataNote{NoteKind::stray_cells,
                    {column.name},
                    fmt::format("column '{}' holds {} and {} other cell{} ({}), so it reads as {} categories", column.name, what, stray,
                                stray == 1 ? "" : "s", quoted(strays), levels),
                    strays};
  }
  const auto of = [&](NoteKind kind) {
    return DataNote{kind, {column.name}, fmt::format("column '{}' has {} categories in {} rows", column.name, levels, cells)};
  };
  const bool unique = levels == static_cast<std::size_t>(cells) && levels >= kFewNames && numbers == 0;
  if (unique || (levels > kFewLevels && 2 * levels >= static_cast<std::size_t>(cells))) {
    const DataNote note = of(NoteKind::near_unique);
    return look_at_unread(column, note.problem).value_or(note);
  }
  const double most_mixed = strays.size() == 1 ? kWordShare : kMixedShare;
  if (stray > 0 && numbers >= kFewNumbers && static_cast<double>(stray) <= most_mixed * static_cast<double>(cells)) {
    return DataNote{NoteKind::mixed_cells,
                    {column.name},
                    fmt::format("column '{}' holds {} and {} other cell{} ({}), so it reads as {} categories", column.name, what, stray,
                                stray == 1 ? "" : "s", quoted(strays), levels),
                    strays};
  }
  const bool dates = of_dates ? stray == 0 : numbers == 0 && std::all_of(strays.begin(), strays.end(), is_date);
  const auto has_unit = [](const std::string& level) {
    const auto number = read_written_numbers({level}, '\0');
    return number && !number->unit.empty();
  };
  const bool units = !dates && std::any_of(column.levels.begin(), column.levels.end(), has_unit);
  if (levels > 2 && !units && (stray == 0 || dates)) {
    return DataNote{dates ? NoteKind::date_texts : NoteKind::number_texts,
                    {column.name},
                    fmt::format("column '{}' holds {} as text, so it reads as {} categories", column.name, dates ? "dates" : what, levels)};
  }
  if (levels > kManyLevels) return of(NoteKind::many_levels);
  return std::nullopt;
}

bool counts_rows(const Column& column) {
  if (column.kind != ColumnKind::numeric || column.has_levels() || column.values.size() < kFewRows) return false;
  const double first = column.values.front();
  if (first != 0 && first != 1) return false;
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    if (column.values[row] != first + static_cast<double>(row)) return false;
  }
  return true;
}

// "id", "user_id", "userId", "index": what people call identifiers.
bool is_name_of_identifiers(const std::string& name) {
  const std::string low = lower(name);
  for (const char* whole : {"id", "uid", "uuid", "guid", "index", "key", "rowid", "unnamed: 0"}) {
    if (low == whole) return true;
  }
  if (low.size() < 3 || !low.ends_with("id")) return false;
  const char before = name[name.size() - 3], first = name[name.size() - 2];
  return before == '_' || before == ' ' || before == '-' || before == '.' ||
         (std::islower(static_cast<unsigned char>(before)) && first == 'I');
}

// The numbers of a column, ascending, if they are whole and each row has another one; else empty.
std::vector<double> distinct_whole_numbers(const Column& column) {
  if (column.kind != ColumnKind::numeric || column.notation != Notation::plain) return {};
  if (!std::all_of(column.values.begin(), column.values.end(), [](double value) { return value == std::floor(value); })) return {};
  std::vector<double> values = column.values;
  std::sort(values.begin(), values.end());
  if (std::adjacent_find(values.begin(), values.end()) != values.end()) return {};
  return values;
}

// `values`: distinct whole numbers, ascending. Random ones of the same range would collide so often that these were given out: identifiers,
// also in a sample of them or in any order.
bool identifies_rows(const std::string& name, const std::vector<double>& values) {
  if (values.size() < kFewNames) return false;
  if (is_name_of_identifiers(name)) return true;
  const auto rows = static_cast<double>(values.size());
  return rows * (rows - 1) / 2 >= kCollisions * (values.back() - values.front() + 1);
}

// The same. People number records with many digits, and measure little so exactly.
bool may_number_records(const std::vector<double>& values) {
  return values.size() >= kFewRows && values.front() >= kLeastRecord;
}

// Whether all are whole numbers that doubles may not tell apart, and few enough digits for numbers of records.
bool are_large(const Column& column) {
  if (column.kind != ColumnKind::numeric || column.notation != Notation::plain || column.has_levels()) return false;
  const auto is_missing = [](double value) { return std::isnan(value); };
  const auto is_large = [](double value) { return std::isnan(value) || (std::abs(value) >= 0x1p53 && std::abs(value) < 0x1p64); };
  return std::ranges::all_of(column.values, is_large) && !std::ranges::all_of(column.values, is_missing);
}

bool is_constant(const Column& column) {
  if (column.kind == ColumnKind::categorical) return column.levels_present() < 2;
  const auto differs = [&](double value) {
    return std::isnan(value) ? !std::isnan(column.values.front()) : value != column.values.front();
  };
  return std::none_of(column.values.begin(), column.values.end(), differs);
}

// Whether each class has a value of its own.
bool copies_target(const Column& column, const Dataset& data, std::size_t classes) {
  std::map<double, std::int32_t> class_of;
  std::vector<bool> met(data.classes(), false);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (column.missing(row)) return false;
    const double value = column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row];
    const auto [found, fresh] = class_of.emplace(value, data.labels[row]);
    if (found->second != data.labels[row] || class_of.size() > classes) return false;
    if (fresh && met[data.labels[row]]) return false;
    met[data.labels[row]] = true;
  }
  return true;
}

// One note for all columns that were read in the same way.
void look_at_doubts(const Dataset& data, std::vector<DataNote>& notes) {
  std::map<std::string, DataNote> by_reading;
  for (const Column& column : data.columns) {
    if (column.doubtful.empty()) continue;
    DataNote& note = by_reading.try_emplace(words_of_reading(column), DataNote{NoteKind::two_readings, {}, "", {}}).first->second;
    note.names.push_back(column.name);
    note.cells.push_back(column.doubtful);
  }
  for (auto& [reading, note] : by_reading) {
    note.problem = fmt::format("{} column{} numbers such as {} ({}), read with {}", note.names.size(),
                               note.names.size() == 1 ? " holds" : "s hold", note.cells.front(), quoted(note.names), reading);
    notes.push_back(std::move(note));
  }
}

// Whether the last of these numbers is the sum of the others, most of which are not 0.
bool ends_with_sum(const std::vector<double>& values) {
  constexpr double kLastDigits = 1e-9;
  if (values.size() < kFewNames) return false;
  double sum = 0, size = 0, largest = 0;
  std::size_t nonzero = 0;
  for (std::size_t row = 0; row + 1 < values.size(); ++row) {
    if (std::isnan(values[row])) continue;
    sum += values[row];
    size += std::abs(values[row]);
    largest = std::max(largest, std::abs(values[row]));
    nonzero += values[row] != 0;
  }
  return 2 * nonzero >= values.size() && std::abs(values.back()) > largest && std::abs(values.back() - sum) <= kLastDigits * size;
}

// People write totals below a table.
void look_at_last_row(const Dataset& data, std::vector<DataNote>& notes) {
  std::vector<std::string> sums;
  for (const Column& column : data.columns) {
    if (column.kind == ColumnKind::numeric && column.notation == Notation::plain && !column.has_levels() && ends_with_sum(column.values))
      sums.push_back(column.name);
  }
  if (data.response && data.response->loss == Loss::squared && ends_with_sum(data.response->values)) sums.push_back(data.target_name);
  if (!sums.empty()) notes.push_back({NoteKind::totals, sums, fmt::format("the last row holds the sum of all others ({})", quoted(sums))});
}

// What a name means to people, whatever its capital letters and blanks, and the zeros of a number. Of more digits than a double tells apart
// each is another number.
std::string meaning(const std::string& name) {
  const std::size_t first = name.find_first_not_of(" \t"), last = name.find_last_not_of(" \t");
  const std::string text = first == std::string::npos ? "" : name.substr(first, last - first + 1);
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  const bool is_told = std::ranges::count_if(text, is_digit) <= std::numeric_limits<double>::digits10;
  double value;
  return is_told && parse_number(text, value) == NumberText::number ? fmt::format("{}", value) : lower(text);
}

// Names that mean the same.
void look_at_spelling(const std::vector<std::string>& names, const std::string& what, const std::string& column,
                      std::vector<DataNote>& notes) {
  std::map<std::string, std::vector<std::string>> spellings;
  for (const std::string& name : names) spellings[meaning(name)].push_back(name);
  std::erase_if(spellings, [](const auto& entry) { return entry.second.size() < 2; });
  if (spellings.empty()) return;
  const std::vector<std::string>& first = spellings.begin()->second;
  const std::string list = first.size() == 2 ? fmt::format("'{}' and '{}'", first[0], first[1]) : quoted(first);
  const std::size_t others = spellings.size() - 1;
  const std::string more = others == 0 ? "" : fmt::format("; so do {} other{}", others, others == 1 ? "" : "s");
  const bool capitals = std::all_of(first.begin(), first.end(), [&](const std::string& name) { return lower(name) == lower(first[0]); });
  notes.push_back(
      {NoteKind::spelling,
       {column},
       fmt::format("{} {} differ in {} only{}", what, list, capitals ? "capital letters" : "blanks or the zeros of a number", more)});
}

bool is_quantity(std::size_t classes, bool numbers, std::size_t rows) {
  return numbers && classes > kManyClasses && static_cast<double>(classes) * kRowsOfAClass > static_cast<double>(rows);
}

// Of the target.
void look_at_classes(const Dataset& data, std::vector<DataNote>& notes) {
  std::vector<std::int64_t> counts(data.classes(), 0);
  for (const std::int32_t label : data.labels) ++counts[label];
  std::size_t classes = 0;
  bool numbers = true;
  std::vector<std::string> rare;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    ++classes;
    numbers = numbers && is_number(data.class_names[k]);
    if (counts[k] < kRareRows || static_cast<double>(counts[k]) < kRareShare * static_cast<double>(data.rows())) {
      rare.push_back(data.class_names[k]);
    }
  }
  if ((numbers && classes >= kManyClasses) || (classes > kFewLevels && 2 * classes >= data.rows())) {
    notes.push_back({numbers ? NoteKind::many_classes : NoteKind::many_labels,
                     {data.target_name},
                     fmt::format("the target '{}' has {} different {} in {} rows", data.target_name, classes,
                                 numbers ? "numbers" : "labels", data.rows())});
  } else if (!rare.empty() && data.rows() >= kRareAmong) {
    notes.push_back({NoteKind::rare_class, rare, fmt::format("very few rows are of class {}", quoted(rare))});
  }
}

}  // namespace

std::string words_of_reading(const Column& column) {
  return words_of_reading(column.doubtful, column.point);
}

std::string words_of_reading(const std::string& cell, char point) {
  const char* sign = cell.find(',') != std::string::npos ? "comma" : "point";
  const bool decimal = (point == ',') == (sign[0] == 'c');
  return decimal ? fmt::format("decimal {}s", sign) : fmt::format("{}s between thousands", sign);
}

bool is_quantity(const Dataset& data) {
  // Dates as labels are many, but not numbers.
  return is_quantity(data.classes(), std::all_of(data.class_names.begin(), data.class_names.end(), is_number), data.rows());
}

std::vector<DataNote> look_at(const Dataset& data) {
  std::vector<DataNote> notes;
  for (const std::string& remark : data.reading.remarks) notes.push_back({NoteKind::how_read, {}, remark});
  if (data.rows() < 2) return notes;
  std::vector<bool> met(data.classes(), false);
  for (const std::int32_t label : data.labels) met[label] = true;
  const auto classes = static_cast<std::size_t>(std::count(met.begin(), met.end(), true));
  look_at_doubts(data, notes);
  look_at_last_row(data, notes);
  std::vector<std::string> constant;
  for (const Column& column : data.columns) {
    const std::vector<double> numbers = column.declared ? std::vector<double>() : distinct_whole_numbers(column);
    if (!data.reading.of_file && are_large(column)) {  // files keep them as texts where doubles do not tell them apart
      notes.push_back(
          {NoteKind::large_numbers,
           {column.name},
           fmt::format("column '{}' holds only whole numbers above 2^53, some of which may be one number to programs", column.name)});
    } else if (is_constant(column)) {
      constant.push_back(column.name);
    } else if (!column.declared && counts_rows(column)) {
      notes.push_back({NoteKind::row_numbers, {column.name}, fmt::format("column '{}' only counts the rows", column.name)});
    } else if (identifies_rows(column.name, numbers)) {
      notes.push_back(
          {NoteKind::row_numbers, {column.name}, fmt::format("column '{}' holds another whole number in each row", column.name)});
    } else if (may_number_records(numbers)) {
      notes.push_back({NoteKind::record_numbers,
                       {column.name},
                       fmt::format("column '{}' holds another whole number in each row, as numbers of records do", column.name)});
    } else if (!column.declared && data.labeled() && classes > 1 && 2 * classes <= data.rows() && data.rows() >= kFewRows &&
               copies_target(column, data, classes)) {
      notes.push_back({NoteKind::copies_target,
                       {column.name},
                       fmt::format("column '{}' has one value for each class of the target '{}'", column.name, data.target_name)});
    } else if (column.kind == ColumnKind::categorical) {
      std::optional<DataNote> note = look_at_category(column);
      const bool left_out = note && note->leave_out();
      if (note) notes.push_back(*std::move(note));
      if (!left_out) look_at_spelling(column.levels, fmt::format("column '{}': the categories", column.name), column.name, notes);
    } else if (!column.padded.empty() && !column.declared) {
      notes.push_back({NoteKind::codes,
                       {column.name},
                       fmt::format("column '{}' holds numbers such as {}, which look like {}", column.name, column.padded,
                                   column.padded.find('.') == std::string::npos ? "codes" : "months or times")});
    }
  }
  if (!constant.empty()) {
    notes.push_back(
        {NoteKind::constant, constant,
         fmt::format("{} column{} one value only ({})", constant.size(), constant.size() == 1 ? " has" : "s have", quoted(constant))});
  }
  if (!data.labeled()) return notes;
  look_at_classes(data, notes);
  look_at_spelling(data.class_names, fmt::format("target '{}': the classes", data.target_name), data.target_name, notes);
  return notes;
}

std::vector<std::string> left_out(const std::vector<DataNote>& notes) {
  std::vector<std::string> names;
  for (const DataNote& note : notes) {
    if (note.leave_out()) names.insert(names.end(), note.names.begin(), note.names.end());
  }
  return names;
}

}  // namespace treewright
