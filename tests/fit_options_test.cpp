// What each option changes.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/fit/registry.h"
#include "treewright/methods/svm1/objective.h"
#include "treewright/mip/highs.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"

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

// The model file of oct on iris at depth 2.
std::string model_of(Settings settings) {
  const ScratchFolder folder;
  if (settings["method"].empty()) settings["method"] = "oct";
  if (settings["method"] == "oct") settings["solver"] = "mip";
  settings.insert(
      {{"disable", "tight_m"}, {"max_depth", "2"}, {"time_limit", "0"}, {"mip_solver", kNoSolver}, {"write_model", folder / "model.lp"}});
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

TEST(Option, MaxTerms) {
  std::vector<std::vector<double>> x(3);
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 125; ++i) {
    x[0].push_back(i % 5);
    x[1].push_back(i / 5 % 5);
    x[2].push_back(i / 25);
    labels.push_back(x[0].back() + x[1].back() + x[2].back() < 6.5 ? 0 : 1);
  }
  const Dataset data = make_data({numbers("x", x[0]), numbers("y", x[1]), numbers("z", x[2])}, labels);
  for (const char* method : {"oct-h", "tao", "local", "cart-h", "logistic-h"}) {
    const auto errors = [&](const char* most) { return train(data, {{"method", method}, {"max_depth", "1"}, {"max_terms", most}}).errors; };
    EXPECT_LT(errors("-1"), errors("2")) << method;
    EXPECT_LT(errors("2"), errors("1")) << method;
  }
}

TEST(Option, SvmCost) {
  for (const char* method : {"oct-h", "tao", "cart-h", "logistic-h"}) {
    const auto tree = [&](const char* cost) {
      Settings settings{{"method", method}, {"svm_cost", cost}, {"max_depth", "2"}};
      if (method_named(method).reads_option("restarts")) settings["restarts"] = "0";
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
  // Nothing is better than no errors.
  const Dataset easy = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 0, 1, 1});
  EXPECT_EQ(train(easy, {{"max_depth", "2"}, {"time_limit", "0"}}).status, Status::optimal);
  EXPECT_EQ(train(easy, {{"max_depth", "2"}, {"time_limit", "0"}, {"ccp_alpha", "0.1"}}).status, Status::time_limit);
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
  expect_error([] { train(iris(), {{"method", "oct"}, {"solver", "mip"}, {"disable", "lipschitz"}}); }, {"no strengthening 'lipschitz'"});
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
    const Options options = options_of(
        {{"method", "oct"}, {"solver", "mip"}, {"max_depth", "2"}, {"mip_start", start}, {"time_limit", "0"}, {"mip_solver", kNoSolver}});
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
  expect_error(
      [] {
        train(iris(), {{"method", "oct"}, {"solver", "mip"}, {"mip_solver", "exit 7 # {lp} {solution}"}});
      },
      {"'mip_solver'", "exit code 7"});
}

TEST(Option, MinSeparation) {
  const auto rows_with = [](const char* mu) { return model_of({{"method", "oct-h"}, {"solver", "mip"}, {"margin", mu}}).find("2.25"); };
  EXPECT_NE(rows_with("0.25"), std::string::npos);
  EXPECT_EQ(rows_with("0.005"), std::string::npos);
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

TEST(Option, LengthyRowSelection) {
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
  const auto result = [](const char* selection, const char* budgets) {
    return train(two_bands(), {{"method", "margot"},
                               {"feature_selection", selection},
                               {"max_depth", "2"},
                               {"level_costs", "10"},
                               {"ccp_alpha", std::string(selection) == "soft" ? "5" : "0"},
                               {"feature_budgets", budgets}});
  };
  EXPECT_LE(result("hard", "1").tree.terms(), result("hard", "1").tree.splits());
  EXPECT_GT(result("hard", "1").objective, result("hard", "2").objective);
  EXPECT_GT(result("soft", "0").objective, result("soft", "1,2").objective);
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

TEST(Option, LengthySolversGetNoWeightsBelowTheirTolerance) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Dataset data = testing::two_bands();
  for (const char* method : {"oct", "binoct", "oct-h"}) {
    Settings settings{{"method", method}, {"max_depth", "1"}};
    if (std::string(method) != "binoct") settings["solver"] = "mip";
    data.weights.assign(data.rows(), 1e-6);
    expect_error([&] { testing::train(data, settings); }, {"weights", "a row weighs 1e-06", "multiply"});
    data.weights.assign(data.rows(), 1);
    data.weights[0] = 0;
    EXPECT_EQ(testing::train(data, settings).status, Status::optimal) << method;
  }
}

}  // namespace
}  // namespace treewright
