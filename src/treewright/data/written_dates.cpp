// Dates in a column of text. One order of year, month and day is tried after the other on the distinct texts; all of them must fit it. A
// text alone often fits two: 03/04/2020 is in March or in April. The column decides where one of its texts has a number above 12 in the
// place of the month; otherwise the reader says that it is doubtful, and nobody guesses.

#include "treewright/data/written_dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "treewright/data/parse_number.h"

namespace treewright {

namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kMillion = 1000000;
constexpr double kLastDigits = 0x1p-52;  // a quotient, or a sum of days and a share of a day, is off by half of this share of it

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

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// What a text begins with is taken away, piece by piece.
struct Rest {
  std::string_view text;

  template <class Belongs>
  std::string_view take_while(Belongs belongs) {
    std::size_t end = 0;
    while (end < text.size() && belongs(text[end])) ++end;
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end);
    return taken;
  }
  // The whole number of least..most digits; -1 where there is none.
  int number(std::size_t least, std::size_t most) {
    const std::string_view digits = take_while(is_digit);
    if (digits.size() < least || digits.size() > most) return -1;
    int value = 0;
    for (const char c : digits) value = 10 * value + (c - '0');
    return value;
  }
  bool skip(std::string_view wanted) {
    if (text.substr(0, wanted.size()) != wanted) return false;
    text.remove_prefix(wanted.size());
    return true;
  }
};

// "Mar", "mar", "MARCH"; 0 where it is no month.
int month_named(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kMonths = {"january", "february", "march",     "april",   "may",      "june",
                                                               "july",    "august",   "september", "october", "november", "december"};
  if (name.size() < 3) return 0;
  for (std::size_t m = 0; m < kMonths.size(); ++m) {
    const bool fits = name.size() == 3 || name.size() == kMonths[m].size();
    if (fits && std::equal(name.begin(), name.end(), kMonths[m].begin(), [](char a, char b) { return (a | 0x20) == b; }))
      return static_cast<int>(m) + 1;
  }
  return 0;
}

int read_month(Rest& rest) {
  if (!rest.text.empty() && is_letter(rest.text.front())) return month_named(rest.take_while(is_letter));
  return rest.number(1, 2);
}

struct Time {
  int second = 0;  // of the day
  double fraction = 0;
};

// "T12:30", " 12:30:00", "T12:30:00.25Z", " 1:30 PM".
std::optional<Time> read_time(Rest rest) {
  if (rest.text.empty()) return Time{};
  if (!rest.skip("T") && !rest.skip(" ")) return std::nullopt;
  if (!rest.text.empty() && rest.text.back() == 'Z') rest.text.remove_suffix(1);
  int hour = rest.number(1, 2);
  if (!rest.skip(":")) return std::nullopt;
  const int minute = rest.number(2, 2);
  int second = 0;
  double fraction = 0;
  if (rest.skip(":")) {
    second = rest.number(2, 2);
    if (second < 0 || second > 59) return std::nullopt;
    if (rest.skip(".")) parse_number("0." + std::string(rest.take_while(is_digit)), fraction);
  }
  const bool morning = rest.text == " AM" || rest.text == " am", evening = rest.text == " PM" || rest.text == " pm";
  if (morning || evening) {
    if (hour < 1 || hour > 12) return std::nullopt;
    hour = hour % 12 + (evening ? 12 : 0);
  } else if (!rest.text.empty()) {
    return std::nullopt;
  }
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  return Time{3600 * hour + 60 * minute + second, fraction};
}

std::string_view read_separator(Rest& rest) {
  for (const std::string_view known : {"-", "/", ".", ", ", " "}) {
    if (rest.skip(known)) return known;
  }
  return "";
}

// `order`: what comes first, 'y', 'd' or 'm'; of 'y' the month is second.
std::optional<double> read_date(std::string_view text, char order) {
  Rest rest{text};
  int year = 0, month = 0, day = 0;
  const bool named_first = order == 'm' && !text.empty() && is_letter(text.front());
  (order == 'y'   ? year
   : order == 'm' ? month
                  : day) = order == 'y'   ? rest.number(4, 4)
                           : order == 'm' ? read_month(rest)
                                          : rest.number(1, 2);
  const std::string_view first = read_separator(rest);
  const bool named = named_first || (!rest.text.empty() && is_letter(rest.text.front()));
  (order == 'm' ? day : month) = order == 'm' ? rest.number(1, 2) : read_month(rest);
  const std::string_view second = read_separator(rest);
  (order == 'y' ? day : year) = order == 'y' ? rest.number(1, 2) : rest.number(4, 4);
  // 25.03.2020 is never read with the month first; only names stand beside blanks and commas.
  const bool separated = named_first ? first == " " && second == ", " : !first.empty() && first == second && first != ", ";
  if (!separated || (first == " " && !named) || (first == "." && order == 'm')) return std::nullopt;
  if (year < 0 || month < 1 || month > 12 || day < 1) return std::nullopt;
  const std::int64_t days = days_from_date(year, month, day);
  if (date_from_days(days).day != day) return std::nullopt;  // 30 February
  const std::optional<Time> time = read_time(rest);
  if (!time) return std::nullopt;
  return days_of_seconds(days * kSecondsPerDay + time->second, time->fraction);
}

// Years of four digits, 0000 to 9999; beyond them the number says more.
bool has_text(double days) {
  return days >= -719528 && days < 2932897;
}

struct Moment {
  std::int64_t second;       // since 1970-01-01
  std::int64_t microsecond;  // of the next second
};

// Upwards: the days, or seconds, below the date stay below it. A whole second that is off by its last digits is not rounded up.
Moment moment_of(double days, DateUnit unit) {
  if (unit == DateUnit::day) return {static_cast<std::int64_t>(std::ceil(days)) * kSecondsPerDay, 0};
  const double day = std::floor(days), seconds = (days - day) * kSecondsPerDay, last_digits = std::abs(days) * kSecondsPerDay * kLastDigits;
  const std::int64_t midnight = static_cast<std::int64_t>(day) * kSecondsPerDay;
  const double up = std::ceil(seconds - last_digits);
  if (unit == DateUnit::second || up - seconds <= last_digits) return {midnight + static_cast<std::int64_t>(up), 0};
  const auto microseconds = static_cast<std::int64_t>(std::round(seconds * kMillion));
  return {midnight + microseconds / kMillion, microseconds % kMillion};
}

std::optional<std::vector<double>> read_all(const std::vector<std::string>& texts, char order) {
  std::vector<double> days;
  for (const std::string& text : texts) {
    const std::optional<double> one = read_date(text, order);
    if (!one) return std::nullopt;
    days.push_back(*one);
  }
  return days;
}

}  // namespace

std::optional<WrittenDates> read_written_dates(const std::vector<std::string>& texts, char order) {
  if (texts.empty()) return std::nullopt;
  if (auto days = read_all(texts, 'y')) return WrittenDates{*std::move(days)};
  auto day_first = read_all(texts, 'd'), month_first = read_all(texts, 'm');
  if (!day_first && !month_first) return std::nullopt;
  const bool both = day_first && month_first && *day_first != *month_first;
  const bool takes_month = both ? order == 'm' : !day_first;
  return WrittenDates{takes_month ? *std::move(month_first) : *std::move(day_first), takes_month ? 'm' : 'd', both && order == '\0'};
}

double days_of_seconds(std::int64_t second, double fraction) {
  return (static_cast<double>(second) + fraction) / kSecondsPerDay;
}

DateUnit finest_unit(double days) {
  if (days == std::floor(days)) return DateUnit::day;
  if (!has_text(days)) return DateUnit::microsecond;
  const Moment finest = moment_of(days, DateUnit::microsecond), second = moment_of(days, DateUnit::second);
  return finest.second == second.second && finest.microsecond == 0 ? DateUnit::second : DateUnit::microsecond;
}

double date_rounded_up(double days, DateUnit unit) {
  if (!has_text(days)) return days;
  const Moment moment = moment_of(days, unit);
  return days_of_seconds(moment.second, static_cast<double>(moment.microsecond) / static_cast<double>(kMillion));
}

std::string date_text(double days, DateUnit unit) {
  if (!has_text(days)) return fmt::format("{:.17g} days after 1970-01-01", days);
  const auto [all, microsecond] = moment_of(days, unit);
  const std::int64_t whole = all >= 0 ? all / kSecondsPerDay : (all + 1) / kSecondsPerDay - 1, seconds = all - whole * kSecondsPerDay;
  const Date date = date_from_days(whole);
  std::string text = fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
  if (seconds == 0 && microsecond == 0) return text;
  text += fmt::format(" {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (microsecond == 0) return text;
  text += fmt::format(".{:06}", microsecond);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace treewright
