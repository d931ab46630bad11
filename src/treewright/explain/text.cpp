#include "treewright/explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/data/read/written_dates.h"
#include "treewright/explain/markup.h"
#include "treewright/tree/decimals.h"
#include "treewright/tree/levels.h"

namespace treewright::explain {

namespace {

// The unit in which a threshold keeps the training rows apart: see set_decimals.
DateUnit date_unit(int decimals) {
  return decimals == 0 ? DateUnit::day : decimals < kMostDecimals ? DateUnit::second : DateUnit::microsecond;
}

// A level that would be read as two is quoted.
std::string quoted_level(const std::string& level) {
  const std::string name = printable(level);
  const bool plain = !name.empty() && name.find_first_of(",{}'") == std::string::npos && name.front() != ' ' && name.back() != ' ';
  return plain ? name : "'" + name + "'";
}

}  // namespace

std::string term_name(const HyperplaneSplit::Term& term, const Tree& tree) {
  const Feature& feature = tree.features[+term.feature];
  const std::string name = printable(feature.called());
  if (feature.notation == Notation::ordered) return "place(" + name + ")";  // 0, 1, ...
  return name + (term.level < 0 ? "" : fmt::format("[{}]", printable(feature.levels[term.level])));
}

std::string number_text(double value, const Feature& feature, int digits) {
  constexpr int kMost = 17;  // restore every double
  if (feature.notation == Notation::ordered && !feature.levels.empty()) return quoted_level(last_below(value, feature));
  if (feature.notation == Notation::date)
    return date_text(value, feature.decimals < 0 ? finest_unit(value) : date_unit(feature.decimals)) + (feature.zoned ? " UTC" : "");
  const bool known = feature.decimals >= 0 && digits == kDigits;
  const int whole = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  const int significant = known ? std::max(whole + feature.decimals, 1) : std::max(digits, whole + 1);
  // Of so many digits the fewest that restore the number: 0.2, not 0.20000000000000001.
  const std::string number = significant >= kMost ? fmt::format("{}", value) : fmt::format("{:.{}g}", value, significant);
  if (!feature.shown_unit.empty()) return number + " " + printable(feature.shown_unit);
  return feature.notation == Notation::days ? number + " days" : number;
}

std::string level_set(const std::vector<bool>& chosen, const Feature& feature) {
  constexpr std::size_t kLongest = 20, kShown = 10;
  const auto count = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true));
  const std::size_t most = count > kLongest ? kShown : count;
  std::string levels;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < chosen.size() && shown < most; ++i) {
    if (!chosen[i]) continue;
    ++shown;
    levels += (levels.empty() ? "" : ", ") + quoted_level(feature.levels[i]);
  }
  return "{" + levels + (most < count ? fmt::format(", ... {} more", count - most) : "") + "}";
}

std::string question(const Split& split, const Tree& tree, int digits) {
  // Where no training row lacked the value, the direction of missing ones is only a fallback for later rows.
  const auto or_missing = [&](FeatureId f) { return split.missing_left && tree.features[+f].has_missing ? " or missing" : ""; };
  const auto name = [&](FeatureId f) { return printable(tree.features[+f].called()); };
  const auto of_axis = [&](const AxisSplit& axis) {
    if (axis.threshold == std::numeric_limits<double>::max()) return name(axis.feature) + " has a value?";
    if (axis.threshold == std::numeric_limits<double>::lowest()) return name(axis.feature) + " is missing?";
    const Feature& feature = tree.features[+axis.feature];
    return fmt::format("{} {} {}{}?", name(axis.feature), below_sign(feature), number_text(axis.threshold, feature, digits),
                       or_missing(axis.feature));
  };
  const auto of_plane = [&](const HyperplaneSplit& plane) {
    std::string sum;
    for (const auto& term : plane.terms) {
      sum += sum.empty() ? (term.weight < 0 ? "-" : "") : (term.weight < 0 ? " - " : " + ");
      sum += fmt::format("{:.{}g}*{}", std::abs(term.weight), digits - 2, term_name(term, tree));
    }
    return fmt::format("{} < {:.{}g}?", sum, plane.threshold, digits);
  };
  const auto of_set = [&](const CategorySplit& set) {
    return fmt::format("{} in {}{}?", name(set.feature), level_set(set.left, tree.features[+set.feature]), or_missing(set.feature));
  };
  return match(split.rule, of_axis, of_plane, of_set);
}

std::string shortened_question(const Split& split, const Tree& tree, int digits) {
  constexpr std::size_t kLongest = 200, kKept = 140;  // characters
  std::string asked = question(split, tree, digits);
  const HyperplaneSplit* plane = split.plane();
  if (plane == nullptr || characters(asked) <= kLongest) return asked;
  Split shorter = split;
  auto& terms = shorter.plane()->terms;
  // Terms are added while they fit. Taken from the end, each of thousands would write the whole sum anew.
  terms.resize(1);
  while (terms.size() < plane->terms.size()) {
    terms.push_back(plane->terms[terms.size()]);
    if (characters(question(shorter, tree, digits)) <= kKept) continue;
    terms.pop_back();
    break;
  }
  const std::size_t more = plane->terms.size() - terms.size();
  asked = question(shorter, tree, digits);
  return asked.insert(asked.rfind(" < "), fmt::format(" + ... {} more term{}", more, more == 1 ? "" : "s"));
}

}  // namespace treewright::explain
