// Numbers to text and back, with the results of the C++ library's own functions. Digits of doubles come from fmt, whose shortest form is
// correct; reading falls back to strtod, which is exact and slow, where a product or quotient of two exact doubles is not enough.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

namespace std {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Whether the text begins with this word in small letters, whatever the case of its own.
bool begins_with(const char* first, const char* last, string_view word) {
  if (last - first < static_cast<ptrdiff_t>(word.size())) return false;
  return equal(word.begin(), word.end(), first, [](char a, char b) { return a == (b | 0x20); });
}

// inf, infinity, nan, nan(word); the end of the word, or `first`.
const char* end_of_word(const char* first, const char* last, double& value) {
  if (begins_with(first, last, "inf")) {
    value = numeric_limits<double>::infinity();
    return first + (begins_with(first, last, "infinity") ? 8 : 3);
  }
  if (!begins_with(first, last, "nan")) return first;
  value = numeric_limits<double>::quiet_NaN();
  first += 3;
  if (first == last || *first != '(') return first;
  const char* end = first + 1;
  while (end != last && (is_digit(*end) || (*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z') || *end == '_')) ++end;
  return end != last && *end == ')' ? end + 1 : first;
}

// A decimal number as it is written: whole * 10^power, `digits` of them behind leading zeros.
struct Written {
  uint64_t whole = 0;
  int digits = 0, power = 0;
  const char* end = nullptr;  // nullptr = there is none
};

Written decimal_at(const char* first, const char* last) {
  constexpr int kKept = 19;  // digits of a 64-bit number
  constexpr int kLargestPower = 100000;
  Written number;
  bool any = false;
  const auto take = [&](char c, int power_if_kept) {
    any = true;
    if (number.digits > 0 || c != '0') ++number.digits;
    if (number.digits <= kKept) {
      number.whole = 10 * number.whole + static_cast<uint64_t>(c - '0');
      number.power += power_if_kept;
    } else {
      number.power += power_if_kept + 1;
    }
  };
  for (; first != last && is_digit(*first); ++first) take(*first, 0);
  if (first != last && *first == '.') {
    for (++first; first != last && is_digit(*first); ++first) take(*first, -1);
  }
  if (!any) return {};
  if (first != last && (*first | 0x20) == 'e') {
    const char* at = first + 1;
    const bool minus = at != last && *at == '-';
    if (at != last && (*at == '-' || *at == '+')) ++at;
    if (at != last && is_digit(*at)) {
      int exponent = 0;
      for (; at != last && is_digit(*at); ++at) exponent = min(kLargestPower, 10 * exponent + (*at - '0'));
      number.power += minus ? -exponent : exponent;
      first = at;
    }
  }
  number.end = first;
  return number;
}

}  // namespace

from_chars_result from_chars(const char* first, const char* last, double& value) {
  const bool minus = first != last && *first == '-';
  const char* const begin = first + (minus ? 1 : 0);
  double word = 0;
  if (const char* const end = end_of_word(begin, last, word); end != begin) {
    value = minus ? -word : word;
    return {end, errc()};
  }
  const Written number = decimal_at(begin, last);
  if (number.end == nullptr) return {first, errc::invalid_argument};
  constexpr int kExactDigits = 15, kExactPower = 22;  // of ten, as doubles
  if (number.digits <= kExactDigits && abs(number.power) <= kExactPower) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const auto whole = static_cast<double>(number.whole);
    const double size = number.power < 0 ? whole / powers[-number.power] : whole * powers[number.power];
    value = minus ? -size : size;
    return {number.end, errc()};
  }
  const double read = strtod(string(first, number.end).c_str(), nullptr);
  if (isinf(read) || (read == 0 && number.digits > 0)) return {number.end, errc::result_out_of_range};
  value = read;
  return {number.end, errc()};
}

namespace {

to_chars_result put(char* first, char* last, string_view text) {
  if (last - first < static_cast<ptrdiff_t>(text.size())) return {last, errc::value_too_large};
  return {copy(text.begin(), text.end(), first), errc()};
}

// d.ddde+dd; fmt writes the fewest digits, but chooses itself when to use a power of ten.
string with_power(double value) {
  string text = fmt::format("{}", value), digits;
  const size_t e = text.find('e');
  int exponent = e == string::npos ? 0 : atoi(text.c_str() + e + 1);
  text.resize(min(text.size(), e));
  const string sign = text[0] == '-' ? "-" : "";
  text.erase(0, sign.size());
  const size_t point = min(text.find('.'), text.size());
  for (const char c : text) {
    if (c != '.') digits += c;
  }
  const size_t from = min(digits.find_first_not_of('0'), digits.size() - 1);
  exponent += digits[from] == '0' ? 0 : static_cast<int>(point) - 1 - static_cast<int>(from);
  digits.erase(0, from);
  digits.resize(max<size_t>(1, digits.find_last_not_of('0') + 1));
  if (digits.size() > 1) digits.insert(1, ".");
  return fmt::format("{}{}e{}{:02}", sign, digits, exponent < 0 ? '-' : '+', abs(exponent));
}

}  // namespace

to_chars_result to_chars(char* first, char* last, double value, chars_format) {
  return put(first, last, isfinite(value) ? with_power(value) : fmt::format("{}", value));
}

to_chars_result to_chars(char* first, char* last, double value) {
  if (!isfinite(value)) return put(first, last, fmt::format("{}", value));
  const string power = with_power(value);
  // Without a power of ten, digits that do not matter are those of the number itself: 2^70 in full.
  constexpr double kWhole = 9007199254740992;  // 2^53
  const int exponent = atoi(power.c_str() + power.find('e') + 1),
            digits = static_cast<int>(power.find('e')) - (power.find('.') < power.size() ? 2 : 1) + 1 - (value < 0 ? 1 : 0);
  const string plain = abs(value) >= kWhole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}f}", value, max(0, digits - 1 - exponent));
  return put(first, last, plain.size() <= power.size() ? plain : power);
}

}  // namespace std
