#include "treewright/base/bound_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "treewright/base/exact_sum.h"

namespace treewright {

namespace {

// Whether a / b is at most c / d, of finite numbers; b and d are above 0.
bool at_most(double a, double b, double c, double d) {
  ExactSum difference;
  difference.add(a, d);
  difference.add(-c, b);
  return difference.up() <= 0;
}

}  // namespace

std::string bound_text(double bound, int digits, double scale) {
  const double quotient = bound / scale;
  if (scale == 1 && bound == std::floor(bound) && std::abs(bound) < 1e15) return fmt::format("{}", static_cast<long long>(bound));
  if (!std::isfinite(quotient)) return fmt::format("{}", quotient);
  const auto holds = [&](const std::string& text) {
    constexpr int kExactPowers = 22;  // of ten, as doubles
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    if (at_most(value, 1, bound, scale)) return true;
    // As a whole number of units of the last digit.
    const int power = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (power < 0 || power > kExactPowers) return false;
    const double unit = std::pow(10, power);
    return at_most(std::round(value * unit), unit, bound, scale);
  };
  std::string text = fmt::format("{:.{}g}", quotient, digits);
  // Half a unit of the last digit below a number, the nearest text is the one before.
  const double half = std::pow(10, std::floor(std::log10(std::abs(quotient))) + 1 - digits) / 2;
  for (int steps = 1; !holds(text); ++steps) text = fmt::format("{:.{}g}", quotient - steps * half, digits);
  return text;
}

}  // namespace treewright
