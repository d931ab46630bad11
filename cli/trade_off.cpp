#include "treewright/trade_off.h"
#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "outputs.h"
#include "read_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "progress.h"
#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/base/system.h"
#include "treewright/base/text_table.h"
#include "treewright/explain.h"
#include "treewright/explain/markup.h"
#include "treewright/report.h"
#include "treewright/result.h"

namespace treewright::cli {

namespace {

struct TradeOffArguments {
  std::string data, positive, out, trees, svg, test;
  ReadOptions read;
  Options options;
  std::optional<double> at_most_missed, ratio;
  double test_share = 0;
  bool json = false, verbose = false, quiet = false;
};

// All that is printed, drawn and written.
struct Outcome {
  TradeOff trade_off;
  std::vector<ErrorPair> greedy;
  std::vector<ErrorPair> tested;  // of the corners; empty without test rows
  std::optional<std::size_t> chosen;
  std::string positive, negative;  // names of the classes
  double seconds = 0;

  const TradeOffCorner& corner() const { return trade_off.corners[*chosen]; }
};

std::string ratios(const TradeOffCorner& corner) {
  if (corner.ratio_low == 0 && !std::isfinite(corner.ratio_high)) return "any";
  if (!std::isfinite(corner.ratio_high)) return fmt::format("from {:.4g}", corner.ratio_low);
  if (corner.ratio_low == 0) return fmt::format("to {:.4g}", corner.ratio_high);
  return fmt::format("{:.4g} to {:.4g}", corner.ratio_low, corner.ratio_high);
}

// A tree in a few words: its number of splits, and the columns that they ask for.
std::string in_short(const Tree& tree) {
  if (tree.splits() == 0) return "always " + explain::clean(tree.class_names[static_cast<std::size_t>(tree.node(Tree::root()).label)]);
  std::string names;
  for (const FeatureId feature : tree.features_used())
    names += (names.empty() ? "" : ", ") + explain::clean(tree.features[static_cast<std::size_t>(+feature)].name);
  return explain::shortened(fmt::format("{} split{} on {}", tree.splits(), tree.splits() == 1 ? "" : "s", names), 60);
}

// The fewest false positives of the greedy trees that miss no more.
std::string greedy_at(const Outcome& outcome, double missed) {
  for (const ErrorPair& errors : outcome.greedy) {
    if (errors.false_negatives <= missed) return explain::plain(errors.false_positives);
  }
  return "-";
}

std::string corners_table(const Outcome& outcome) {
  std::vector<std::vector<std::string>> rows = {{"corner", "false positives", "missed", "ratio", "CART"}};
  const bool tested = !outcome.tested.empty();
  if (tested) rows[0].insert(rows[0].end(), {"test: false positives", "missed"});
  std::vector<std::string> trees = {"tree"};
  for (std::size_t i = 0; i < outcome.trade_off.corners.size(); ++i) {
    const TradeOffCorner& corner = outcome.trade_off.corners[i];
    rows.push_back({fmt::format("{}{}", outcome.chosen == i ? "* " : "", i + 1), explain::plain(corner.errors.false_positives),
                    explain::plain(corner.errors.false_negatives), ratios(corner), greedy_at(outcome, corner.errors.false_negatives)});
    if (tested) {
      rows.back().push_back(explain::plain(outcome.tested[i].false_positives));
      rows.back().push_back(explain::plain(outcome.tested[i].false_negatives));
    }
    trees.push_back(in_short(corner.result.tree));
  }
  std::string out;
  std::istringstream lines(text_table(rows, CellAlignment::right));
  std::string line;
  for (auto tree = trees.begin(); std::getline(lines, line); ++tree) out += fmt::format("{}  {}\n", line, *tree);
  return out + fmt::format(
                   "ratio: what a missed row of '{}' costs, in false positives, where the corner is the best tree\n"
                   "CART: false positives of the greedy tree that misses no more\n",
                   outcome.positive);
}

// What a tree that is optimal for no ratio could still gain.
std::string still_open(const Outcome& outcome, double missed) {
  const double has = outcome.corner().errors.false_positives, least = least_false_positives(outcome.trade_off, missed);
  const std::int64_t depth = outcome.corner().result.max_depth;
  if (outcome.corner().errors.false_negatives > missed) return "no tree found misses so few\n";
  if (least >= has) return fmt::format("no tree of depth {} that misses at most {:.9g} has fewer false positives\n", depth, missed);
  return fmt::format(
      "no tree of depth {} that misses at most {:.9g} has fewer than {} false positives; a tree between two corners, which is best for no "
      "ratio, may save up to {}\n",
      depth, missed, explain::plain(least), explain::plain(has - least));
}

std::string choice_text(const TradeOffArguments& arguments, const Outcome& outcome) {
  if (!outcome.chosen)
    return "\n--at-most-missed 5 or --ratio 10 chooses a corner and shows its tree; --out FILE writes it, --trees FOLDER writes all\n";
  const ErrorPair& errors = outcome.corner().errors;
  const std::string why = arguments.ratio ? fmt::format("best for a ratio of {:.9g}", *arguments.ratio)
                                          : fmt::format("fewest false positives with at most {:.9g} missed", *arguments.at_most_missed);
  std::string out = fmt::format("\nchosen    corner {}: {}\n", *outcome.chosen + 1, why);
  if (arguments.at_most_missed) out += "open      " + still_open(outcome, *arguments.at_most_missed);
  return out + fmt::format("errors    {} false positives, {} missed\nstatus    {}\n\n{}", explain::plain(errors.false_positives),
                           explain::plain(errors.false_negatives), to_string(outcome.corner().result.status),
                           to_text(outcome.corner().result.tree));
}

std::string report(const TradeOffArguments& arguments, const Outcome& outcome) {
  const TradeOff& found = outcome.trade_off;
  std::string meaning = found.status == Status::optimal ? "every corner is proved, and none is missing"
                                                        : "corners may be missing or not the best; the certified line holds";
  if (!found.unsolved.empty()) meaning += "; " + found.unsolved;
  return fmt::format("{}\nstatus    {}: {}\nsolves    {} for {} corner{}\nseconds   {:.3f}\n{}", corners_table(outcome),
                     to_string(found.status), meaning, found.solves, found.corners.size(), found.corners.size() == 1 ? "" : "s",
                     outcome.seconds, choice_text(arguments, outcome));
}

nlohmann::ordered_json pair_json(const ErrorPair& errors) {
  return {{"false_positives", errors.false_positives}, {"false_negatives", errors.false_negatives}};
}

std::string json_report(const TradeOffArguments& arguments, const Outcome& outcome) {
  const TradeOff& found = outcome.trade_off;
  nlohmann::ordered_json json;
  json["status"] = to_string(found.status);
  if (!found.unsolved.empty()) json["unsolved"] = found.unsolved;
  json["positive"] = explain::clean(outcome.positive);
  json["negative"] = explain::clean(outcome.negative);
  json["solves"] = found.solves;
  json["seconds"] = outcome.seconds;
  for (std::size_t i = 0; i < found.corners.size(); ++i) {
    const TradeOffCorner& corner = found.corners[i];
    nlohmann::ordered_json one = pair_json(corner.errors);
    one["ratio_low"] = corner.ratio_low;
    one["ratio_high"] = std::isfinite(corner.ratio_high) ? nlohmann::ordered_json(corner.ratio_high) : "inf";
    if (!outcome.tested.empty()) one["test"] = pair_json(outcome.tested[i]);
    one["tree"] = nlohmann::ordered_json::parse(summary_json(corner.result));
    json["corners"].push_back(one);
  }
  json["certified"] = nlohmann::ordered_json::array();
  for (const ErrorPair& errors : found.frontier) json["certified"].push_back(pair_json(errors));
  json["cart"] = nlohmann::ordered_json::array();
  for (const ErrorPair& errors : outcome.greedy) json["cart"].push_back(pair_json(errors));
  if (outcome.chosen) json["chosen"] = *outcome.chosen + 1;
  if (arguments.at_most_missed) json["least_false_positives"] = least_false_positives(found, *arguments.at_most_missed);
  return json.dump(2) + "\n";
}

void check_arguments(const TradeOffArguments& arguments) {
  for (const std::string& out : {arguments.out, arguments.svg}) check_output(out, {arguments.data, arguments.test});
  if (arguments.out == "-" && arguments.svg == "-")
    throw Error("--out, --svg", "both are standard output", "give one of them a file", ErrorKind::usage);
  if (!arguments.out.empty() && !arguments.at_most_missed && !arguments.ratio) {
    throw Error("--out", "writes the tree of one corner, and none is chosen",
                "choose it with --at-most-missed 5 or --ratio 10, or write all with --trees FOLDER", ErrorKind::usage);
  }
  check_folder(arguments.trees, "--trees");
}

// The corners on the test rows, and the same as if these weighed what the training rows do, class by class.
std::vector<ErrorPair> scaled_to(const Dataset& train, const Dataset& test, std::int32_t positive, std::vector<ErrorPair> tested) {
  const std::vector<double> wanted = train.class_totals(), has = test.class_totals();
  const auto factor = [&](std::int32_t k) {
    const auto at = static_cast<std::size_t>(k);
    return has[at] > 0 ? wanted[at] / has[at] : 0;
  };
  for (ErrorPair& errors : tested) errors.false_positives *= factor(1 - positive), errors.false_negatives *= factor(positive);
  return tested;
}

TradeOffListener progress(const TradeOffArguments& arguments) {
  if (arguments.verbose) {
    return [](std::int64_t solves, std::size_t corners) { fmt::print(stderr, "solves {}, corners {}\n", solves, corners); };
  }
  if (arguments.quiet || !system::is_terminal(2)) return {};
  return [](std::int64_t solves, std::size_t corners) { fmt::print(stderr, "{}solves {}, corners {}", kEraseLine, solves, corners); };
}

Outcome find(const TradeOffArguments& arguments, const DataParts& parts) {
  const Deadline clock;
  Outcome outcome;
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  outcome.trade_off = trade_off(parts.train, arguments.positive, arguments.options, hooks, progress(arguments));
  if (!arguments.verbose && !arguments.quiet && system::is_terminal(2)) fmt::print(stderr, "{}", kEraseLine);
  const auto positive = static_cast<std::size_t>(outcome.trade_off.positive);
  outcome.positive = parts.train.class_names[positive];
  outcome.negative = parts.train.class_names[1 - positive];
  outcome.greedy = greedy_errors(parts.train, outcome.trade_off);
  for (const TradeOffCorner& corner : outcome.trade_off.corners) {
    if (parts.tested()) outcome.tested.push_back(error_pair(corner.result.tree, parts.test, outcome.trade_off.positive));
  }
  if (arguments.at_most_missed) outcome.chosen = corner_at_most(outcome.trade_off, *arguments.at_most_missed);
  if (arguments.ratio) outcome.chosen = corner_at_ratio(outcome.trade_off, *arguments.ratio);
  outcome.seconds = clock.elapsed();
  return outcome;
}

int run(TradeOffArguments& arguments) {
  check_arguments(arguments);
  const DataParts parts =
      read_train_and_test(arguments.data, arguments.test, arguments.test_share, arguments.read, {arguments.positive, arguments.quiet});
  if (parts.train.classes() > 2) {
    throw Error(arguments.data, fmt::format("has {} classes, and a trade-off has two", parts.train.classes()),
                "take one class against the rest: --positive CLASS");
  }
  Outcome outcome = find(arguments, parts);
  for (TradeOffCorner& corner : outcome.trade_off.corners) corner.result.file = training_file(arguments.read, parts, arguments.test_share);
  Outputs outputs;
  if (arguments.out != "-" && arguments.svg != "-")
    outputs.write([&] { write_output("", arguments.json ? json_report(arguments, outcome) : report(arguments, outcome)); });
  if (!arguments.svg.empty()) {
    const TradeOff& found = outcome.trade_off;
    std::vector<ErrorPair> tested;
    if (parts.tested()) tested = scaled_to(parts.train, parts.test, found.positive, outcome.tested);
    outputs.write([&] { write_output(arguments.svg, to_svg(found, {outcome.greedy, tested, outcome.chosen})); });
  }
  outputs.write_tree(arguments.out, outcome.corner().result);
  for (std::size_t i = 0; i < outcome.trade_off.corners.size() && !arguments.trees.empty(); ++i)
    outputs.write_tree(fmt::format("{}/corner-{}.json", arguments.trees, i + 1), outcome.trade_off.corners[i].result);
  outputs.end();
  return kOk;
}

}  // namespace

void add_trade_off(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TradeOffArguments>();
  CLI::App* command = app.add_subcommand("trade-off", "find a best tree for every ratio of two kinds of errors");
  add_data_flags(*command, arguments->data, arguments->read);
  add_option_flags(*command, arguments->options,
                   {{"max_depth", "min_samples_leaf", "max_splits", "time_limit", "stall_limit", "node_limit", "n_jobs", "disable"}, {}});
  command
      ->add_option("--positive", arguments->positive,
                   "the class whose rows are missed or found (default: the second of two); of more classes, this one against the rest")
      ->type_name("CLASS");
  CLI::Option* missed =
      command->add_option("--at-most-missed", arguments->at_most_missed, "choose the corner that misses at most so many, by weight")
          ->type_name("NUMBER")
          ->check(is_not_negative());
  command->add_option("--ratio", arguments->ratio, "choose the corner that is best where a missed one costs so many false positives")
      ->type_name("NUMBER")
      ->check(is_positive())
      ->excludes(missed);
  CLI::Option* file =
      command->add_option("--test", arguments->test, "labeled rows to test the trees on, with the same columns")->type_name("FILE");
  command
      ->add_option("--test-share", arguments->test_share,
                   "hold out this share of the rows, of each class alike, and test the trees on them")
      ->type_name("SHARE")
      ->check(is_share())
      ->excludes(file);
  command->add_option("--svg", arguments->svg, "draw the trade-off into this file")->type_name("FILE");
  command->add_option("--out", arguments->out, "write the tree of the chosen corner with its claims (JSON)")->type_name("FILE");
  command->add_option("--trees", arguments->trees, "write the trees of all corners into this folder: corner-1.json, ...")
      ->type_name("FOLDER");
  command->add_flag("--json", arguments->json, "print everything as one JSON object");
  command->add_flag("-v,--verbose", arguments->verbose, "print a line for each solve on standard error");
  command->add_flag("-q,--quiet", arguments->quiet, "print no progress and no notes on the data");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
