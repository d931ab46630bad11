// Tuning: BD17 sec. 3, for every method.
//
// The procedure of the paper. For depths D = 1, ..., D_max and numbers of splits C = 1, ..., 2^D - 1, solve the problem on the training
// rows, starting each solve from the best tree so far. Drop the trees that are optimal for no alpha. Take the tree that is best on the
// validation rows, and the middle of its interval of alpha. Train with that alpha on training and validation rows together.
//
// Here. The trees that remain are found directly (complexity_path.h). With k folds instead of one validation set, their mean score is a
// step function of alpha (validation_curve.h). Options other than alpha (depth, rows per leaf, criterion, ...) are axes: for each
// combination and fold there is a path, or a single tree for a method without paths. Strict limits come first: small depth and large
// leaves. What satisfies strict limits also satisfies the others, so every tree of a fold is a start of its later solves (BD17's pool, and
// its remark on N_min). The paper's loop over depths that only provide starts is left out: the exact search itself starts every node from
// the tree of one level less.
//
// Time. One clock measures the whole run. A quarter is kept for the final tree; the folds get equal shares of the rest, and so do the paths
// of a fold.
//
// Checkpoint. A path is a deterministic function of its solves, so recording these is enough: a resumed run asks the same questions in
// the same order and finds the first answers in the file. The first line names data, options and plan; each further line is
// one solve with the time spent so far. Without a time limit a resumed run ends with exactly the tree of an undisturbed one.

#include "treewright/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/base/hash.h"
#include "treewright/base/journal.h"
#include "treewright/base/version.h"
#include "treewright/data/fingerprint.h"
#include "treewright/fit/registry.h"
#include "treewright/fit/training_rows.h"
#include "treewright/result.h"
#include "treewright/select/fold_paths.h"
#include "treewright/select/path_trainer.h"
#include "treewright/select/scoring.h"
#include "treewright/select/stated_options.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

using Json = nlohmann::ordered_json;

// Of the time, for the final tree.
constexpr double kFinalShare = 0.25;

struct Setting {
  std::string name;
  Options options;
};

std::vector<Setting> combine(const Options& base, const std::vector<TuneAxis>& axes, const Dataset& data) {
  std::vector<Setting> settings{{"", base}};
  for (const TuneAxis& axis : axes) {
    if (axis.values.empty()) throw Error(fmt::format("axis '{}'", axis.option), "has no values", "give at least one");
    std::vector<Setting> longer;
    for (const Setting& setting : settings) {
      for (const std::string& value : axis.values) {
        Setting& next = longer.emplace_back(setting);
        set_option(next.options, axis.option, value);
        next.name += fmt::format("{}{}={}", next.name.empty() ? "" : " ", axis.option, get_option(next.options, axis.option));
      }
    }
    settings = std::move(longer);
  }
  for (Setting& setting : settings) setting.options = with_depth(decided(std::move(setting.options)), data);
  return settings;
}

// What two runs must share so that one can use the solves of the other. The time limit may differ.
Journal::Header header_of(const Dataset& data, const Options& options, const std::vector<Setting>& settings, const TunePlan& plan) {
  Journal::Header header{{"treewright_tune", "7"}, {"version", version()}, {"data", fingerprint(data)}};
  std::uint64_t folds = kHashOfNothing;
  for (const Fold& fold : plan.folds) folds = hash_values(fold.test, hash("/", hash_values(fold.train, folds)));
  header.emplace_back("folds", hash_text(folds));
  for (const auto& [name, value] : options_set(options)) {
    if (name != "time_limit" && name != "n_jobs") header.emplace_back(name, value);
  }
  std::string tried;
  for (const Setting& setting : settings) tried += setting.name + ";";
  header.emplace_back("tried settings", tried);
  return header;
}

// The solves of earlier runs, and the file that stores those of this run.
class Checkpoint {
 public:
  Checkpoint(const TunePlan& plan, const Journal::Header& header) {
    const Journal::Existing existing = existing_checkpoint(plan.checkpoint, plan.on_existing);
    if (plan.checkpoint.empty()) return;
    journal_.emplace(plan.checkpoint, header, existing);
    const std::vector<std::string>& lines = journal_->lines();
    for (std::size_t i = 0; i < lines.size(); ++i) read(lines[i], fmt::format("{}, line {}", plan.checkpoint, i + 2));
  }

  /// Whether a solve was being written when the last run was killed: it is repeated.
  bool was_torn() const { return journal_ && journal_->was_torn(); }

  double seconds_before() const { return seconds_; }

  const Result* find(const std::string& key) const {
    const auto at = known_.find(key);
    return at == known_.end() ? nullptr : &at->second;
  }

  void add(const std::string& key, const Result& result, double seconds) {
    if (journal_) journal_->append(Json{{"solve", key}, {"seconds", seconds}, {"result", Json::parse(to_json(result))}}.dump());
  }

 private:
  void read(const std::string& line, const std::string& where) {
    const Json json = Json::parse(line, nullptr, false);
    const bool solve =
        json.is_object() && json.contains("result") && json.value("solve", Json()).is_string() && json.value("seconds", Json()).is_number();
    if (!solve) throw Error(where, "is not a line of a checkpoint", "give another file", ErrorKind::file);
    seconds_ = json["seconds"].get<double>();
    known_.insert_or_assign(json["solve"].get<std::string>(), from_json(json["result"].dump(), where));
  }

  std::optional<Journal> journal_;
  std::map<std::string, Result> known_;
  double seconds_ = 0;
};

class Tuning {
 public:
  Tuning(const Dataset& data, const Options& options, const TunePlan& plan, const FitHooks& hooks)
      : data_(data),
        options_(options),
        plan_(plan),
        hooks_(hooks),
        scoring_(plan.scoring.value_or(usual_scoring(data))),
        settings_(combine(options, plan.axes, data)),
        checkpoint_(plan, header_of(data, options, settings_, plan)),
        weighted_(data) {
    apply_class_weights(weighted_, options.class_weight);
    for (const Setting& setting : settings_) {
      fold_plan_.settings.push_back(data.response ? setting.options : unverified(setting.options));  // no proof is of numbers
    }
    fold_plan_.fixed_alpha =
        std::any_of(plan.axes.begin(), plan.axes.end(), [](const TuneAxis& axis) { return axis.option == "ccp_alpha"; });
  }

  TuneResult run() {
    TuneResult result;
    for (const Setting& setting : settings_) result.settings.push_back(setting.name);
    std::vector<std::vector<TunedTree>> found(settings_.size());
    result.dropped_a_torn_line = checkpoint_.was_torn();
    result.not_tried = follow_folds(found);
    std::vector<ScoredTree> scored;
    for (const std::vector<TunedTree>& trees : found) {
      for (const TunedTree& tree : trees) result.trees.push_back(tree), scored.push_back(tree.scored);
    }
    result.curve = validation_curve(scored);
    result.choice = choose(result.curve, plan_.rule, scoring_);
    finish(result);
    return result;
  }

 private:
  double seconds() const { return checkpoint_.seconds_before() + clock_.elapsed(); }

  // The solve of this name, taken from the checkpoint or put into it.
  Result recorded(const std::string& name, const Dataset& data, const Options& options, const FitHooks& hooks) {
    const std::string key = fmt::format("{} alpha={} splits={}", name, get_option(options, "ccp_alpha"), options.max_splits);
    // What a limit on time has ended is solved again where there is more time now.
    const Result* const known = checkpoint_.find(key);
    if (known != nullptr && (known->status != Status::time_limit || options.time_limit <= known->seconds)) return *known;
    const Result result = fit(data, options, hooks);
    // An interrupted solve is not stored.
    if (result.status != Status::interrupted) checkpoint_.add(key, result, seconds());
    return result;
  }

  bool out_of_time() const {
    return seconds() >= (1 - kFinalShare) * options_.time_limit || (hooks_.stop != nullptr && hooks_.stop->load());
  }

  // Fold after fold, as long as there is time. All settings are compared on the same folds: a fold that ends early does not count, unless
  // it is the first, where the settings that were not tried are left out. Says what was not tried; "" = nothing.
  std::string follow_folds(std::vector<std::vector<TunedTree>>& found) {
    const std::size_t folds = plan_.folds.size();
    for (std::size_t fold = 0; fold < folds; ++fold) {
      if (fold > 0 && out_of_time()) return unused_folds(fold);
      std::vector<std::vector<TunedTree>> here(settings_.size());
      follow(fold, here);
      std::string missing;
      for (std::size_t s = 0; s < settings_.size(); ++s) {
        if (here[s].empty()) missing += (missing.empty() ? "" : ", ") + settings_[s].name;
      }
      if (fold > 0 && !missing.empty()) return unused_folds(fold);
      for (std::size_t s = 0; s < settings_.size(); ++s) found[s].insert(found[s].end(), here[s].begin(), here[s].end());
      if (missing.empty()) continue;
      note(stop_reason());
      return fmt::format("the run ended before these settings were tried: {}", missing);
    }
    return "";
  }

  Status stop_reason() const { return hooks_.stop != nullptr && hooks_.stop->load() ? Status::interrupted : Status::time_limit; }

  std::string unused_folds(std::size_t used) {
    note(stop_reason());
    return fmt::format("the run ended before all folds were used: {} of {} were", used, plan_.folds.size());
  }

  // The paths of all settings on one fold, scored on its other rows.
  void follow(std::size_t fold, std::vector<std::vector<TunedTree>>& found) {
    const Dataset train = data_.subset(plan_.folds[fold].train), valid = weighted_.subset(plan_.folds[fold].test);
    const double folds_left = static_cast<double>(plan_.folds.size() - fold);
    fold_plan_.time_limit = ((1 - kFinalShare) * options_.time_limit - seconds()) / folds_left;
    fold_plan_.may_end_early = true;
    fold_plan_.train = [&](std::size_t setting, const Dataset& data, const Options& options, const FitHooks& hooks) {
      return recorded(fmt::format("fold={} {}", fold, settings_[setting].name), data, options, hooks);
    };
    fold_plan_.listener = [&](std::size_t setting, const ComplexityPath& path) {
      note(path.status);
      for (const PathPoint& point : path.points) {
        const double score = select::score(point.result.tree, valid, scoring_);
        TunedTree& tree =
            found[setting].emplace_back(scored_tree(point, static_cast<std::int64_t>(setting), static_cast<std::int64_t>(fold), score));
        tree.on_a_path = !fold_plan_.fixed_alpha && has_path(settings_[setting].options.method);
        if (plan_.listener) plan_.listener(settings_[setting].name, tree);
      }
    };
    last_paths_ = select::fold_paths(train, fold_plan_, hooks_);
    last_fold_ = fold;
  }

  // The final tree, on the rows of all folds.
  void finish(TuneResult& result) {
    RowNumbers rows;
    for (const Fold& fold : plan_.folds) {
      rows.insert(rows.end(), fold.train.begin(), fold.train.end());
      rows.insert(rows.end(), fold.test.begin(), fold.test.end());
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    result.options = only_read(settings_[static_cast<std::size_t>(result.choice.step.setting)].options);
    if (!fold_plan_.fixed_alpha && has_path(result.options.method)) result.options.ccp_alpha = result.choice.alpha;
    Options limited = result.options;
    limited.time_limit = std::max(0.0, options_.time_limit - seconds());
    FitHooks hooks = hooks_;
    for (const ComplexityPath& path : last_paths_) {
      for (const PathPoint& point : path.points) hooks.starts.push_back(&point.result.tree);
    }
    // Another scoring, or more folds, may choose another setting; and a heuristic starts from the trees of the last fold.
    const std::string name =
        fmt::format("final {} after fold {}", settings_[static_cast<std::size_t>(result.choice.step.setting)].name, last_fold_);
    result.result = recorded(name, data_.subset(rows), only_read(limited), hooks);
    select::state_options(result.result, result.options, {"time_limit"});
    note(result.result.status);
    result.status = status_;
    result.seconds = seconds();
  }

  void note(Status status) {
    if (status_ == Status::optimal) status_ = status;
  }

  const Dataset& data_;
  const Options& options_;
  const TunePlan& plan_;
  const FitHooks& hooks_;
  const Scoring scoring_;
  const Deadline clock_;
  std::vector<Setting> settings_;
  Checkpoint checkpoint_;
  Dataset weighted_;  // what is lost by an error on a validation row: as in training, of all rows so that folds agree
  select::FoldPlan fold_plan_;
  std::vector<ComplexityPath> last_paths_;
  std::size_t last_fold_ = 0;
  Status status_ = Status::optimal;
};

}  // namespace

TunedTree scored_tree(const PathPoint& point, std::int64_t setting, std::int64_t fold, double score) {
  const double features = static_cast<double>(point.result.tree.features_used().size());
  const Result& result = point.result;
  return {{setting, fold, point.alpha_low, point.alpha_high, score, features, static_cast<double>(point.splits)},
          result.loss ? result.explained() : point.loss(),
          result.status};
}

std::string_view fitted_name(const Result& result) {
  return result.loss ? "explained" : result.cost ? "cost" : "errors";
}

TuneResult tune(const Dataset& data, const Options& options, const TunePlan& plan, const FitHooks& hooks) {
  check_options(options);
  data.validate_for_training();
  if (plan.scoring) select::check_scores(*plan.scoring, data);
  if (data.has_costs()) check_takes_costs(data, options, method_of(options));
  if (plan.folds.empty()) throw Error("folds", "there are no validation rows", "give at least one fold");
  return Tuning(data, options, plan, hooks).run();
}

}  // namespace treewright
