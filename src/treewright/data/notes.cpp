// Faults of data that a user should hear of before training. Each alone ruins a tree without any error: a category of names separates all
// training rows and says nothing about new ones; one word in a column of numbers turns each of its numbers into a category; a quantity as a
// target is a class for each value. The thresholds are meant to be silent on data that are in order.

#include "treewright/data/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "treewright/data/parse_number.h"

namespace treewright {

namespace {

constexpr std::size_t kFewLevels = 20;    // up to so many levels, a category is never taken for names
constexpr std::size_t kFewRows = 20;      // fewer rows show no pattern
constexpr std::size_t kNamesShown = 5;    // in one note
constexpr double kStrayShare = 0.1;       // cells of text among numbers
constexpr double kRareShare = 0.005;      // of a class
constexpr std::int64_t kRareRows = 5;     // of a class
constexpr std::size_t kRareAmong = 100;   // rows, from which on a class can be called rare
constexpr std::size_t kManyClasses = 20;  // of a target of numbers
constexpr double kRowsOfAClass = 10;      // so few rows for each number make the target a quantity

std::string quoted(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min(kNamesShown, names.size()); ++i) list += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  if (names.size() > kNamesShown) list += fmt::format(" and {} more", names.size() - kNamesShown);
  return list;
}

bool is_number(const std::string& text) {
  double value;
  return parse_number(text, value) != NumberText::no_number;
}

// Rows of each level.
std::vector<std::int64_t> level_counts(const Column& column) {
  std::vector<std::int64_t> counts(column.levels.size(), 0);
  for (const std::int32_t code : column.codes) {
    if (code >= 0) ++counts[code];
  }
  return counts;
}

std::optional<DataNote> look_at_category(const Column& column) {
  if (column.declared) return std::nullopt;
  const std::vector<std::int64_t> counts = level_counts(column);
  std::int64_t cells = 0, stray = 0;
  std::size_t levels = 0, numbers = 0;
  std::vector<std::string> strays;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    ++levels;
    cells += counts[k];
    if (is_number(column.levels[k])) {
      ++numbers;
    } else {
      stray += counts[k];
      strays.push_back(column.levels[k]);
    }
  }
  if (stray > 0 && numbers > kFewLevels && static_cast<double>(stray) <= kStrayShare * static_cast<double>(cells)) {
    return DataNote{NoteKind::stray_cells,
                    {column.name},
                    fmt::format("column '{}' holds numbers and {} other cell{} ({}), so it reads as {} categories", column.name, stray,
                                stray == 1 ? "" : "s", quoted(strays), levels),
                    strays};
  }
  if (levels > kFewLevels && 2 * levels >= static_cast<std::size_t>(cells)) {
    return DataNote{
        NoteKind::near_unique, {column.name}, fmt::format("column '{}' has {} categories in {} rows", column.name, levels, cells)};
  }
  return std::nullopt;
}

bool counts_rows(const Column& column) {
  if (column.kind != ColumnKind::numeric || column.values.size() < kFewRows) return false;
  const double first = column.values.front();
  if (first != 0 && first != 1) return false;
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    if (column.values[row] != first + static_cast<double>(row)) return false;
  }
  return true;
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

std::string_view to_string(NoteKind kind) {
  switch (kind) {
    case NoteKind::near_unique:
      return "near_unique";
    case NoteKind::stray_cells:
      return "stray_cells";
    case NoteKind::row_numbers:
      return "row_numbers";
    case NoteKind::constant:
      return "constant";
    case NoteKind::copies_target:
      return "copies_target";
    case NoteKind::many_classes:
      return "many_classes";
    case NoteKind::rare_class:
      return "rare_class";
    case NoteKind::two_readings:
      return "two_readings";
  }
  return "";
}

// One note for all columns that were read in the same way.
void look_at_doubts(const Dataset& data, std::vector<DataNote>& notes) {
  for (const char point : {'.', ','}) {
    DataNote note{NoteKind::two_readings, {}, "", {}};
    for (const Column& column : data.columns) {
      if (column.doubtful.empty() || column.point != point) continue;
      note.names.push_back(column.name);
      note.cells.push_back(column.doubtful);
    }
    if (note.names.empty()) continue;
    note.problem =
        fmt::format("{} column{} numbers such as {} ({}), read with {}", note.names.size(), note.names.size() == 1 ? " holds" : "s hold",
                    note.cells.front(), quoted(note.names), point == ',' ? "decimal commas" : "commas between thousands");
    notes.push_back(std::move(note));
  }
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
  const bool quantity =
      numbers && classes > kManyClasses && static_cast<double>(classes) * kRowsOfAClass > static_cast<double>(data.rows());
  if (quantity || (classes > kFewLevels && 2 * classes >= data.rows())) {
    notes.push_back({NoteKind::many_classes,
                     {data.target_name},
                     fmt::format("the target '{}' has {} different {} in {} rows", data.target_name, classes,
                                 numbers ? "numbers" : "labels", data.rows())});
  } else if (!rare.empty() && data.rows() >= kRareAmong) {
    notes.push_back({NoteKind::rare_class, rare, fmt::format("very few rows are of class {}", quoted(rare))});
  }
}

}  // namespace

std::vector<DataNote> look_at(const Dataset& data) {
  std::vector<DataNote> notes;
  if (data.rows() < 2) return notes;
  std::vector<bool> met(data.classes(), false);
  for (const std::int32_t label : data.labels) met[label] = true;
  const auto classes = static_cast<std::size_t>(std::count(met.begin(), met.end(), true));
  look_at_doubts(data, notes);
  std::vector<std::string> constant;
  for (const Column& column : data.columns) {
    if (is_constant(column)) {
      constant.push_back(column.name);
    } else if (!column.declared && counts_rows(column)) {
      notes.push_back({NoteKind::row_numbers, {column.name}, fmt::format("column '{}' only counts the rows", column.name)});
    } else if (!column.declared && data.labelled() && classes > 1 && 2 * classes <= data.rows() && data.rows() >= kFewRows &&
               copies_target(column, data, classes)) {
      notes.push_back({NoteKind::copies_target, {column.name}, fmt::format("column '{}' has one value for each class", column.name)});
    } else if (column.kind == ColumnKind::categorical) {
      if (std::optional<DataNote> note = look_at_category(column)) notes.push_back(*std::move(note));
    }
  }
  if (!constant.empty()) {
    notes.push_back(
        {NoteKind::constant, constant,
         fmt::format("{} column{} one value only ({})", constant.size(), constant.size() == 1 ? " has" : "s have", quoted(constant))});
  }
  if (data.labelled()) look_at_classes(data, notes);
  return notes;
}

std::string to_json(const std::vector<DataNote>& notes) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const DataNote& note : notes) {
    list.push_back({{"kind", to_string(note.kind)}, {"names", note.names}, {"problem", note.problem}, {"leave_out", note.leave_out()}});
  }
  // Bytes of other encodings are replaced.
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace treewright
