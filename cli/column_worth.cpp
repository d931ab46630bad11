// treewright column-worth: the least errors without each column, and with it first, or with it in one place of a tree.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "outputs.h"
#include "progress.h"
#include "read_rows.h"
#include "treewright/base/deadline.h"
#include "treewright/base/system.h"
#include "treewright/base/text_table.h"
#include "treewright/column_worth.h"
#include "treewright/error.h"
#include "treewright/explain/claims.h"
#include "treewright/explain/column_worth.h"
#include "treewright/explain/column_worth_json.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"
#include "treewright/result.h"

namespace treewright::cli {

namespace {

struct ColumnWorthArguments {
  std::string data, costs;
  ReadOptions read;
  Options options;
  double test_share = 0;
  std::optional<double> at_most;
  bool json = false, verbose = false, quiet = false;
};

std::string table(const ColumnWorths& worths) {
  std::vector<std::vector<std::string>> rows = {{"column", "asked first", "never asked", "worth"}};
  for (const ColumnWorth& column : worths.columns) {
    rows.push_back({explain::shortened(explain::clean(column.name), 40), explain::least_cost(column.first, worths),
                    explain::least_cost(column.never, worths), explain::worth(column, worths)});
  }
  return text_table(rows, CellAlignment::right);
}

// "3 more errors", or what that is called where errors have weights or splits a price.
std::string losses(const ColumnWorths& worths, double loss) {
  if (!worths.whole) return fmt::format("costs at least {} more", explain::plain(loss));
  return fmt::format("makes at least {} more error{}", explain::plain(loss), loss == 1 ? "" : "s");
}

// A sentence for each column that the best tree asks.
std::string sentences(const ColumnWorths& worths) {
  std::string out;
  for (const ColumnWorth& column : worths.columns) {
    if (!column.used) continue;
    const std::string name = explain::clean(column.name);
    const double loss = least_loss(worths, column);
    if (loss > 0) {
      out += fmt::format("Without {} every tree {}.\n", name, losses(worths, loss));
    } else if (column.never.status == Status::optimal && worths.best.status == Status::optimal) {
      out += fmt::format("Without {} some tree is as good.\n", name);
    }
  }
  return out;
}

std::string report(const ColumnWorths& worths, double seconds) {
  const char* const unit = worths.whole ? "errors" : "cost";
  const char* const meaning = worths.status == Status::optimal ? "every figure is proved" : "intervals are proved; not all are closed";
  LeastCost least = worths.best;
  least.cost = least_found(worths);
  const std::string best = fmt::format("{} of the best tree of depth {}", explain::least_cost(least, worths), worths.max_depth);
  return fmt::format(
      "{}asked first, never asked: least {} of a tree that does so; worth: what is lost without the column\n\n{}{}"
      "{:<9} {}\nstatus    {}: {}\nsolves    {}\nseconds   {:.3f}\n",
      table(worths), unit, sentences(worths), sentences(worths).empty() ? "" : "\n", unit, best, to_string(worths.status), meaning,
      worths.solves, seconds);
}

std::string json_report(const ColumnWorths& worths, double seconds) {
  nlohmann::ordered_json json;
  json["status"] = to_string(worths.status);
  json["best"] = explain::least_json(worths.best);
  json["solves"] = worths.solves;
  json["seconds"] = seconds;
  json["columns"] = nlohmann::ordered_json::array();
  for (const ColumnWorth& column : worths.columns) {
    json["columns"].push_back({{"name", explain::clean(column.name)},
                               {"used", column.used},
                               {"least_loss", least_loss(worths, column)},
                               {"first", explain::least_json(column.first)},
                               {"never", explain::least_json(column.never)}});
  }
  return json.dump(2) + "\n";
}

std::string splits_report(const ColumnSplits& found, double seconds) {
  const char* const unit = found.whole ? "errors" : "cost";
  std::vector<std::vector<std::string>> rows = {{"split", unit}};
  for (const ColumnSplit& column : found.columns) rows.push_back({explain::asked_text(column), explain::least_cost(column.least)});
  rows.push_back({"(a leaf)", explain::least_cost(found.leaf)});
  std::string out = text_table(rows, CellAlignment::right);
  out += fmt::format("split: the best one on its column where the top has \"?\"; {}: the least of a tree that has it there\n\n", unit);
  out += fmt::format("{:<9} {} of the best tree of depth {} that begins so\n", unit, explain::least_cost(found.best), found.max_depth);
  if (!found.left_out.empty())
    out += fmt::format("left out  {} (of too many levels)\n", explain::clean(fmt::format("{}", fmt::join(found.left_out, ", "))));
  const char* const meaning = found.status == Status::optimal ? "every figure is proved" : "intervals are proved; not all are closed";
  return out + fmt::format("status    {}: {}\nsolves    {}\nseconds   {:.3f}\n", to_string(found.status), meaning, found.solves, seconds);
}

std::string json_report(const ColumnSplits& found, double seconds) {
  nlohmann::ordered_json json = explain::splits_json(found);
  json["seconds"] = seconds;
  return json.dump(2) + "\n";
}

void show_splits(const ColumnWorthArguments& arguments, const Dataset& data, const FitHooks& hooks) {
  Options options = arguments.options;
  options.top = top_in(options.top);
  const Deadline clock;
  const auto tell = [&arguments](const ColumnSplit& column, std::int64_t, std::int64_t) {
    arguments.json ? fmt::print(stderr, "{}\n", explain::split_json(column).dump())
                   : fmt::print(stderr, "{}: {}\n", explain::asked_text(column), explain::least_cost(column.least));
  };
  const ColumnSplits found = column_splits(data, options, hooks, arguments.verbose ? ColumnSplitListener(tell) : ColumnSplitListener());
  write_output("", arguments.json ? json_report(found, clock.elapsed()) : splits_report(found, clock.elapsed()));
}

int run(ColumnWorthArguments& arguments) {
  DataParts parts = read_train_and_test(arguments.data, "", arguments.test_share, arguments.read, {{}, arguments.quiet});
  take_costs(parts, arguments.costs, arguments.read);
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  if (!arguments.options.top.empty()) {
    show_splits(arguments, parts.train, hooks);
    return kOk;
  }
  const Deadline clock;
  const bool shown = !arguments.quiet && system::is_terminal(2);
  const auto tell = [](std::int64_t solves, std::int64_t all) { fmt::print(stderr, "{}solves {} of {}", kEraseLine, solves, all); };
  const ColumnWorths worths =
      column_worth(parts.train, arguments.options, hooks, arguments.at_most.value_or(std::numeric_limits<double>::infinity()),
                   shown ? ColumnWorthListener(tell) : ColumnWorthListener());
  if (shown) fmt::print(stderr, "{}", kEraseLine);
  write_output("", arguments.json ? json_report(worths, clock.elapsed()) : report(worths, clock.elapsed()));
  return kOk;
}

}  // namespace

void add_column_worth(CLI::App& app, int& code) {
  auto arguments = std::make_shared<ColumnWorthArguments>();
  CLI::App* command = app.add_subcommand(
      "column-worth", "find what each column is worth: the least errors without it, and with it first, or in a place of a tree");
  add_data_flags(*command, arguments->data, arguments->read);
  add_costs_flag(*command, arguments->costs);
  add_analysis_flags(*command, arguments->options);
  CLI::Option* most = command
                          ->add_option("--at-most", arguments->at_most,
                                       "of losses of more than so many errors, by weight, find out only that they are more")
                          ->type_name("ERRORS")
                          ->check(is_not_negative());
  CLI::Option* top =
      command
          ->add_option("--top", arguments->options.top,
                       "splits that the tree begins with, or a file of them, as for fit; \"?\" marks one place: find the best "
                       "split on each column there, and what the best tree with it costs")
          ->type_name("TEXT")
          ->excludes(most);
  add_held_out_flag(*command, arguments->test_share);
  command
      ->add_flag("-v,--verbose", arguments->verbose,
                 "print each column on standard error as soon as it is known, with --json as an object a line")
      ->needs(top);
  command->add_flag("--json", arguments->json, "print everything as one JSON object");
  command->add_flag("-q,--quiet", arguments->quiet, "print no progress and no notes on the data");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
