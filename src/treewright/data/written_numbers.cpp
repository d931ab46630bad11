// A column of text may hold numbers all the same: written for people, or dates. Read as categories, such a column gives a tree that separates
// single values. One way of writing is tried after the other on the distinct texts of the column; all of them must fit it.

#include "treewright/data/written_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "treewright/data/parse_number.h"

namespace treewright {

namespace {

constexpr double kSecondsPerDay = 86400;

struct NumberStyle {
  char point;
  std::string_view thousands;  // "" = none
};

// A narrow and a plain no-break space separate thousands, too.
constexpr std::array<NumberStyle, 9> kStyles = {
    {{'.', ""}, {',', ""}, {'.', ","}, {',', "."}, {'.', " "}, {',', " "}, {'.', "\xC2\xA0"}, {',', "\xC2\xA0"}, {'.', "'"}}};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The digits of an unsigned whole number, without the separators before its groups of three; "" where it is none.
std::string join_thousands(std::string_view whole, std::string_view separator) {
  std::string digits;
  for (bool first = true; !whole.empty(); first = false) {
    const std::size_t end = std::min(whole.find(separator), whole.size());
    const std::string_view group = whole.substr(0, end);
    const bool last = end == whole.size();
    // Without any separator, a number of any length.
    const bool long_enough = first ? last || (group.size() <= 3 && group.substr(0, 1) != "0") : group.size() == 3;
    if (!all_digits(group) || !long_enough) return "";
    digits += group;
    if (last) return digits;
    whole.remove_prefix(end + separator.size());
  }
  return "";
}

std::optional<double> read_number(std::string_view text, const NumberStyle& style) {
  double value = 0;
  if (style.point == '.' && style.thousands.empty()) {
    const bool number = parse_number(text, value) == NumberText::number && !std::isnan(value);
    return number ? std::optional(value) : std::nullopt;
  }
  std::string plain;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') plain = "-";
    text.remove_prefix(1);
  }
  const std::size_t point = std::min(text.find(style.point), text.size());
  const std::string_view whole = text.substr(0, point), decimals = text.substr(std::min(point + 1, text.size()));
  const std::string digits = style.thousands.empty() ? std::string(whole) : join_thousands(whole, style.thousands);
  if (!all_digits(digits)) return std::nullopt;
  plain += digits;
  if (point < text.size() && !all_digits(decimals)) return std::nullopt;
  if (!decimals.empty()) plain += "." + std::string(decimals);
  return parse_number(plain, value) == NumberText::number ? std::optional(value) : std::nullopt;
}

template <class Read>
std::optional<std::vector<double>> read_all(const std::vector<std::string>& texts, Read read) {
  std::vector<double> values;
  for (const std::string& text : texts) {
    const std::optional<double> value = read(text);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// The texts without a percent sign, if all of them have one.
std::vector<std::string> without_percent(const std::vector<std::string>& texts) {
  std::vector<std::string> numbers;
  for (std::string text : texts) {
    if (text.empty() || text.back() != '%') return texts;
    text.pop_back();
    while (!text.empty() && text.back() == ' ') text.pop_back();
    numbers.push_back(std::move(text));
  }
  return numbers;
}

// The values in each style that fits all texts and that the user has not excluded.
std::vector<std::vector<double>> readings(const std::vector<std::string>& texts, char decimal) {
  std::vector<std::vector<double>> found;
  for (const NumberStyle& style : kStyles) {
    if (decimal != '\0' && style.point != decimal) continue;
    auto values = read_all(texts, [&](const std::string& text) { return read_number(text, style); });
    if (values && std::find(found.begin(), found.end(), *values) == found.end()) found.push_back(*std::move(values));
  }
  return found;
}

// Days since 1970-01-01 in the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms", 2013).
std::int64_t days_from_date(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct Date {
  std::int64_t year;
  int month, day;
};

Date date_from_days(std::int64_t days) {
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int64_t of_era = days - era * 146097;
  const std::int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int shifted = static_cast<int>((5 * of_year + 2) / 153);
  const int day = static_cast<int>(of_year - (153 * shifted + 2) / 5) + 1, month = shifted + (shifted < 10 ? 3 : -9);
  return {year_of_era + era * 400 + (month <= 2), month, day};
}

// The whole number of `count` digits at `at`; -1 where there is none.
int digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size() || !all_digits(text.substr(at, count))) return -1;
  int value = 0;
  for (const char c : text.substr(at, count)) value = 10 * value + (c - '0');
  return value;
}

// "T12:30", " 12:30:00", "T12:30:00.25Z" as seconds.
std::optional<double> read_time(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'T' && text.front() != ' ') return std::nullopt;
  text.remove_prefix(1);
  if (!text.empty() && text.back() == 'Z') text.remove_suffix(1);
  const int hour = digits_at(text, 0, 2), minute = digits_at(text, 3, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text[2] != ':') return std::nullopt;
  double second = 0;
  if (text.size() > 5) {
    if (text[5] != ':' || digits_at(text, 6, 2) < 0) return std::nullopt;
    if (parse_number(text.substr(6), second) != NumberText::number || second < 0 || second >= 60) return std::nullopt;
  }
  return 3600.0 * hour + 60.0 * minute + second;
}

std::optional<double> read_date(std::string_view text, bool year_first) {
  if (text.size() < 10) return std::nullopt;
  const int year = digits_at(text, year_first ? 0 : 6, 4), month = digits_at(text, year_first ? 5 : 3, 2),
            day = digits_at(text, year_first ? 8 : 0, 2);
  const char separator = text[year_first ? 4 : 2], again = text[year_first ? 7 : 5];
  if (separator != again || (year_first ? separator != '-' && separator != '/' : separator != '.')) return std::nullopt;
  if (year < 0 || month < 1 || month > 12 || day < 1) return std::nullopt;
  const std::int64_t days = days_from_date(year, month, day);
  if (date_from_days(days).day != day) return std::nullopt;  // 30 February
  const std::optional<double> seconds = read_time(text.substr(10));
  if (!seconds) return std::nullopt;
  return static_cast<double>(days) + *seconds / kSecondsPerDay;
}

}  // namespace

std::optional<WrittenNumbers> read_written_numbers(const std::vector<std::string>& texts, char decimal) {
  if (texts.empty()) return std::nullopt;
  for (const bool year_first : {true, false}) {
    if (auto days = read_all(texts, [&](const std::string& text) { return read_date(text, year_first); })) {
      return WrittenNumbers{*std::move(days), true};
    }
  }
  std::vector<std::vector<double>> found = readings(without_percent(texts), decimal);
  if (found.size() != 1) return std::nullopt;
  return WrittenNumbers{std::move(found.front()), false};
}

bool ambiguous_commas(const std::vector<std::string>& texts) {
  return !texts.empty() && readings(without_percent(texts), '\0').size() > 1;
}

std::string date_text(double days, bool seconds) {
  const double unit = seconds ? kSecondsPerDay : 1;
  // Products of days and seconds are off by their last digits only: a whole second is not rounded up to the next.
  const double units = std::ceil(days * unit - 1e-4 * (seconds ? 1 : 0));
  // Years of four digits; beyond them the number says more.
  if (!(std::abs(days) < 2.9e6)) return fmt::format("{:.17g} days after 1970-01-01", days);
  const double whole = std::floor(units / unit);
  const Date date = date_from_days(static_cast<std::int64_t>(whole));
  std::string text = fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
  if (!seconds) return text;
  const auto rest = static_cast<int>(units - whole * unit);
  return rest == 0 ? text : text + fmt::format(" {:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
}

}  // namespace treewright
