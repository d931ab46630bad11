// Who reads an option: each changes something for the methods that declare it, and is an Error for all others.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/fit/check_origin.h"
#include "treewright/fit/registry.h"
#include "treewright/methods/svm1/objective.h"
#include "treewright/mip/highs.h"
#include "treewright/result.h"
#include "treewright/tree/objective.h"

namespace treewright {
namespace {

using testing::iris;
using testing::make_data;
using testing::noise;
using testing::numbers;
using testing::options_of;
using testing::ScratchFolder;
using testing::Settings;
using testing::train;
using testing::two_bands;

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
svm1::Svm1Cost svm1_parts(Settings settings) {
  settings.insert({{"method", "svm1"}, {"max_depth", "2"}, {"restarts", "0"}});
  const Result result = train(iris(), settings);
  EXPECT_EQ(check_claims(result, iris()), std::vector<std::string>{});
  return svm1::svm1_cost(result.tree, iris(), dynamic_cast<const svm1::Svm1Objective&>(*result.objective_function).margin,
                         scaled_axes(iris(), Scaling::unit, false));
}

// Lines of the file of rows that method svm1 has selected from noise.
std::size_t rows_selected(Settings settings) {
  const ScratchFolder folder;
  settings.insert(
      {{"method", "svm1"}, {"max_depth", "2"}, {"restarts", "0"}, {"row_selection", "hull"}, {"write_rows", folder / "rows.csv"}});
  const Result result = train(noise(), settings);
  EXPECT_EQ(check_claims(result, noise()), std::vector<std::string>{});
  const std::string text = read_file(folder / "rows.csv");
  EXPECT_TRUE(text.starts_with("row,class,leaf,kind\n"));
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
}

TEST(Option, Method) {
  EXPECT_EQ(train(iris(), {{"method", "oct"}}).status, Status::optimal);
  EXPECT_EQ(train(iris(), {{"method", "cart"}}).status, Status::heuristic);
  EXPECT_LT(train(iris(), {{"method", "oct"}}).errors, train(iris(), {{"method", "cart"}}).errors);
}

TEST(Option, SplitKind) {
  const Result axis = train(noise(), {{"method", "local"}, {"split_kind", "axis"}, {"restarts", "1"}, {"max_depth", "2"}});
  const Result any = train(noise(), {{"method", "local"}, {"restarts", "1"}, {"max_depth", "2"}});
  EXPECT_EQ(axis.tree.terms(), axis.tree.splits());
  EXPECT_GT(any.tree.terms(), any.tree.splits());
  EXPECT_LT(any.errors, axis.errors);
}

TEST(Option, SvmCost) {
  for (const char* method : {"oct-h", "tao", "cart-h"}) {
    const auto tree = [&](const char* cost) {
      Settings settings{{"method", method}, {"svm_cost", cost}, {"max_depth", "2"}};
      if (std::string(method) != "cart-h") settings["restarts"] = "0";
      return train(noise(), settings).tree;
    };
    EXPECT_NE(tree("1e-4"), tree("10")) << method;
  }
}

TEST(Option, Penalty) {
  const auto tree = [](const char* method, const char* penalty) {
    return train(noise(), {{"method", method}, {"penalty", penalty}, {"svm_cost", "0.02"}, {"restarts", "0"}, {"max_depth", "2"}}).tree;
  };
  EXPECT_LT(tree("tao", "l1").terms(), tree("tao", "l2").terms());
  EXPECT_NE(tree("oct-h", "l1"), tree("oct-h", "l2"));
}

TEST(Option, Restarts) {
  for (const char* method : {"oct-h", "tao", "local"}) {
    const auto errors = [&](const char* runs) {
      return train(noise(), {{"method", method}, {"restarts", runs}, {"max_depth", "2"}}).errors;
    };
    EXPECT_LT(errors("9"), errors("0")) << method;
  }
}

TEST(Option, Partition) {
  const auto clusters = [](const char* name) {
    const std::string told = train(iris(), {{"method", "partition"}, {"partition", name}, {"max_depth", "2"}}).selection;
    return told.substr(0, told.find(' '));
  };
  EXPECT_NE(clusters("igp"), clusters("gp"));
  EXPECT_NE(clusters("igp"), clusters("crm"));
}

TEST(Option, ClusterShare) {
  const auto clusters = [](const char* rho) {
    return train(iris(), {{"method", "partition"}, {"partition", "gp"}, {"cluster_share", rho}, {"max_depth", "2"}}).selection;
  };
  EXPECT_TRUE(clusters("0.1").starts_with("15 clusters")) << clusters("0.1");
  EXPECT_TRUE(clusters("0.5").starts_with("75 clusters")) << clusters("0.5");
}

TEST(Option, Representatives) {
  const auto rounds = [](const char* row) {
    return train(noise(), {{"method", "partition"}, {"representatives", row}, {"partition_algorithm", "hia"}, {"max_depth", "2"}}).tree;
  };
  EXPECT_NE(rounds("mean"), rounds("medoid"));
}

TEST(Option, CutLeaves) {
  const auto cuts = [](const char* leaves) {
    const ScratchFolder folder;
    train(iris(), {{"method", "svm1-mip"},
                   {"max_depth", "1"},
                   {"cut_leaves", leaves},
                   {"time_limit", "0"},
                   {"mip_solver", kNoSolver},
                   {"write_model", folder / "model.lp"}});
    const std::string text = read_file(folder / "model.lp");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(" one_of_each_", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(cuts("1"), 2u * 50);
  EXPECT_EQ(cuts("2"), 3u * 50);
}

TEST(Option, ModelsOfPartitionNeedAModel) {
  for (const auto& [option, value] : {std::pair("write_model", "model.lp"), std::pair("disable", "all")}) {
    expect_error(
        [&, option = option, value = value] {
          train(iris(), {{"method", "partition"}, {option, value}});
        },
        {option, "partition_model", "dp"});
  }
}

TEST(Option, PartitionAlgorithm) {
  for (const char* name : {"hia", "hiia", "eia", "eiia"}) {
    const Result result = train(iris(), {{"method", "partition"}, {"partition_algorithm", name}, {"max_depth", "3"}, {"max_splits", "5"}});
    EXPECT_EQ(result.status, name[0] == 'e' ? Status::optimal : Status::heuristic) << name;
  }
}

TEST(Option, PartitionModel) {
  // One that fails, and only where it is asked.
  const Settings by{{"method", "partition"}, {"partition_algorithm", "hia"}, {"mip_solver", "false {lp} {solution}"}, {"max_depth", "2"}};
  Settings dp = by;
  dp["partition_model"] = "dp";
  EXPECT_EQ(train(iris(), by).status, Status::heuristic);
  expect_error([&] { train(iris(), dp); }, {"mip_solver", "exit code 1"});
}

TEST(Option, MinWeightFractionLeaf) {
  for (const char* method : {"oct", "cart"}) {
    EXPECT_EQ(train(iris(), {{"method", method}}).min_leaf_weight, 0);
    const Result result = train(iris(), {{"method", method}, {"min_weight_fraction_leaf", "0.4"}});
    EXPECT_EQ(result.min_leaf_weight, 60);
    EXPECT_LT(result.tree.splits(), train(iris(), {{"method", method}}).tree.splits());
  }
}

TEST(Option, MaxDepth) {
  for (const char* method : {"oct", "cart"}) {
    for (int depth = 0; depth <= 3; ++depth)
      EXPECT_EQ(train(iris(), {{"method", method}, {"max_depth", std::to_string(depth)}}).tree.depth(), depth);
  }
}

TEST(Option, MinSamplesLeaf) {
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
}

TEST(Option, MinSamplesSplitAndMinImpurityDecrease) {
  const Result full = train(iris(), {{"method", "cart"}, {"max_depth", "9"}});
  const Result large = train(iris(), {{"method", "cart"}, {"max_depth", "9"}, {"min_samples_split", "60"}});
  EXPECT_LT(large.tree.splits(), full.tree.splits());
  for (const Node& node : large.tree.nodes()) EXPECT_TRUE(node.is_leaf() || node.rows >= 60);
  EXPECT_EQ(train(iris(), {{"method", "cart"}, {"min_impurity_decrease", "0.3"}}).tree.splits(), 1u)
      << "the first split saves 0.33, the second 0.26";
}

TEST(Option, CcpAlpha) {
  for (const char* method : {"oct", "cart"}) {
    const Result free = train(iris(), {{"method", method}}), priced = train(iris(), {{"method", method}, {"ccp_alpha", "0.2"}});
    EXPECT_GT(free.tree.splits(), priced.tree.splits()) << method;
    EXPECT_GT(priced.tree.splits(), 0u) << method;
  }
  EXPECT_NEAR(train(iris(), {{"ccp_alpha", "0.2"}}).objective, 0.06 + 2 * 0.2, 1e-12);
}

TEST(Option, AlphaScale) {
  // L^ = 100, 50, 150 and 1: the price of a split in errors is 90, 45, 135 and 0.9.
  const auto splits = [](const char* scale) { return train(iris(), {{"ccp_alpha", "0.9"}, {"alpha_scale", scale}}).tree.splits(); };
  EXPECT_EQ(splits("majority-errors"), 0u) << "two splits cost 180 + 6, one 90 + 50";
  EXPECT_EQ(splits("baseline-correct"), 1u);
  EXPECT_EQ(splits("rows"), 0u);
  EXPECT_EQ(splits("errors"), 4u);
  EXPECT_NEAR(train(iris(), {{"ccp_alpha", "0.1"}, {"alpha_scale", "rows"}}).objective, 6 / 150.0 + 0.2, 1e-12);
  EXPECT_NEAR(train(iris(), {{"ccp_alpha", "0.1"}, {"alpha_scale", "majority-errors"}}).objective, 6 / 100.0 + 0.2, 1e-12);
}

TEST(Option, MaxSplits) {
  for (const char* method : {"oct", "cart"}) {
    for (const int most : {0, 1, 2, 3})
      EXPECT_EQ(train(iris(), {{"method", method}, {"max_splits", std::to_string(most)}}).tree.splits(), most) << method;
    EXPECT_GT(train(iris(), {{"method", method}, {"max_splits", "-1"}}).tree.splits(), 3u) << method;
  }
}

TEST(Option, ClassWeight) {
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
}

TEST(Option, Criterion) {
  std::set<std::string> trees;
  for (const char* criterion : {"gini", "entropy", "misclassification"}) {
    Result result = train(noise(), {{"method", "cart"}, {"max_depth", "6"}, {"criterion", criterion}});
    result.seconds = 0;
    trees.insert(to_json(result));
  }
  EXPECT_EQ(trees.size(), 3u);
}

TEST(Option, TimeLimit) {
  EXPECT_EQ(train(noise(), {{"max_depth", "6"}, {"time_limit", "0"}}).status, Status::time_limit);
  EXPECT_EQ(train(iris(), {{"time_limit", "inf"}}).status, Status::optimal);
}

TEST(Option, NodeLimit) {
  const Result stopped = train(noise(), {{"max_depth", "6"}, {"node_limit", "20"}});
  EXPECT_EQ(stopped.status, Status::node_limit);
  EXPECT_LT(stopped.bound, stopped.objective);
  EXPECT_EQ(train(iris(), {{"node_limit", "-1"}}).status, Status::optimal);
}

TEST(Option, NJobs) {
  EXPECT_EQ(train(iris(), {{"n_jobs", "1"}}).threads, 1);
  EXPECT_EQ(train(iris(), {{"n_jobs", "3"}}).threads, 3);
  EXPECT_GE(train(iris(), {{"n_jobs", "0"}}).threads, 1);
}

TEST(Option, RandomState) {
  const auto run = [](const char* seed) {
    return train(noise(), {{"method", "tao"}, {"restarts", "3"}, {"max_depth", "2"}, {"random_state", seed}});
  };
  EXPECT_EQ(run("77").seed, 77);
  EXPECT_EQ(run("77").tree, run("77").tree);
  EXPECT_NE(run("77").tree, run("78").tree);
}

TEST(Option, Disable) {
  EXPECT_GT(work_without("monotone,lipschitz"), work_without("")) << "without its bounds the search takes longer";
  EXPECT_THROW(train(iris(), {{"disable", "no_such_rule"}}), Error);
  expect_error([] { train(iris(), {{"method", "oct-mip"}, {"disable", "lipschitz"}}); }, {"no strengthening 'lipschitz'"});
  expect_error([] { train(iris(), {{"method", "margot"}, {"disable", "lipschitz"}}); }, {"no rule 'lipschitz'", "row_groups"});
}

TEST(Option, MipModel) {
  const std::string oct = model_of({}), p = model_of({{"mip_model", "p"}});
  EXPECT_NE(oct.find("L_4"), std::string::npos);
  EXPECT_EQ(oct.find("theta_0_1_4"), std::string::npos);
  EXPECT_NE(p.find("theta_0_1_4"), std::string::npos);
}

TEST(Option, MipStart) {
  // The first thing heard is the start; with none it is a single leaf.
  const auto first = [](const std::string& start) {
    FitHooks hooks;
    std::vector<double> heard;
    hooks.listener = [&](const Progress& progress) { heard.push_back(progress.incumbent); };
    const Options options =
        options_of({{"method", "oct-mip"}, {"max_depth", "2"}, {"mip_start", start}, {"time_limit", "0"}, {"mip_solver", kNoSolver}});
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
}

TEST(Option, MipSolver) {
  expect_error([] { train(iris(), {{"method", "oct-mip"}, {"mip_solver", "exit 7 # {lp} {solution}"}}); }, {"'mip_solver'", "exit code 7"});
}

TEST(Option, MinSeparation) {
  const auto rows_with = [](const char* mu) { return model_of({{"method", "oct-h-mip"}, {"min_separation", mu}}).find("2.25"); };
  EXPECT_NE(rows_with("0.25"), std::string::npos);
  EXPECT_EQ(rows_with("0.005"), std::string::npos);
}

TEST(Option, StartTimeLimit) {
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
}

TEST(Option, Fairness) {
  EXPECT_EQ(model_of({{"method", "fair"}}).find("impact_"), std::string::npos);
  EXPECT_NE(model_of({{"method", "fair"}, {"fairness", "1"}, {"protected_column", "petal_width"}}).find("impact_0_1"), std::string::npos);
}

TEST(Option, ProtectedColumn) {
  expect_error([] { model_of({{"method", "fair"}, {"fairness", "1"}, {"protected_column", "age"}}); }, {"there is no column 'age'"});
}

TEST(Option, SlackPrice) {
  const auto slack = [](const char* price) { return svm1_parts({{"slack_price", price}}).slack; };
  EXPECT_LT(slack("1000"), slack("0"));
}

TEST(Option, WeightPrice) {
  const auto weights = [](const char* price) { return svm1_parts({{"weight_price", price}}).weights; };
  EXPECT_LT(weights("10"), weights("0.001"));
}

TEST(Option, Margin) {
  const auto weights = [](const char* eps) { return svm1_parts({{"margin", eps}}).weights; };
  EXPECT_LT(weights("0.001"), weights("0.05"));
}

TEST(Option, RowSelection) {
  EXPECT_EQ(rows_selected({{"row_selection", "none"}}), 0u);
  EXPECT_GT(rows_selected({}), 0u);
  EXPECT_LT(rows_selected({}), 300u);
  if (mip::has_highs()) {
    EXPECT_NE(rows_selected({{"row_selection", "balanced"}}), rows_selected({}));
  }
}

TEST(Option, SelectionRounds) {
  // Proposition 2 of Z20: with alpha1 = alpha2 = 0 the accuracy never falls.
  double before = 300;
  for (const char* rounds : {"0", "1", "2", "4"}) {
    const double errors = train(noise(), {{"method", "svm1"},
                                          {"max_depth", "2"},
                                          {"restarts", "0"},
                                          {"slack_price", "0"},
                                          {"weight_price", "0"},
                                          {"row_selection", "hull"},
                                          {"support_share", "0.05"},
                                          {"selection_rounds", rounds}})
                              .errors;
    EXPECT_LE(errors, before) << rounds;
    before = errors;
  }
  EXPECT_NE(rows_selected({{"selection_rounds", "1"}}), rows_selected({}));
}

TEST(Option, HullShare) {
  EXPECT_NE(rows_selected({{"hull_share", "1"}}), rows_selected({{"hull_share", "0"}}));
}

TEST(Option, SupportShare) {
  EXPECT_LT(rows_selected({{"support_share", "0.02"}}), rows_selected({{"support_share", "0.3"}}));
}

TEST(Option, HullEps) {
  EXPECT_LT(rows_selected({{"hull_eps", "0.4"}, {"hull_share", "1"}}), rows_selected({{"hull_eps", "0"}, {"hull_share", "1"}}));
}

TEST(Option, WriteRows) {
  EXPECT_GT(rows_selected({}), 0u);
}

TEST(Option, WriteModel) {
  EXPECT_NE(model_of({}).find("Minimize"), std::string::npos);
}

TEST(Option, LevelCosts) {
  const auto tree = [](const char* costs) {
    return train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}, {"level_costs", costs}});
  };
  EXPECT_GT(tree("10").objective, tree("0.1").objective);
  EXPECT_NE(tree("10,0.1").tree, tree("0.1,10").tree);
}

TEST(Option, FeatureBudgets) {
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
}

TEST(Option, ClassCodes) {
  const auto tree = [](const char* words) {
    return train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}, {"level_costs", "10"}, {"class_codes", words}});
  };
  EXPECT_EQ(tree("").objective, tree("00,11").objective);
  EXPECT_NE(tree("").objective, tree("00,10").objective);
}

TEST(Option, GapTolerance) {
  const auto result = [](const char* gap) {
    return train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}, {"level_costs", "1"}, {"gap_tolerance", gap}});
  };
  EXPECT_LE(result("1e-4").gap(), 1e-4);
  EXPECT_GT(result("0.9").gap(), 1e-4);
  EXPECT_EQ(result("0.9").status, Status::optimal);
}

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
      {"criterion", {"gini", "misclassification"}},
      {"time_limit", {"inf", "0"}},
      {"stall_limit", {"inf", "0"}},
      {"node_limit", {"-1", "0"}},
      {"checkpoint", {"", "no-such-folder/facts"}},
      {"resume", {"no", "yes"}},
      {"overwrite", {"no", "yes"}},
      {"n_jobs", {"1", "2"}},
      {"random_state", {"0", "1", {{"restarts", "3"}}}},
      {"split_kind", {"hyperplane", "axis"}},
      {"svm_cost", {"1e-4", "10"}},
      {"restarts", {"0", "9"}},
      {"disable", {"", "no_such_rule"}},
      {"first_column", {"", "x1"}},
      {"never_columns", {"", "x1,x2"}},
      {"max_columns", {"-1", "1"}},
      {"column_costs", {"", "x1=50"}},
      {"mip_model", {"oct", "p", {{"write_model", "model.lp"}}}},
      {"mip_start", {"auto", "none"}},
      {"mip_solver", {kStops, kFails}},
      {"proof", {"", "bound.proof"}},
      {"verify", {"no", "yes"}},
      {"write_model", {"", "model.lp"}},
      {"min_separation", {"0.005", "0.25", {{"write_model", "model.lp"}}}},
      {"start_time_limit", {"60", "0"}},
      {"fairness", {"0", "1", {{"protected_column", "x1"}, {"write_model", "model.lp"}}}},
      {"protected_column", {"x1", "x2", {{"fairness", "1"}, {"write_model", "model.lp"}}}},
      {"penalty", {"l2", "l1", {{"svm_cost", "0.02"}}}},
      {"level_costs", {"0.1", "10"}},
      {"feature_budgets", {"1", "2"}},
      {"class_codes", {"00,11", "00,10"}},
      {"gap_tolerance", {"1e-4", "0.9"}},
      {"slack_price", {"0", "1000"}},
      {"weight_price", {"0.001", "10"}},
      {"margin", {"0.001", "0.05"}},
      {"cut_leaves", {"1", "2", {{"write_model", "model.lp"}}}},
      {"cut_row_sets", {"0", "1", {{"write_model", "model.lp"}}}},
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
  Settings settings{{"method", std::string(method.name)}, {"max_depth", method.choose != nullptr ? "1" : "2"}};
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
  if (option == "stall_limit" && method.name == "oct-h-mip") return true;
  return option == "method" || option == "start_time_limit" || option == "cut_leaves" || (option == "random_state" && method.empty_leaves);
}

class OptionsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(OptionsOf, EachChangesSomething) {
  const Method& method = method_named(GetParam());
  std::vector<std::int32_t> few(60);
  std::iota(few.begin(), few.end(), 0);
  const Dataset small = noise().subset(few);
  const bool margins = method.reads_option("level_costs");
  const Dataset& data = margins ? two_bands() : method.choose != nullptr ? small : noise();
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
    EXPECT_NE(shown_by(data, settings), shown_by(data, other))
        << method.name << " reads " << option << ", " << contrast.a << " or " << contrast.b;
  }
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.emplace_back(method.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, OptionsOf, ::testing::ValuesIn(method_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
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
      const Settings settings{{"method", std::string(method.name)}, {std::string(info.name), another_value(info)}};
      SCOPED_TRACE(std::string(method.name) + " " + std::string(info.name) + " = " + another_value(info));
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

}  // namespace
}  // namespace treewright
