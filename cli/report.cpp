// The report: trains the greedy tree and the complexity path; report/report.cpp makes the page.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include "commands.h"
#include "progress.h"
#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/base/sha256.h"
#include "treewright/base/system.h"
#include "treewright/data/read/written_dates.h"
#include "treewright/report.h"
#include "treewright/select/stated_options.h"
#include "treewright/tree.h"
#include "treewright/tune.h"

namespace treewright::cli {

namespace {

// Of the other trees, on one page.
constexpr std::size_t kDrawn = 20;

struct ReportArguments {
  std::string tree, data, test, out, title, proof, author, positive;
  ReadOptions read;
  double time_limit = 60;
  bool with_rows = false, path = false, trade_off = false, worth = false;
  std::optional<double> within;
};

Options options_of(const Result& result) {
  Options options;
  for (const auto& [name, value] : result.options) set_option(options, name, value);
  return options;
}

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
    throw Error("--tradeoff", "the tree has not two classes whose rows are found or missed", "leave it out", ErrorKind::usage);
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
  check_output(arguments.out, {arguments.tree, arguments.data, arguments.test});
  const Result result = load_tree(arguments.tree);
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
  if (!arguments.test.empty()) data.test = read_labeled(result, arguments.test, arguments.read);
  if (data.tested()) parts.test = &data.test;
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

std::string today() {
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  return date_text(static_cast<double>(day.time_since_epoch().count()), DateUnit::day);
}

void add_page_flags(CLI::App& command, std::string& title, std::string& author, CLI::Option* page) {
  CLI::Option* const headline = command.add_option("--title", title, "headline of the page (default: the file and the target)");
  CLI::Option* const name = command.add_option("--author", author, "who is responsible for the tree, shown with today's date");
  for (CLI::Option* const option : {headline, name}) {
    option->type_name("TEXT");
    if (page != nullptr) option->needs(page)->group(page->get_group());
  }
}

std::string checksum(const std::string& path) {
  // Standard input is gone when it has been read. Packed files are taken as they are, as sha256sum does.
  if (path == "-") return "";
  std::ifstream file(system::path_of(path), std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return sha256(bytes.str());
}

std::string page_of(ReportParts parts, std::optional<double> path_seconds) {
  if (parts.train == nullptr) return to_html(parts);
  const Result& result = *parts.result;
  Result greedy;
  if (result.method != "cart") {
    Options plain;
    plain.method = "cart";
    plain.max_depth = result.max_depth;
    plain.max_splits = result.max_splits;
    plain.min_samples_leaf = static_cast<double>(result.min_leaf_rows);
    plain.min_weight_fraction_leaf = options_of(result).min_weight_fraction_leaf;
    greedy = fit(*parts.train, plain);
    parts.beside = &greedy;
  }
  if (path_seconds) {
    Options options = options_of(result);
    options.class_weight.clear();  // the rows carry it already
    options.time_limit = *path_seconds;
    ProgressDisplay display({"errors", 1}, Shown::on_terminals);
    FitHooks hooks;
    hooks.stop = stop_on_interrupt();
    hooks.listener = [&display](const Progress& news) { display.show(news); };
    for (const PathPoint& point : complexity_path(*parts.train, options, hooks).points) {
      parts.path.push_back({point.splits, point.loss(), point.alpha_low, point.alpha_high,
                            parts.test == nullptr ? -1 : accuracy(point.result.tree, *parts.test)});
    }
  }
  return to_html(parts);
}

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
              "--tradeoff", arguments->trade_off,
              "of two classes: add a best tree for every price of a missed row, within the limits of the tree; trains up to two trees for "
              "each")
          ->needs("data");
  command->add_option("--positive", arguments->positive, "of --tradeoff: the class whose rows are missed or found (default: the second)")
      ->type_name("CLASS")
      ->needs(trade_off);
  command
      ->add_flag("--worth", arguments->worth,
                 "add what each column is worth, within the limits of the tree; trains up to two trees for each column")
      ->needs("data");
  command
      ->add_option(
          "--within", arguments->within,
          "add the other trees that make at most so many more errors, or cost so much more, within the limits of the tree: the best "
          "of each set of columns")
      ->type_name("ERRORS")
      ->check(is_not_negative())
      ->needs("data");
  command->add_option("--time-limit", arguments->time_limit, "seconds for each of --path, --tradeoff, --worth and --within")
      ->capture_default_str();
  add_page_flags(*command, arguments->title, arguments->author, nullptr);
  command->add_option("--out", arguments->out, "write to this file (default: standard output, unless it is a terminal)");
  command->callback([arguments, &code] { code = report(*arguments); });
}

}  // namespace treewright::cli
