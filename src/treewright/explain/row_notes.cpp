// Faults of new rows that a tree takes without an error. A level that training did not see counts as missing. A column written otherwise
// ("M" for "male") therefore sends all rows one way, and every label looks sound. A column of one value, or of none, does the same. Only
// columns that a split asks about are looked at.

#include "treewright/explain/row_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "treewright/data/read/notes.h"
#include "treewright/data/read/written_column.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"

namespace treewright::explain {

namespace {

constexpr double kUnseenShare = 0.05;       // of the rows; fewer rows of unseen levels may be new levels
constexpr std::size_t kConstantRows = 100;  // fewer rows may well agree
constexpr std::size_t kMissingRows = 20;    // fewer rows may well lack a value
constexpr std::size_t kUnseenShown = 3;     // the most frequent
constexpr std::size_t kLevelsShown = 6;     // of those that the tree knows
constexpr std::size_t kLongest = 24;        // characters of a level

std::string shown(const std::string& level) {
  return fmt::format("'{}'", shortened(clean(level), kLongest));
}

// The value as the file has it.
std::string cell(const Column& column, std::size_t row) {
  return column.has_levels() ? column.levels[column.code(row)]
                             : number_text(column.values[row], {column.name, column.kind, {}, false, column.notation});
}

// "'M' (577), 'F' (314)"
std::string most_frequent(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string list;
  for (std::size_t i = 0; i < std::min(kUnseenShown, order.size()); ++i)
    list += fmt::format("{}{} ({})", i == 0 ? "" : ", ", shown(order[i].first), order[i].second);
  if (order.size() > kUnseenShown) list += fmt::format(" and {} more", order.size() - kUnseenShown);
  return list;
}

std::string known(const Feature& feature) {
  std::string list;
  for (std::size_t i = 0; i < std::min(kLevelsShown, feature.levels.size()); ++i) list += (i == 0 ? "" : ", ") + shown(feature.levels[i]);
  if (feature.levels.size() > kLevelsShown) list += fmt::format(" and {} more", feature.levels.size() - kLevelsShown);
  return list;
}

std::optional<RowNote> look_at_column(const Column& read, const Column& aligned, const Feature& feature) {
  const std::size_t rows = read.size();
  std::map<std::string, std::size_t> unseen;
  std::size_t strange = 0, present = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (read.missing(row)) continue;
    ++present;
    if (!aligned.missing(row)) continue;
    ++strange;
    ++unseen[cell(read, row)];
  }
  const std::string name = clean(feature.name);
  if (strange > 0 && (strange == present || static_cast<double>(strange) > kUnseenShare * static_cast<double>(rows))) {
    return RowNote{
        "unseen_levels", feature.name,
        fmt::format("column '{}': {} of {} rows hold a level that training did not see: {}", name, strange, rows, most_frequent(unseen)),
        fmt::format("such a level counts as missing; write levels as in training: {}", known(feature))};
  }
  if (present == 0 && rows >= kMissingRows) {
    return RowNote{"no_value", feature.name,
                   fmt::format("column '{}' has no value in any of {} rows, and the tree asks about it", name, rows),
                   "check how the column was read or joined"};
  }
  if (present < rows || rows < kConstantRows) return std::nullopt;
  const bool numeric = aligned.kind == ColumnKind::numeric;
  for (std::size_t row = 1; row < rows; ++row) {
    if (numeric ? aligned.values[row] != aligned.values[0] : aligned.codes[row] != aligned.codes[0]) return std::nullopt;
  }
  return RowNote{"one_value", feature.name,
                 fmt::format("column '{}' is {} in all {} rows, and the tree asks about it", name, shown(cell(read, 0)), rows),
                 "check how the column was read or joined"};
}

// Cells of a file that are written otherwise than in training, or in a way that leaves open what they mean.
void look_at_writing(const Column& read, const Feature& feature, std::vector<RowNote>& notes) {
  const std::string name = clean(feature.name);
  if (!read.doubtful.empty()) {
    notes.push_back({"doubtful_numbers", feature.name,
                     fmt::format("column '{}' holds numbers such as {}, read with {}", name, clean(read.doubtful), words_of_reading(read)),
                     "--decimal , or --decimal . says which is meant"});
  }
  const auto words = [](const std::string& unit) {
    return unit.empty() ? "without a unit" : unit == kHours ? "as times" : fmt::format("with '{}'", clean(unit));
  };
  if (read.kind == ColumnKind::numeric && feature.kind == ColumnKind::numeric && read.unit != feature.unit) {
    notes.push_back(
        {"other_unit", feature.name,
         fmt::format("column '{}': the numbers are written {}, and in training {}", name, words(read.unit), words(feature.unit)),
         "give numbers of the same unit"});
  }
}

}  // namespace

std::vector<RowNote> look_at_rows(const Dataset& read, const Dataset& aligned, const Tree& tree) {
  std::vector<RowNote> notes;
  for (const FeatureId feature : tree.features_used()) {
    const Feature& about = tree.features[+feature];
    const auto column = std::find_if(read.columns.begin(), read.columns.end(), [&](const Column& one) { return one.name == about.name; });
    if (column == read.columns.end()) continue;
    if (read.reading.of_file) look_at_writing(*column, about, notes);
    if (std::optional<RowNote> note = look_at_column(*column, aligned.columns[+feature], about)) notes.push_back(*std::move(note));
  }
  return notes;
}

}  // namespace treewright::explain
