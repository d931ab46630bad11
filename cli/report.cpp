// What is asked for on the page of a tree (page.cpp).

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "outputs.h"
#include "page.h"
#include "read_rows.h"
#include "treewright/base/error.h"
#include "treewright/base/system.h"
#include "treewright/report.h"
#include "treewright/select/stated_options.h"
#include "treewright/tree.h"
#include "treewright/tune.h"
#include "verification.h"

namespace treewright::cli {

namespace {

// Of the other trees, on one page.
constexpr std::size_t kDrawn = 20;

struct ReportArguments {
  std::string tree, data, test, out, title, proof, author, positive, names;
  ReadOptions read;
  double time_limit = 60;
  bool with_rows = false, path = false, trade_off = false, worth = false;
  std::optional<double> within;
};

// The rows without the class weights and the costs of the tree: a trade-off goes through all of them.
Dataset unpriced(Dataset data) {
  data.costs.clear();
  const std::vector<double> factor = std::exchange(data.reading.class_weights, {});
  for (std::size_t row = 0; row < data.rows() && !factor.empty(); ++row)
    data.weights[row] /= factor[static_cast<std::size_t>(data.labels[row])];
  if (std::ranges::all_of(data.weights, [](double weight) { return weight == 1; })) data.weights.clear();
  return data;
}

// Adds the trade-off, which `found` keeps, and the greedy trees beside it.
void add_trade_off(ReportParts& parts, TradeOff& found, const ReportArguments& arguments, const FitHooks& hooks) {
  if (parts.train->classes() != 2 || !parts.train->row_costs.empty()) {
    throw Error("--trade-off", "the tree has not two classes whose rows are found or missed", "leave it out", ErrorKind::usage);
  }
  Options options = select::limits_of(*parts.result);
  options.time_limit = arguments.time_limit;
  const Dataset rows = unpriced(*parts.train);
  found = trade_off(rows, arguments.positive, options, hooks);
  parts.trade_off = &found;
  parts.greedy = greedy_errors(rows, found);
}

// For more trees that keep to the limits of the page's tree and pay its price for a split.
Options options_of_more(const Result& result, double time_limit) {
  Options options = select::limits_of(result);
  options.time_limit = time_limit;
  options.alpha_scale = "errors";
  options.ccp_alpha = result.objective_function->split_price();
  return options;
}

int report(ReportArguments& arguments) {
  if (arguments.out.empty() && system::is_terminal(1)) {
    throw Error("report", "the page is HTML, which a terminal cannot show",
                "write it to a file: --out report.html (or --out - to see it here)", ErrorKind::usage);
  }
  check_output(arguments.out, {arguments.tree, arguments.data, arguments.test, arguments.names});
  Result result = load_tree(arguments.tree);
  ReportParts parts;
  parts.result = &result;
  parts.title = arguments.title;
  parts.with_rows = arguments.with_rows;
  DataParts data;
  if (!arguments.data.empty()) {
    data = read_for(result, arguments.data, arguments.read);
    parts.train = &data.train;
    parts.unlike = data.unlike;
    parts.changed = data.changed;
    parts.data_name = file_name(arguments.data);
    parts.data_checksum = checksum(arguments.data);
  }
  parts.author = arguments.author;
  parts.date = today();
  parts.believed = true;
  if (!arguments.proof.empty()) {
    const Verification verified = verification(arguments.proof, result, data);
    parts.verification = verified.sentence;
    parts.believed = !verified.optimal;
  }
  if (!arguments.test.empty()) data.test = read_labeled(result, arguments.test, arguments.read, false);
  if (data.tested()) parts.test = &data.test;
  take_names(result.tree, arguments.names);
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  TradeOff trade_off;
  ColumnWorths worths;
  NearTrees near;
  if (arguments.trade_off) add_trade_off(parts, trade_off, arguments, hooks);
  if (arguments.worth) {
    worths = column_worth(data.train, options_of_more(result, arguments.time_limit), hooks);
    parts.worths = &worths;
  }
  if (arguments.within) {
    near = near_trees(data.train, options_of_more(result, arguments.time_limit), {*arguments.within, kDrawn, true}, hooks);
    parts.near = &near;
  }
  write_output(arguments.out, page_of(parts, arguments.path ? std::optional(arguments.time_limit) : std::nullopt));
  return kOk;
}

}  // namespace

void add_report(CLI::App& app, int& code) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "write a tree as one self-contained HTML page");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("data", arguments->data, "the training data: adds histograms, tables and a comparison with the greedy tree");
  add_read_flags(*command, arguments->read);
  command->add_option("--proof", arguments->proof, "a proof written by fit --proof: it is checked, and the page says what it shows")
      ->needs("data");
  command->add_option("--test", arguments->test, "test rows with the same columns, shown next to the training rows");
  command->add_flag("--with-rows", arguments->with_rows, "embed the training rows in the page, so that a reader can pick one");
  command->add_flag("--path", arguments->path, "add the complexity path: trains the optimal trees of all sizes")->needs("data");
  CLI::Option* trade_off =
      command
          ->add_flag(
              "--trade-off", arguments->trade_off,
              "of two classes: add a best tree for every price of a missed row, within the limits of the tree; trains up to two trees for "
              "each")
          ->needs("data");
  command->add_option("--positive", arguments->positive, "of --trade-off: the class whose rows are missed or found (default: the second)")
      ->type_name("CLASS")
      ->needs(trade_off);
  command
      ->add_flag("--column-worth", arguments->worth,
                 "add what each column is worth, within the limits of the tree; trains up to two trees for each column")
      ->needs("data");
  command
      ->add_option(
          "--near-trees", arguments->within,
          "add the other trees that make at most so many more errors, or cost so much more, within the limits of the tree: the best "
          "of each set of columns")
      ->type_name("ERRORS")
      ->check(is_not_negative())
      ->needs("data");
  command->add_option("--time-limit", arguments->time_limit, "seconds for each of --path, --trade-off, --column-worth and --near-trees")
      ->capture_default_str();
  add_names_flag(*command, arguments->names);
  add_page_flags(*command, arguments->title, arguments->author, nullptr);
  command->add_option("--out", arguments->out, "write to this file (default: standard output, unless it is a terminal)");
  command->callback([arguments, &code] { code = report(*arguments); });
}

}  // namespace treewright::cli
