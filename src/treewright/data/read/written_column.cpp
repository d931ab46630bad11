// Columns of text that are amounts all the same: dates, numbers as people write them, times of day, tried in this order on the distinct
// texts. Whatever goes beyond the plain reading of a number is told in a remark.

#include "treewright/data/read/written_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "treewright/data/read/parse_number.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/data/read/written_numbers.h"
#include "treewright/error.h"

namespace treewright {

namespace {

// Numbers that are written for people have what plain ones have not.
void take_values(Column& column, const ColumnTexts& texts, const std::vector<double>& values) {
  for (std::size_t level = 0; level < values.size() && !column.written; ++level) {
    double plain = std::nan("");
    column.written = parse_number(texts.levels[level], plain) != NumberText::number || plain != values[level];
  }
  for (const std::int32_t code : texts.codes) column.values.push_back(code < 0 ? std::nan("") : values[static_cast<std::size_t>(code)]);
}

bool read_dates(Column& column, const ColumnTexts& texts, std::vector<std::string>& remarks) {
  const auto dates = read_written_dates(texts.levels, texts.date_order);
  if (!dates || (dates->doubtful && !texts.doubts_are_faults)) return false;
  const std::string first = shown_cell(texts.levels.front());
  if (dates->doubtful) {
    throw Error(texts.where, fmt::format("the dates, such as '{}', may begin with the day or with the month", first),
                "say which, with --dates day-first or --dates month-first; if they are no dates, --categorical keeps the texts");
  }
  column.notation = Notation::date;
  column.date_order = dates->order;
  column.zoned = dates->zoned;
  take_values(column, texts, dates->days);
  if (dates->zoned) remarks.push_back(fmt::format("column '{}' holds times with a zone, such as '{}', read in UTC", column.name, first));
  if (dates->short_years)
    remarks.push_back(
        fmt::format("column '{}' holds dates with years of two digits, such as '{}', read as 1969 to 2068", column.name, first));
  return true;
}

// Of whole numbers above 2^53, doubles hold each second one, or fewer.
bool have_equal_doubles(const std::vector<std::string>& levels) {
  std::set<double> values;
  std::size_t large = 0;
  for (const std::string& level : levels) {
    double value = 0;
    if (!is_large_whole(level) || parse_number(level, value) != NumberText::number || std::abs(value) < 0x1p53) continue;
    ++large;
    values.insert(value);
  }
  return values.size() < large;
}

bool read_numbers(Column& column, const ColumnTexts& texts, std::vector<std::string>& remarks) {
  const auto numbers = read_written_numbers(texts.levels, texts.decimal, texts.mark.mark);
  if (!numbers) return false;
  if (!texts.large_as_numbers && have_equal_doubles(texts.levels)) {
    const std::string& large = *std::find_if(texts.levels.begin(), texts.levels.end(), is_large_whole);
    remarks.push_back(
        fmt::format("column '{}' holds whole numbers above 2^53, such as {}, some of which are one number to programs: it is "
                    "read as categories",
                    column.name, shown_cell(large)));
    return false;
  }
  column.point = numbers->point;
  column.unit = numbers->unit;
  if (numbers->doubtful) {
    const std::string& cell = *std::find_if(texts.levels.begin(), texts.levels.end(),
                                            [](const std::string& text) { return text.find_first_of(".,") != std::string::npos; });
    if (cell.find(',') != std::string::npos ? texts.mark.note_commas : texts.mark.note_points) column.doubtful = cell;
  }
  take_values(column, texts, numbers->values);
  if (const std::size_t marked = numbers->marked; marked < texts.levels.size()) {
    remarks.push_back(fmt::format("column '{}' holds numbers such as '{}', read as {}", column.name, shown_cell(texts.levels[marked]),
                                  numbers->values[marked]));
  }
  return true;
}

bool read_times(Column& column, const ColumnTexts& texts, std::vector<std::string>& remarks) {
  const auto hours = read_written_times(texts.levels);
  if (!hours) return false;
  column.unit = kHours;
  take_values(column, texts, *hours);
  remarks.push_back(fmt::format("column '{}' holds times such as '{}', read as hours ({:.4g})", column.name,
                                shown_cell(texts.levels.front()), hours->front()));
  return true;
}

}  // namespace

std::string shown_cell(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::size_t cut = std::min(text.size(), kLongest);
  while (cut > 0 && cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  std::string out;
  for (const char c : text.substr(0, cut)) out += c == '\t' ? std::string("\\t") : std::string(1, c);
  return out + (text.size() <= kLongest ? "" : "...");
}

bool is_large_whole(std::string_view text) {
  constexpr std::size_t kDigits = 16;  // of 2^53
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  return text.size() >= kDigits + sign && text.find_first_not_of("0123456789", sign) == std::string_view::npos;
}

bool read_amounts(Column& column, const ColumnTexts& texts, std::vector<std::string>& remarks) {
  return read_dates(column, texts, remarks) || read_numbers(column, texts, remarks) || read_times(column, texts, remarks);
}

std::size_t first_misfit(const std::vector<std::string>& levels, char decimal) {
  const auto fit = [&](std::size_t count) {
    const std::vector<std::string> first(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(count));
    return read_written_dates(first, '\0') || read_written_numbers(first, decimal) || read_written_times(first);
  };
  if (levels.empty() || fit(levels.size())) return levels.size();
  std::size_t good = 0, bad = levels.size();
  while (bad - good > 1) {
    const std::size_t middle = (good + bad) / 2;
    (fit(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace treewright
