#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace treewright {

/// What the texts of a column mean as dates: days since 1970-01-01. Shape of `days`: that of the texts.
struct WrittenDates {
  std::vector<double> days;
  char order = '\0';         ///< of dates like 25/03/2020: 'd' = the day comes first, 'm' = the month; '\0' = such do not occur
  bool doubtful = false;     ///< the texts fit both orders and mean other days
  bool zoned = false;        ///< the texts name a time zone; the days are those of UTC
  bool short_years = false;  ///< the years have two digits
};

/// Dates as people and programs write them: 2020-03-25, 2020/03/25 or 2020.03.25; 25.03.2020; 25/03/2020 or 03/25/2020, also with hyphens;
/// 25/03/20 and 25.03.20, of the years 1969 to 2068; 25 Mar 2020, 25-Mar-2020, 25MAR2020, Mar 25, 2020, with the whole name
/// of the month as well. Day and month may have one digit. A time may follow: 2020-03-25T12:30:00, 3/25/2020 1:30 PM, and a zone behind it:
/// Z, UTC, GMT, +01, +0100 or +01:00. All texts must be written in one way, with zones or without; nothing otherwise. `order`: how to read
/// what fits both orders; with '\0' the day comes first, and it is doubtful.
std::optional<WrittenDates> read_written_dates(const std::vector<std::string>& texts, char order);

/// Times of day, or lengths of time, as hours: 12:50, 9:36:15, 1:30 PM. All texts must be such; nothing otherwise.
std::optional<std::vector<double>> read_written_times(const std::vector<std::string>& texts);

enum class DateUnit { day, second, microsecond };
/// The largest unit in which the date is whole, but for rounding.
DateUnit finest_unit(double days);

/// The date of a whole second since 1970-01-01 and a fraction of the next one. A whole second is one double, of a quotient of two whole
/// numbers, whoever computes it: days and seconds added up as doubles would be another one.
double days_of_seconds(std::int64_t second, double fraction = 0);
/// The date that `date_text` writes.
double date_rounded_up(double days, DateUnit unit);

/// Days since 1970-01-01 as "2020-03-01", "2020-03-01 12:30:00" or "2020-03-01 12:30:00.25". Rounded up to the next whole day or second, so
/// that values below a threshold and those at or above it stay on their sides; to the nearest microsecond, which is about what a double of
/// today's days holds.
std::string date_text(double days, DateUnit unit);

}  // namespace treewright
