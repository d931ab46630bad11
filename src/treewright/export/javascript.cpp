// The tree in JavaScript: functions that take an object of column names and values, for Node and for the script element of a page.
//
// A comparison with NaN is false, as in C, so missing values need no branch. A name such as "constructor" is looked up among the object's
// own entries only. Texts hold no "<", since "</script>" inside a text would end the script of a page.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "treewright/base/version.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/export/code.h"
#include "treewright/export/language.h"
#include "treewright/export/literal.h"
#include "treewright/tree/distances.h"
#include "treewright/tree/levels.h"

namespace treewright::exports {

namespace {

std::string js_literal(const std::string& text) {
  std::string out;
  for (const char c : quoted_text(text)) out += c == '<' ? std::string("\\x3c") : std::string(1, c);
  // The two line ends of Unicode end a line of older JavaScript.
  for (const auto& [bytes, escape] : {std::pair{"\xe2\x80\xa8", "\\u2028"}, std::pair{"\xe2\x80\xa9", "\\u2029"}}) {
    for (std::size_t at = out.find(bytes); at != std::string::npos; at = out.find(bytes, at)) out.replace(at, 3, escape);
  }
  return out;
}

// A name in a comment of one line, which a page must not take for the end of its script.
std::string js_remark(const std::string& name) {
  std::string out;
  for (const char c : explain::clean(name)) out += c == '<' ? '(' : c;
  return out;
}

struct JavaScript : Language {
  using Language::Language;
  std::string value(FeatureId feature, const std::string& lacking) const {
    const Feature& about = tree.features[+feature];
    if (about.notation == Notation::ordered)
      return fmt::format("place(row, {}, {}{})", js_literal(about.name), all_levels(feature), lacking);
    return fmt::format("{}(row, {}{})", about.notation == Notation::date ? "days" : "number", js_literal(about.name), lacking);
  }
  std::string numeric(FeatureId feature) const override { return value(feature, ""); }
  std::string levels(FeatureId feature, const std::vector<std::size_t>& chosen) const {
    std::vector<std::string> names;
    for (const std::size_t level : chosen) names.push_back(js_literal(tree.features[+feature].levels[level]));
    return "[" + joined(names) + "]";
  }
  std::string all_levels(FeatureId feature) const {
    std::vector<std::size_t> all(tree.features[+feature].levels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return levels(feature, all);
  }
  std::string term(const HyperplaneSplit::Term& term) const override {
    const Feature& feature = tree.features[+term.feature];
    const std::string lacking = term.if_missing ? ", " + literal(*term.if_missing) : "";
    if (term.level < 0) return value(term.feature, lacking);
    return fmt::format("is(row, {}, {}, {}{})", js_literal(feature.name), js_literal(feature.levels[term.level]), all_levels(term.feature),
                       lacking);
  }
  std::string one_of(FeatureId feature, const std::vector<std::size_t>& chosen) const override {
    return fmt::format("{}.includes(level(row, {}))", levels(feature, chosen), js_literal(tree.features[+feature].name));
  }
  // For each column the names of its levels by their numbers, and of those that stand for true and false.
  std::string forms() const {
    std::vector<std::string> columns;
    for (const FeatureId id : categories_used()) {
      const Feature& feature = tree.features[+id];
      const Levels known(feature.levels);
      std::vector<std::string> pairs;
      for (const auto& [number, code] : known.numbers())
        pairs.push_back(fmt::format("[{}, {}]", literal(number), js_literal(feature.levels[code])));
      for (const bool truth : {true, false}) {
        const std::int32_t code = known.code_of_truth(truth);
        if (code >= 0) pairs.push_back(fmt::format("[{}, {}]", truth, js_literal(feature.levels[code])));
      }
      if (!pairs.empty()) columns.push_back(fmt::format("\n    [{}, new Map([{}])]", js_literal(feature.name), joined(pairs)));
    }
    return joined(columns);
  }
  void body(NodeId id, const std::string& indent, std::string& out) const {
    const Node& node = tree.node(id);
    if (node.is_leaf()) {
      out += fmt::format("{}return {}; // {}\n", indent, leaf_text[+id], js_remark(explain::prediction(tree, node)));
      return;
    }
    const std::string meant = meant_inside(node);
    out += indent + "if (" + condition_inside(node) + ") {" + (meant.empty() ? "" : " // " + meant) + "\n";
    body(right_inside(node) ? node.right : node.left, indent + "  ", out);
    out += indent + "}\n";
    body(right_inside(node) ? node.left : node.right, indent, out);
  }
};

// How values are read from a row. Dates: the day by Date, which counts a date alone in UTC; the seconds are added up as in the reader of
// files. The whole text must be a date: half of it would be another moment. Date takes February 30 for a day of March, hence the text back.
constexpr const char* kReaders =
    "  const value = (row, name) => (Object.prototype.hasOwnProperty.call(row, name) ? row[name] : null);\n"
    "  const isMissing = (x) => x === null || x === undefined || x !== x;\n"
    "  const isEmpty = (x) => isMissing(x) || (typeof x === 'string' && x.trim() === '');\n"
    "  const number = (row, name, ifMissing = NaN) => {\n"
    "    const x = value(row, name);\n"
    "    if (isEmpty(x)) return ifMissing;\n"
    "    if (Number.isNaN(Number(x))) throw new Error('not a number: ' + x);\n"
    "    return Number(x);\n"
    "  };\n"
    "  const isNumber = /^[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?$/i;\n"
    "  const level = (row, name) => {\n"
    "    const x = value(row, name);\n"
    "    if (isMissing(x)) return null;\n"
    "    const named = forms.get(name) || new Map(), text = String(x);\n"
    "    if (typeof x === 'boolean') return named.has(x) ? named.get(x) : text;\n"
    "    if (typeof x === 'number' && Math.abs(x) >= 2 ** 53) return named.has(x) ? named.get(x) : null;\n"
    "    return isNumber.test(text) && named.has(Number(text)) ? named.get(Number(text)) : text;\n"
    "  };\n"
    "  const is = (row, name, one, known, ifMissing = NaN) =>\n"
    "    known.includes(level(row, name)) ? Number(level(row, name) === one) : ifMissing;\n"
    "  const place = (row, name, known, ifMissing = NaN) =>\n"
    "    known.includes(level(row, name)) ? known.indexOf(level(row, name)) : ifMissing;\n"
    "  const days = (row, name, ifMissing = NaN) => {\n"
    "    const x = value(row, name);\n"
    "    if (isEmpty(x)) return ifMissing;\n"
    "    if (typeof x === 'number') return x;\n"
    "    if (x instanceof Date && !Number.isNaN(x.getTime())) return x.getTime() / 1000 / 86400;\n"
    "    const written = /^(\\d{4}-\\d\\d-\\d\\d)(?:[T ](\\d\\d?):(\\d\\d)(?::(\\d\\d)(\\.\\d*)?)?)?Z?$/;\n"
    "    const [, day, hour = 0, minute = 0, second = 0, fraction = ''] = written.exec(String(x).trim()) || [];\n"
    "    const start = Date.parse(day);\n"
    "    const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);\n"
    "    if (!isDay || hour > 23 || minute > 59 || second >= 60) throw new Error('not a date such as 2020-03-01: ' + x);\n"
    "    return (start / 1000 + 3600 * hour + 60 * minute + Number(second) + Number('0' + fraction)) / 86400;\n"
    "  };\n";

std::string probabilities_in_javascript(const JavaScript& script, const LogitTable& logits) {
  if (logits.empty()) return "  const predictProba = (row) => shares[leaf(row)].slice();\n";
  return fmt::format(
      "  const withinOne = (d) => (Number.isNaN(d) ? 0 : Math.max(-1, Math.min(1, d)));\n"
      "  const predictProba = (row) => {{\n    const distance = [{}], at = leaf(row), own = labels[at];\n"
      "    const sums = classes.map((_, k) => logits[at].reduce((sum, one, j) => sum + distance[j] * one[k], 0));\n"
      "    sums[own] = Math.max(...sums.map((sum, k) => (k === own ? sum : sum + {})));\n"
      "    const parts = sums.map((sum) => Math.exp(sum - Math.max(...sums)));\n"
      "    return parts.map((part) => part / parts.reduce((a, b) => a + b));\n  }};\n",
      script.distances(logits, "withinOne"), literal(kLeadOfLabel));
}

}  // namespace

std::string to_javascript(const Tree& tree, const std::string& name) {
  const JavaScript script(tree);
  const LeafTable leaves(tree);
  const LogitTable logits(tree);
  std::vector<std::string> classes;
  for (const std::string& label : tree.class_names) classes.push_back(js_literal(label));
  std::vector<std::string> values;
  for (const double value : leaves.values) values.push_back(literal(value));
  const std::string table =
      tree.loss ? fmt::format("  // Of each leaf: its number.\n  const values = [{}];\n", joined(values))
                : fmt::format(
                      "  const classes = [{}];\n  // Of each leaf: the number of its class, and {}.\n"
                      "  const labels = [{}];\n  const {} = [{}];\n",
                      joined(classes),
                      logits.empty() ? "the shares of the classes" : "the logits of the classes, then what each distance adds to them",
                      fmt::join(leaves.labels, ", "), logits.empty() ? "shares" : "logits",
                      logits.empty() ? table_text(leaves.shares, "[", "]") : table_text(logits.of_leaves, "[", "]"));
  std::string body;
  script.body(Tree::root(), "    ", body);
  const std::string program = fmt::format(
      "A row is an object of column names and values; null, undefined, NaN, an empty number or no entry = missing.\n"
      "// A date is a Date, a text such as 2020-03-01 or 2020-03-01 12:30, or days since 1970-01-01.\n"
      "const {name} = (() => {{\n  'use strict';\n{}"
      "  // Of each column the levels by their numbers, and those that stand for true and false.\n"
      "  const forms = new Map([{}]);\n{}"
      "  const leaf = (row) => {{\n{}  }};\n"
      "{}}})();\n"
      "if (typeof module !== 'undefined') module.exports = {name};\n",
      table, script.forms(), kReaders, body,
      tree.loss ? "  const predict = (row) => values[leaf(row)];\n  return { predict };\n"
                : "  const predict = (row) => classes[labels[leaf(row)]];\n"
                  "  // The probability of each class, in the order of classes.\n" +
                      probabilities_in_javascript(script, logits) + "  return { classes, predict, predictProba };\n",
      fmt::arg("name", kName));
  return fmt::format("// Made by treewright {}. {}", version(), named(program, name));
}

}  // namespace treewright::exports
