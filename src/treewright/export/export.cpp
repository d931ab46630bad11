#include "treewright/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "treewright/base/error.h"
#include "treewright/explain.h"
#include "treewright/explain/outline.h"
#include "treewright/export/code.h"
#include "treewright/export/dot.h"
#include "treewright/export/latex.h"
#include "treewright/export/onnx.h"
#include "treewright/export/pmml.h"
#include "treewright/export/svg.h"
#include "treewright/export/verify_export.h"
#include "treewright/task/json.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

// For people: numbers are rounded.
using Picture = std::string (*)(const Tree&, int digits);
// For machines: numbers are exact. Some read an option.
using Program = std::string (*)(const Tree&);
using NamedProgram = std::string (*)(const Tree&, const std::string& name);
using Query = std::string (*)(const Tree&, bool backquotes);

struct Writer {
  ExportFormat format;
  std::variant<std::monostate, Picture, Program, NamedProgram, Query> write;
  bool numbers = true;  // also of trees that predict numbers
  int digits = 17;      // that a reader of a program keeps
};

const std::vector<Writer>& writers() {
  static const std::vector<Writer> table = {
      {{"rules", "txt", "the rules as fit and show print them"}, to_text},
      {{"text", "txt", "indented lines in the style of scikit-learn's export_text"}, explain::to_plain_text},
      {{"dot", "dot", "Graphviz"}, exports::to_dot},
      {{"svg", "svg", "a picture"}, exports::to_svg},
      {{"latex", "tex", "a LaTeX document drawn by the package forest"}, exports::to_latex},
      {{"json", "json", "the tree file (docs/tree.schema.json)"}, {}},
      {{"c", "c", "C functions: class and probabilities, or number"}, exports::to_c},
      {{"cpp", "h", "a C++17 header: class and probabilities, or number"}, exports::to_cpp},
      {{"python", "py", "Python functions that need no package: class and probabilities, or number"}, exports::to_python},
      {{"javascript", "js", "JavaScript functions: class and probabilities, or number"}, exports::to_javascript},
      {{"sql", "sql", "an SQL CASE expression: the class or the number"}, exports::to_sql},
      {{"sql-probabilities", "sql", "SQL CASE expressions: the probability of each class"}, exports::to_sql_probabilities, false},
      {{"excel", "txt", "a formula for a spreadsheet: the class or the number"}, exports::to_excel, true, exports::kExcelDigits},
      {{"pmml", "pmml", "PMML 4.4, TreeModel"}, exports::to_pmml},
      {{"onnx", "onnx", "ONNX, TreeEnsembleRegressor in doubles: label and probabilities, or number"}, exports::to_onnx},
  };
  return table;
}

}  // namespace

const std::vector<ExportFormat>& export_table() {
  static const std::vector<ExportFormat> table = [] {
    std::vector<ExportFormat> formats;
    for (const Writer& writer : writers()) formats.push_back(writer.format);
    return formats;
  }();
  return table;
}

namespace {

void refuse_unread(const Writer& writer, const Tree& tree, const ExportOptions& options) {
  const bool renamed = std::ranges::any_of(tree.features, [](const Feature& f) { return !f.shown_name.empty() || !f.shown_unit.empty(); });
  if (renamed && !std::holds_alternative<Picture>(writer.write))
    throw option_error("names", fmt::format("{} keeps the names of the data", writer.format.name),
                       "leave it out, or choose a picture or a text");
  if (!options.name.empty() && !std::holds_alternative<NamedProgram>(writer.write))
    throw option_error("name", fmt::format("{} gives nothing a name", writer.format.name), "leave it out, or choose c, cpp or javascript");
  if (options.backquotes && !std::holds_alternative<Query>(writer.write))
    throw option_error("backquotes", fmt::format("{} is no SQL", writer.format.name), "leave it out, or choose sql or sql-probabilities");
}

}  // namespace

std::string export_tree(const Result& result, std::string_view format, const Dataset* data, const ExportOptions& options) {
  const Tree& tree = result.tree;
  for (const Writer& writer : writers()) {
    if (writer.format.name != format) continue;
    refuse_unread(writer, tree, options);
    need_trained(tree);
    if (tree.loss && !writer.numbers) throw option_error("format", fmt::format("{} writes trees that predict classes", format), "use json");
    const std::string what = fmt::format("export as {}", format);
    if (const auto* picture = std::get_if<Picture>(&writer.write))
      return (*picture)(tree, data == nullptr ? explain::kDigits : exports::digits_needed(tree, *data));
    if (std::holds_alternative<std::monostate>(writer.write)) {
      const std::string json = to_json(result);
      if (data != nullptr && tree_from_json(json, what).apply(*data) != tree.apply(*data)) {
        throw Error(what, "does not read back as the same tree", "this is a bug of treewright: please report it");
      }
      return json;
    }
    if (data != nullptr) {
      const auto trip = [digits = writer.digits](double value) { return exports::rounded(value, digits); };
      exports::verify_export(tree, exports::as_read(tree, trip, trip), *data, what);
    }
    if (const auto* named = std::get_if<NamedProgram>(&writer.write)) return (*named)(tree, options.name);
    if (const auto* query = std::get_if<Query>(&writer.write)) return (*query)(tree, options.backquotes);
    return std::get<Program>(writer.write)(tree);
  }
  std::string names;
  for (const Writer& writer : writers()) names += (names.empty() ? "" : ", ") + std::string(writer.format.name);
  throw option_error("format", fmt::format("'{}' is unknown", format), "the formats are " + names);
}

}  // namespace treewright
