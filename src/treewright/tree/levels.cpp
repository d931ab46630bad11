// How new rows find the levels of a tree. Exported Python and JavaScript (`export/code`, `export/javascript`) and the Python package
// (python/treewright/_levels.py) have the same rule.

#include "treewright/tree/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/data/read/parse_number.h"

namespace treewright {

namespace {

constexpr std::int32_t kSeveral = -2;

// Words such as nan and inf are no numbers.
std::optional<double> number_of(const std::string& text) {
  double value = 0;
  return parse_number(text, value) == NumberText::number && !std::isnan(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

Levels::Levels(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto code = static_cast<std::int32_t>(i);
    code_of_text_.emplace(names[i], code);
    const std::optional<double> number = number_of(names[i]);
    if (number && !code_of_number_.emplace(*number, code).second) code_of_number_[*number] = kSeveral;
  }
}

std::int32_t Levels::code(const std::string& text) const {
  const auto found = code_of_text_.find(text);
  if (found != code_of_text_.end()) return found->second;
  const std::optional<double> number = number_of(text);
  return number ? std::max(by_number(*number), -1) : -1;
}

std::int32_t Levels::code(double number) const {
  const std::int32_t code = by_number(number);
  // 1 is the level 1 rather than 01. Beyond 2^53 several whole numbers are the same double.
  if (code != kSeveral || std::abs(number) >= 0x1p53) return std::max(code, -1);
  const auto found = code_of_text_.find(fmt::format("{}", number));
  return found == code_of_text_.end() ? -1 : found->second;
}

std::int32_t Levels::code_of_truth(bool value) const {
  for (const char* text : {value ? "True" : "False", value ? "true" : "false", value ? "TRUE" : "FALSE"}) {
    const auto found = code_of_text_.find(text);
    if (found != code_of_text_.end()) return found->second;
  }
  return code(value ? 1.0 : 0.0);
}

std::vector<std::pair<double, std::int32_t>> Levels::numbers() const {
  std::vector<std::pair<double, std::int32_t>> alone;
  for (const auto& [number, code] : code_of_number_) {
    if (code != kSeveral) alone.emplace_back(number, code);
  }
  std::sort(alone.begin(), alone.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return alone;
}

std::int32_t Levels::by_number(double number) const {
  const auto found = code_of_number_.find(number);
  return found == code_of_number_.end() ? -1 : found->second;
}

const std::string& last_below(double threshold, const Feature& feature) {
  assert(feature.notation == Notation::ordered && !feature.levels.empty());
  const double last = static_cast<double>(feature.levels.size()) - 1;
  return feature.levels[threshold > 1 ? static_cast<std::size_t>(std::min(std::ceil(threshold) - 1, last)) : 0];
}

std::optional<CategorySplit> level_split(const SplitRule& rule, const Tree& tree) {
  using Left = std::optional<CategorySplit>;
  return match(
      rule,
      [&](const AxisSplit& axis) -> Left {
        const Feature& feature = tree.features[+axis.feature];
        if (!feature.has_levels()) return std::nullopt;
        CategorySplit set{axis.feature, {}};
        for (std::size_t place = 0; place < feature.levels.size(); ++place) set.left.push_back(static_cast<double>(place) < axis.threshold);
        return set;
      },
      [](const HyperplaneSplit&) -> Left { return std::nullopt; }, [](const CategorySplit& set) -> Left { return set; });
}

}  // namespace treewright
