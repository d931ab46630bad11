// A column of text may hold numbers all the same, written for people. Read as categories, such a column gives a tree that separates single
// values. One way of writing is tried after the other on the distinct texts of the column; all of them must fit it. Where two fit (1,234),
// the reader says that it is doubtful which was meant.

#include "treewright/data/written_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "treewright/data/parse_number.h"

namespace treewright {

namespace {

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
std::vector<WrittenNumbers> readings(const std::vector<std::string>& texts, char decimal) {
  const bool punctuated =
      std::any_of(texts.begin(), texts.end(), [](const std::string& text) { return text.find_first_of(".,") != std::string::npos; });
  std::vector<WrittenNumbers> found;
  for (const NumberStyle& style : kStyles) {
    if (decimal != '\0' && style.point != decimal) continue;
    auto values = read_all(texts, [&](const std::string& text) { return read_number(text, style); });
    const auto same = [&](const WrittenNumbers& other) { return other.values == *values; };
    if (values && std::none_of(found.begin(), found.end(), same)) found.push_back({*std::move(values), punctuated ? style.point : '\0'});
  }
  return found;
}

}  // namespace

std::optional<WrittenNumbers> read_written_numbers(const std::vector<std::string>& texts, char decimal, char doubtful_decimal) {
  if (texts.empty()) return std::nullopt;
  std::vector<WrittenNumbers> found = readings(without_percent(texts), decimal);
  if (found.empty()) return std::nullopt;
  const auto wanted = std::find_if(found.begin(), found.end(), [&](const auto& reading) { return reading.point == doubtful_decimal; });
  const bool doubtful = found.size() > 1;
  WrittenNumbers chosen = std::move(doubtful && wanted != found.end() ? *wanted : found.front());
  chosen.doubtful = doubtful;
  return chosen;
}

}  // namespace treewright
