#include "treewright/fit/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/scratch_folder.h"
#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/data/generate.h"
#include "treewright/data/read.h"
#include "treewright/mip/solve.h"
#include "treewright/search/rules.h"
#include "treewright/tree/json.h"
#include "treewright/tree/svm1_objective.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;
using testing::ScratchFolder;

const Dataset& iris() {
  static const Dataset data = read_dataset(TREEWRIGHT_SOURCE_DIR "/data/iris.csv");
  return data;
}

// Noise that no small tree explains: its search is long.
const Dataset& noise() {
  static const Dataset data = [] {
    GenerateOptions options;
    options.rows = 300;
    options.features = 6;
    options.classes = 2;
    options.label_noise = 0.4;
    return generate("bd17-train", options);
  }();
  return data;
}

// One class in the upper left and the lower right: what two levels of hyperplanes part.
const Dataset& two_bands() {
  static const Dataset data = [] {
    std::vector<double> x, y;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 36; ++i) {
      x.push_back(i % 6 * 1.5);
      y.push_back(10 + i / 6 + 0.1 * (i % 5));
      labels.push_back((i % 6 < 3) != (i / 6 < 3));
    }
    return make_data({numbers("x", x), numbers("y", y)}, labels);
  }();
  return data;
}

using Settings = std::map<std::string, std::string>;

Options options_of(const Settings& settings) {
  Options options;
  for (const auto& [name, value] : settings) set_option(options, name, value);
  return options;
}

Result train(const Dataset& data, const Settings& settings) {
  return fit(data, options_of(settings));
}

// A command that would solve nothing; with a time limit of 0 it is not even run.
constexpr const char* kNoSolver = "true {lp} {solution}";

// The model file of oct-mip on iris at depth 2.
std::string model_of(Settings settings) {
  const ScratchFolder folder;
  settings.insert({{"method", "oct-mip"},
                   {"disable", "tight_m"},
                   {"max_depth", "2"},
                   {"time_limit", "0"},
                   {"mip_solver", kNoSolver},
                   {"write_model", folder / "model.lp"}});
  train(iris(), settings);
  return read_file(folder / "model.lp");
}

// Sub-problems until the optimum of iris is proved: the least node_limit that lets the search end.
std::int64_t work_without(const std::string& disabled) {
  std::int64_t low = 0, high = 1 << 24;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (train(iris(), {{"disable", disabled}, {"node_limit", std::to_string(middle)}, {"n_jobs", "1"}}).status == Status::optimal) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Errors, slack and weights of method svm1 on iris.
Svm1Cost svm1_parts(Settings settings) {
  settings.insert({{"method", "svm1"}, {"max_depth", "2"}, {"restarts", "0"}});
  const Result result = train(iris(), settings);
  EXPECT_EQ(check_claims(result, iris()), std::vector<std::string>{});
  return svm1_cost(result.tree, iris(), result.objective_function.margin, unit_axes(iris()));
}

// Lines of the file of rows that method svm1 has selected from noise.
std::size_t rows_selected(Settings settings) {
  const ScratchFolder folder;
  settings.insert({{"method", "svm1"}, {"max_depth", "2"}, {"restarts", "0"}, {"select", "hull"}, {"write_rows", folder / "rows.csv"}});
  const Result result = train(noise(), settings);
  EXPECT_EQ(check_claims(result, noise()), std::vector<std::string>{});
  const std::string text = read_file(folder / "rows.csv");
  EXPECT_TRUE(text.starts_with("row,class,leaf,kind\n"));
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
}

// For each option, proof that it changes something.
const std::map<std::string, std::function<void()>>& option_checks() {
  static const std::map<std::string, std::function<void()>> checks = {
      {"method",
       [] {
         EXPECT_EQ(train(iris(), {{"method", "oct"}}).status, Status::optimal);
         EXPECT_EQ(train(iris(), {{"method", "cart"}}).status, Status::heuristic);
         EXPECT_LT(train(iris(), {{"method", "oct"}}).errors, train(iris(), {{"method", "cart"}}).errors);
       }},
      {"split_kind",
       [] {
         const Result axis = train(noise(), {{"method", "local"}, {"split_kind", "axis"}, {"restarts", "1"}, {"max_depth", "2"}});
         const Result any = train(noise(), {{"method", "local"}, {"restarts", "1"}, {"max_depth", "2"}});
         EXPECT_EQ(axis.tree.terms(), axis.tree.splits());
         EXPECT_GT(any.tree.terms(), any.tree.splits());
         EXPECT_LT(any.errors, axis.errors);
       }},
      {"svm_cost",
       [] {
         for (const char* method : {"oct-h", "tao", "cart-h"}) {
           const auto tree = [&](const char* cost) {
             return train(noise(), {{"method", method}, {"svm_cost", cost}, {"restarts", "0"}, {"max_depth", "2"}}).tree;
           };
           EXPECT_NE(tree("1e-4"), tree("10")) << method;
         }
       }},
      {"penalty",
       [] {
         const auto tree = [](const char* method, const char* penalty) {
           return train(noise(), {{"method", method}, {"penalty", penalty}, {"svm_cost", "0.02"}, {"restarts", "0"}, {"max_depth", "2"}})
               .tree;
         };
         EXPECT_LT(tree("tao", "l1").terms(), tree("tao", "l2").terms());
         EXPECT_NE(tree("oct-h", "l1"), tree("oct-h", "l2"));
       }},
      {"restarts",
       [] {
         for (const char* method : {"oct-h", "tao", "local"}) {
           const auto errors = [&](const char* runs) {
             return train(noise(), {{"method", method}, {"restarts", runs}, {"max_depth", "2"}}).errors;
           };
           EXPECT_LT(errors("9"), errors("0")) << method;
         }
       }},
      {"partition",
       [] {
         const auto clusters = [](const char* name) {
           const std::string told = train(iris(), {{"method", "partition"}, {"partition", name}, {"max_depth", "2"}}).selection;
           return told.substr(0, told.find(' '));
         };
         EXPECT_NE(clusters("igp"), clusters("gp"));
         EXPECT_NE(clusters("igp"), clusters("crm"));
       }},
      {"rho",
       [] {
         const auto clusters = [](const char* rho) {
           return train(iris(), {{"method", "partition"}, {"partition", "gp"}, {"rho", rho}, {"max_depth", "2"}}).selection;
         };
         EXPECT_TRUE(clusters("0.1").starts_with("15 clusters")) << clusters("0.1");
         EXPECT_TRUE(clusters("0.5").starts_with("75 clusters")) << clusters("0.5");
       }},
      {"refine",
       [] {
         for (const char* name : {"hia", "hiia", "eia", "eiia"}) {
           const Result result = train(iris(), {{"method", "partition"}, {"refine", name}, {"max_depth", "3"}, {"max_splits", "5"}});
           EXPECT_EQ(result.status, name[0] == 'e' ? Status::optimal : Status::heuristic) << name;
         }
       }},
      {"partition_model",
       [] {
         // One that fails, and only where it is asked.
         const Settings by{{"method", "partition"}, {"refine", "hia"}, {"mip_solver", "false {lp} {solution}"}, {"max_depth", "2"}};
         Settings dp = by;
         dp["partition_model"] = "dp";
         EXPECT_EQ(train(iris(), by).status, Status::heuristic);
         expect_error([&] { train(iris(), dp); }, {"mip_solver", "exit code 1"});
       }},
      {"min_weight_fraction_leaf",
       [] {
         for (const char* method : {"oct", "cart"}) {
           EXPECT_EQ(train(iris(), {{"method", method}}).min_leaf_weight, 0);
           const Result result = train(iris(), {{"method", method}, {"min_weight_fraction_leaf", "0.4"}});
           EXPECT_EQ(result.min_leaf_weight, 60);
           EXPECT_LT(result.tree.splits(), train(iris(), {{"method", method}}).tree.splits());
         }
       }},
      {"max_depth",
       [] {
         for (const char* method : {"oct", "cart"}) {
           for (int depth = 0; depth <= 3; ++depth)
             EXPECT_EQ(train(iris(), {{"method", method}, {"max_depth", std::to_string(depth)}}).tree.depth(), depth);
         }
       }},
      {"min_samples_leaf",
       [] {
         for (const char* method : {"oct", "cart"}) {
           for (const char* rows : {"1", "8", "15", "0.2"}) {
             const Result result = train(iris(), {{"method", method}, {"min_samples_leaf", rows}});
             std::int64_t least = 150;
             for (const Node& node : result.tree.nodes()) least = std::min(least, node.rows);
             const std::int64_t wanted = std::string(rows) == "0.2" ? 30 : std::stoi(rows);
             EXPECT_GE(least, wanted) << method;
             EXPECT_EQ(result.min_leaf_rows, wanted);
           }
           EXPECT_LT(train(iris(), {{"method", method}, {"min_samples_leaf", "1"}}).errors,
                     train(iris(), {{"method", method}, {"min_samples_leaf", "30"}}).errors);
         }
       }},
      {"ccp_alpha",
       [] {
         for (const char* method : {"oct", "cart"}) {
           const Result free = train(iris(), {{"method", method}}), priced = train(iris(), {{"method", method}, {"ccp_alpha", "0.2"}});
           EXPECT_GT(free.tree.splits(), priced.tree.splits()) << method;
           EXPECT_GT(priced.tree.splits(), 0u) << method;
         }
         EXPECT_NEAR(train(iris(), {{"ccp_alpha", "0.2"}}).objective, 0.06 + 2 * 0.2, 1e-12);
       }},
      {"alpha_scale",
       [] {
         // L^ = 100, 50, 150 and 1: the price of a split in errors is 90, 45, 135 and 0.9.
         const auto splits = [](const char* scale) { return train(iris(), {{"ccp_alpha", "0.9"}, {"alpha_scale", scale}}).tree.splits(); };
         EXPECT_EQ(splits("majority-errors"), 0u) << "two splits cost 180 + 6, one 90 + 50";
         EXPECT_EQ(splits("baseline-correct"), 1u);
         EXPECT_EQ(splits("rows"), 0u);
         EXPECT_EQ(splits("errors"), 4u);
         EXPECT_NEAR(train(iris(), {{"ccp_alpha", "0.1"}, {"alpha_scale", "rows"}}).objective, 6 / 150.0 + 0.2, 1e-12);
         EXPECT_NEAR(train(iris(), {{"ccp_alpha", "0.1"}, {"alpha_scale", "majority-errors"}}).objective, 6 / 100.0 + 0.2, 1e-12);
       }},
      {"max_splits",
       [] {
         for (const char* method : {"oct", "cart"}) {
           for (const int most : {0, 1, 2, 3})
             EXPECT_EQ(train(iris(), {{"method", method}, {"max_splits", std::to_string(most)}}).tree.splits(), most) << method;
           EXPECT_GT(train(iris(), {{"method", method}, {"max_splits", "-1"}}).tree.splits(), 3u) << method;
         }
       }},
      {"class_weight",
       [] {
         // One split: setosa against the rest; which of the others it names depends on their weights.
         const auto one = [](const char* method, const char* weights) {
           return train(iris(), {{"method", method}, {"max_splits", "1"}, {"class_weight", weights}});
         };
         for (const char* method : {"oct", "cart"}) {
           EXPECT_EQ(one(method, "versicolor=2").errors, 50) << method;
           EXPECT_EQ(one(method, "virginica=0.5,versicolor=0.25").errors, 12.5) << method;
           EXPECT_EQ(one(method, "virginica=3").total_weight, 250) << method;
         }
         const Dataset skewed = make_data({numbers("x", {1, 1, 1, 1, 1, 2})}, {0, 0, 0, 0, 1, 1});
         EXPECT_EQ(train(skewed, {{"class_weight", "balanced"}}).total_weight, 6);
         EXPECT_NEAR(train(skewed, {{"class_weight", "balanced"}}).errors, 1.5, 1e-12);
       }},
      {"criterion",
       [] {
         std::set<std::string> trees;
         for (const char* criterion : {"gini", "entropy", "misclassification"}) {
           Result result = train(noise(), {{"method", "cart"}, {"max_depth", "6"}, {"criterion", criterion}});
           result.seconds = 0;
           trees.insert(to_json(result));
         }
         EXPECT_EQ(trees.size(), 3u);
       }},
      {"time_limit",
       [] {
         EXPECT_EQ(train(noise(), {{"max_depth", "6"}, {"time_limit", "0"}}).status, Status::time_limit);
         EXPECT_EQ(train(iris(), {{"time_limit", "inf"}}).status, Status::optimal);
       }},
      {"node_limit",
       [] {
         const Result stopped = train(noise(), {{"max_depth", "6"}, {"node_limit", "20"}});
         EXPECT_EQ(stopped.status, Status::node_limit);
         EXPECT_LT(stopped.bound, stopped.objective);
         EXPECT_EQ(train(iris(), {{"node_limit", "-1"}}).status, Status::optimal);
       }},
      {"n_jobs",
       [] {
         EXPECT_EQ(train(iris(), {{"n_jobs", "1"}}).threads, 1);
         EXPECT_EQ(train(iris(), {{"n_jobs", "3"}}).threads, 3);
         EXPECT_GE(train(iris(), {{"n_jobs", "0"}}).threads, 1);
       }},
      {"random_state",
       [] {
         EXPECT_EQ(train(iris(), {{"random_state", "77"}}).seed, 77);
       }},
      {"disable",
       [] {
         EXPECT_GT(work_without("monotone,lipschitz"), work_without("")) << "without its bounds the search takes longer";
         EXPECT_THROW(train(iris(), {{"disable", "no_such_rule"}}), Error);
         expect_error([] { train(iris(), {{"method", "oct-mip"}, {"disable", "lipschitz"}}); }, {"no strengthening 'lipschitz'"});
       }},
      {"model",
       [] {
         const std::string oct = model_of({}), p = model_of({{"model", "p"}});
         EXPECT_NE(oct.find("L_4"), std::string::npos);
         EXPECT_EQ(oct.find("theta_0_1_4"), std::string::npos);
         EXPECT_NE(p.find("theta_0_1_4"), std::string::npos);
       }},
      {"mip_start",
       [] {
         // The first thing heard is the start; with none it is a single leaf.
         const auto first = [](const std::string& start) {
           FitHooks hooks;
           std::vector<double> heard;
           hooks.listener = [&](const Progress& progress) { heard.push_back(progress.incumbent); };
           const Options options = options_of(
               {{"method", "oct-mip"}, {"max_depth", "2"}, {"mip_start", start}, {"time_limit", "0"}, {"mip_solver", kNoSolver}});
           const Result result = fit(iris(), options, hooks);
           EXPECT_EQ(result.status, Status::time_limit);
           EXPECT_EQ(heard.front(), result.objective);
           return result.errors;
         };
         const ScratchFolder folder;
         const std::string file = folder / "tree.json";
         write_file(file, to_json(train(iris(), {{"max_depth", "2"}, {"max_splits", "1"}})));
         EXPECT_EQ(first("none"), 100);
         EXPECT_EQ(first(file), 50);
         EXPECT_LT(first("cart"), 50);
       }},
      {"mip_solver",
       [] {
         expect_error(
             [] {
               train(iris(), {{"method", "oct-mip"}, {"mip_solver", "exit 7 # {lp} {solution}"}});
             },
             {"'mip_solver'", "exit code 7"});
       }},
      {"mu",
       [] {
         const auto rows_with = [](const char* mu) { return model_of({{"method", "oct-h-mip"}, {"mu", mu}}).find("2.25"); };
         EXPECT_NE(rows_with("0.25"), std::string::npos);
         EXPECT_EQ(rows_with("0.005"), std::string::npos);
       }},
      {"start_time_limit",
       [] {
         // The greedy start asks the solver once for each node, the model itself once more.
         const auto calls = [](const char* seconds) {
           const ScratchFolder folder;
           train(iris(), {{"method", "oct-h-mip"},
                          {"max_depth", "1"},
                          {"start_time_limit", seconds},
                          {"mip_solver", "echo call >> " + (folder / "calls") + "; echo '# status time_limit' > {solution} # {lp}"}});
           return read_file(folder / "calls");
         };
         EXPECT_EQ(calls("60"), "call\ncall\n");
         EXPECT_EQ(calls("0"), "call\n");
       }},
      {"fairness",
       [] {
         EXPECT_EQ(model_of({{"method", "fair"}}).find("impact_"), std::string::npos);
         EXPECT_NE(model_of({{"method", "fair"}, {"fairness", "1"}, {"protected_column", "petal_width"}}).find("impact_0_1"),
                   std::string::npos);
       }},
      {"protected_column",
       [] {
         expect_error([] { model_of({{"method", "fair"}, {"fairness", "1"}, {"protected_column", "age"}}); }, {"there is no column 'age'"});
       }},
      {"alpha1",
       [] {
         const auto slack = [](const char* price) { return svm1_parts({{"alpha1", price}}).slack; };
         EXPECT_LT(slack("1000"), slack("0"));
       }},
      {"alpha2",
       [] {
         const auto weights = [](const char* price) { return svm1_parts({{"alpha2", price}}).weights; };
         EXPECT_LT(weights("10"), weights("0.001"));
       }},
      {"eps",
       [] {
         const auto weights = [](const char* eps) { return svm1_parts({{"eps", eps}}).weights; };
         EXPECT_LT(weights("0.001"), weights("0.05"));
       }},
      {"select",
       [] {
         EXPECT_EQ(rows_selected({{"select", "none"}}), 0u);
         EXPECT_GT(rows_selected({}), 0u);
         EXPECT_LT(rows_selected({}), 300u);
         if (has_highs()) {
           EXPECT_NE(rows_selected({{"select", "balanced"}}), rows_selected({}));
         }
       }},
      {"iterate",
       [] {
         // Proposition 2 of Z20: with alpha1 = alpha2 = 0 the accuracy never falls.
         double before = 300;
         for (const char* rounds : {"0", "1", "2", "4"}) {
           const double errors = train(noise(), {{"method", "svm1"},
                                                 {"max_depth", "2"},
                                                 {"restarts", "0"},
                                                 {"alpha1", "0"},
                                                 {"alpha2", "0"},
                                                 {"select", "hull"},
                                                 {"beta2", "0.05"},
                                                 {"iterate", rounds}})
                                     .errors;
           EXPECT_LE(errors, before) << rounds;
           before = errors;
         }
         EXPECT_NE(rows_selected({{"iterate", "1"}}), rows_selected({}));
       }},
      {"beta1",
       [] {
         EXPECT_NE(rows_selected({{"beta1", "1"}}), rows_selected({{"beta1", "0"}}));
       }},
      {"beta2",
       [] {
         EXPECT_LT(rows_selected({{"beta2", "0.02"}}), rows_selected({{"beta2", "0.3"}}));
       }},
      {"hull_eps",
       [] {
         EXPECT_LT(rows_selected({{"hull_eps", "0.4"}, {"beta1", "1"}}), rows_selected({{"hull_eps", "0"}, {"beta1", "1"}}));
       }},
      {"write_rows", [] { EXPECT_GT(rows_selected({}), 0u); }},
      {"write_model", [] { EXPECT_NE(model_of({}).find("Minimize"), std::string::npos); }},
      {"level_costs",
       [] {
         const auto tree = [](const char* costs) {
           return train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}, {"level_costs", costs}});
         };
         EXPECT_GT(tree("10").objective, tree("0.1").objective);
         EXPECT_NE(tree("10,0.1").tree, tree("0.1,10").tree);
       }},
      {"feature_budgets",
       [] {
         const auto result = [](const char* method, const char* budgets) {
           return train(two_bands(), {{"method", method},
                                      {"max_depth", "2"},
                                      {"level_costs", "10"},
                                      {"ccp_alpha", std::string(method) == "margot-sfs" ? "5" : "0"},
                                      {"feature_budgets", budgets}});
         };
         EXPECT_LE(result("margot-hfs", "1").tree.terms(), result("margot-hfs", "1").tree.splits());
         EXPECT_GT(result("margot-hfs", "1").objective, result("margot-hfs", "2").objective);
         EXPECT_GT(result("margot-sfs", "0").objective, result("margot-sfs", "1,2").objective);
       }},
      {"class_codes",
       [] {
         const auto tree = [](const char* words) {
           return train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}, {"level_costs", "10"}, {"class_codes", words}});
         };
         EXPECT_EQ(tree("").objective, tree("00,11").objective);
         EXPECT_NE(tree("").objective, tree("00,10").objective);
       }},
      {"gap_tolerance",
       [] {
         const auto result = [](const char* gap) {
           return train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}, {"level_costs", "1"}, {"gap_tolerance", gap}});
         };
         EXPECT_LE(result("1e-4").gap(), 1e-4);
         EXPECT_GT(result("0.9").gap(), 1e-4);
         EXPECT_EQ(result("0.9").status, Status::optimal);
       }},
  };
  return checks;
}

TEST(Fit, TheOptionNamesTheMethodsOfTheTable) {
  std::set<std::string> choices, methods;
  std::stringstream range(std::string(option_table().front().range));
  for (std::string name; std::getline(range, name, '|');) choices.insert(name);
  for (const MethodInfo& method : method_table()) methods.insert(std::string(method.name));
  EXPECT_EQ(choices, methods);
}

TEST(Fit, EveryOptionChangesSomething) {
  for (const OptionInfo& info : option_table()) {
    const auto found = option_checks().find(std::string(info.name));
    if (found == option_checks().end()) {
      ADD_FAILURE() << "add a check that option '" << info.name << "' changes something";
      continue;
    }
    SCOPED_TRACE(std::string(info.name));
    found->second();
  }
  EXPECT_EQ(option_checks().size(), option_table().size()) << "a check without an option";
}

TEST(Fit, MargotKeepsItsClaims) {
  Random random(73);
  for (int round = 0; round < 40; ++round) {
    Dataset data = testing::random_data(random, {20, 3, 2, true, true, 6});
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 2));
    }
    const char* methods[] = {"margot", "margot-hfs", "margot-sfs"};
    const char* costs[] = {"0.01", "1", "30,2", "0.1,50"};
    Settings settings{{"method", methods[random.below(3)]}, {"max_depth", "2"}, {"level_costs", costs[random.below(4)]}, {"n_jobs", "1"}};
    if (settings["method"] == "margot-sfs") settings["ccp_alpha"] = std::to_string(random.uniform(0, 3));
    if (random.below(3) == 0) settings["class_weight"] = "balanced";
    if (random.below(3) == 0) settings["node_limit"] = std::to_string(random.below(20));
    Dataset trained_on = data;
    if (settings.contains("class_weight")) apply_class_weights(trained_on, "balanced");
    const Result result = train(data, settings);
    EXPECT_EQ(check_claims(result, trained_on), std::vector<std::string>{}) << to_json(result) << testing::to_string(data);
    if (!settings.contains("node_limit")) {
      EXPECT_EQ(result.status, Status::optimal) << result.proved << "\n" << testing::to_string(data);
    }
    const Result read = from_json(to_json(result), "memory");
    EXPECT_EQ(read.tree, result.tree);
    EXPECT_EQ(read.objective_function.level_costs, result.objective_function.level_costs);
    EXPECT_EQ(check_claims(read, trained_on), std::vector<std::string>{});
    // What stands in raw units is the tree that was found.
    if (settings["method"] == "margot-hfs") {
      for (const Node& node : result.tree.nodes()) {
        if (node.is_leaf()) continue;
        EXPECT_LE(std::get<HyperplaneSplit>(node.split->rule).terms.size(), 1u);
      }
    }
  }
}

TEST(Fit, MargotRefusesWhatItsModelHasNot) {
  const Settings margot{{"method", "margot"}, {"max_depth", "2"}};
  const auto with = [&](const char* name, const char* value) {
    Settings settings = margot;
    settings[name] = value;
    return settings;
  };
  expect_error([&] { train(iris(), with("max_depth", "1")); }, {"option 'max_depth'", "3 classes"});
  expect_error([&] { train(two_bands(), with("max_splits", "2")); }, {"option 'max_splits'"});
  expect_error([&] { train(two_bands(), with("min_samples_leaf", "3")); }, {"option 'min_samples_leaf'"});
  expect_error([&] { train(two_bands(), with("ccp_alpha", "1")); }, {"option 'ccp_alpha'", "margot-sfs"});
  expect_error([&] { train(two_bands(), with("max_depth", "9")); }, {"option 'max_depth'", "at most 7 levels"});
  // Two classes are left when one has no weight.
  EXPECT_EQ(train(iris(), {{"method", "margot"}, {"max_depth", "1"}, {"class_weight", "virginica=0"}}).status, Status::optimal);
}

TEST(Fit, HyperplanesGoOnFromTheCallersTree) {
  const Settings much{{"method", "oct-h"}, {"restarts", "9"}, {"max_depth", "2"}},
      little{{"method", "oct-h"}, {"restarts", "0"}, {"max_depth", "2"}};
  const Result good = train(noise(), much), alone = train(noise(), little);
  FitHooks hooks;
  hooks.starts = {&good.tree};
  const Result from_there = fit(noise(), options_of(little), hooks);
  ASSERT_LT(good.objective, alone.objective);
  EXPECT_LE(from_there.objective, good.objective);
  // A tree that is too deep is cut, one with too small leaves is passed over.
  Options shallow = options_of(little);
  shallow.max_depth = 1;
  shallow.min_samples_leaf = 0.4;
  const Result cut = fit(noise(), shallow, hooks);
  EXPECT_LE(cut.tree.depth(), 1);
  EXPECT_EQ(check_claims(cut, noise()), std::vector<std::string>{});
}

TEST(Fit, AutoPrefersTheSimpleTreeAndSaysWhy) {
  // A threshold explains the first, a slanted border the second.
  Random random(72);
  std::vector<double> x, y;
  std::vector<std::int32_t> upright, slanted;
  for (int i = 0; i < 240; ++i) {
    x.push_back(random.uniform(-1, 1));
    y.push_back(random.uniform(-1, 1));
    upright.push_back(x.back() > 0.1);
    slanted.push_back(x.back() + y.back() > 0);
  }
  const Settings by{{"method", "auto"}, {"max_depth", "2"}, {"restarts", "1"}};
  const Dataset straight = make_data({numbers("x", x), numbers("y", y)}, upright);
  const Result axis = train(straight, by);
  EXPECT_EQ(axis.method, "oct");
  EXPECT_EQ(axis.tree.terms(), 1u);
  EXPECT_EQ(check_claims(axis, straight), std::vector<std::string>{});
  EXPECT_NE(axis.selection.find("oct depth 1 alpha"), std::string::npos) << axis.selection;
  EXPECT_EQ(from_json(to_json(axis), "memory").selection, axis.selection);
  const Result plane = train(make_data({numbers("x", x), numbers("y", y)}, slanted), by);
  EXPECT_NE(plane.method, "oct") << plane.selection;
  EXPECT_EQ(plane.tree.splits(), 1u);
  EXPECT_GT(plane.accuracy(), 0.97);
}

TEST(Fit, RefusesWhatCannotBeTrainedOn) {
  const std::vector<std::int32_t> one_row = {0}, one_class = {0, 1, 2, 3};
  for (const MethodInfo& method : method_table()) {
    const Settings by{{"method", std::string(method.name)}};
    expect_error([&] { train(iris().subset(one_row), by); }, {"1 row(s) are too few"});
    expect_error([&] { train(iris().subset(one_class), by); }, {"only one class occurs"});
    Dataset bare = iris();
    bare.columns.clear();
    expect_error([&] { train(bare, by); }, {"no feature column"});
    Dataset unlabelled = iris();
    unlabelled.labels.clear();
    expect_error([&] { train(unlabelled, by); }, {"no labels"});
    Settings greedy = by;
    greedy["min_samples_leaf"] = "151";
    expect_error([&] { train(iris(), greedy); }, {"asks for 151 rows in every leaf where the data have 150"});
    Settings blind = by;
    blind["class_weight"] = "setosa=0,versicolor=0";
    expect_error([&] { train(iris(), blind); }, {"only one class occurs"});
    blind["class_weight"] = "rose=2";
    expect_error([&] { train(iris(), blind); }, {"no class of this name"});
  }
  Options wrong;
  wrong.max_depth = -1;
  expect_error([&] { fit(iris(), wrong); }, {"option 'max_depth'"});
}

TEST(Fit, ColumnsThatSayNothingGiveALeaf) {
  const Dataset constant = make_data({numbers("x", {3, 3, 3}), numbers("y", {std::nan(""), std::nan(""), std::nan("")})}, {0, 1, 1});
  for (const MethodInfo& method : method_table()) {
    const Result result = train(constant, {{"method", std::string(method.name)}});
    EXPECT_EQ(result.tree.splits(), 0u);
    EXPECT_EQ(result.errors, 1);
  }
  EXPECT_EQ(train(constant, {}).status, Status::optimal);
}

TEST(Fit, TheStopFlagGivesTheBestTreeSoFar) {
  std::atomic<bool> stop{true};
  FitHooks hooks;
  hooks.stop = &stop;
  const Result result = fit(noise(), options_of({{"max_depth", "6"}}), hooks);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_GT(result.tree.splits(), 0u);
  EXPECT_LE(result.bound, result.objective);
  EXPECT_EQ(check_claims(result, noise()), std::vector<std::string>{});
}

TEST(Fit, ProgressRisesTowardsTheOptimum) {
  std::vector<Progress> heard;
  FitHooks hooks;
  hooks.listener = [&](const Progress& progress) { heard.push_back(progress); };
  const Options options = options_of({{"max_depth", "3"}, {"n_jobs", "2"}, {"ccp_alpha", "0.01"}});
  const Result result = fit(noise(), options, hooks);
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard.front().source, 'C');
  for (std::size_t i = 0; i < heard.size(); ++i) {
    EXPECT_LE(heard[i].bound, heard[i].incumbent + 1e-9);
    EXPECT_LE(heard[i].bound, result.objective + 1e-9);
    EXPECT_GE(heard[i].incumbent, result.objective - 1e-9);
    if (i > 0) {
      EXPECT_LE(heard[i].incumbent, heard[i - 1].incumbent + 1e-9);
      EXPECT_GE(heard[i].bound, heard[i - 1].bound - 1e-9);
    }
  }
  EXPECT_NEAR(heard.back().incumbent, result.objective, 1e-9);
}

// Depth, splits, rows per leaf, prices, weights, categories, missing values, in any mixture: whatever comes
// out must hold.
TEST(Fit, SaysWhenCategoriesAreNotSplitIntoAllSubsets) {
  for (const int levels : {12, 13}) {
    Dataset data;
    Column& column = data.columns.emplace_back();
    column.name = "c";
    column.kind = ColumnKind::categorical;
    for (int i = 0; i < levels; ++i) {
      column.levels.push_back(std::to_string(i));
      column.codes.push_back(i);
      data.labels.push_back(i % 2);
    }
    data.class_names = {"even", "odd"};
    Options options;
    options.max_depth = 1;
    const Result result = fit(data, options);
    EXPECT_EQ(result.errors, 0);
    EXPECT_EQ(result.proved.find("one level from the rest") != std::string::npos, levels == 13) << result.proved;
  }
}

TEST(Fit, EveryResultKeepsItsClaims) {
  Random random(71);
  for (int round = 0; round < 80; ++round) {
    Dataset data = testing::random_data(random, {60, 4, 3, true, true, 8});
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 2));
    }
    Settings settings{{"max_depth", std::to_string(random.below(5))}, {"n_jobs", std::to_string(1 + random.below(2))}};
    const char* methods[] = {"oct", "oct", "oct", "cart", "oct-h", "tao", "local", "cart-h"};
    settings["method"] = methods[random.below(8)];
    if (settings["method"] != "oct" && settings["method"] != "cart") settings["restarts"] = "2";
    if (random.below(2) == 0) settings["max_splits"] = std::to_string(random.below(6));
    if (random.below(2) == 0) settings["min_samples_leaf"] = std::to_string(1 + random.below(data.rows() / 2));
    if (random.below(2) == 0) settings["ccp_alpha"] = std::to_string(random.uniform(0, 0.2));
    if (random.below(3) == 0) settings["class_weight"] = "balanced";
    if (random.below(3) == 0) settings["node_limit"] = std::to_string(random.below(50));
    const char* scales[] = {"majority-errors", "baseline-correct", "rows", "errors"};
    settings["alpha_scale"] = scales[random.below(4)];
    Dataset trained_on = data;
    if (settings.contains("class_weight")) apply_class_weights(trained_on, "balanced");
    const Result result = train(data, settings);
    EXPECT_EQ(check_claims(result, trained_on), std::vector<std::string>{}) << to_json(result) << testing::to_string(data);
    if (settings["method"] == "oct" && !settings.contains("node_limit")) {
      EXPECT_EQ(result.status, Status::optimal) << result.proved << "\n" << testing::to_string(data);
    }
    EXPECT_EQ(from_json(to_json(result), "memory").tree, result.tree);
  }
}

TEST(Fit, TheModelOfSvm1HasNoLimitOnSplits) {
  Options options;
  options.method = "svm1-mip";
  options.max_splits = 1;
  expect_error([&] { fit(iris(), options); }, {"max_splits", "no limit on splits"});
}

}  // namespace
}  // namespace treewright
