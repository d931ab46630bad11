// Who reads an option: each changes something for the methods that declare it, and is an Error for all others.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/fit/check_origin.h"
#include "treewright/fit/registry.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

using testing::iris;
using testing::noise;
using testing::options_of;
using testing::ScratchFolder;
using testing::Settings;
using testing::settings_of;
using testing::train;
using testing::two_bands;

// What a run shows of its options: the result without what merely repeats them or takes time, every incumbent, and the files it writes. A
// mistake of the user is told in its place.
std::string shown_by(const Dataset& data, Settings settings) {
  const ScratchFolder folder;
  const char* const files[] = {"write_model", "write_rows", "proof"};
  for (const char* file : files) {
    if (settings.contains(file) && !settings[file].empty()) settings[file] = folder / settings[file];
  }
  std::string shown;
  FitHooks hooks;
  hooks.listener = [&](const Progress& progress) { shown += std::to_string(progress.incumbent) + "\n"; };
  try {
    Result result = fit(data, options_of(settings), hooks);
    result.history.clear();
    result.options.clear();
    result.seconds = result.min_leaf_weight = 0;
    result.seed = result.max_depth = result.max_splits = result.min_leaf_rows = 0;
    if (const std::size_t time = result.selection.find(" in "); time < result.selection.find('\n')) result.selection.resize(time);
    shown += to_json(result);
  } catch (const Error& error) {
    shown += error.what();
  }
  for (const char* file : files) {
    if (settings.contains(file) && !settings[file].empty()) shown += read_file(settings[file]);
  }
  return shown;
}

// Two values of an option, and what else has to be set to see that they differ.
struct Contrast {
  std::string a, b;
  Settings with = {};
};

// Solvers that find nothing in time, but for other seeds than 0; that give back their start; that fail.
constexpr const char* kStops = "[ {seed} = 0 ] && echo '# status time_limit' > {solution} #{lp}";
constexpr const char* kEcho = "cp {start} {solution} #{lp}";
constexpr const char* kFails = "false {lp} {solution}";

const std::map<std::string, Contrast>& contrasts() {
  static const std::map<std::string, Contrast> table = {
      {"max_depth", {"1", "2"}},
      {"class_weight", {"", "2=3"}},
      {"min_samples_leaf", {"1", "0.45"}},
      {"min_samples_split", {"2", "1000"}},
      {"min_impurity_decrease", {"0", "0.9"}},
      {"min_weight_fraction_leaf", {"0", "0.45"}},
      {"ccp_alpha", {"0", "0.3"}},
      {"alpha_scale", {"rows", "errors"}},
      {"max_splits", {"-1", "1"}},
      {"scoring", {"accuracy", "auc"}},
      {"criterion", {"gini", "misclassification"}},
      {"time_limit", {"inf", "0"}},
      {"stall_limit", {"inf", "0"}},
      {"node_limit", {"-1", "0"}},
      {"checkpoint", {"", "no-such-folder/facts"}},
      {"on_existing", {"error", "resume"}},
      {"n_jobs", {"1", "2"}},
      {"random_state", {"0", "1", {{"restarts", "3"}}}},
      {"split_kind", {"hyperplane", "axis"}},
      {"svm_cost", {"1e-4", "10"}},
      {"restarts", {"0", "9"}},
      {"disable", {"", "no_such_rule"}},
      {"first_column", {"", "x1"}},
      {"top", {"", R"({"column": "x1", "below": 0.5, "left": "...", "right": "leaf"})"}},
      {"never_columns", {"", "x1,x2"}},
      {"max_columns", {"-1", "1"}},
      {"max_terms", {"-1", "1", {{"svm_cost", "10"}}}},
      {"column_costs", {"", "x1=50"}},
      {"mip_model", {"oct", "p", {{"write_model", "model.lp"}}}},
      {"mip_start", {"auto", "none"}},
      {"mip_solver", {kStops, kFails}},
      {"proof", {"", "bound.proof"}},
      {"verify", {"no", "yes"}},
      {"write_model", {"", "model.lp"}},
      {"fairness", {"0", "1", {{"protected_column", "x1"}, {"write_model", "model.lp"}}}},
      {"protected_column", {"x1", "x2", {{"fairness", "1"}, {"write_model", "model.lp"}}}},
      {"penalty", {"l2", "l1", {{"svm_cost", "0.02"}}}},
      {"level_costs", {"0.1", "10"}},
      {"feature_budgets", {"1", "2"}},
      {"class_codes", {"00,11", "00,10"}},
      {"gap_tolerance", {"1e-4", "0.9"}},
      {"slack_price", {"0", "1000"}},
      {"weight_price", {"0.001", "10"}},
      {"margin", {"0.005", "0.25", {{"write_model", "model.lp"}}}},
      {"row_selection", {"none", "hull"}},
      {"selection_rounds", {"0", "1", {{"row_selection", "hull"}, {"write_rows", "rows.csv"}}}},
      {"hull_share", {"0", "1", {{"row_selection", "hull"}, {"write_rows", "rows.csv"}}}},
      {"support_share", {"0.02", "0.3", {{"row_selection", "hull"}, {"write_rows", "rows.csv"}}}},
      {"hull_eps", {"0", "0.4", {{"row_selection", "hull"}, {"hull_share", "1"}, {"write_rows", "rows.csv"}}}},
      {"write_rows", {"", "rows.csv", {{"row_selection", "hull"}}}},
      {"partition", {"igp", "gp"}},
      {"cluster_share", {"0.1", "0.5", {{"partition", "gp"}}}},
      {"representatives", {"mean", "medoid"}},
      {"partition_algorithm", {"hia", "eia"}},
      {"partition_model", {"search", "dp", {{"partition_algorithm", "hia"}, {"mip_solver", kFails}}}},
  };
  return table;
}

// Settings under which a method trains in a moment, with a solver that takes none where it needs one.
Settings quick(const Method& method) {
  Settings settings = settings_of(method);
  settings["max_depth"] = method.train == nullptr ? "1" : "2";
  if (method.reads_option("n_jobs")) settings["n_jobs"] = "1";
  if (method.reads_option("restarts")) settings["restarts"] = "1";
  if (method.reads_option("mip_start")) settings["mip_solver"] = kStops;
  return settings;
}

// What a method needs besides to show that it reads the option.
Settings besides(const Method& method, const std::string& option) {
  const bool solver_option = option == "mip_solver" || option == "random_state";
  const bool model_option = solver_option || option == "disable" || option == "write_model";
  if (method.name == "partition" && model_option)
    return {{"partition_model", "dp"}, {"partition_algorithm", "hia"}, {"mip_solver", kStops}};
  if ((option == "time_limit" || option == "stall_limit") && method.reads_option("mip_start")) return {{"mip_solver", kEcho}};
  // Its start is in no race: it shows where the solver gives it back.
  if (option == "mip_start" && method.objective->name != ErrorObjective::kKind.name) return {{"mip_solver", kEcho}};
  if (method.name == "svm1" && option == "mip_solver") return {{"row_selection", "balanced"}};
  // From hyperplanes, whatever the impurity, it gets to the same tree here.
  if (method.name == "local" && option == "criterion") return {{"split_kind", "axis"}, {"restarts", "0"}, {"max_depth", "3"}};
  return {};
}

// Whether the option shows in ways that this test does not look at: of a solver in the process, or with more than two classes.
bool shows_elsewhere(const Method& method, const std::string& option) {
  if (option == "node_limit") return method.reads_option("mip_start");
  // Its start is no point of its model here, so no solver gives it back.
  if (option == "stall_limit" && method.label() == "oct-h with solver=mip") return true;
  // What chooses among entries decides what is read besides.
  if (option == "solver" || option == "feature_selection") return true;
  return option == "method" || (option == "random_state" && method.empty_leaves);
}

class OptionsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(OptionsOf, LengthyEachChangesSomething) {
  const Method& method = *std::find_if(methods().begin(), methods().end(), [](const Method& entry) { return entry.label() == GetParam(); });
  std::vector<std::int32_t> few(60);
  std::iota(few.begin(), few.end(), 0);
  const Dataset small = noise().subset(few);
  const bool margins = method.reads_option("level_costs");
  const Dataset& data = margins ? two_bands() : method.train == nullptr ? small : noise();
  for (const std::string_view name : method.reads) {
    const std::string option(name);
    if (shows_elsewhere(method, option)) continue;
    ASSERT_TRUE(contrasts().contains(option)) << "add two values of " << option;
    Contrast contrast = contrasts().at(option);
    if (option == "class_weight" && margins) contrast.b = "b=3";
    Settings settings = quick(method);
    for (const Settings& more : {contrast.with, besides(method, option)}) {
      for (const auto& [key, value] : more) {
        if (method.reads_option(key)) settings[key] = value;
      }
    }
    Settings other = settings;
    settings[option] = contrast.a;
    other[option] = contrast.b;
    // Of two classes the tree of logistic-h is a single split, and cart-h has no hyperplanes of noise.
    const bool needs_classes = (method.name == "logistic-h" && (option == "max_depth" || option == "max_splits")) ||
                               (method.name == "cart-h" && option == "max_terms");
    const Dataset& rows = needs_classes ? iris() : data;
    EXPECT_NE(shown_by(rows, settings), shown_by(rows, other))
        << method.label() << " reads " << option << ", " << contrast.a << " or " << contrast.b;
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.push_back(method.label());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, OptionsOf, ::testing::ValuesIn(method_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ' ' || c == '='; }, '_');
  return name;
});

// A value in the option's range that is not its default.
std::string another_value(const OptionInfo& info) {
  switch (info.type) {
    case OptionType::Integer:
      return info.default_text == "1" ? "2" : info.range.substr(0, 2) == "2." ? "3" : "1";
    case OptionType::Real:
      return "0.5";
    case OptionType::Choice: {
      const std::size_t bar = info.range.find('|');
      const std::string_view first = info.range.substr(0, bar), rest = info.range.substr(bar + 1);
      return std::string(first == info.default_text ? rest.substr(0, rest.find('|')) : first);
    }
    case OptionType::Text:
      break;
  }
  return "something";
}

TEST(Options, WhatAMethodDoesNotReadIsAnErrorThatNamesThoseThatDo) {
  int refused = 0;
  for (const Method& method : methods()) {
    for (const OptionEntry& info : option_entries()) {
      const bool harmless = std::find(reads::kHarmless.begin(), reads::kHarmless.end(), info.name) != reads::kHarmless.end();
      if (method.reads_option(info.name) || harmless) continue;
      Settings settings = settings_of(method);
      settings[std::string(info.name)] = another_value(info);
      SCOPED_TRACE(method.label() + " " + std::string(info.name) + " = " + another_value(info));
      const auto reads = [&](const Method& other) { return other.reads_option(info.name); };
      const std::string reader(std::find_if(methods().begin(), methods().end(), reads)->name);
      expect_error([&] { train(iris(), settings); }, {"option '" + std::string(info.name) + "'", "does not read it", reader});
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(Options, HarmlessOnesAreTakenByEveryMethodAndKeptOutOfTheResult) {
  const Result plain = train(iris(), {{"method", "cart"}});
  const Result told = train(iris(), {{"method", "cart"}, {"n_jobs", "1"}, {"random_state", "3"}});
  EXPECT_EQ(told.options, plain.options);
  EXPECT_EQ(told.seed, 0);
  EXPECT_TRUE(check_origin(told, iris()).empty());
}

TEST(Options, EveryMethodReadsOptionsThatThereAre) {
  for (const Method& method : methods()) {
    std::set<std::string_view> names(method.reads.begin(), method.reads.end());
    EXPECT_EQ(names.size(), method.reads.size()) << method.name << " names an option twice";
    for (const std::string_view name : names) EXPECT_EQ(option_name(name), name) << method.name;
  }
  for (const OptionEntry& entry : option_entries()) EXPECT_FALSE(entry.methods.empty()) << "nobody reads " << entry.name;
}

TEST(Options, ModelsOfPartitionNeedAModel) {
  for (const auto& [option, value] : {std::pair("write_model", "model.lp"), std::pair("disable", "all")}) {
    expect_error(
        [&, option = option, value = value] {
          train(iris(), {{"method", "partition"}, {option, value}});
        },
        {option, "partition_model", "dp"});
  }
}

}  // namespace
}  // namespace treewright
