// The tree as one formula for a spreadsheet: it says the class of row 2, whose cells from A on hold the columns in the order of the tree.
//
// An empty cell counts as 0 in a sum or a comparison, so each question asks first whether there is a number. "=" between texts ignores
// case: EXACT does not. A text in a formula has at most 255 characters, a formula 8192, and numbers 15 digits; `export` checks on the rows
// that these suffice. IF evaluates only the part that it returns, so texts in cells of numbers are missing values and no errors. Dates are
// days since 1899-12-30.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/error.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/explain/markup.h"
#include "treewright/export/code.h"
#include "treewright/export/language.h"

namespace treewright::exports {

namespace {

constexpr std::size_t kLongestText = 255, kLongestFormula = 8192;
constexpr int kDeepest = 64;           // of functions in each other: a split takes one
constexpr double kDayZero = 25569;     // 1970-01-01 in days of a spreadsheet
constexpr double kFirstDate = -25202;  // 1901-01-01: before 1900-03-01 spreadsheets count differently
constexpr double kLastDate = 2932896;  // 9999-12-31
constexpr double kYearZero = -719528;  // 0000-01-01

std::string cell_of(FeatureId feature) {
  std::string letters;
  for (std::int32_t n = +feature + 1; n > 0; n = (n - 1) / 26) letters.insert(letters.begin(), static_cast<char>('A' + (n - 1) % 26));
  return letters + "2";
}

// Long texts are put together from parts; none may end inside a character or between two quotes.
std::string text_literal(const std::string& text) {
  std::string out = "\"";
  std::size_t length = 0;
  for (const char c : explain::utf8(text)) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    if (begins && ++length > kLongestText) {
      out += "\"&\"";
      length = 1;
    }
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return out + "\"";
}

struct Excel : Language {
  using Language::Language;
  std::string numeric(FeatureId feature) const override { return cell_of(feature); }
  std::string number(double value) const override { return fmt::format("{:.{}g}", value, kExcelDigits); }
  std::string negated(const std::string& condition) const override { return "NOT(" + condition + ")"; }

  std::string below(const AxisSplit& axis, bool or_missing) const override {
    const std::string x = cell_of(axis.feature), has_value = "ISNUMBER(" + x + ")";
    if (is_end(axis.threshold)) {
      const bool known = axis.threshold > 0;
      return known == or_missing ? (known ? "TRUE" : "FALSE") : known ? has_value : "NOT(" + has_value + ")";
    }
    const std::string threshold = tree.features[+axis.feature].notation == Notation::date ? date(axis.threshold) : number(axis.threshold);
    return fmt::format("IF({},{}<{},{})", has_value, x, threshold, or_missing ? "TRUE" : "FALSE");
  }

  // The day and the time by their names, where digits would be lost; of a fraction of a second its share of a day.
  std::string date(double days) const {
    if (days < kYearZero || days > kLastDate) return number(days + kDayZero);
    const DateUnit unit = finest_unit(days);
    const std::string iso = date_text(days, unit);
    const auto part = [&](std::size_t from, std::size_t length) { return std::stoi(iso.substr(from, length)); };
    std::string text = days < kFirstDate ? number(std::floor(date_rounded_up(days, unit)) + kDayZero)
                                         : fmt::format("DATE({},{},{})", part(0, 4), part(5, 2), part(8, 2));
    if (iso.size() > 10) text += fmt::format("+TIME({},{},{})", part(11, 2), part(14, 2), part(17, 2));
    if (iso.size() > 19) text += "+" + number(std::stod("0" + iso.substr(19)) / 86400);
    return text;
  }

  std::string is_level(const std::string& cell, const std::string& level) const {
    return fmt::format("EXACT({},{})", cell, text_literal(level));
  }
  std::string any_level(FeatureId feature, const std::vector<std::size_t>& levels) const {
    // A function takes 255 arguments: more levels are grouped.
    constexpr std::size_t kMostArguments = 255;
    std::vector<std::string> asked;
    for (const std::size_t level : levels) asked.push_back(is_level(cell_of(feature), tree.features[+feature].levels[level]));
    while (asked.size() > 1) {
      std::vector<std::string> groups;
      for (std::size_t i = 0; i < asked.size(); i += kMostArguments) {
        const auto from = asked.begin() + static_cast<std::ptrdiff_t>(i);
        const auto to = asked.begin() + static_cast<std::ptrdiff_t>(std::min(asked.size(), i + kMostArguments));
        groups.push_back(fmt::format("OR({})", fmt::join(from, to, ",")));
      }
      asked = std::move(groups);
    }
    return asked.empty() ? "FALSE" : asked.front();
  }
  std::string one_of(FeatureId feature, const std::vector<std::size_t>& levels) const override { return any_level(feature, levels); }

  std::string place(const std::string& cell, const Feature& feature) const {
    std::string sum = "0";
    for (std::size_t i = 1; i < feature.levels.size(); ++i) sum += fmt::format("+IF({},{},0)", is_level(cell, feature.levels[i]), i);
    return "(" + sum + ")";
  }
  std::string known(const HyperplaneSplit::Term& term) const {
    const Feature& feature = tree.features[+term.feature];
    if (!feature.has_levels()) return "ISNUMBER(" + cell_of(term.feature) + ")";
    std::vector<std::size_t> all(feature.levels.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return any_level(term.feature, all);
  }
  std::string term(const HyperplaneSplit::Term& term) const override {
    const std::string x = cell_of(term.feature);
    const Feature& feature = tree.features[+term.feature];
    std::string value = term.level < 0 ? x : fmt::format("IF({},1,0)", is_level(x, feature.levels[term.level]));
    if (term.level < 0 && feature.notation == Notation::date) value = fmt::format("({}-{})", x, number(kDayZero));
    if (feature.notation == Notation::ordered) value = place(x, feature);
    return term.if_missing ? fmt::format("IF({},{},{})", known(term), value, number(*term.if_missing)) : value;
  }
  std::string below(const HyperplaneSplit& plane, bool or_missing) const override {
    std::vector<std::string> needed;
    std::string sum;
    for (const auto& one : plane.terms) {
      if (!one.if_missing) needed.push_back(known(one));
      sum += fmt::format("{}{}*{}", sum.empty() ? "" : "+", number(one.weight), term(one));
    }
    const std::string asked = fmt::format("{}<{}", sum.empty() ? "0" : sum, number(plane.threshold));
    if (needed.empty()) return asked;
    std::string all;
    for (const std::string& condition : needed) all += (all.empty() ? "" : ",") + condition;
    return fmt::format("IF(AND({}),{},{})", all, asked, or_missing ? "TRUE" : "FALSE");
  }

  std::string formula(NodeId id) const {
    const Node& node = tree.node(id);
    if (node.is_leaf()) return tree.loss ? number(node.estimate.value) : text_literal(tree.class_names[node.label]);
    return fmt::format("IF({},{},{})", condition(*node.split), formula(node.left), formula(node.right));
  }
};

}  // namespace

std::string cells_of_excel(const Tree& tree) {
  std::vector<std::string> cells;
  for (const FeatureId feature : tree.features_used()) cells.push_back(cell_of(feature) + " = " + tree.features[+feature].name);
  return fmt::format("{}", fmt::join(cells, ", "));
}

std::string to_excel(const Tree& tree) {
  const std::string formula = "=" + Excel(tree).formula(Tree::root());
  const std::size_t length = explain::characters(formula);
  if (length > kLongestFormula || tree.depth() > kDeepest - 4) {
    throw Error("export as excel",
                fmt::format("the formula has {} characters and {} levels, and a cell holds {} and {}", length, tree.depth(),
                            kLongestFormula, kDeepest - 4),
                "train a smaller tree, or choose another format: javascript, python, sql");
  }
  return formula + "\n";
}

}  // namespace treewright::exports
