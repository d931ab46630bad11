#pragma once

#include <optional>
#include <string>
#include <vector>

namespace treewright {

/// What the texts of a column mean as numbers. Shape of `values`: that of the texts.
struct WrittenNumbers {
  std::vector<double> values;
  bool dates = false;  ///< days since 1970-01-01
};

/// Numbers as people and spreadsheets write them: with decimal commas (1,5), with separated thousands (1,234.5 or 1.234,5 or 1 234), as
/// percentages (45 %); and dates (2020-03-01, 2020/03/01, 01.03.2020; the first two also with a time: 2020-03-01T12:30:00). All texts must be
/// written in one way; nothing otherwise, or when two ways fit and the values differ (1,234). `decimal`: '.' or ',' where the user has said
/// which, else '\0'.
std::optional<WrittenNumbers> read_written_numbers(const std::vector<std::string>& texts, char decimal);

/// Whether the texts are numbers, but with commas that may be decimal commas as well as separators of thousands.
bool ambiguous_commas(const std::vector<std::string>& texts);

/// Days since 1970-01-01 as "2020-03-01", or as "2020-03-01 12:30:00" with `seconds`. Rounded up to the next whole day or second, so that
/// values below a threshold and those at or above it stay on their sides.
std::string date_text(double days, bool seconds);

}  // namespace treewright
