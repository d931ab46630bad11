#include "treewright/data/read/parse_number.h"

#include <algorithm>
#include <limits>

namespace treewright {

NumberText parse_extreme_number(std::string_view text, double& value) {
  // The sign of the decimal exponent of the first digit that is not 0 tells overflow from underflow.
  const std::size_t mantissa_end = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), mantissa_end);
  const std::size_t digit = std::min(text.find_first_of("123456789"), mantissa_end);
  double exponent = 0;
  if (mantissa_end < text.size()) {
    std::string_view digits = text.substr(mantissa_end + 1);
    const bool negative = digits.front() == '-';
    if (negative || digits.front() == '+') digits.remove_prefix(1);
    for (const char c : digits) exponent = exponent * 10 + (c - '0');
    if (negative) exponent = -exponent;
  }
  exponent += static_cast<double>(point) - static_cast<double>(digit);
  if (exponent > 0) {
    value = std::numeric_limits<double>::infinity();
    return NumberText::infinite;
  }
  value = 0;
  return NumberText::number;
}

}  // namespace treewright
