// The tree in SQL: an expression that ends in the class or the number, or one for each class that ends in its probability.
//
// NULL makes a condition neither true nor false, which CASE takes for false. So a split that sends missing values right asks "x < t", and
// one that sends them left "x < t or x is null". Dates are compared with literals of their own type.
//
// The standard writes names in double quotes and doubles a quote inside a text. MySQL, Spark, Hive and BigQuery write names in backquotes
// and mark a quote inside a text by a backslash; a doubled one vanishes in Spark.

#include <fmt/format.h>

#include <cmath>

#include "treewright/base/version.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/error.h"
#include "treewright/explain/markup.h"
#include "treewright/export/code.h"
#include "treewright/export/language.h"
#include "treewright/export/literal.h"
#include "treewright/probabilities.h"
#include "treewright/tree/decimals.h"

namespace treewright::exports {

namespace {

std::string doubled(const std::string& text, char quote) {
  std::string out(1, quote);
  for (const char c : explain::utf8(text)) out += c == quote ? std::string(2, quote) : std::string(1, c);
  return out + quote;
}

std::string escaped(const std::string& text) {
  std::string out = "'";
  for (const char c : explain::utf8(text)) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : c == '\r' ? std::string("\\r") : std::string(1, c);
  }
  return out + "'";
}

// SQLite refuses expressions that nest deeper than about 20 CASE, depending on the conditions.
constexpr int kDeepestCase = 16;

struct Sql : Language {
  const bool backquotes;
  Sql(const Tree& of, bool in_backquotes) : Language(of), backquotes(in_backquotes) { nest_at_most(kDeepestCase, false); }
  std::string name(const std::string& text) const { return doubled(text, backquotes ? '`' : '"'); }
  std::string text_literal(const std::string& text) const { return backquotes ? escaped(text) : doubled(text, '\''); }
  std::string column(FeatureId feature) const { return name(tree.features[+feature].name); }
  // A date as days since 1970-01-01, and an ordered level as its place, for sums.
  std::string numeric(FeatureId feature) const override {
    const Feature& about = tree.features[+feature];
    const std::string x = column(feature);
    if (about.notation == Notation::ordered) {
      std::string places;
      for (std::size_t i = 0; i < about.levels.size(); ++i) places += fmt::format(" WHEN {} THEN {}.0", text_literal(about.levels[i]), i);
      return fmt::format("CASE {}{} END", x, places);
    }
    if (about.notation != Notation::date) return x;
    if (!backquotes) return fmt::format("(EXTRACT(EPOCH FROM {}) / 86400.0)", x);
    refuse_date(about, "count days in different ways");
  }
  std::string term(const HyperplaneSplit::Term& term) const override {
    const Feature& feature = tree.features[+term.feature];
    const std::string x = term.level < 0 ? numeric(term.feature) : column(term.feature),
                      lacking = term.if_missing ? literal(*term.if_missing) : "NULL";
    if (term.level < 0) return term.if_missing ? fmt::format("COALESCE({}, {})", x, lacking) : x;
    std::string known;
    for (const std::string& level : feature.levels) known += (known.empty() ? "" : ", ") + text_literal(level);
    return fmt::format("CASE WHEN {0} = {1} THEN 1.0 WHEN {0} IN ({2}) THEN 0.0 ELSE {3} END", x, text_literal(feature.levels[term.level]),
                       known, lacking);
  }
  std::string below(const std::string& value, double threshold, bool or_missing) const override {
    const std::string asked = fmt::format("{} < {}", value, literal(threshold));
    return or_missing ? fmt::format("{} OR ({}) IS NULL", asked, value) : asked;
  }
  std::string below(const AxisSplit& axis, bool or_missing) const override {
    const Feature& feature = tree.features[+axis.feature];
    const std::string x = column(axis.feature);
    const bool is_date = feature.notation == Notation::date;
    if (is_date && is_end(axis.threshold)) {
      const bool known = axis.threshold > 0;  // known values go left
      return known == or_missing ? (known ? "1 = 1" : "1 = 0") : fmt::format("{} IS {}NULL", x, known ? "NOT " : "");
    }
    std::string date = is_date ? date_literal(axis.threshold, feature.decimals) : "";
    if (feature.zoned && !date.empty()) date = with_zone(feature, date);
    // Databases compare whole numbers exactly, the tree compares doubles.
    if (!is_date && std::abs(axis.threshold) > 0x1p53 && !is_end(axis.threshold)) {
      // Of backquotes not all know DOUBLE PRECISION, but all add in doubles.
      const std::string asked =
          fmt::format(fmt::runtime(backquotes ? "({} + 0e0) < {}" : "CAST({} AS DOUBLE PRECISION) < {}"), x, literal(axis.threshold));
      return or_missing ? fmt::format("{} OR ({}) IS NULL", asked, x) : asked;
    }
    if (date.empty()) return below(numeric(axis.feature), axis.threshold, or_missing);
    return fmt::format("{} < {}{}", x, date, or_missing ? fmt::format(" OR ({}) IS NULL", x) : "");
  }
  // A literal without a zone would be a moment of the session's zone.
  std::string with_zone(const Feature& feature, const std::string& literal) const {
    if (backquotes) refuse_date(feature, "have different literals for times with a zone");
    const std::string moment = literal.substr(literal.find('\'') + 1, literal.size() - literal.find('\'') - 2);
    return fmt::format("TIMESTAMP WITH TIME ZONE '{}{}+00:00'", moment, literal.starts_with("DATE") ? " 00:00:00" : "");
  }
  [[noreturn]] static void refuse_date(const Feature& feature, const char* why) {
    throw Error("export as sql", fmt::format("the databases that write names in backquotes {} ('{}')", why, feature.name),
                "export without backquotes, or train on the days as numbers");
  }
  // The date as SQL writes it; "" where that would not be the same threshold. In the middle between two neighboring days, or seconds, of
  // the training rows stands the later one, which says the same of whole days and seconds. Where rows differ within a second, the
  // microsecond is written.
  static std::string date_literal(double days, int decimals) {
    constexpr double kFirst = -719162, kLast = 2932896;  // years 1 to 9999, which all of SQL has
    if (days < kFirst || days > kLast) return "";
    constexpr double kHalfASecond = 0.5 / 86400;
    const double day = std::floor(days);
    if (days == day || (decimals == 0 && days - day == 0.5)) return fmt::format("DATE '{}'", date_text(days, DateUnit::day));
    const auto is_whole = [](double date) { return finest_unit(date) != DateUnit::microsecond; };
    const bool between = decimals >= 0 && decimals < kMostDecimals && is_whole(days + kHalfASecond);
    if (is_whole(days) || between) return fmt::format("TIMESTAMP '{}'", date_text(days, DateUnit::second));
    return decimals == kMostDecimals ? fmt::format("TIMESTAMP '{}'", date_text(days, DateUnit::microsecond)) : "";
  }
  std::string one_of(FeatureId feature, const std::vector<std::size_t>& levels) const override {
    std::string out;
    for (const std::size_t level : levels) out += (out.empty() ? "" : ", ") + text_literal(tree.features[+feature].levels[level]);
    return out.empty() ? "1 = 0" : fmt::format("{0} IS NOT NULL AND {0} IN ({1})", column(feature), out);
  }
  std::string negated(const std::string& condition) const override { return "NOT (" + condition + ")"; }
  std::string expression() const {
    std::string out;
    body(Tree::root(), "", out);
    return out;
  }

 private:
  void body(NodeId id, const std::string& indent, std::string& out) const {
    const Node& node = tree.node(id);
    if (node.is_leaf()) {
      out += leaf_text[+id];
      return;
    }
    if (!needs_.empty()) {
      flat_body(id, indent, out);
      return;
    }
    out += "CASE WHEN " + condition(*node.split) + "\n" + indent + "  THEN ";
    body(node.left, indent + "  ", out);
    out += "\n" + indent + "  ELSE ";
    body(node.right, indent + "  ", out);
    out += "\n" + indent + "END";
  }
  // One CASE asks on along the children that need more CASE. A condition that is unknown sends right, hence the CASE around it.
  void flat_body(NodeId id, const std::string& indent, std::string& out) const {
    out += "CASE";
    while (!tree.node(id).is_leaf()) {
      const Node& node = tree.node(id);
      const bool swapped = right_inside(node);
      const std::string asked = condition(*node.split);
      out += "\n" + indent + "  WHEN " + (swapped ? "CASE WHEN " + asked + " THEN 0 ELSE 1 END = 1" : asked) + "\n" + indent + "    THEN ";
      body(swapped ? node.right : node.left, indent + "    ", out);
      id = swapped ? node.left : node.right;
    }
    out += "\n" + indent + "  ELSE " + leaf_text[+id] + "\n" + indent + "END";
  }
};

}  // namespace

std::string to_sql(const Tree& tree, bool backquotes) {
  Sql sql(tree, backquotes);
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.is_leaf()) sql.leaf_text[i] = tree.loss ? literal(node.estimate.value) : sql.text_literal(tree.class_names[node.label]);
  }
  return fmt::format("-- Made by treewright {}: an expression for a SELECT.\n{}\n", version(), sql.expression());
}

std::string to_sql_probabilities(const Tree& tree, bool backquotes) {
  const std::vector<double> all = node_probabilities(tree, tree.shrinkage);
  const std::size_t classes = tree.class_names.size();
  std::string out;
  for (std::size_t k = 0; k < classes; ++k) {
    Sql sql(tree, backquotes);
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
      if (tree.nodes()[i].is_leaf()) sql.leaf_text[i] = literal(all[i * classes + k]);
    }
    out += fmt::format("{}{} AS {}", k == 0 ? "" : ",\n", sql.expression(), sql.name("probability of " + tree.class_names[k]));
  }
  return fmt::format("-- Made by treewright {}: expressions for a SELECT, one for each class{}.\n{}\n", version(),
                     tree.probability_model ? ", by leaves: without the distances to hyperplanes" : "", out);
}

}  // namespace treewright::exports
