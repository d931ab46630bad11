// The tree as a program. All languages get the same nested conditions. A `Language` holds the differences: how to write a value, a name and
// a missing value. The conditions end in the number of a leaf, and a table has the class and the probabilities of each leaf.
//
// Missing values need no branch of their own. In C, C++ and Python they are NaN, which fails every comparison: a split that sends them
// right asks "x < t", one that sends them left asks "not x >= t". A set works alike: "is one of the left levels", or "is none of the right
// levels", and then a level that the tree does not know goes where missing ones go, too. SQL's NULL makes a condition neither true nor
// false, which CASE takes for false: there, "x < t or x is null" does it.
//
// Dates are days since 1970-01-01 inside. C and C++ take them as such numbers and say so. Python reads them as they are written, and SQL
// compares with literals of its own type.

#include "treewright/export/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "treewright/base/version.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/text.h"
#include "treewright/export/language.h"
#include "treewright/export/literal.h"
#include "treewright/tree/distances.h"
#include "treewright/tree/levels.h"

namespace treewright::exports {

namespace {

// Text between double quotes for C and C++: every byte as it is.
std::string c_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\' || c == '?') {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// A name inside a comment must neither end it nor begin another.
std::string remark(const std::string& name) {
  std::string out;
  for (const char c : explain::clean(name)) {
    const char before = out.empty() ? ' ' : out.back();
    if ((before == '*' && c == '/') || (before == '/' && c == '*')) out += ' ';
    out += c;
  }
  return out;
}

struct CLike : Language {
  using Language::Language;
  bool levels_are_texts() const override { return false; }
  std::string numeric(FeatureId feature) const override { return fmt::format("x[{}]", +feature); }
  // Only NaN is unequal to itself.
  std::string term(const HyperplaneSplit::Term& term) const override {
    const std::string x = numeric(term.feature), lacking = term.if_missing ? literal(*term.if_missing) : x;
    if (term.level >= 0) return fmt::format("({0} != {0} ? {1} : {0} == {2} ? 1.0 : 0.0)", x, lacking, term.level);
    return term.if_missing ? fmt::format("({0} != {0} ? {1} : {0})", x, lacking) : x;
  }
  std::string one_of(FeatureId feature, const std::vector<std::size_t>& levels) const override {
    std::string out;
    for (const std::size_t level : levels) out += fmt::format("{}x[{}] == {}", out.empty() ? "" : " || ", +feature, level);
    return out.empty() ? "0" : out;
  }
  void body(NodeId id, const std::string& indent, std::string& out) const {
    const Node& node = tree.node(id);
    if (node.is_leaf()) {
      out += fmt::format("{}return {}; /* {} */\n", indent, leaf_text[+id], remark(explain::prediction(tree, node)));
      return;
    }
    const std::string meant = remark(meant_inside(node));
    out += indent + "if (" + condition_inside(node) + ") {" + (meant.empty() ? "" : " /* " + meant + " */") + "\n";
    body(right_inside(node) ? node.right : node.left, indent + "  ", out);
    out += indent + "}\n";
    body(right_inside(node) ? node.left : node.right, indent, out);
  }
  static const char* unit(Notation notation) {
    return notation == Notation::date ? " (date: days since 1970-01-01)" : notation == Notation::days ? " (in days)" : "";
  }
  // A comment that lists the columns of a row.
  std::string columns() const {
    std::string out;
    for (std::size_t f = 0; f < tree.features.size(); ++f) {
      const Feature& feature = tree.features[f];
      out += fmt::format("   x[{}]  {}{}", f, remark(feature.name), unit(feature.notation));
      for (std::size_t i = 0; i < feature.levels.size(); ++i)
        out += fmt::format("{} {} = {}", i == 0 ? ":" : ",", i, remark(feature.levels[i]));
      out += "\n";
    }
    return out;
  }
  std::string classes() const {
    std::string out;
    for (const std::string& name : tree.class_names) out += (out.empty() ? "" : ", ") + c_string(name);
    return out;
  }
};

struct Python : Language {
  using Language::Language;
  std::string value(FeatureId feature, const std::string& lacking) const {
    const Feature& about = tree.features[+feature];
    const std::string name = quoted_text(about.name);
    if (about.notation == Notation::ordered) return fmt::format("_place(row, {}, ({}){})", name, all_levels(about), lacking);
    return fmt::format("{}(row, {}{})", about.notation == Notation::date ? "_days" : "_number", name, lacking);
  }
  std::string numeric(FeatureId feature) const override { return value(feature, ""); }
  static std::string all_levels(const Feature& feature) {
    std::string known;
    for (const std::string& level : feature.levels) known += quoted_text(level) + ", ";
    return known;
  }
  std::string term(const HyperplaneSplit::Term& term) const override {
    const Feature& feature = tree.features[+term.feature];
    const std::string lacking = term.if_missing ? ", " + literal(*term.if_missing) : "", name = quoted_text(feature.name);
    if (term.level < 0) return value(term.feature, lacking);
    return fmt::format("_is(row, {}, {}, ({}){})", name, quoted_text(feature.levels[term.level]), all_levels(feature), lacking);
  }
  std::string negated(const std::string& condition) const override { return "not (" + condition + ")"; }
  std::string one_of(FeatureId feature, const std::vector<std::size_t>& levels) const override {
    std::string out;
    for (const std::size_t level : levels) out += (out.empty() ? "" : ", ") + quoted_text(tree.features[+feature].levels[level]);
    return fmt::format("_level(row, {}) in ({}{})", quoted_text(tree.features[+feature].name), out, levels.size() == 1 ? "," : "");
  }
  // For each column the names of its levels by their numbers, and of those that stand for True and False.
  std::string forms() const {
    std::string out;
    for (const FeatureId id : categories_used()) {
      const Feature& feature = tree.features[+id];
      const Levels levels(feature.levels);
      std::vector<std::string> pairs;
      for (const auto& [number, code] : levels.numbers()) pairs.push_back(literal(number) + ": " + quoted_text(feature.levels[code]));
      for (const bool truth : {true, false}) {
        const std::int32_t code = levels.code_of_truth(truth);
        if (code >= 0) pairs.push_back(fmt::format("\"{}\": {}", truth ? "True" : "False", quoted_text(feature.levels[code])));
      }
      if (!pairs.empty()) out += fmt::format("    {}: {{{}}},\n", quoted_text(feature.name), joined(pairs));
    }
    return out;
  }
  void body(NodeId id, const std::string& indent, std::string& out) const {
    const Node& node = tree.node(id);
    if (node.is_leaf()) {
      out += fmt::format("{}return {}  # {}\n", indent, leaf_text[+id], explain::clean(explain::prediction(tree, node)));
      return;
    }
    const std::string meant = meant_inside(node);
    out += indent + "if " + condition_inside(node) + ":" + (meant.empty() ? "" : "  # " + meant) + "\n";
    body(right_inside(node) ? node.right : node.left, indent + "    ", out);
    body(right_inside(node) ? node.left : node.right, indent, out);
  }
};

// Whole seconds are whole numbers, as the reader of files has them.
constexpr const char* kDaysInPython =
    "def _days(row, name, if_missing=nan):\n    value = row.get(name)\n    if _is_empty(value):\n        return if_missing\n"
    "    if isinstance(value, Real):\n        return float(value)\n"
    "    if getattr(value, \"tzinfo\", None) is not None:\n        value = value.astimezone(timezone.utc).replace(tzinfo=None)\n"
    "    day, _, time = str(value).strip().rstrip(\"Z\").replace(\"T\", \" \").partition(\" \")\n"
    "    if time and not fullmatch(r\"([01]?[0-9]|2[0-3])(:[0-5][0-9](:[0-5][0-9](\\.[0-9]*)?)?)?\", time):\n"
    "        raise ValueError(f\"not a date such as 2020-03-01 12:30: {value}\")\n"
    "    clock, _, fraction = time.partition(\".\")\n"
    "    seconds = sum(int(part) * unit for part, unit in zip(clock.split(\":\"), (3600, 60, 1)) if part)\n"
    "    seconds += 86400 * (date.fromisoformat(day).toordinal() - 719163)\n"
    "    return (seconds + float(f\"0.{fraction}\")) / 86400\n\n\n";

constexpr const char* kLevelInPython =
    "def _level(row, name):\n    value = row.get(name)\n    return None if _is_missing(value) else str(value)\n\n\n";

// Levels that are numbers, or true and false, by the rule of `Levels`.
constexpr const char* kLevelOfFormsInPython =
    "def _level(row, name):\n    value = row.get(name)\n    if _is_missing(value):\n        return None\n"
    "    forms, text = _FORMS.get(name, {}), str(value)\n"
    "    if not isinstance(value, str) and text in (\"True\", \"False\"):\n        return forms.get(text, text)\n"
    "    if isinstance(value, Real) and not isinstance(value, Integral):\n        value = float(value)\n"
    "        if abs(value) >= 2**53:\n            return forms.get(value)\n"
    "        text = str(int(value)) if value.is_integer() else repr(value)\n"
    "    is_number = fullmatch(r\"[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\", text)\n"
    "    return forms.get(float(text), text) if is_number else text\n\n\n";

template <class Language>
std::string body_of(const Language& language, const char* indent) {
  std::string body;
  language.body(Tree::root(), indent, body);
  return body;
}

// The classes and probabilities of the leaves between such brackets: "0, 1" and "{1.0, 0.0}, {0.25, 0.75}".
std::string labels_text(const LeafTable& leaves) {
  return fmt::format("{}", fmt::join(leaves.labels, ", "));
}

std::string values_text(const LeafTable& leaves) {
  std::vector<std::string> values;
  for (const double value : leaves.values) values.push_back(literal(value));
  return joined(values);
}

// What the C program says behind its list of columns.
std::string c_of_numbers(const CLike& c, const LeafTable& leaves) {
  return fmt::format(
      "/* Of each leaf: its number. */\nstatic const double {name}_values[{}] = {{{}}};\n\n"
      "/* Number of the leaf. */\nstatic int {name}_leaf(const double *x) {{\n  (void)x;\n{}}}\n\n"
      "/* The predicted number. */\n"
      "double {name}_predict(const double *x) {{\n  return {name}_values[{name}_leaf(x)];\n}}\n",
      leaves.values.size(), values_text(leaves), body_of(c, "  "), fmt::arg("name", kName));
}

std::string cpp_of_numbers(const CLike& c, const LeafTable& leaves) {
  return fmt::format(
      "/// Number of the leaf.\nconstexpr int leaf([[maybe_unused]] const double* x) {{\n{}}}\n\n"
      "/// The predicted number.\nconstexpr double predict(const double* x) {{\n"
      "  constexpr std::array<double, {}> values = {{{}}};\n  return values[leaf(x)];\n}}\n\n",
      body_of(c, "  "), leaves.values.size(), values_text(leaves));
}

// Fills p from the row `logits` of the leaf, whose label `own` is the most probable class, for C and C++.
std::string softmax_text(std::size_t classes, std::size_t factors) {
  return fmt::format(
      "  double most = -1e300, sum = 0.0;\n"
      "  for (int k = 0; k < {0}; ++k) {{\n    p[k] = 0.0;\n    for (int j = 0; j < {1}; ++j) p[k] += distance[j] * logits[j][k];\n"
      "    if (k != own && p[k] > most) most = p[k];\n  }}\n"
      "  if (p[own] < most + {2}) p[own] = most + {2};\n  most = p[own];\n"
      "  for (int k = 0; k < {0}; ++k) sum += p[k] = exp(p[k] - most);\n  for (int k = 0; k < {0}; ++k) p[k] /= sum;\n",
      classes, factors, literal(kLeadOfLabel));
}

constexpr const char* kWithinOne = "d != d ? 0.0 : d < -1.0 ? -1.0 : d > 1.0 ? 1.0 : d";

std::string c_of_classes(const CLike& c, const LeafTable& leaves) {
  const std::size_t classes = std::max<std::size_t>(1, c.tree.class_names.size()), count = leaves.labels.size();
  const LogitTable logits(c.tree);
  const std::size_t factors = logits.planes.size() + 1;
  const std::string table = logits.empty() ? fmt::format("static const double {name}_shares[{}][{}] = {{{}}};\n", count, classes,
                                                         table_text(leaves.shares, "{", "}"), fmt::arg("name", kName))
                                           : fmt::format("static const double {name}_logits[{}][{}][{}] = {{{}}};\n", count, factors,
                                                         classes, table_text(logits.of_leaves, "{", "}"), fmt::arg("name", kName));
  const std::string probabilities =
      logits.empty()
          ? fmt::format("  for (int k = 0; k < {}; ++k) p[k] = {name}_shares[{name}_leaf(x)][k];\n", classes, fmt::arg("name", kName))
          : fmt::format(
                "  const double distance[{}] = {{{}}};\n  const int leaf = {name}_leaf(x), own = {name}_labels[leaf];\n"
                "  const double (*logits)[{}] = {name}_logits[leaf];\n",
                factors, c.distances(logits, std::string(kName) + "_within_one"), classes, fmt::arg("name", kName)) +
                softmax_text(classes, factors);
  return fmt::format(
      "{}const char *const {name}_classes[{}] = {{{}}};\n\n"
      "/* Of each leaf: the index of its class, and {}. */\n"
      "static const int {name}_labels[{}] = {{{}}};\n{}\n"
      "/* Number of the leaf. */\nstatic int {name}_leaf(const double *x) {{\n  (void)x;\n{}}}\n\n"
      "/* Index of the predicted class. */\n"
      "int {name}_predict(const double *x) {{\n  return {name}_labels[{name}_leaf(x)];\n}}\n\n"
      "{}/* p: probability of each class, in the order of {name}_classes. */\n"
      "void {name}_predict_proba(const double *x, double *p) {{\n{}}}\n",
      logits.empty() ? "" : "#include <math.h>\n\n", classes, c.classes(),
      logits.empty() ? "the shares of the classes" : "the logits of the classes, then what each distance to a hyperplane adds to them",
      count, labels_text(leaves), table, body_of(c, "  "),
      logits.empty() ? "" : fmt::format("static double {}_within_one(double d) {{\n  return {};\n}}\n\n", kName, kWithinOne), probabilities,
      fmt::arg("name", kName));
}

std::string cpp_of_classes(const CLike& c, const LeafTable& leaves) {
  const std::size_t classes = c.tree.class_names.size(), count = leaves.labels.size();
  const LogitTable logits(c.tree);
  const std::size_t factors = logits.planes.size() + 1;
  const std::string probabilities =
      logits.empty() ? fmt::format(
                           "constexpr std::array<double, {0}> predict_proba(const double* x) {{\n"
                           "  constexpr std::array<std::array<double, {0}>, {1}> shares = {{{{{2}}}}};\n  return shares[leaf(x)];\n}}\n\n",
                           classes, count, table_text(leaves.shares, "{{", "}}"))
                     : fmt::format(
                           "inline std::array<double, {0}> predict_proba(const double* x) {{\n  using std::exp;\n"
                           "  constexpr auto within_one = [](double d) {{ return {1}; }};\n"
                           "  constexpr double table[{2}][{3}][{0}] = {{{4}}};\n  const double distance[{3}] = {{{5}}};\n"
                           "  const auto& logits = table[leaf(x)];\n  const int own = predict(x);\n  std::array<double, {0}> p{{}};\n{6}  "
                           "return p;\n}}\n\n",
                           classes, kWithinOne, count, factors, table_text(logits.of_leaves, "{", "}"), c.distances(logits, "within_one"),
                           softmax_text(classes, factors));
  return fmt::format(
      "constexpr std::array<std::string_view, {}> classes = {{{}}};\n\n"
      "/// Number of the leaf.\nconstexpr int leaf([[maybe_unused]] const double* x) {{\n{}}}\n\n"
      "/// Index of the predicted class.\nconstexpr int predict(const double* x) {{\n"
      "  constexpr std::array<int, {}> labels = {{{}}};\n  return labels[leaf(x)];\n}}\n\n"
      "/// Probability of each class, in the order of `classes`.\n{}",
      classes, c.classes(), body_of(c, "  "), count, labels_text(leaves), probabilities);
}

// The last lines of the Python program.
std::string probabilities_in_python(const Python& python, const LogitTable& logits) {
  std::string out = "\n\n\ndef predict_proba(row):\n    \"\"\"The probability of each class, by its name.\"\"\"\n";
  if (logits.empty()) return out + "    return dict(zip(CLASSES, _SHARES[_leaf(row)]))";
  return "\n\n\ndef _within_one(distance):\n    return 0.0 if distance != distance else max(-1.0, min(1.0, distance))" + out +
         fmt::format(
             "    leaf, distances = _leaf(row), ({},)\n"
             "    logits, own = [sum(map(mul, distances, column)) for column in zip(*_LOGITS[leaf])], _LABELS[leaf]\n"
             "    logits[own] = max(logits[own], *(logit + {} for k, logit in enumerate(logits) if k != own))\n"
             "    parts = [exp(logit - max(logits)) for logit in logits]\n"
             "    return {{name: part / sum(parts) for name, part in zip(CLASSES, parts)}}",
             python.distances(logits, "_within_one"), literal(kLeadOfLabel));
}

}  // namespace

std::string to_c(const Tree& tree, const std::string& name) {
  const CLike c(tree);
  const LeafTable leaves(tree);
  const std::string program = fmt::format("A row holds {} values; NAN = missing, a level is its number:\n{}*/\n\n{}", tree.features.size(),
                                          c.columns(), tree.loss ? c_of_numbers(c, leaves) : c_of_classes(c, leaves));
  return fmt::format("/* Made by treewright {}. {}", version(), named(program, name));
}

// Tables stand inside the functions: a variable of the header would be one for all programs that hold such a header.
std::string to_cpp(const Tree& tree, const std::string& name) {
  const CLike c(tree);
  const LeafTable leaves(tree);
  const std::string program = fmt::format(
      "#pragma once\n\n#include <array>\n{}#include <string_view>\n\nnamespace {name} {{\n\n"
      "/* A row holds these values; NaN = missing, a level is its number:\n{}*/\nconstexpr int columns = {};\n{}"
      "}}  // namespace {name}\n",
      tree.probability_model ? "#include <cmath>\n" : "", c.columns(), tree.features.size(),
      tree.loss ? "\n" + cpp_of_numbers(c, leaves) : cpp_of_classes(c, leaves), fmt::arg("name", kName));
  return fmt::format("// Made by treewright {}. C++17 or later.\n{}", version(), named(program, name));
}

std::string to_python(const Tree& tree) {
  const Python python(tree);
  const LeafTable leaves(tree);
  const LogitTable logits(tree);
  const auto is_date = [](const Feature& feature) { return feature.notation == Notation::date; };
  const bool dates = std::any_of(tree.features.begin(), tree.features.end(), is_date);
  const bool forms = python.has_other_forms();
  std::string classes, imports = dates ? "from datetime import date, timezone\n" : "";
  imports += logits.empty() ? "from math import nan\n" : "from math import exp, nan\n";
  if (dates || forms) imports += fmt::format("from numbers import {}Real\nfrom re import fullmatch\n", forms ? "Integral, " : "");
  if (!logits.empty()) imports += "from operator import mul\n";
  const std::string known = forms ? "# Levels by their numbers, and of True and False.\n_FORMS = {\n" + python.forms() + "}\n" : "";
  for (const std::string& name : tree.class_names) classes += "    " + quoted_text(name) + ",\n";
  const std::string table =
      tree.loss
          ? fmt::format("# Of each leaf: its number.\n_VALUES = ({},)\n", values_text(leaves))
          : fmt::format("CLASSES = (\n{})\n# Of each leaf: the number of its class, and {}.\n_LABELS = ({},)\n{} = ({},)\n", classes,
                        logits.empty() ? "the shares of the classes" : "the logits of the classes, then what each distance adds to them",
                        labels_text(leaves), logits.empty() ? "_SHARES" : "_LOGITS",
                        logits.empty() ? table_text(leaves.shares, "(", ",)") : table_text(logits.of_leaves, "(", ",)"));
  return fmt::format(
      "\"\"\"Made by treewright {}. Needs nothing but Python.\"\"\"\n\n{}\n{}{}\n\n"
      "def _is_missing(value):\n    try:\n        return value is None or bool(value != value)\n"
      "    except TypeError:  # pandas.NA\n        return True\n\n\n"
      "def _is_empty(value):\n    return _is_missing(value) or (isinstance(value, str) and not value.strip())\n\n\n"
      "def _number(row, name, if_missing=nan):\n    value = row.get(name)\n    return if_missing if _is_empty(value) else "
      "float(value)\n\n\n"
      "{}"
      "{}"
      "def _is(row, name, level, levels, if_missing=nan):\n    value = _level(row, name)\n    return float(value == level) if value in "
      "levels else if_missing\n\n\n"
      "def _place(row, name, levels, if_missing=nan):\n    value = _level(row, name)\n    return float(levels.index(value)) if value in "
      "levels else if_missing\n\n\n"
      "def _leaf(row):\n{}\n\n"
      "def predict(row):\n    \"\"\"The predicted {} for a mapping from column names to values; None, NaN, an empty number or "
      "no entry = missing.{}\"\"\"\n    return {}\n",
      version(), imports, table, known, dates ? kDaysInPython : "", forms ? kLevelOfFormsInPython : kLevelInPython, body_of(python, "    "),
      tree.loss ? "number" : "class",
      dates ? "\n    A date is a date, a datetime, a text such as 2020-03-01 or 2020-03-01 12:30, or days since 1970-01-01." : "",
      tree.loss ? "_VALUES[_leaf(row)]" : "CLASSES[_LABELS[_leaf(row)]]" + probabilities_in_python(python, logits));
}

}  // namespace treewright::exports
