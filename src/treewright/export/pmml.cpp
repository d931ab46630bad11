// PMML 4.4, element TreeModel.
//
// Of the children of a node PMML takes the first whose predicate is true. The left child has the split's condition, with "is missing"
// joined by "or" where missing values go left, and the right child has <True/>: whatever is not sent left goes right, and so no strategy
// for missing values is needed ("none" takes an unknown predicate for false). A level that the tree does not know is read as a missing
// value (invalidValueTreatment), as everywhere in this library. A hyperplane's sum is a derived field; it is missing as soon as one of its
// terms is, unless it has a replacement: a question for the missing value, because JPMML reads the attribute mapMissingTo as a text.
//
// A set of levels is an array of quoted texts. Engines disagree on backslashes and quotes inside such a text: PMML4S takes every backslash
// as it is, JPMML unescapes quotes only. A set with such a level, or with unusual blanks, is a question for each of its levels, joined by
// "or".

#include "treewright/export/pmml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "treewright/base/version.h"
#include "treewright/explain/markup.h"
#include "treewright/probabilities.h"
#include "treewright/tree/levels.h"

namespace treewright::exports {

namespace {

class Pmml {
 public:
  explicit Pmml(const Tree& tree) : tree_(tree) {
    if (!tree.loss) of_nodes_ = node_probabilities(tree, tree.shrinkage);
  }

  std::string document() const {
    std::string fields, schema, derived, nodes;
    for (const Feature& feature : tree_.features) {
      const std::string name = explain::escaped_exactly(feature.name);
      // PMML's own type for days since 1970 has no room for a time of day.
      const std::string unit = feature.notation == Notation::date   ? fmt::format(" displayName=\"{} (days since 1970-01-01)\"", name)
                               : feature.notation == Notation::days ? fmt::format(" displayName=\"{} (days)\"", name)
                                                                    : "";
      const char* const type = feature.kind == ColumnKind::categorical ? "categorical"
                               : feature.notation == Notation::ordered ? "ordinal"
                                                                       : "continuous";
      fields += fmt::format("    <DataField name=\"{}\"{} optype=\"{}\" dataType=\"{}\"{}>", name, unit, type,
                            feature.has_levels() ? "string" : "double", feature.levels.empty() ? "/" : "");
      for (const std::string& level : feature.levels) fields += "<Value value=\"" + explain::escaped_exactly(level) + "\"/>";
      fields += feature.levels.empty() ? "\n" : "</DataField>\n";
      schema += fmt::format("      <MiningField name=\"{}\" invalidValueTreatment=\"asMissing\"/>\n", name);
    }
    fields += fmt::format("    <DataField name=\"{}\" optype=\"{}\">", explain::escaped_exactly(target()),
                          tree_.loss ? "continuous\" dataType=\"double" : "categorical\" dataType=\"string");
    for (const std::string& name : tree_.class_names) fields += "<Value value=\"" + explain::escaped_exactly(name) + "\"/>";
    fields += "</DataField>\n";
    schema += "      <MiningField name=\"" + explain::escaped_exactly(target()) + "\" usageType=\"target\"/>\n";
    for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
      if (const HyperplaneSplit* plane = tree_.nodes()[i].plane()) derived += derived_field(NodeId{static_cast<std::int32_t>(i)}, *plane);
    }
    if (!derived.empty()) derived = "    <LocalTransformations>\n" + derived + "    </LocalTransformations>\n";
    node(Tree::root(), "<True/>", "    ", nodes);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">\n"
        "  <Header><Application name=\"treewright\" version=\"{}\"/></Header>\n  <DataDictionary numberOfFields=\"{}\">\n{}  "
        "</DataDictionary>\n"
        "  <TreeModel functionName=\"{}\" missingValueStrategy=\"none\" noTrueChildStrategy=\"returnLastPrediction\" "
        "splitCharacteristic=\"binarySplit\">\n    <MiningSchema>\n{}    </MiningSchema>\n{}{}  </TreeModel>\n</PMML>\n",
        version(), tree_.features.size() + 1, fields, tree_.loss ? "regression" : "classification", schema, derived, nodes);
  }

 private:
  // Two fields must not share a name.
  std::string unused(std::string name) const {
    for (std::size_t f = 0; f < tree_.features.size();) {
      if (tree_.features[f++].name == name) name += "_", f = 0;
    }
    return name;
  }
  std::string target() const { return unused(tree_.target_name); }
  std::string plane_name(NodeId id) const { return unused(fmt::format("hyperplane_{}", +id)); }

  static std::string plus(const std::string& sum, double weight, const std::string& x) {
    return fmt::format("<Apply function=\"+\">{}<Apply function=\"*\"><Constant dataType=\"double\">{}</Constant>{}</Apply></Apply>", sum,
                       weight, x);
  }
  static std::string is_level(const Feature& feature, std::size_t level) {
    return fmt::format("<NormDiscrete field=\"{}\" value=\"{}\"/>", explain::escaped_exactly(feature.name),
                       explain::escaped_exactly(feature.levels[level]));
  }
  // The place of an ordered level: the sum of all places times whether the level is there.
  static std::string place(const Feature& feature) {
    std::string sum = "<Constant dataType=\"double\">0</Constant>";
    for (std::size_t i = 0; i < feature.levels.size(); ++i) sum = plus(sum, static_cast<double>(i), is_level(feature, i));
    return sum;
  }

  std::string derived_field(NodeId id, const HyperplaneSplit& plane) const {
    std::string sum = "<Constant dataType=\"double\">0</Constant>";
    for (const auto& term : plane.terms) {
      const Feature& feature = tree_.features[+term.feature];
      const std::string name = explain::escaped_exactly(feature.name);
      std::string x = feature.notation == Notation::ordered ? place(feature)
                      : term.level < 0                      ? fmt::format("<FieldRef field=\"{}\"/>", name)
                                                            : is_level(feature, static_cast<std::size_t>(term.level));
      if (term.if_missing) {
        x = fmt::format(
            "<Apply function=\"if\"><Apply function=\"isMissing\"><FieldRef field=\"{}\"/></Apply><Constant "
            "dataType=\"double\">{}</Constant>{}</Apply>",
            name, *term.if_missing, x);
      }
      sum = plus(sum, term.weight, x);
    }
    return fmt::format("      <DerivedField name=\"{}\" optype=\"continuous\" dataType=\"double\">{}</DerivedField>\n",
                       explain::escaped_exactly(plane_name(id)), sum);
  }

  // Whether all engines read the level in an array as it is.
  static bool plain(const std::string& level) {
    constexpr std::string_view kDisputed = "\\\"\t\n\r";
    return !level.empty() && level.find_first_of(kDisputed) == std::string::npos && level.front() != ' ' && level.back() != ' ' &&
           level.find("  ") == std::string::npos;
  }

  // The questions whose "or" is the set.
  static std::vector<std::string> members(const std::string& field, const std::vector<std::string>& levels) {
    std::vector<std::string> questions;
    if (!std::all_of(levels.begin(), levels.end(), plain)) {
      for (const std::string& level : levels)
        questions.push_back(
            fmt::format("<SimplePredicate field=\"{}\" operator=\"equal\" value=\"{}\"/>", field, explain::escaped_exactly(level)));
      return questions;
    }
    std::string quoted;
    for (const std::string& level : levels) quoted += (quoted.empty() ? "\"" : " \"") + explain::escaped_exactly(level) + "\"";
    questions.push_back(fmt::format(
        "<SimpleSetPredicate field=\"{}\" booleanOperator=\"isIn\"><Array type=\"string\" n=\"{}\">{}</Array></SimpleSetPredicate>", field,
        levels.size(), quoted));
    return questions;
  }

  std::string predicate(NodeId id, const Split& split) const {
    std::string field;
    std::vector<std::string> asked;
    if (const auto set = level_split(split.rule, tree_)) {
      const Feature& feature = tree_.features[+set->feature];
      field = explain::escaped_exactly(feature.name);
      std::vector<std::string> levels;
      for (std::size_t i = 0; i < set->left.size(); ++i) {
        if (set->left[i]) levels.push_back(feature.levels[i]);
      }
      asked = members(field, levels);
    } else {
      const auto below = [&](const std::string& name, double threshold) {
        field = explain::escaped_exactly(name);
        asked.push_back(fmt::format("<SimplePredicate field=\"{}\" operator=\"lessThan\" value=\"{}\"/>", field, threshold));
      };
      match(
          split.rule, [&](const AxisSplit& axis) { below(tree_.features[+axis.feature].name, axis.threshold); },
          [&](const HyperplaneSplit& plane) { below(plane_name(id), plane.threshold); },
          [](const CategorySplit&) {});  // a set of levels, as above
    }
    if (split.missing_left) asked.insert(asked.begin(), fmt::format("<SimplePredicate field=\"{}\" operator=\"isMissing\"/>", field));
    if (asked.size() == 1) return asked.front();
    return fmt::format("<CompoundPredicate booleanOperator=\"or\">{}</CompoundPredicate>", fmt::join(asked, ""));
  }

  void node(NodeId id, const std::string& when, const std::string& indent, std::string& out) const {
    const Node& here = tree_.node(id);
    out += fmt::format("{}<Node id=\"{}\" score=\"{}\" recordCount=\"{}\">{}", indent, +id,
                       tree_.loss ? fmt::format("{}", here.estimate.value) : explain::escaped_exactly(tree_.class_names[here.label]),
                       here.rows, when);
    for (std::size_t k = 0; k < here.class_weight.size(); ++k) {
      out +=
          fmt::format("<ScoreDistribution value=\"{}\" recordCount=\"{}\" probability=\"{}\"/>",
                      explain::escaped_exactly(tree_.class_names[k]), here.class_weight[k], of_nodes_[+id * tree_.class_names.size() + k]);
    }
    if (!here.is_leaf()) {
      out += "\n";
      node(here.left, predicate(id, *here.split), indent + "  ", out);
      node(here.right, "<True/>", indent + "  ", out);
      out += indent;
    }
    out += "</Node>\n";
  }

  const Tree& tree_;
  std::vector<double> of_nodes_;  // probabilities. Shape (nodes, classes).
};

}  // namespace

std::string to_pmml(const Tree& tree) {
  return Pmml(tree).document();
}

}  // namespace treewright::exports
