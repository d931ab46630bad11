// The command table: writes the canonical table of a data file, of which proofs speak, and tells how the file was read. That reading is the
// one step that no checker of proofs can take over from a person.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "flags.h"
#include "outputs.h"
#include "read_rows.h"
#include "treewright/base/name_list.h"
#include "treewright/data/read/written_column.h"
#include "treewright/error.h"
#include "treewright/explain/text.h"
#include "treewright/proof/table_text.h"

namespace treewright::cli {

namespace {

struct TableArguments {
  std::string data, costs, class_weight, tree, out;
  ReadOptions read;
};

std::string quoted(const std::string& name) {
  return fmt::format("\"{}\"", proof::spelled(name));
}

// The first of the names, and how many more there are.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i > 0 ? ", " : "") + quoted(names[i]);
  return names.size() > kShown ? fmt::format("{} and {} more", text, names.size() - kShown) : text;
}

std::string numbers(const Column& column) {
  std::vector<double> known;
  std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(known), [](double value) { return !std::isnan(value); });
  if (known.empty()) return "no value";
  const auto [least, most] = std::minmax_element(known.begin(), known.end());
  std::string text = fmt::format("from {} to {}", proof::spelled(*least), proof::spelled(*most));
  if (column.notation == Notation::ordered) return fmt::format("{}: places of the ordered levels {}", text, listed(column.levels));
  if (column.notation == Notation::days) return text + ": durations in days";
  if (column.notation == Notation::date) {
    const char* const order = column.date_order == 'd'   ? ", written with the day first"
                              : column.date_order == 'm' ? ", written with the month first"
                                                         : "";
    return fmt::format("{}: dates, as days since 1970-01-01{}{}", text, column.zoned ? " in UTC" : "", order);
  }
  if (column.unit == kHours) return text + ": times, as hours";
  if (!column.written) return text;
  const std::string unit = column.unit.empty() ? "" : fmt::format(" and '{}' beside each number", explain::printable(column.unit));
  return fmt::format("{}: written for people, with a decimal {}{}", text, column.point == ',' ? "comma" : "point", unit);
}

std::string feature(const Column& column) {
  std::vector<std::string> levels;
  for (std::size_t k = 0; k < column.levels.size(); ++k) {
    if (std::find(column.codes.begin(), column.codes.end(), static_cast<std::int32_t>(k)) != column.codes.end())
      levels.push_back(column.levels[k]);
  }
  std::size_t missing = 0;
  for (std::size_t row = 0; row < column.size(); ++row) missing += column.missing(row) ? 1 : 0;
  const bool number = column.kind == ColumnKind::numeric;
  return fmt::format("  {} {}  {}{}\n", number ? "number" : "level ", quoted(column.name),
                     number ? numbers(column) : fmt::format("{} levels: {}", levels.size(), listed(levels)),
                     missing > 0 ? fmt::format("; {} missing", missing) : "");
}

// What is predicted; `beside`: the column of exposures or events, or "".
std::string target(const Dataset& data, const std::string& beside) {
  const std::string name = quoted(data.target_name), of = beside.empty() ? "" : fmt::format(", and {}", quoted(beside));
  switch (data.response->loss) {
    case Loss::poisson:
      return fmt::format("  poisson {}  numbers of events{}\n", name, beside.empty() ? ", each at exposure 1" : of + " for the exposure");
    case Loss::survival:
      return fmt::format("  survival {}  times{} for the events: in the table, what each row expects by its time, and what was seen\n",
                         name, of);
    default:
      return fmt::format("  target {}\n", name);
  }
}

// What was read how.
std::string reading(const Dataset& data, const std::string& beside, std::vector<std::string> missing) {
  std::string text = fmt::format("table {} of {} rows\n", proof::fingerprint(data), data.rows());
  std::vector<std::string> used = data.row_costs.empty() ? std::vector{data.target_name} : data.class_names;
  used.insert(used.end(), {data.reading.weights, beside});
  for (const Column& column : data.columns) {
    text += feature(column);
    used.push_back(column.name);
  }
  if (!data.weights.empty()) text += fmt::format("  weight {}\n", quoted(proof::weights_in_words(data)));
  if (data.response) {
    text += target(data, beside);
  } else if (data.row_costs.empty()) {
    text += fmt::format("  class  {}  {} labels: {}{}\n", quoted(data.target_name), data.classes(), listed(data.class_names),
                        data.costs.empty() ? "" : ", with costs by class");
  } else {
    text += fmt::format("  cost   {}\n", listed(data.class_names));
  }
  std::vector<std::string> others = data.reading.columns;
  std::erase_if(others, [&](const std::string& name) { return is_in(used, name); });
  if (!others.empty()) text += fmt::format("left out: {}\n", listed(others));
  if (data.reading.unlabeled > 0) text += fmt::format("rows left out without a class: {}\n", data.reading.unlabeled);
  for (const std::string& remark : data.reading.remarks) text += fmt::format("note: {}\n", explain::printable(remark));
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return text + fmt::format("read as missing: {}\n", listed(missing));
}

// Names what it takes from the tree in `arguments.read`.
Dataset rows_of(TableArguments& arguments) {
  if (arguments.tree.empty()) {
    DataParts parts = read_train_and_test(arguments.data, "", 0, arguments.read, {});
    take_costs(parts, arguments.costs, arguments.read);
    apply_class_weights(parts.train, arguments.class_weight);
    return parts.train;
  }
  const Result tree = load_tree(arguments.tree);
  DataParts parts = read_for(tree, arguments.data, arguments.read);
  if (!arguments.read.exposure) arguments.read.exposure = tree.file.exposure;
  if (!arguments.read.event) arguments.read.event = tree.file.event;
  if (!parts.unlike.empty())
    throw Error(arguments.data, parts.unlike.front(), "give the file that the tree was trained on", ErrorKind::file);
  return parts.train;
}

int run(TableArguments& arguments) {
  check_output(arguments.out, {arguments.data, arguments.costs, arguments.tree});
  arguments.read.guess_numbers = arguments.costs.empty();
  const Dataset data = rows_of(arguments);
  if (!data.reading.edges.empty())
    throw Error(arguments.data, "has a target of numbers that were grouped into classes", "write the groups into a column",
                ErrorKind::usage);
  std::vector<std::string> missing = data.reading.missing;
  missing.insert(missing.end(), arguments.read.missing.begin(), arguments.read.missing.end());
  const bool printed = arguments.out.empty() || arguments.out == "-";
  write_output(arguments.out, proof::table_text(data));
  fmt::print(printed ? stderr : stdout, "{}",
             reading(data, arguments.read.exposure.value_or(arguments.read.event.value_or("")), std::move(missing)));
  return kOk;
}

}  // namespace

void add_table(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TableArguments>();
  CLI::App* command = app.add_subcommand("table", "write the table of a data file that proofs speak of, and tell how the file was read");
  add_data_flags(*command, arguments->data, arguments->read);
  add_loss_flags(*command, arguments->read);
  add_costs_flag(*command, arguments->costs);
  CLI::Option* weights = command->add_option("--class-weight", arguments->class_weight, "as fit was given it: balanced, or yes=2,no=1");
  command->add_option("--tree", arguments->tree, "tree file written by fit --out: the data are read as it says")
      ->type_name("FILE")
      ->excludes(weights)
      ->excludes("--costs");
  command->add_option("--out", arguments->out, "write the table to this file instead of standard output")->type_name("FILE");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
