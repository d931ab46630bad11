// A column of text may hold numbers all the same, written for people. Read as categories, such a column gives a tree that separates single
// values. What stands beside the number is taken away first: signs of money, units, brackets that mean a minus. It must be certain: the
// unit must be the same in all texts of the column, for 5 beside 5 % or 5 $ beside 5 € are different things. Then one way of writing is
// tried after the other on the numbers; all of them must fit it. Where two fit (1,234), the reader says that it is doubtful which was
// meant.

#include "treewright/data/read/written_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "treewright/base/ascii.h"
#include "treewright/data/read/parse_number.h"

namespace treewright {

namespace {

struct NumberStyle {
  char point;
  std::string_view thousands;  // "" = none
};

constexpr std::array<NumberStyle, 8> kStyles = {
    {{'.', ""}, {',', ""}, {'.', ","}, {',', "."}, {'.', " "}, {',', " "}, {'.', "'"}, {',', "'"}}};

// Spaces of other widths, another apostrophe, the minus of typesetters, and the hyphen and the dashes that word processors make of one, as
// ASCII has them.
constexpr std::pair<std::string_view, char> kSameAs[] = {{"\xC2\xA0", ' '},     {"\xE2\x80\x87", ' '},  {"\xE2\x80\x89", ' '},
                                                         {"\xE2\x80\xAF", ' '}, {"\xE2\x80\x99", '\''}, {"\xE2\x88\x92", '-'},
                                                         {"\xE2\x80\x91", '-'}, {"\xE2\x80\x93", '-'},  {"\xE2\x80\x94", '-'}};

// What may stand before a number; behind it, any word may be a unit.
constexpr std::string_view kMoney[] = {"$",   "€",   "£",   "¥",   "₹",   "₽", "₩",   "₺",   "₪",   "₫",   "US$", "R$",  "A$",
                                       "C$",  "Rs.", "Rs",  "Fr.", "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR", "AUD", "CAD",
                                       "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "TRY", "KRW", "SGD"};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string as_ascii(std::string text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return text;
  for (const auto& [from, to] : kSameAs) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) text.replace(at, from.size(), 1, to);
  }
  return text;
}

// A number and what stands beside it.
struct Signs {
  std::string number;  // digits, marks and separators; perhaps an exponent
  std::string unit;
  int exponent = 0;  // of ten, by k, M or B
  bool negative = false;
  bool marked = false;
  bool nothing = false;  // a dash in place of the number
};

// Takes sign, money and an opening bracket from the front, each at most once; whether a bracket must be closed.
bool take_front(std::string_view& rest, Signs& signs) {
  bool bracket = false;
  for (bool signed_already = false;;) {
    rest = trimmed(rest);
    if (rest.empty()) return bracket;
    if (!signed_already && (rest.front() == '-' || rest.front() == '+')) {
      signs.negative = rest.front() == '-';
      signed_already = true;
      rest.remove_prefix(1);
    } else if (!signed_already && rest.front() == '(') {
      signs.negative = signs.marked = bracket = signed_already = true;
      rest.remove_prefix(1);
    } else {
      std::string_view longest;
      for (const std::string_view money : kMoney) {
        if (money.size() > longest.size() && rest.substr(0, money.size()) == money) longest = money;
      }
      if (longest.empty() || !signs.unit.empty()) return bracket;
      signs.unit = longest;
      rest.remove_prefix(longest.size());
    }
  }
}

std::size_t number_end(std::string_view text) {
  const auto digit_at = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool between = (c == ' ' || c == '\'') && digit_at(end + 1);
    if (!is_digit(c) && c != '.' && c != ',' && !between) break;
    ++end;
  }
  if (end == 0 || end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  std::size_t exponent = end + 1;
  if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
  if (!digit_at(exponent)) return end;
  while (digit_at(exponent)) ++exponent;
  return exponent;
}

// What stands behind the number; false where it is no unit.
bool take_back(std::string_view back, Signs& signs) {
  constexpr std::size_t kLongestUnit = 16;  // bytes
  const auto ends = [](std::string_view text) { return text.size() == 1 || !is_letter(text[1]); };
  if (!back.empty() && std::string_view("kKMB").find(back.front()) != std::string_view::npos && ends(back)) {
    signs.exponent = back.front() == 'M' ? 6 : back.front() == 'B' ? 9 : 3;
    signs.marked = true;
    back.remove_prefix(1);
  }
  back = trimmed(back);
  if (back == "-" && !signs.negative) {
    signs.negative = signs.marked = true;
    return true;
  }
  if (back.empty()) return true;
  const bool begins =
      is_letter(back.front()) || back.front() == '%' || back.front() == '$' || static_cast<unsigned char>(back.front()) >= 0x80;
  if (!begins || !signs.unit.empty() || back.size() > kLongestUnit || std::any_of(back.begin(), back.end(), is_digit)) return false;
  signs.unit = back;
  return true;
}

std::optional<Signs> take_signs(const std::string& given) {
  Signs signs;
  const std::string text = as_ascii(given);
  std::string_view rest = text;
  if (take_front(rest, signs)) {
    if (rest.empty() || rest.back() != ')') return std::nullopt;
    rest.remove_suffix(1);
  }
  const std::size_t end = number_end(rest);
  signs.number = rest.substr(0, end);
  std::string_view back = rest.substr(end);
  if (rest.empty() && text.find('-') != std::string::npos && !signs.unit.empty()) {
    // "$ -" and "- €": accountants write zero so.
    signs = {"0", signs.unit, 0, false, true, true};
  } else if (end > 1 && is_digit(rest[end - 2]) && !is_digit(rest[end - 1]) && back.starts_with('-')) {
    // "80.-" and "80,--": whole francs or euros.
    signs.number += '0';
    signs.marked = true;
    back.remove_prefix(back.starts_with("--") ? 2 : 1);
    if (back.starts_with('-')) return std::nullopt;
  }
  if (!take_back(back, signs)) return std::nullopt;
  signs.marked |= !signs.unit.empty() && signs.unit != "%";
  return signs;
}

// The digits of an unsigned whole number, without the separators before its groups of three; "" where it is none. Commas may also stand
// before groups of two digits and a last one of three, as in India (12,34,567).
std::string join_thousands(std::string_view whole, std::string_view separator) {
  std::vector<std::string_view> groups;
  for (;;) {
    const std::size_t end = std::min(whole.find(separator), whole.size());
    groups.push_back(whole.substr(0, end));
    if (end == whole.size()) break;
    whole.remove_prefix(end + separator.size());
  }
  // Without any separator, a number of any length.
  const bool first_fits = groups.size() == 1 || (groups.front().size() <= 3 && groups.front().substr(0, 1) != "0");
  const auto inner_have = [&](std::size_t digits) {
    return std::all_of(groups.begin() + 1, groups.end() - 1, [&](std::string_view group) { return group.size() == digits; });
  };
  const bool pairs = separator == "," && groups.size() > 2 && groups.front().size() <= 2 && inner_have(2);
  const bool last_fits = groups.size() == 1 || groups.back().size() == 3;
  if (!first_fits || !last_fits || !(groups.size() < 3 || inner_have(3) || pairs)) return "";
  std::string digits;
  for (const std::string_view group : groups) {
    if (!all_digits(group)) return "";
    digits += group;
  }
  return digits;
}

std::optional<double> read_number(const Signs& signs, const NumberStyle& style) {
  const std::string_view text = signs.number;
  std::string plain = signs.negative ? "-" : "";
  if (style.point == '.' && style.thousands.empty()) {
    if (text.empty()) return std::nullopt;
    plain += text;
  } else {
    const std::string_view mantissa = text.substr(0, std::min(text.find_first_of("eE"), text.size()));
    // Beside an exponent nobody separates thousands: 1,234E+04 has a decimal comma.
    if (mantissa.size() < text.size() && !style.thousands.empty()) return std::nullopt;
    const std::size_t point = std::min(mantissa.find(style.point), mantissa.size());
    const std::string_view whole = mantissa.substr(0, point), decimals = mantissa.substr(std::min(point + 1, mantissa.size()));
    const std::string digits = style.thousands.empty() ? std::string(whole) : join_thousands(whole, style.thousands);
    if (!all_digits(digits)) return std::nullopt;
    plain += digits;
    if (point < mantissa.size() && !all_digits(decimals)) return std::nullopt;
    if (!decimals.empty()) plain += "." + std::string(decimals);
    plain += text.substr(mantissa.size());
  }
  if (signs.exponent != 0) plain += fmt::format("e{}", signs.exponent);
  double value = 0;
  return parse_number(plain, value) == NumberText::number && !std::isnan(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::vector<double>> read_all(const std::vector<Signs>& texts, const NumberStyle& style) {
  std::vector<double> values;
  for (const Signs& text : texts) {
    const std::optional<double> value = read_number(text, style);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

// The values in each style that fits all texts and that the user has not excluded.
std::vector<WrittenNumbers> readings(const std::vector<Signs>& texts, char decimal) {
  const bool punctuated =
      std::any_of(texts.begin(), texts.end(), [](const Signs& text) { return text.number.find_first_of(".,") != std::string::npos; });
  std::vector<WrittenNumbers> found;
  for (const NumberStyle& style : kStyles) {
    if (decimal != '\0' && style.point != decimal) continue;
    auto values = read_all(texts, style);
    const auto same = [&](const WrittenNumbers& other) { return other.values == *values; };
    if (values && std::none_of(found.begin(), found.end(), same)) found.push_back({*std::move(values), punctuated ? style.point : '\0'});
  }
  return found;
}

// The decimal mark where the texts are 2,500 and 80, or 2.500 and 80.
char likely_mark(const std::vector<Signs>& texts) {
  for (const char sign : {',', '.'}) {
    GroupClues clues;
    for (const Signs& text : texts) clues.add(text.number, sign);
    if (clues.separates()) return sign == ',' ? '.' : ',';
  }
  return '\0';
}

}  // namespace

void GroupClues::add(std::string_view number, char sign) {
  if (!number.empty() && (number.front() == '-' || number.front() == '+')) number.remove_prefix(1);
  const std::size_t at = number.find(sign);
  if (at == std::string_view::npos) {
    (!all_digits(number) ? odd_ : number.size() <= 3 ? bare_ : long_) = true;
  } else if (at >= 1 && at <= 3 && number.front() != '0' && all_digits(number.substr(0, at)) && number.size() == at + 4 &&
             all_digits(number.substr(at + 1))) {
    groups = true;
    zeros_ |= number.back() == '0';
  } else {
    decimals = true;
  }
}

std::optional<WrittenNumbers> read_written_numbers(const std::vector<std::string>& texts, char decimal, char doubtful_decimal) {
  std::vector<Signs> numbers;
  for (const std::string& text : texts) {
    std::optional<Signs> signs = take_signs(text);
    if (!signs || (!numbers.empty() && signs->unit != numbers.front().unit)) return std::nullopt;
    numbers.push_back(*std::move(signs));
  }
  std::vector<WrittenNumbers> found = readings(numbers, decimal);
  if (numbers.empty() || found.empty()) return std::nullopt;
  const bool doubtful = found.size() > 1;
  const char likely = doubtful ? likely_mark(numbers) : '\0';
  const auto wanted = std::find_if(found.begin(), found.end(), [&](const auto& reading) { return reading.point == doubtful_decimal; });
  WrittenNumbers chosen = std::move(doubtful && wanted != found.end() ? *wanted : found.front());
  chosen.doubtful = doubtful;
  chosen.likely = likely;
  chosen.unit = numbers.front().unit;
  auto marked = std::find_if(numbers.begin(), numbers.end(), [](const Signs& signs) { return signs.nothing; });
  if (marked == numbers.end()) marked = std::find_if(numbers.begin(), numbers.end(), [](const Signs& signs) { return signs.marked; });
  chosen.marked = static_cast<std::size_t>(marked - numbers.begin());
  return chosen;
}

}  // namespace treewright
