// treewright near-trees: all trees that are nearly as good as the best one, by the columns that they ask.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "commands.h"
#include "flags.h"
#include "interrupt.h"
#include "outputs.h"
#include "read_rows.h"
#include "treewright/base/deadline.h"
#include "treewright/base/text_table.h"
#include "treewright/explain/claims.h"
#include "treewright/explain/markup.h"
#include "treewright/near_trees.h"

namespace treewright::cli {

namespace {

struct NearTreesArguments {
  std::string data, costs;
  ReadOptions read;
  Options options;
  double within = 0;  // errors, by weight
  double test_share = 0;
  std::int64_t count = 1000;
  bool only_sets = false;  // of each set of columns the best tree only
  std::string trees;       // a folder; "" = none
  bool json = false, quiet = false;
};

// Trees that ask the same columns: their places among all, the best first.
struct Group {
  std::vector<FeatureId> columns;
  std::vector<std::size_t> trees;
};

std::vector<Group> sets_of(const NearTrees& near) {
  std::map<std::vector<FeatureId>, std::size_t> known;
  std::vector<Group> groups;
  for (std::size_t i = 0; i < near.trees.size(); ++i) {
    const std::vector<FeatureId> columns = near.trees[i].tree.features_used();
    const auto [at, is_new] = known.emplace(columns, groups.size());
    if (is_new) groups.push_back({columns, {}});
    groups[at->second].trees.push_back(i);
  }
  return groups;
}

double cost_of(const Result& result) {
  return result.objective * result.objective_function->error_scale();
}

std::string names_of(const Group& group, const Tree& tree) {
  std::vector<std::string> names;
  for (const FeatureId column : group.columns)
    names.push_back(explain::shortened(explain::clean(tree.features[static_cast<std::size_t>(+column)].name), 40));
  return names.empty() ? "(none)" : fmt::format("{}", fmt::join(names, ", "));
}

std::string table(const NearTrees& near, const std::vector<Group>& groups, const std::string& unit) {
  std::vector<std::vector<std::string>> rows = {{"set", unit, "trees", "columns"}};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::string low = explain::plain(cost_of(near.trees[groups[g].trees.front()]));
    const std::string high = explain::plain(cost_of(near.trees[groups[g].trees.back()]));
    rows.push_back({std::to_string(g + 1), low == high ? low : low + " to " + high, std::to_string(groups[g].trees.size()),
                    names_of(groups[g], near.trees.front().tree)});
  }
  return text_table(rows);
}

// What the list is a list of.
std::string completeness(const NearTrees& near) {
  const std::size_t n = near.trees.size();
  const std::string trees = fmt::format("{} tree{}", n, n == 1 ? "" : "s");
  if (near.complete()) return fmt::format("{}: all that there are", trees);
  if (near.complete_within >= 0)
    return fmt::format("{} of more: all within {}, and some of the others", trees, explain::plain(near.complete_within));
  return fmt::format("{}, and there may be more", trees);
}

std::string report(const NearTrees& near, const std::vector<Group>& groups, double seconds) {
  const Result& first = near.trees.front();
  const std::string unit = explain::counted(first);
  const char* const meaning =
      near.status == Status::optimal ? "the best tree is proved" : "the best tree is not proved, or the list was stopped";
  return fmt::format(
      "{}set: trees that ask the same columns, the best first; a split in them is one that lowers the errors\n\n"
      "{:<9} {} of the best tree of depth {}\nwithin    {} more\nfound     {}\nstatus    {}: {}\nseconds   {:.3f}\n",
      table(near, groups, unit), unit, explain::plain(near.best), first.max_depth, explain::plain(near.within), completeness(near),
      to_string(near.status), meaning, seconds);
}

std::string json_report(const NearTrees& near, const std::vector<Group>& groups, double seconds) {
  nlohmann::ordered_json json;
  json["status"] = to_string(near.status);
  json["best"] = near.best;
  json["within"] = near.within;
  json["complete"] = near.complete();
  json["complete_within"] = near.complete_within;
  json["seconds"] = seconds;
  json["sets"] = nlohmann::ordered_json::array();
  for (const Group& group : groups) {
    nlohmann::ordered_json one;
    one["columns"] = nlohmann::ordered_json::array();
    const Tree& tree = near.trees[group.trees.front()].tree;
    for (const FeatureId column : group.columns)
      one["columns"].push_back(explain::clean(tree.features[static_cast<std::size_t>(+column)].name));
    one["trees"] = nlohmann::ordered_json::array();
    for (const std::size_t i : group.trees) one["trees"].push_back(nlohmann::ordered_json::parse(summary_json(near.trees[i])));
    json["sets"].push_back(one);
  }
  return json.dump(2) + "\n";
}

int run(NearTreesArguments& arguments) {
  check_folder(arguments.trees, "--trees");
  DataParts parts = read_train_and_test(arguments.data, "", arguments.test_share, arguments.read, {{}, arguments.quiet});
  take_costs(parts, arguments.costs, arguments.read);
  const Deadline clock;
  FitHooks hooks;
  hooks.stop = stop_on_interrupt();
  const NearTrees near =
      near_trees(parts.train, arguments.options, {arguments.within, static_cast<std::size_t>(arguments.count), arguments.only_sets}, hooks);
  const std::vector<Group> groups = sets_of(near);
  Outputs outputs;
  outputs.write(
      [&] { write_output("", arguments.json ? json_report(near, groups, clock.elapsed()) : report(near, groups, clock.elapsed())); });
  for (std::size_t g = 0; g < groups.size() && !arguments.trees.empty(); ++g) {
    Result tree = near.trees[groups[g].trees.front()];
    tree.file = training_file(arguments.read, parts, arguments.test_share);
    outputs.write_tree(fmt::format("{}/tree-{}.json", arguments.trees, g + 1), tree);
  }
  outputs.end();
  return kOk;
}

}  // namespace

void add_near_trees(CLI::App& app, int& code) {
  auto arguments = std::make_shared<NearTreesArguments>();
  CLI::App* command = app.add_subcommand("near-trees", "list all trees that are nearly as good as the best one, by their columns");
  add_data_flags(*command, arguments->data, arguments->read);
  add_costs_flag(*command, arguments->costs);
  add_analysis_flags(*command, arguments->options);
  command
      ->add_option("--within", arguments->within,
                   "trees that make at most so many errors more than the best one, by weight, price of splits included (default: 0)")
      ->type_name("ERRORS")
      ->check(is_not_negative());
  command->add_option("--count", arguments->count, "of more trees list only so many, the best (default: 1000)")
      ->type_name("NUMBER")
      ->check(CLI::Range(1, 100'000).description(""));
  command->add_flag("--only-sets", arguments->only_sets, "list only the best tree of each set of columns, so that more sets are seen");
  command
      ->add_option("--trees", arguments->trees,
                   "write the best tree of each set of columns into this folder, with its claims: tree-1.json, ...")
      ->type_name("FOLDER");
  add_held_out_flag(*command, arguments->test_share);
  command->add_flag("--json", arguments->json, "print everything as one JSON object");
  command->add_flag("-q,--quiet", arguments->quiet, "print no notes on the data");
  command->callback([arguments, &code] { code = run(*arguments); });
}

}  // namespace treewright::cli
