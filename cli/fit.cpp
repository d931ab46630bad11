#include "treewright/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "commands.h"
#include "dask.h"
#include "flags.h"
#include "groups.h"
#include "interrupt.h"
#include "outputs.h"
#include "page.h"
#include "progress.h"
#include "read_rows.h"
#include "score.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/explain.h"
#include "treewright/explain/facts.h"
#include "treewright/export.h"
#include "treewright/export/verify_export.h"
#include "treewright/fit/registry.h"
#include "treewright/result.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/objective.h"

namespace treewright::cli {

namespace {

struct FitArguments {
  std::string data, costs, out, test, html, svg, dask, title, author, names;
  std::string prices, top;  // what names the files of column prices, and of splits to begin with, if one does
  ReadOptions read;
  Options options;
  double test_share = 0;
  std::optional<double> shrinkage;
  bool json = false, verbose = false, quiet = false;
};

// "column,price" in each line of a file, as the option takes them; a text that gives prices itself stays. A first line without a price is a
// head.
std::string prices_of_columns(const std::string& given) {
  if (given.empty() || given.find('=') != std::string::npos) return given;
  std::string prices;
  std::istringstream text(read_file(given));
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t comma = line.rfind(',');
    if (line.empty() || (number == 1 && comma != std::string::npos && line.find_first_of("0123456789", comma) == std::string::npos))
      continue;
    if (comma == std::string::npos)
      throw Error(fmt::format("{}, line {}", given, number), fmt::format("'{}' is not COLUMN,PRICE", line), "write for example age,0.5",
                  ErrorKind::file);
    prices += fmt::format("{}{}={}", prices.empty() ? "" : ",", line.substr(0, comma), line.substr(comma + 1));
  }
  return prices;
}

// How to show incumbents and bounds: as errors or costs, unless splits have a price, classes have weights, or the method minimizes
// something else.
ProgressUnit unit_of(const Options& options, const Dataset& data) {
  const Method& method = method_of(options);
  if (data.response || method.objective != &ErrorObjective::kKind || options.ccp_alpha != 0 || !options.class_weight.empty() ||
      !options.column_costs.empty())
    return {"objective", 1};
  return {data.has_costs() ? "cost" : "errors", loss_scale(options, data)};
}

DataParts parts_of(FitArguments& arguments) {
  arguments.read.guess_numbers = !method_of(arguments.options).losses.empty() && arguments.costs.empty();
  DataParts parts = read_train_and_test(arguments.data, arguments.test, arguments.test_share, arguments.read, {{}, arguments.quiet});
  take_costs(parts, arguments.costs, arguments.read);
  return parts;
}

void check_outputs(const FitArguments& arguments) {
  const std::initializer_list<std::string> inputs{arguments.data,
                                                  arguments.test,
                                                  arguments.costs,
                                                  arguments.prices,
                                                  arguments.top,
                                                  arguments.options.mip_start,
                                                  arguments.options.checkpoint,
                                                  arguments.names};
  if (!arguments.names.empty()) read_file(arguments.names);  // before the training
  for (const std::string& out : {arguments.out, arguments.html, arguments.svg}) check_output(out, inputs);
  check_model_outputs(arguments.options, inputs);
  const int printed = (arguments.out == "-") + (arguments.html == "-") + (arguments.svg == "-");
  if (printed > 1) throw Error("--out, --html, --svg", "more than one is standard output", "give the others a file", ErrorKind::usage);
}

// Who names a column to be treated fairly wants to see whether it is. A column of very many values makes no table.
std::optional<Groups> groups_to_show(const FitArguments& arguments, const Dataset& data) {
  if (arguments.options.protected_column.empty()) return std::nullopt;
  try {
    return groups_of(data, arguments.options.protected_column, arguments.data);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Whether how large the tree gets was left to the usual values, though there are data to choose by.
bool is_as_usual(const Options& options) {
  const Method& method = method_of(options);
  return options.max_depth < 0 && options.ccp_alpha == 0 && options.max_splits < 0 && method.train != nullptr &&
         method.reads_option("ccp_alpha");
}

std::string summary(const FitArguments& arguments, const Result& result, const DataParts& parts) {
  if (arguments.json) {
    auto json = nlohmann::ordered_json::parse(summary_json(result));
    if (parts.tested()) json["test"] = score_json(result.tree, parts.test);
    if (const auto groups = groups_to_show(arguments, parts.train))
      json["by"] = groups_json(result.tree, result.tree.predict(parts.train), parts.train, *groups);
    if (!parts.tested()) return json.dump(2) + "\n";
    if (const auto groups = groups_to_show(arguments, parts.test))
      json["test"]["by"] = groups_json(result.tree, result.tree.predict(parts.test), parts.test, *groups);
    return json.dump(2) + "\n";
  }
  std::string out = to_text(result.tree, exports::digits_needed(result.tree, parts.train)) + "\n" + explain::facts(result, &parts.train);
  if (const auto groups = groups_to_show(arguments, parts.train))
    out += "\n" + groups_text(result.tree, result.tree.predict(parts.train), parts.train, *groups);
  if (parts.tested()) out += fmt::format("\non {} test rows\n{}", parts.test.rows(), score_text(result.tree, parts.test));
  if (const auto groups = parts.tested() ? groups_to_show(arguments, parts.test) : std::nullopt)
    out += "\n" + groups_text(result.tree, result.tree.predict(parts.test), parts.test, *groups);
  out += explain::fact_notes(result);
  // Methods that choose say why.
  return result.selection.empty() ? out : out + "\n" + result.selection;
}

void write_page(const FitArguments& arguments, Result result, DataParts& parts) {
  take_names(result.tree, arguments.names);
  ReportParts page;
  page.result = &result;
  page.train = &parts.train;
  page.data_name = file_name(arguments.data);
  page.data_checksum = checksum(arguments.data);
  page.title = arguments.title;
  page.author = arguments.author;
  page.date = today();
  if (parts.tested()) page.test = &parts.test;
  apply_class_weights(parts.train, arguments.options.class_weight);
  write_output(arguments.html, page_of(page));
}

// Before a training whose outputs would be refused.
void check_number_outputs(const FitArguments& arguments) {
  const auto refuse = [](bool used, const char* flag, const char* what) {
    if (used) throw Error(flag, fmt::format("{} is about classes, and the target is a number", what), "leave it out", ErrorKind::usage);
  };
  refuse(arguments.shrinkage.has_value(), "--shrinkage", "it");
  refuse(!arguments.costs.empty(), "--costs", "it");
}

int run(FitArguments& arguments) {
  arguments.prices = std::exchange(arguments.options.column_costs, prices_of_columns(arguments.options.column_costs));
  arguments.top = std::exchange(arguments.options.top, top_in(arguments.options.top));
  if (arguments.shrinkage && !(*arguments.shrinkage >= 0))
    throw Error("--shrinkage", fmt::format("{} is negative or no number", *arguments.shrinkage), "give 0 or more", ErrorKind::usage);
  check_outputs(arguments);
  DataParts parts = parts_of(arguments);
  if (parts.train.response) check_number_outputs(arguments);
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  std::optional<ProgressDisplay> display;
  if (arguments.verbose || !arguments.quiet) {
    display.emplace(unit_of(arguments.options, parts.train), arguments.verbose ? ProgressOutput::always : ProgressOutput::on_terminals);
    hooks.listener = [&display](const Progress& news) { display->show(news); };
  }
  std::optional<DaskCluster> cluster;
  if (!arguments.dask.empty()) {
    cluster.emplace(arguments.dask);
    arguments.options.n_jobs = cluster->threads();
    hooks.elsewhere = [&cluster](const SearchTask& task, double seconds) { return cluster->solve(task, seconds); };
  }
  Result result = fit(parts.train, arguments.options, hooks);
  cluster.reset();
  display.reset();
  if (arguments.shrinkage) result.tree.shrinkage = *arguments.shrinkage;
  result.file = training_file(arguments.read, parts, arguments.test_share);
  const bool printed = arguments.out == "-" || arguments.html == "-" || arguments.svg == "-";
  Outputs outputs;
  if (!printed) outputs.write([&] { write_output("", summary(arguments, result, parts)); });
  outputs.write_tree(arguments.out, result);
  if (!arguments.svg.empty()) outputs.write([&] { write_output(arguments.svg, export_tree(result, "svg")); });
  if (!arguments.html.empty()) outputs.write([&] { write_page(arguments, result, parts); });
  if (result.unwritten) outputs.write([&] { throw *result.unwritten; });
  outputs.end();
  if (!printed && !arguments.quiet && !arguments.json && !parts.train.response && is_as_usual(arguments.options)) {
    fmt::print(stderr, "note: nobody has chosen depth and price of splits; 'treewright tune' compares them on rows kept aside\n");
  }
  if (result.stopped() && !arguments.options.proof.empty())
    fmt::print(stderr, "treewright: the run was stopped before a proof could be written: there is no {}\n", arguments.options.proof);
  return kOk;
}

}  // namespace

void add_fit(CLI::App& app, int& code) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* command = app.add_subcommand("fit", "train a tree on a data file");
  add_data_flags(*command, arguments->data, arguments->read);
  add_loss_flags(*command, arguments->read);
  add_option_flags(*command, arguments->options);
  add_costs_flag(*command, arguments->costs);
  add_shrinkage_flag(*command, arguments->shrinkage, "10, or 10 times the mean weight where that is below 1; auto chooses it");
  const char* test = "Test";
  CLI::Option* file =
      command->add_option("--test", arguments->test, "labeled rows to test the tree on, with the same columns")->type_name("FILE");
  command
      ->add_option("--test-share", arguments->test_share, "hold out this share of the rows, of each class alike, and test the tree on them")
      ->type_name("SHARE")
      ->check(is_share())
      ->excludes(file)
      ->group(test);
  file->group(test);
  command
      ->add_option("--dask", arguments->dask,
                   "address of the scheduler of a dask cluster whose workers help the exact search (needs Python with treewright[dask])")
      ->type_name("ADDRESS");
  const char* output = "Output";
  command->add_option("--out", arguments->out, "write the tree with its claims (JSON), for predict and the other commands")
      ->type_name("FILE")
      ->group(output);
  CLI::Option* html = command->add_option("--html", arguments->html, "write the report of the tree, a page for the browser")
                          ->type_name("FILE")
                          ->group(output);
  add_page_flags(*command, arguments->title, arguments->author, html);
  add_names_flag(*command, arguments->names)->needs(html)->group(output);
  command->add_option("--svg", arguments->svg, "write a picture of the tree")->type_name("FILE")->group(output);
  command->add_flag("--json", arguments->json, "print the result as one JSON object")->group(output);
  command->add_flag("-v,--verbose", arguments->verbose, "print progress on standard error even if it is not a terminal")->group(output);
  command->add_flag("-q,--quiet", arguments->quiet, "print no progress and no notes on the data")->group(output);
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
