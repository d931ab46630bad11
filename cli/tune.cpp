#include "treewright/tune.h"
#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "notes.h"
#include "outputs.h"
#include "read_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "progress.h"
#include "treewright/base/error.h"
#include "treewright/base/system.h"
#include "treewright/base/text_table.h"
#include "treewright/data/splits.h"
#include "treewright/explain.h"
#include "treewright/explain/facts.h"
#include "treewright/explain/prediction.h"
#include "treewright/fit/registry.h"
#include "treewright/report.h"
#include "treewright/result.h"
#include "treewright/select/tune_table.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright::cli {

namespace {

// "balanced accuracy", "balanced_accuracy".
std::string spelled(Scoring scoring, char hyphen) {
  std::string name(name_of(scoring));
  std::replace(name.begin(), name.end(), '-', hyphen);
  return name;
}

struct TuneArguments {
  std::string data, costs, out, curve, split_file, split_column, rule = "best", scoring, checkpoint, on_existing = "error";
  std::vector<std::string> axes;
  ReadOptions read;
  Options options;
  double valid_share = 1.0 / 3, test_share = 0;
  int folds = 0, repeats = 1;
  bool json = false, verbose = false, quiet = false;
};

// The option of this name, which may be that of its flag: "min-leaf" and "--min-leaf" are min_samples_leaf.
std::string named_by_flag(const std::string& name) {
  std::string flag = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  std::replace(flag.begin(), flag.end(), '_', '-');
  for (const OptionInfo& info : option_table()) {
    for (const std::string& known : CLI::detail::split(std::string(info.flags), ',')) {
      if (known == "--" + flag) return std::string(info.name);
    }
  }
  return name;
}

TuneAxis axis_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw option_error("--try", fmt::format("'{}' is not NAME=VALUE,VALUE,...", text), "write for example --try max_depth=1,2,3");
  }
  TuneAxis axis;
  axis.option = named_by_flag(text.substr(0, equals));
  // Semicolons separate values that contain commas (level_costs).
  const std::string values = text.substr(equals + 1);
  for (const std::string& value : CLI::detail::split(values, values.find(';') == std::string::npos ? ',' : ';'))
    axis.values.push_back(value);
  return axis;
}

// The folds, and the test rows (none without a split file).
std::pair<std::vector<Fold>, RowNumbers> folds_of(const TuneArguments& arguments, const Dataset& data) {
  SplitOptions split;
  split.seed = static_cast<std::uint64_t>(arguments.options.random_state);
  if (!arguments.split_file.empty()) {
    auto parts = read_parts(arguments.split_file, arguments.split_column, data.rows());
    if (parts["train"].empty() || parts["valid"].empty()) {
      throw Error(arguments.split_file, "has no rows 'train' or no rows 'valid'", "give both parts; a part 'test' may follow");
    }
    return {{{parts["train"], parts["valid"]}}, parts["test"]};
  }
  if (arguments.folds > 0) return {repeated_k_folds(data, arguments.folds, arguments.repeats, split), {}};
  const double shares[] = {1 - arguments.valid_share, arguments.valid_share};
  std::vector<RowNumbers> parts = split_rows(data, shares, split);
  return {{{parts[0], parts[1]}}, {}};
}

// The trees of a setting that its folds use at this alpha.
std::vector<const TunedTree*> trees_at(const TuneResult& tuned, std::int64_t setting, double alpha) {
  std::vector<const TunedTree*> trees;
  for (const TunedTree& tree : tuned.trees) {
    const ScoredTree& scored = tree.scored;
    // The last tree of a fold has 0 as its lower end.
    const bool here = alpha < scored.alpha_high && (alpha >= scored.alpha_low || scored.alpha_low <= 0);
    if (scored.setting == setting && here) trees.push_back(&tree);
  }
  return trees;
}

// What a setting does at the alpha that is best for it: means over the folds.
struct SettingMeans {
  Choice choice;
  double in_training = 0;
  std::size_t folds = 0;
  bool on_a_path = true;
};

std::vector<SettingMeans> means_of_settings(const TuneResult& tuned, const TunePlan& plan) {
  std::vector<SettingMeans> all;
  for (std::size_t s = 0; s < tuned.settings.size(); ++s) {
    const auto setting = static_cast<std::int64_t>(s);
    std::vector<CurveStep> curve;
    std::copy_if(tuned.curve.begin(), tuned.curve.end(), std::back_inserter(curve),
                 [&](const CurveStep& step) { return step.setting == setting; });
    if (curve.empty()) continue;
    SettingMeans means{choose(curve, plan.rule, *plan.scoring)};
    const std::vector<const TunedTree*> trees = trees_at(tuned, setting, means.choice.alpha);
    means.folds = trees.size();
    for (const TunedTree* tree : trees) means.in_training += tree->fitted / static_cast<double>(trees.size());
    means.on_a_path = std::ranges::all_of(trees, [](const TunedTree* tree) { return tree->on_a_path; });
    all.push_back(std::move(means));
  }
  return all;
}

std::string settings_table(const TuneResult& tuned, const TunePlan& plan) {
  const std::string fitted = tuned.result.cost ? "in training" : std::string(fitted_name(tuned.result));
  std::vector<std::vector<std::string>> rows = {
      {spelled(*plan.scoring, ' '), "+-", fitted, "splits", "features", "alpha", "folds", "setting"}};
  for (const SettingMeans& means : means_of_settings(tuned, plan)) {
    const CurveStep& step = means.choice.step;
    const std::string& setting = tuned.settings[static_cast<std::size_t>(step.setting)];
    const std::string deviation = std::isfinite(step.standard_error) ? fmt::format("{:.4f}", step.standard_error) : "-";
    rows.push_back({fmt::format("{:.4f}", shown_score(*plan.scoring, step.score)), deviation, fmt::format("{:.4g}", means.in_training),
                    fmt::format("{:.4g}", step.splits), fmt::format("{:.4g}", step.features),
                    means.on_a_path ? fmt::format("{:.4g}", means.choice.alpha) : "as set", std::to_string(means.folds),
                    setting.empty() ? "as given" : setting});
  }
  return "means over the folds, each setting at its best alpha (-v prints every tree)\n" + text_table(rows, CellAlignment::right);
}

std::string lost_of(const Result& result) {
  if (result.loss) return explain::loss_line(result);
  return result.cost ? fmt::format("cost      {:.9g} on the training rows\n", *result.cost)
                     : fmt::format("errors    {}\n", explain::errors_of(result));
}

std::string report(const TuneResult& tuned, const TunePlan& plan, const std::string& tested) {
  std::string out = settings_table(tuned, plan);
  const CurveStep& step = tuned.choice.step;
  const std::string& setting = tuned.settings[static_cast<std::size_t>(step.setting)];
  const bool alpha_chosen = std::ranges::all_of(tuned.trees, [](const TunedTree& tree) { return tree.on_a_path; });
  out += fmt::format("\nchosen    {}{}mean validation {} {:.4f}\nwhy       {}{}\n", setting.empty() ? "" : setting + ", ",
                     alpha_chosen ? fmt::format("alpha {:.9g}, ", tuned.options.ccp_alpha) : "", spelled(*plan.scoring, ' '),
                     shown_score(*plan.scoring, step.score), tuned.choice.why,
                     alpha_chosen ? " " + select::interval(step.alpha_low, step.alpha_high) : "");
  if (!tuned.not_tried.empty()) out += fmt::format("left out  {}\n", tuned.not_tried);
  const Result& result = tuned.result;
  return out + fmt::format("\n{}\nstatus    {} (the final tree: {})\n{}{}splits    {} (depth {}, {} {})\nseconds   {:.3f}\n",
                           to_text(result.tree), to_string(tuned.status), to_string(result.status), lost_of(result), tested,
                           result.tree.splits(), result.tree.depth(), result.tree.leaves(), result.tree.leaves() == 1 ? "leaf" : "leaves",
                           tuned.seconds);
}

nlohmann::ordered_json number_json(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json("inf");
}

std::string key_of(Scoring scoring) {
  return "validation_" + spelled(scoring, '_');
}

nlohmann::ordered_json tree_json(const TunedTree& tree, const std::string& setting, std::string_view fitted, Scoring scoring) {
  return {{"setting", setting},
          {"fold", tree.scored.fold + 1},
          {"splits", static_cast<std::int64_t>(tree.scored.splits)},
          {std::string(fitted), tree.fitted},
          {"alpha_low", number_json(tree.scored.alpha_low)},
          {"alpha_high", number_json(tree.scored.alpha_high)},
          {key_of(scoring), number_json(shown_score(scoring, tree.scored.score))},
          {"features", tree.scored.features},
          {"status", to_string(tree.status)}};
}

nlohmann::ordered_json step_json(const CurveStep& step, const TuneResult& tuned, Scoring scoring) {
  nlohmann::ordered_json json = {{"setting", tuned.settings[static_cast<std::size_t>(step.setting)]},
                                 {"alpha_low", number_json(step.alpha_low)},
                                 {"alpha_high", number_json(step.alpha_high)},
                                 {key_of(scoring), number_json(shown_score(scoring, step.score))}};
  if (std::isfinite(step.standard_error)) json["standard_error"] = step.standard_error;
  json["splits"] = step.splits;
  json["features"] = step.features;
  return json;
}

std::string json_report(const TuneResult& tuned, const TunePlan& plan, double tested) {
  const Scoring scoring = *plan.scoring;
  nlohmann::ordered_json json;
  json["status"] = to_string(tuned.status);
  json["setting"] = tuned.settings[static_cast<std::size_t>(tuned.choice.step.setting)];
  json["alpha"] = tuned.options.ccp_alpha;
  json[key_of(scoring)] = shown_score(scoring, tuned.choice.step.score);
  json["alpha_low"] = number_json(tuned.choice.step.alpha_low);
  json["alpha_high"] = number_json(tuned.choice.step.alpha_high);
  json["why"] = tuned.choice.why;
  if (!tuned.not_tried.empty()) json["not_tried"] = tuned.not_tried;
  if (!std::isnan(tested)) json[tuned.result.cost ? "test_cost" : tuned.result.loss ? "test_explained" : "test_accuracy"] = tested;
  json["seconds"] = tuned.seconds;
  json["final"] = nlohmann::ordered_json::parse(summary_json(tuned.result));
  for (const SettingMeans& means : means_of_settings(tuned, plan)) {
    nlohmann::ordered_json setting = step_json(means.choice.step, tuned, scoring);
    if (means.on_a_path) setting["alpha"] = means.choice.alpha;
    setting[std::string(fitted_name(tuned.result))] = means.in_training;
    setting["folds"] = means.folds;
    json["settings"].push_back(std::move(setting));
  }
  for (const CurveStep& step : tuned.curve) json["curve"].push_back(step_json(step, tuned, scoring));
  for (const TunedTree& tree : tuned.trees) {
    const std::string& setting = tuned.settings[static_cast<std::size_t>(tree.scored.setting)];
    json["trees"].push_back(tree_json(tree, setting, fitted_name(tuned.result), scoring));
  }
  return json.dump(2) + "\n";
}

// What is printed while the trees are trained: each of them, or how far it is.
void show_progress(TunePlan& plan, bool each, bool as_json, bool one_line, const char* fitted) {
  if (each && as_json) {
    plan.listener = [fitted, scoring = *plan.scoring](const std::string& setting, const TunedTree& tree) {
      fmt::print(stderr, "{}\n", tree_json(tree, setting, fitted, scoring).dump());
    };
  } else if (each) {
    plan.listener = [begun = false, fitted, scoring = *plan.scoring](const std::string& setting, const TunedTree& tree) mutable {
      fmt::print(stderr, "{}{}", begun ? "" : select::tune_table_head(fitted),
                 select::tune_table_line(setting, tree, shown_score(scoring, tree.scored.score)));
      begun = true;
    };
  } else if (one_line) {
    plan.listener = [&plan](const std::string& setting, const TunedTree& tree) {
      fmt::print(stderr, "{}fold {} of {}  {}", kEraseLine, tree.scored.fold + 1, plan.folds.size(), setting.substr(0, 60));
    };
  }
}

// On rows kept aside: accuracy, or the cost of a row, or the share of the loss that is explained, and a line that tells it.
std::pair<double, std::string> tested_on(const Dataset& test, const Result& result) {
  if (result.loss) {
    const NumberScores scores = score_numbers(result.tree, test);
    const std::string explained = fmt::format("test      {} {:.4f}", explain::explained_name(*result.tree.loss), scores.explained);
    if (*result.tree.loss == Loss::survival)
      return {scores.explained, explained + (scores.concordance ? fmt::format(", concordance {:.4f}\n", *scores.concordance) : "\n")};
    return {scores.explained, explained + fmt::format(", RMSE {:.6g}, MAE {:.6g}\n", scores.rmse, scores.mae)};
  }
  const double total = test.total_weight();
  if (const CostObjective* costs = as_costs(*result.objective_function)) {
    const double cost = costs->cost(result.tree, test);
    return {cost / total, fmt::format("test      cost {:.9g}, {:.4g} for each row\n", cost, cost / total)};
  }
  const double wrong = count_errors(result.tree, test), accuracy = 1 - wrong / total;
  return {accuracy, fmt::format("test      {:.9g} error{} of {:.9g} (accuracy {:.4f})\n", wrong, wrong == 1 ? "" : "s", total, accuracy)};
}

int run(TuneArguments& arguments) {
  for (const std::string& out : {arguments.out, arguments.curve})
    check_output(out, {arguments.data, arguments.costs, arguments.split_file, arguments.options.mip_start, arguments.checkpoint});
  check_model_outputs(arguments.options, {arguments.data, arguments.costs, arguments.split_file, arguments.options.mip_start,
                                          arguments.checkpoint, arguments.out, arguments.curve});
  TunePlan plan;
  for (const std::string& text : arguments.axes) plan.axes.push_back(axis_from(text));
  plan.rule = choice_rule_named(arguments.rule);
  plan.checkpoint = arguments.checkpoint;
  plan.on_existing = arguments.on_existing;
  const bool one_line = !arguments.verbose && !arguments.quiet && system::is_terminal(2);
  arguments.read.training = true;
  arguments.read.guess_numbers = !method_of(arguments.options).losses.empty() && arguments.costs.empty();
  DataParts parts{read_dataset(arguments.data, arguments.read), {}};
  prepare(parts.train, arguments.data, arguments.quiet);
  take_costs(parts, arguments.costs, arguments.read);
  const std::size_t all_rows = parts.train.rows();
  if (arguments.test_share > 0) hold_out(parts, arguments.test_share);
  const Dataset& data = parts.train;
  plan.scoring = arguments.scoring.empty() ? usual_scoring(data) : scoring_named(arguments.scoring);
  show_progress(plan, arguments.verbose, arguments.json, one_line, data.response ? "explained" : data.has_costs() ? "cost" : "errors");
  RowNumbers test_rows;
  std::tie(plan.folds, test_rows) = folds_of(arguments, data);
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  TuneResult tuned = tune(data, arguments.options, plan, hooks);
  if (one_line) fmt::print(stderr, "{}", kEraseLine);
  tuned.result.file = training_file(arguments.read, data, arguments.test_share, all_rows);
  if (tuned.dropped_a_torn_line) {
    fmt::print(stderr, "treewright: {}: the last line was torn when its run ended; its solve was repeated\n", plan.checkpoint);
  }

  double tested = std::numeric_limits<double>::quiet_NaN();
  std::string test_line;
  if (!test_rows.empty()) parts.test = data.subset(test_rows);
  if (parts.tested()) std::tie(tested, test_line) = tested_on(parts.test, tuned.result);
  Outputs outputs;
  if (arguments.out != "-") {
    outputs.write([&] { write_output("", arguments.json ? json_report(tuned, plan, tested) : report(tuned, plan, test_line)); });
  }
  outputs.write_tree(arguments.out, tuned.result);
  if (!arguments.curve.empty())
    outputs.write([&] { write_output(arguments.curve, to_svg(tuned.curve, tuned.choice, tuned.settings, *plan.scoring)); });
  outputs.end();
  return kOk;
}

}  // namespace

void add_tune(CLI::App& app, int& code) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* command = app.add_subcommand("tune", "choose alpha and other options on validation rows, then train with them");
  add_data_flags(*command, arguments->data, arguments->read);
  add_costs_flag(*command, arguments->costs);
  add_loss_flags(*command, arguments->read);
  add_option_flags(*command, arguments->options,
                   {{}, {"checkpoint", "on_existing", "first_column", "never_columns", "scoring"}});  // its own are below
  command
      ->add_option("--try", arguments->axes,
                   "values to choose from: max_depth=1,2,3 or level_costs=1,10;10,100 (may be repeated). alpha is always chosen: on "
                   "the complexity path, or if a "
                   "method has none, from --try ccp_alpha=...")
      ->type_name("NAME=VALUE,...")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--valid-share", arguments->valid_share, "share of the rows used for validation; the others are training rows")
      ->check(is_share())
      ->capture_default_str();
  CLI::Option* folds = command->add_option("--folds", arguments->folds, "use cross-validation with this number of folds instead")
                           ->check(CLI::Range(2, 1000000));
  command->add_option("--repeats", arguments->repeats, "draw the folds so many times, and take the mean over all of them")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->needs(folds);
  CLI::Option* split = command->add_option("--split-file", arguments->split_file,
                                           "table with a column 'row' and a column with the part of each row: train, valid or test");
  command
      ->add_option("--test-share", arguments->test_share,
                   "hold out this share of the rows, of each class alike, from everything, and test the final tree on them")
      ->type_name("SHARE")
      ->check(is_share())
      ->excludes(split);
  command->add_option("--split-column", arguments->split_column, "column of the split file that holds the parts");
  command
      ->add_option("--rule", arguments->rule,
                   "best: highest validation score; sparse: fewest features among settings with at least 0.975 of it; one-se: fewest "
                   "splits within one standard error of it")
      ->type_name("best|sparse|one-se")
      ->capture_default_str();
  command
      ->add_option(
          "--scoring", arguments->scoring,
          "what is best on the validation rows: the share that is right (the default), the mean of that over the classes, their "
          "mean F1, the probabilities by log loss (shown with a minus), the area under the ROC curve, or the mean cost of the "
          "labels (the default where they have costs); of numbers R2 (the default), root mean squared or mean absolute error, or the "
          "mean deviance (the default of --loss poisson), or concordance (the default of --loss survival)")
      ->type_name("accuracy|balanced-accuracy|f1|log-loss|auc|cost|r2|rmse|mae|deviance|concordance");
  command->add_option("--checkpoint", arguments->checkpoint, "file that stores each finished training run");
  command
      ->add_option("--on-existing", arguments->on_existing,
                   "what to do with a checkpoint that exists: refuse it (the default), go on with its runs, or begin it anew")
      ->check(CLI::IsMember({"error", "resume", "overwrite"}))
      ->type_name("error|resume|overwrite");
  command->add_option("--curve", arguments->curve, "draw the validation score over alpha into this file (SVG)");
  command->add_option("--out", arguments->out, "write the final tree with its claims to this file (JSON; - is standard output)");
  command->add_flag("--json", arguments->json, "print everything as one JSON object");
  command->add_flag("-v,--verbose", arguments->verbose,
                    "print every tree of every fold on standard error, with --json as one JSON object each");
  command->add_flag("-q,--quiet", arguments->quiet, "print no progress and no notes on the data");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
