#include "treewright/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>

#include "commands.h"
#include "flags.h"
#include "outputs.h"
#include "read_rows.h"
#include "treewright/base/did_you_mean.h"
#include "treewright/base/name_list.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/error.h"
#include "treewright/tree/aligned.h"

namespace treewright::cli {

namespace {

struct ExplainArguments {
  std::string tree, row, data, names;
  WantedNumber wanted;
  ReadOptions read;
};

// "name=value,name=value" as a row of the tree's columns; what is not named is missing.
Dataset row_from(const std::string& text, const Tree& tree) {
  Dataset data;
  data.class_names = tree.class_names;
  for (const Feature& feature : tree.features) {
    Column& column = data.columns.emplace_back();
    column.name = feature.name;
    column.kind = feature.kind;
    column.levels = feature.levels;
    column.notation = feature.notation;
    (feature.kind == ColumnKind::numeric) ? column.values.assign(1, std::nan("")) : column.codes.assign(1, -1);
  }
  std::set<std::string> given;
  for (const std::string& item : names_of_list(text)) {
    const std::string where = fmt::format("row, '{}'", item);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos)
      throw Error(where, "is not name=value", "write for example petal_length=4.7,petal_width=1.4, or a row number and the data");
    const auto column =
        std::find_if(data.columns.begin(), data.columns.end(), [&](const Column& c) { return c.name == item.substr(0, equals); });
    if (column == data.columns.end()) {
      const std::vector<std::string> names = names_of_columns(tree.features);
      throw Error(where, "the tree has no such column" + did_you_mean(item.substr(0, equals), names),
                  fmt::format("the columns are {}", fmt::join(names, ", ")));
    }
    if (!given.insert(column->name).second) throw Error(where, "the column has a value already", "give each column once");
    const std::string value = item.substr(equals + 1);
    if (value.empty()) continue;
    if (column->has_levels()) {
      const auto level = std::find(column->levels.begin(), column->levels.end(), value);
      if (level == column->levels.end())
        throw Error(where, "there is no such level", fmt::format("the levels are {}", fmt::join(column->levels, ", ")));
      const auto code = static_cast<std::int32_t>(level - column->levels.begin());
      column->kind == ColumnKind::numeric ? column->values.assign(1, code) : column->codes.assign(1, code);
    } else if (const auto date = read_written_dates({value}, 'd'); date && column->notation == Notation::date) {
      column->values[0] = date->days.front();
      column->zoned = date->zoned;
    } else {
      char* rest = nullptr;
      column->values[0] = std::strtod(value.c_str(), &rest);
      if (*rest != '\0' || !std::isfinite(column->values[0]))
        throw Error(where, "is not a number", "give a number, or leave it empty for a missing value");
    }
  }
  return data;
}

int explain_row(ExplainArguments& arguments) {
  Result result = load_tree(arguments.tree);
  Dataset train;
  if (!arguments.data.empty()) train = read_for(result, arguments.data, arguments.read).train;
  const Dataset* given = arguments.data.empty() ? nullptr : &train;
  take_names(result.tree, arguments.names);
  const bool number = !arguments.row.empty() && arguments.row.find_first_not_of("0123456789") == std::string::npos;
  if (!number) {
    write_output("", explain_row(result.tree, align(row_from(arguments.row, result.tree), result.tree), 0, given, arguments.wanted));
    return kOk;
  }
  if (given == nullptr) throw Error("row " + arguments.row, "needs a data file", "name the data file after the row");
  if (arguments.data == "-")
    throw Error("row " + arguments.row, "standard input cannot be read twice", "give a file, or the values of the row", ErrorKind::usage);
  const std::size_t row = std::strtoull(arguments.row.c_str(), nullptr, 10);
  write_output("", explain_row(result.tree, read_row(result, arguments.data, arguments.read, row), 0, given, arguments.wanted));
  return kOk;
}

}  // namespace

void add_explain(CLI::App& app, int& code) {
  auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* command = app.add_subcommand("explain", "explain why a tree predicts its label for a row, and what would change the label");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("row", arguments->row, "name=value,name=value,... (missing if not named), or the number of a row of the file, from 0")
      ->required();
  command->add_option("data", arguments->data, "the training data: distances in standard deviations, permutation importances");
  command->add_option("--below", arguments->wanted.below,
                      "of a number: find the smallest change of the row that makes it smaller than this");
  command->add_option("--above", arguments->wanted.above, "the same for larger than this");
  add_names_flag(*command, arguments->names);
  add_read_flags(*command, arguments->read);
  command->callback([arguments, &code] { code = explain_row(*arguments); });
}

}  // namespace treewright::cli
