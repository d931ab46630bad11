// Dates in a column of text. One order of year, month and day is tried after the other on the distinct texts; all of them must fit it. A
// text alone often fits two: 03/04/2020 is in March or in April. The column decides where one of its texts has a number above 12 in the
// place of the month; otherwise the reader says that it is doubtful, and nobody guesses. Times with a zone and times without one are
// different things: a column of both is no column of dates.

#include "treewright/data/read/written_dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "treewright/base/ascii.h"
#include "treewright/data/read/parse_number.h"

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

// "Mar", "mar", "MARCH", "Sept"; 0 where it is no month.
int month_named(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kMonths = {"january", "february", "march",     "april",   "may",      "june",
                                                               "july",    "august",   "september", "october", "november", "december"};
  if (name.size() < 3) return 0;
  for (std::size_t m = 0; m < kMonths.size(); ++m) {
    const bool fits = name.size() == 3 || name.size() == kMonths[m].size() || (m == 8 && name.size() == 4);
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
  int second = 0;  // of the day, or of UTC's day that began before; lengths of time may be longer
  double fraction = 0;
};

// "12:30", "12:30:00.25", "12:30:00,25", "1:30 PM", "1:30 p.m.", with an hour of that many digits. Nothing where it is no time.
std::optional<Time> read_clock(Rest& rest, std::size_t most_digits) {
  int hour = rest.number(1, most_digits);
  if (hour < 0 || !rest.skip(":")) return std::nullopt;
  const int minute = rest.number(2, 2);
  int second = 0;
  double fraction = 0;
  if (rest.skip(":")) {
    second = rest.number(2, 2);
    if (second < 0 || second > 59) return std::nullopt;
    if (rest.skip(".") || rest.skip(",")) parse_number("0." + std::string(rest.take_while(is_digit)), fraction);
  }
  if (minute < 0 || minute > 59) return std::nullopt;
  const auto is_half = [&](const std::array<std::string_view, 4>& names) {
    Rest behind = rest;
    if (!behind.skip(" ")) behind.skip("\xE2\x80\xAF");  // the narrow space that browsers write
    const bool is = std::any_of(names.begin(), names.end(), [&](std::string_view name) { return behind.skip(name); });
    if (is) rest = behind;
    return is;
  };
  const bool morning = is_half({"AM", "am", "A.M.", "a.m."}), evening = is_half({"PM", "pm", "P.M.", "p.m."});
  if (morning || evening) {
    if (hour < 1 || hour > 12) return std::nullopt;
    hour = hour % 12 + (evening ? 12 : 0);
  }
  return Time{3600 * hour + 60 * minute + second, fraction};
}

// "Z", " UTC", "+01", "-0330", " +05:30" as seconds east of UTC. Nothing where it is no zone.
std::optional<int> read_zone(Rest rest) {
  rest.skip(" ");
  if (rest.text == "Z" || rest.text == "UTC" || rest.text == "GMT") return 0;
  const bool east = rest.skip("+");
  if (!east && !rest.skip("-")) return std::nullopt;
  const std::string_view digits = rest.take_while(is_digit);
  const bool colon = digits.size() == 2 && rest.skip(":");
  const std::string_view more = colon ? rest.take_while(is_digit) : digits.substr(std::min<std::size_t>(2, digits.size()));
  const bool whole = (digits.size() == 2 || digits.size() == 4) && (colon ? more.size() == 2 : more.size() != 1);
  if (!whole || !rest.text.empty()) return std::nullopt;
  const auto value = [](std::string_view two) { return two.empty() ? 0 : 10 * (two[0] - '0') + two[1] - '0'; };
  const int hours = value(digits.substr(0, 2)), minutes = value(more);
  if (hours > 14 || minutes > 59) return std::nullopt;
  return (east ? 1 : -1) * (3600 * hours + 60 * minutes);
}

// What stands behind a date: nothing, "T12:30", " 12:30:00", ", 12:30", "T12:30:00.25Z", " 1:30 PM +01:00"; of UTC, if there is a zone.
std::optional<Time> read_time(Rest rest, bool& zoned) {
  if (rest.text.empty()) return Time{};
  if (!rest.skip("T") && !rest.skip(" ") && !rest.skip(", ") && !rest.skip(":")) return std::nullopt;
  std::optional<Time> time = read_clock(rest, 2);
  if (!time || time->second >= kSecondsPerDay) return std::nullopt;
  if (rest.text.empty()) return time;
  const std::optional<int> east = read_zone(rest);
  if (!east) return std::nullopt;
  zoned = true;
  time->second -= *east;
  return time;
}

std::string_view read_separator(Rest& rest) {
  for (const std::string_view known : {"-", "/", ".", ", ", " "}) {
    if (rest.skip(known)) return known;
  }
  return "";
}

// How all dates of a column are written.
struct DateStyle {
  char first;  // 'y', 'd' or 'm'; of 'y' the month is second
  std::size_t year_digits;
};

int read_year(Rest& rest, const DateStyle& style) {
  const int year = rest.number(style.year_digits, style.year_digits);
  if (style.year_digits == 4 || year < 0) return year;
  return year + (year < 69 ? 2000 : 1900);
}

// Sets `zoned` where the text names a time zone.
std::optional<double> read_date(std::string_view text, const DateStyle& style, bool& zoned) {
  Rest rest{text};
  const char order = style.first;
  int year = 0, month = 0, day = 0;
  const bool named_first = order == 'm' && !text.empty() && is_letter(text.front());
  (order == 'y'   ? year
   : order == 'm' ? month
                  : day) = order == 'y'   ? read_year(rest, style)
                           : order == 'm' ? read_month(rest)
                                          : rest.number(1, 2);
  const std::string_view first = read_separator(rest);
  const bool named = named_first || (!rest.text.empty() && is_letter(rest.text.front()));
  (order == 'm' ? day : month) = order == 'm' ? rest.number(1, 2) : read_month(rest);
  const std::string_view second = read_separator(rest);
  (order == 'y' ? day : year) = order == 'y' ? rest.number(1, 2) : read_year(rest, style);
  // 20-03-01 may begin with the year; 25.03.2020 is never read with the month first; only names stand beside blanks and commas, or beside
  // nothing (25MAR2020).
  const bool joined = first.empty() && order == 'd' && named;
  const bool separated = named_first ? first == " " && second == ", " : (joined || !first.empty()) && first == second && first != ", ";
  if (!separated || (first == " " && !named) || (first == "." && order == 'm')) return std::nullopt;
  if (style.year_digits == 2 && first == "-" && !named) return std::nullopt;
  if (year < 0 || month < 1 || month > 12 || day < 1) return std::nullopt;
  const std::int64_t days = days_from_date(year, month, day);
  if (date_from_days(days).day != day) return std::nullopt;  // 30 February
  const std::optional<Time> time = read_time(rest, zoned);
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

std::optional<WrittenDates> read_all(const std::vector<std::string>& texts, const DateStyle& style) {
  WrittenDates dates;
  std::size_t zones = 0;
  for (const std::string& text : texts) {
    bool zoned = false;
    const std::optional<double> one = read_date(text, style, zoned);
    if (!one) return std::nullopt;
    dates.days.push_back(*one);
    zones += zoned;
  }
  if (zones != 0 && zones != texts.size()) return std::nullopt;
  dates.zoned = zones != 0;
  dates.short_years = style.year_digits == 2;
  return dates;
}

}  // namespace

std::optional<WrittenDates> read_written_dates(const std::vector<std::string>& texts, char order) {
  if (texts.empty()) return std::nullopt;
  if (auto dates = read_all(texts, {'y', 4})) return dates;
  for (const std::size_t digits : {4, 2}) {
    auto day_first = read_all(texts, {'d', digits}), month_first = read_all(texts, {'m', digits});
    if (!day_first && !month_first) continue;
    const bool both = day_first && month_first && day_first->days != month_first->days;
    const bool takes_month = both ? order == 'm' : !day_first;
    WrittenDates chosen = takes_month ? *std::move(month_first) : *std::move(day_first);
    chosen.order = takes_month ? 'm' : 'd';
    chosen.doubtful = both && order == '\0';
    return chosen;
  }
  return std::nullopt;
}

std::optional<std::vector<double>> read_written_times(const std::vector<std::string>& texts) {
  std::vector<double> hours;
  for (const std::string& text : texts) {
    Rest rest{text};
    const std::optional<Time> time = read_clock(rest, 3);
    if (!time || !rest.text.empty()) return std::nullopt;
    hours.push_back((time->second + time->fraction) / 3600);
  }
  return hours.empty() ? std::nullopt : std::optional(std::move(hours));
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
