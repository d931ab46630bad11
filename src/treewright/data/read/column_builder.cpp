// From cells to columns: what all file formats share.
//
// A column whose kind nobody declared is a guess: it holds numbers until a cell is met that is neither a
// number nor a missing marker, and is text from then on. The numbers read so far are of no use then (the text
// "1.50" is a level of its own), so the reader gives the column's rows once more; it guesses on a few hundred
// rows first, hence reads the bulk twice only when text turns up late. Infinite numbers are errors, but only
// once the column is known to hold numbers: "inf" may be a level.
//
// Labels are text whatever they look like; weights are numbers whatever the user declares.
// Levels get their codes in order of appearance and are sorted at the end, so that equal data give equal
// codes however the rows are ordered.

#include "treewright/data/read/column_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

#include "treewright/base/did_you_mean.h"
#include "treewright/data/read/written_column.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/data/read/written_numbers.h"
#include "treewright/error.h"

namespace treewright {

std::string parquet_to_csv(const std::string& path) {
  return fmt::format("convert it, for example with Python: import pandas; pandas.read_parquet('{}').to_csv('data.csv', index=False)", path);
}

namespace {

std::string json_to_csv(const std::string& path) {
  return fmt::format(
      "convert it, for example with Python: import pandas; pandas.read_json('{}').to_csv('data.csv', index=False), with lines=True "
      "if each line is a record",
      path);
}

}  // namespace

void sort_naturally(std::vector<std::string>& names) {
  std::vector<double> numbers(names.size());
  bool all_numbers = true;
  for (std::size_t i = 0; i < names.size() && all_numbers; ++i) {
    all_numbers = parse_number(names[i], numbers[i]) == NumberText::number && !std::isnan(numbers[i]);
  }
  if (!all_numbers) {
    std::sort(names.begin(), names.end());
    return;
  }
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return numbers[a] != numbers[b] ? numbers[a] < numbers[b] : names[a] < names[b]; });
  std::vector<std::string> sorted;
  sorted.reserve(names.size());
  for (const std::size_t i : order) sorted.push_back(std::move(names[i]));
  names = std::move(sorted);
}

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return copy;
}

bool valid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : (lead & 0xF0) == 0xE0       ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      point = point << 6 | (next & 0x3Fu);
    }
    // Too long a form, a surrogate, or beyond Unicode.
    if ((length == 3 && point < 0x800) || (length == 4 && (point < 0x10000 || point > 0x10FFFF))) return false;
    if (point >= 0xD800 && point < 0xE000) return false;
    i += length;
  }
  return true;
}

void check_is_text(std::string_view text, const std::string& origin) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw Error(origin, "the file is empty", "give a file with data");
  if (text.substr(0, 4) == "PK\3\4") {
    throw Error(origin, "this is a spreadsheet or an archive, not text", "save the sheet as CSV, or unpack the archive");
  }
  const std::string start = lower(text.substr(text.find_first_not_of(" \t\r\n"), 14));
  if (start.starts_with("<!doctype html") || start.starts_with("<html"))
    throw Error(origin, "this is an HTML page, not a table", "download the file itself: of pages that show a file, the raw one");
  if (start.starts_with("{\"") || start.starts_with("[{") || start.starts_with("[\n") || start.starts_with("{\n"))
    throw Error(origin, "this is JSON, not a table", json_to_csv(origin));
  if (text.substr(0, 4) == "PAR1") throw Error(origin, "this is a Parquet file, not text", parquet_to_csv(origin));
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
    throw Error(origin, "the text is damaged UTF-16, or UTF-32", "save it as UTF-8");
  }
  const void* nul = std::memchr(text.data(), 0, text.size());
  if (nul != nullptr) {
    const auto line = 1 + std::count(text.data(), static_cast<const char*>(nul), '\n');
    throw Error(fmt::format("{}, line {}", origin, line), "there is a NUL byte: the file is binary, not text",
                "export the data as text (CSV, LIBSVM or ARFF), in UTF-8");
  }
}

void keep_labeled(Dataset& data, const std::string& origin, const ReadOptions& options) {
  RowNumbers labeled;
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    if (data.labels[row] >= 0) labeled.push_back(static_cast<std::int32_t>(row));
  }
  if (labeled.size() == data.labels.size()) return;
  if (labeled.empty()) throw Error(origin, "no row has a label", "name another target" + guess_of_target(data.target_name, options));
  const std::size_t without = data.labels.size() - labeled.size();
  data = data.subset(labeled);
  data.reading.unlabeled = without;
  data.reading.remarks.push_back(without == 1 ? "one row without a label is left out"
                                              : fmt::format("{} rows without a label are left out", without));
}

std::string guess_of_target(const std::string& name, const ReadOptions& options) {
  if (options.target != ReadOptions().target) return "";
  return fmt::format("; '{}' is the target because it is the last column, --target names another", shown_cell(name));
}

void validate(const Dataset& data, const std::string& origin, bool for_training, const std::string& guess) {
  if (data.columns.empty() && !data.has_target())
    throw Error(origin, "every column is dropped or holds the weights", "keep a feature or the target");
  try {
    for_training ? data.validate_for_training() : data.validate();
  } catch (const Error& error) {
    throw Error(error.where() == "data" ? origin : fmt::format("{}, {}", origin, error.where()), error.problem(),
                error.fix() + (data.has_target() ? guess : ""));
  }
}

ColumnBuilder::ColumnBuilder(std::string name, ColumnRole role, Content content, const ReadOptions& options, const std::string& origin)
    : name_(std::move(name)), role_(role), content_(content), options_(options), origin_(origin) {
  const auto is_in = [&](const std::vector<std::string>& names) { return std::find(names.begin(), names.end(), name_) != names.end(); };
  if (role == ColumnRole::target && content != Content::nominal) content_ = Content::text;
  guessed_ = content_ == Content::guess;
  amounts_only_ = content_ == Content::written || (guessed_ && is_in(options.numbers));
  passed_over_ = guessed_ && options.only_listed && !amounts_only_;
  if (amounts_only_) content_ = Content::guess;
  // With decimal commas, 1.234 is a number of thousands: the column is read as text and understood at its end.
  if (content_ == Content::guess && role == ColumnRole::feature && options.decimal == ',') {
    content_ = Content::text;
    may_be_amounts_ = true;
  }
  if (role == ColumnRole::weight) {
    amounts_only_ = content_ == Content::guess;  // then the rows can be given again
    guessed_ = passed_over_ = false;
    content_ = Content::number;
  }
  for (const std::string& marker : options.missing) {
    double value;
    if (parse_number(marker, value) == NumberText::number && !std::isnan(value)) numeric_markers_.push_back(value);
  }
}

void ColumnBuilder::expect_dates(char order) {
  may_be_amounts_ = amounts_only_ = true;
  date_order_ = order;
}

void ColumnBuilder::declare_levels(const std::vector<std::string>& levels) {
  for (const std::string& level : levels) {
    // The map keeps views, so the caller's strings are the keys.
    if (!code_of_.emplace(level, static_cast<std::int32_t>(levels_.size())).second) {
      throw Error(column_place(), fmt::format("the level '{}' is declared twice", shown_cell(level)), "remove one of them");
    }
    levels_.push_back(level);
  }
}

void ColumnBuilder::reserve(std::size_t rows) {
  if (role_ == ColumnRole::dropped) return;
  if (content_ == Content::text || content_ == Content::nominal) {
    codes_.reserve(rows);
  } else {
    values_.reserve(rows);
  }
}

std::string ColumnBuilder::column_place() const {
  return fmt::format("{}, column '{}'", origin_, name_);
}

std::string ColumnBuilder::place(std::int64_t line) const {
  return fmt::format("{}, line {}, column '{}'", origin_, line, name_);
}

bool ColumnBuilder::is_marker(std::string_view text) const {
  return std::find(options_.missing.begin(), options_.missing.end(), text) != options_.missing.end();
}

bool ColumnBuilder::add_unusual_number(const Cell& cell, std::int64_t line) {
  double value = std::numeric_limits<double>::quiet_NaN();
  NumberText kind = NumberText::number;
  // An empty cell is never text, even where the user's markers leave it out.
  if (!cell.text.empty() && !is_marker(cell.text)) kind = parse_number(cell.text, value);
  if (role_ == ColumnRole::weight && kind != NumberText::no_number && !(kind == NumberText::number && value >= 0))
    refuse_weight(cell.text, line);
  switch (kind) {
    case NumberText::number:
      break;
    case NumberText::infinite:
      if (infinite_line_ == 0 && !options_.infinite_missing && !passed_over_) infinite_line_ = line;
      value = std::numeric_limits<double>::quiet_NaN();
      break;
    case NumberText::no_number:
      if (content_ == Content::guess || role_ == ColumnRole::weight) {
        content_ = Content::text;
        may_be_amounts_ = true;
        return false;
      }
      throw Error(place(line), fmt::format("'{}' is not a number, and the column is numeric", shown_cell(cell.text)),
                  "correct the cell, declare it missing (--missing), or declare the column categorical");
  }
  // Programs write -9 as -9.0 where a column has decimals.
  if (std::ranges::find(numeric_markers_, value) != numeric_markers_.end()) value = std::numeric_limits<double>::quiet_NaN();
  std::isnan(value) ? values_.push_back(value) : take_number(cell.text, value);
  return true;
}

bool ColumnBuilder::add_text(const Cell& cell, std::int64_t line) {
  auto found = code_of_.find(cell.text);
  if (found == code_of_.end()) {
    const bool missing = cell.text.empty() || (!cell.quoted && is_marker(cell.text));
    na_cells_ += missing && cell.text == "NA";
    if (!missing) {
      if (content_ == Content::nominal) {
        throw Error(place(line),
                    fmt::format("'{}' is not a declared level{}", shown_cell(cell.text), did_you_mean(std::string(cell.text), levels_)),
                    "correct the cell or declare the level");
      }
      if (!valid_utf8(cell.text)) throw Error(place(line), "the cell is not UTF-8 text", "save the file as UTF-8");
      found = code_of_.emplace(cell.text, static_cast<std::int32_t>(levels_.size())).first;
      levels_.emplace_back(cell.text);
      if (amounts_only_) lines_.push_back(line);
    }
  } else if (content_ == Content::text && !cell.quoted && is_marker(cell.text)) {
    found = code_of_.end();  // the same letters were met in quotes before
  }
  if (found == code_of_.end() && role_ == ColumnRole::weight) refuse_weight(cell.text, line);
  if (found == code_of_.end() && role_ == ColumnRole::target && !options_.drop_unlabeled) {
    throw Error(place(line), "the label is missing",
                (cell.text == "NA" ? "if NA is a label, --not-missing NA; otherwise " : "") +
                    std::string("fill it in, or leave out the rows without a label (--drop-unlabeled)") + guess_of_target(name_, options_));
  }
  codes_.push_back(found == code_of_.end() ? -1 : found->second);
  return true;
}

void ColumnBuilder::restart() {
  values_.clear();
  codes_.clear();
  infinite_line_ = 0;
  na_cells_ = 0;
  padded_.clear();
  if (content_ == Content::text) {
    code_of_.clear();
    levels_.clear();
    lines_.clear();
  }
}

std::vector<std::string> ColumnBuilder::take_sorted_levels() {
  std::vector<std::string> sorted = levels_;
  sort_naturally(sorted);
  std::unordered_map<std::string_view, std::int32_t> place_of;
  for (std::size_t i = 0; i < sorted.size(); ++i) place_of.emplace(sorted[i], static_cast<std::int32_t>(i));
  std::vector<std::int32_t> rename(levels_.size());
  for (std::size_t i = 0; i < levels_.size(); ++i) rename[i] = place_of.at(levels_[i]);
  for (std::int32_t& code : codes_) {
    if (code >= 0) code = rename[code];
  }
  return sorted;
}

void ColumnBuilder::show_writing(FileWriting& file) const {
  if (content_ != Content::text) {
    file.points |= dots_.decimals;
    file.likely_commas |= dots_.separates();
    return;
  }
  if (!may_be_amounts_ && role_ != ColumnRole::target) return;
  if (const auto dates = read_written_dates(levels_, '\0')) {
    if (!dates->doubtful && file.date_order == '\0') file.date_order = dates->order;
    return;
  }
  const auto numbers = read_written_numbers(levels_, options_.decimal);
  if (!numbers) return;
  const auto has_mark = [](const std::string& level) { return level.find_first_of(".,") != std::string::npos; };
  if (numbers->doubtful && role_ == ColumnRole::target) file.doubtful_target = *std::ranges::find_if(levels_, has_mark);
  (numbers->doubtful ? file.likely_points : file.points) |= (numbers->doubtful ? numbers->likely : numbers->point) == '.';
  (numbers->doubtful ? file.likely_commas : file.commas) |= (numbers->doubtful ? numbers->likely : numbers->point) == ',';
}

bool ColumnBuilder::was_misread(const DecimalMark& decimal) {
  const bool number = content_ == Content::guess || (content_ == Content::number && role_ == ColumnRole::weight);
  const bool thousands = decimal.mark == ',' && dots_.open();
  if (!number || role_ == ColumnRole::dropped || !(thousands || (large_ && guessed_ && !amounts_only_))) return false;
  content_ = Content::text;
  may_be_amounts_ = true;
  return true;
}

// Numbers, dates and times that are written for people; whether all texts are.
bool ColumnBuilder::understand_texts(Column& column, const DecimalMark& decimal, std::vector<std::string>& remarks) const {
  const char order = date_order_ != '\0' ? date_order_ : options_.date_order;
  const ColumnTexts texts{levels_, codes_, column_place(), options_.decimal, decimal, order, amounts_only_, !passed_over_};
  if (read_amounts(column, texts, remarks)) return true;
  if (!amounts_only_ || levels_.empty()) return false;
  const std::size_t bad = first_misfit(levels_, options_.decimal);
  const std::string text = shown_cell(levels_[bad]);
  if (options_.decimal != '\0' && read_written_numbers(levels_, '\0')) {
    const bool comma = options_.decimal == ',';
    throw Error(place(lines_[bad]), fmt::format("'{}' is not a number whose decimal mark is the {}", text, comma ? "comma" : "point"),
                fmt::format("if the file is written with decimal {}, add --decimal {}", comma ? "points" : "commas", comma ? '.' : ','));
  }
  if (bad > 0 && (read_written_numbers({levels_[bad]}, options_.decimal) || read_written_dates({levels_[bad]}, '\0'))) {
    throw Error(place(lines_[bad]), fmt::format("'{}' is written otherwise than '{}' above it", text, shown_cell(levels_[bad - 1])),
                "write all cells of the column in one way");
  }
  throw Error(place(lines_[bad]), fmt::format("'{}' is not a number or a date, and the column is numeric", text),
              guessed_ ? "correct the cell, or name it with --missing if it stands for a missing value"
                       : "correct the cell, declare it missing (--missing), or declare the column categorical");
}

void ColumnBuilder::refuse_weight(std::string_view text, std::int64_t line) const {
  throw Error(place(line), fmt::format("'{}' is not a weight", shown_cell(text)), "give every row a finite number >= 0");
}

std::vector<double> ColumnBuilder::written_weights(const DecimalMark& decimal, std::vector<std::string>& remarks) const {
  Column column;
  column.name = name_;
  const ColumnTexts texts{levels_, codes_, column_place(), options_.decimal, decimal, '\0', true, false};
  if (!read_amounts(column, texts, remarks)) {
    const std::size_t bad = std::min(first_misfit(levels_, options_.decimal), levels_.size() - 1);  // dates in two orders fit
    refuse_weight(levels_[bad], lines_[bad]);
  }
  const bool numbers = column.notation == Notation::plain && column.unit != kHours;
  for (std::size_t row = 0; row < codes_.size(); ++row) {
    const auto level = static_cast<std::size_t>(codes_[row]);
    if (!numbers || !(column.values[row] >= 0)) refuse_weight(levels_[level], lines_[level]);
  }
  return std::move(column.values);
}

void ColumnBuilder::finish(Dataset& data, const DecimalMark& decimal) {
  if (infinite_line_ != 0) {
    throw Error(place(infinite_line_), "the value is infinite", "replace it by a large number or leave the cell empty");
  }
  switch (role_) {
    case ColumnRole::dropped:
      return;
    case ColumnRole::weight:
      data.weights = may_be_amounts_ ? written_weights(decimal, data.reading.remarks) : std::move(values_);
      return;
    case ColumnRole::target:
      data.target_name = name_;
      data.class_names = take_sorted_levels();
      data.labels = std::move(codes_);
      return;
    case ColumnRole::feature:
      break;
  }
  Column& column = data.columns.emplace_back();
  column.name = name_;
  column.declared = !guessed_;
  if (may_be_amounts_ && understand_texts(column, decimal, data.reading.remarks)) return;
  if (content_ == Content::text || content_ == Content::nominal) {
    column.kind = ColumnKind::categorical;
    column.levels = take_sorted_levels();
    column.codes = std::move(codes_);
    const auto is_code = [](const std::string& level) {
      return level.size() == 2 && std::all_of(level.begin(), level.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    };
    if (na_cells_ > 0 && column.levels.size() > 1 && std::all_of(column.levels.begin(), column.levels.end(), is_code)) {
      data.reading.remarks.push_back(fmt::format(
          "column '{}': {} read as missing, though all categories are codes of two letters such as {}; if NA is one, --not-missing NA",
          name_, na_cells_ == 1 ? "one cell NA is" : fmt::format("{} cells NA are", na_cells_), column.levels.front()));
    }
  } else {
    column.values = std::move(values_);
    column.padded = padded_;
    if (dots_.open() && decimal.note_points) {
      column.point = '.';
      column.doubtful = group_;
    }
  }
}

}  // namespace treewright
