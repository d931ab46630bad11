#include "treewright/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"

namespace treewright {

namespace {

constexpr std::string_view strip_quotes(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

constexpr std::string_view default_as_text(std::string_view literal) {
  return literal.find("infinity") != std::string_view::npos ? "inf" : strip_quotes(literal);
}

// The option that the command calls so: seed for random_state.
std::string option_of_flag(std::string_view name) {
  std::string flag = fmt::format(",{}{},", name.starts_with("--") ? "" : "--", name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  for (const OptionInfo& info : option_table()) {
    if (fmt::format(",{},", info.flags).find(flag) != std::string::npos) return fmt::format(" (did you mean '{}'?)", info.name);
  }
  return "";
}

const OptionInfo& info_of(std::string_view name) {
  for (const OptionInfo& info : option_table()) {
    if (info.name == name) return info;
  }
  std::vector<std::string> names;
  for (const OptionInfo& info : option_table()) names.emplace_back(info.name);
  const std::string by_flag = option_of_flag(name), near = by_flag.empty() ? did_you_mean(std::string(name), names) : by_flag;
  // With a name at hand, nobody needs the list.
  throw option_error(name, "there is no such option" + near,
                     near.empty() ? fmt::format("use one of {}", fmt::join(names, ", ")) : "'treewright methods' lists the options");
}

[[noreturn]] void reject(const OptionInfo& info, std::string_view value, std::string_view wanted) {
  throw option_error(info.name, fmt::format("'{}' is not {}", value, wanted), std::string(info.help));
}

// "from 0 to 60", "from 0 on"; -1 stands for what is usual.
std::string range_words(const OptionInfo& info) {
  const std::size_t dots = info.range.find("..");
  const std::string_view low = info.range.substr(0, dots), high = info.range.substr(dots + 2);
  return fmt::format("a {} from {} {}", info.type == OptionType::Integer ? "whole number" : "number", low == "-1" ? "0" : low,
                     high == "inf" ? "on" : fmt::format("to {}", high));
}

double parse_number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

template <class Number>
void check_range(const OptionInfo& info, Number value, std::string_view text) {
  if (info.range.empty()) return;
  const std::size_t dots = info.range.find("..");
  const double low = parse_number(info.range.substr(0, dots)), high = parse_number(info.range.substr(dots + 2));
  // Written so that a NaN fails.
  if (!(static_cast<double>(value) >= low && static_cast<double>(value) <= high)) {
    reject(info, text, range_words(info));
  }
}

void check_choice(const OptionInfo& info, std::string_view value) {
  std::string_view rest = info.range;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    if (rest.substr(0, bar) == value) return;
    rest = bar == std::string_view::npos ? "" : rest.substr(bar + 1);
  }
  reject(info, value, fmt::format("one of {}", info.range));
}

// `Choice` and `Text` are the same C++ type, so the table's type decides what a value must satisfy.
void check(const OptionInfo& info, std::int64_t value) {
  check_range(info, value, std::to_string(value));
}
void check(const OptionInfo& info, double value) {
  check_range(info, value, fmt::format("{}", value));
}
void check(const OptionInfo& info, const std::string& value) {
  if (info.type == OptionType::Choice) check_choice(info, value);
}

void parse(const OptionInfo& info, std::string_view text, std::int64_t& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) reject(info, text, range_words(info));
}
void parse(const OptionInfo& info, std::string_view text, double& value) {
  value = parse_number(text);
  if (std::isnan(value)) reject(info, text, range_words(info));
}
void parse(const OptionInfo&, std::string_view text, std::string& value) {
  value = text;
}

std::string to_text(std::int64_t value) {
  return std::to_string(value);
}
std::string to_text(double value) {
  return fmt::format("{}", value);
}
std::string to_text(const std::string& value) {
  return value;
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = {
#define OPTION(type, name, default_value, range, flag, unit, source, help) \
  {OptionType::type, #name, default_as_text(#default_value), range, flag, unit, source, help},
#include "treewright/options.def"
#undef OPTION
  };
  return table;
}

std::string_view option_name(std::string_view name) {
  return info_of(name).name;
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  const OptionInfo& info = info_of(name);
#define OPTION(type, member, ...)       \
  if (info.name == #member) {           \
    auto parsed = options.member;       \
    parse(info, value, parsed);         \
    check(info, parsed);                \
    options.member = std::move(parsed); \
  }
#include "treewright/options.def"
#undef OPTION
}

std::string get_option(const Options& options, std::string_view name) {
  const OptionInfo& info = info_of(name);
#define OPTION(type, member, ...) \
  if (info.name == #member) return to_text(options.member);
#include "treewright/options.def"
#undef OPTION
  return {};
}

std::vector<std::pair<std::string, std::string>> options_set(const Options& options) {
  std::vector<std::pair<std::string, std::string>> set;
  for (const OptionInfo& info : option_table()) {
    std::string value = get_option(options, info.name);
    if (value != info.default_text) set.emplace_back(info.name, std::move(value));
  }
  return set;
}

void check_options(const Options& options) {
#define OPTION(type, member, ...) check(info_of(#member), options.member);
#include "treewright/options.def"
#undef OPTION
}

}  // namespace treewright
