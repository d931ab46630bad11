// treewright column-worth: the least errors without each column, and with it first.

#include <fmt/format.h>

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
#include "treewright/explain/markup.h"
#include "treewright/result.h"

namespace treewright::cli {

namespace {

struct ColumnWorthArguments {
  std::string data, costs;
  ReadOptions read;
  Options options;
  std::optional<double> at_most;
  bool json = false, quiet = false;
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

nlohmann::ordered_json least_json(const LeastCost& least) {
  const auto number = [](double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : "inf"; };
  nlohmann::ordered_json json = {{"bound", number(least.bound)}, {"cost", number(least.cost)}, {"status", to_string(least.status)}};
  if (least.result) json["tree"] = nlohmann::ordered_json::parse(summary_json(*least.result));
  return json;
}

std::string json_report(const ColumnWorths& worths, double seconds) {
  nlohmann::ordered_json json;
  json["status"] = to_string(worths.status);
  json["best"] = least_json(worths.best);
  json["solves"] = worths.solves;
  json["seconds"] = seconds;
  json["columns"] = nlohmann::ordered_json::array();
  for (const ColumnWorth& column : worths.columns) {
    json["columns"].push_back({{"name", explain::clean(column.name)},
                               {"used", column.used},
                               {"least_loss", least_loss(worths, column)},
                               {"first", least_json(column.first)},
                               {"never", least_json(column.never)}});
  }
  return json.dump(2) + "\n";
}

int run(ColumnWorthArguments& arguments) {
  DataParts parts = read_train_and_test(arguments.data, "", 0, arguments.read, {{}, arguments.quiet});
  take_costs(parts, arguments.costs, arguments.read);
  const Deadline clock;
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
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
  CLI::App* command = app.add_subcommand("column-worth", "find what each column is worth: the least errors without it, and with it first");
  add_data_flags(*command, arguments->data, arguments->read);
  add_costs_flag(*command, arguments->costs);
  add_analysis_flags(*command, arguments->options);
  command->add_option("--at-most", arguments->at_most, "of losses of more than so many errors, by weight, find out only that they are more")
      ->type_name("ERRORS")
      ->check(is_not_negative());
  command->add_flag("--json", arguments->json, "print everything as one JSON object");
  command->add_flag("-q,--quiet", arguments->quiet, "print no progress and no notes on the data");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
