#pragma once

#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace treewright {

enum class NumberText { number, infinite, no_number };

/// What `from_chars` calls out of range: too large (infinite) or too small (0). Slow path of `parse_number`.
NumberText parse_extreme_number(std::string_view text, double& value);

/// Reads the whole of `text` as a number; NaN in words is a number. A leading plus is allowed.
inline NumberText parse_number(std::string_view text, double& value) {
  const char* first = text.data();
  const char* const last = first + text.size();
  if (text.size() > 1 && *first == '+' && first[1] != '-') ++first;
  const auto [end, code] = std::from_chars(first, last, value);
  // "nan(1)" is a number to from_chars.
  if (code == std::errc::invalid_argument || end != last || end[-1] == ')') return NumberText::no_number;
  if (code == std::errc::result_out_of_range) return parse_extreme_number(text, value);
  return std::isinf(value) ? NumberText::infinite : NumberText::number;
}

}  // namespace treewright
