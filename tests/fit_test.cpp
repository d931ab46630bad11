#include "treewright/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/training.h"
#include "treewright/fit/registry.h"
#include "treewright/result.h"

namespace treewright {
namespace {

using testing::iris;
using testing::make_data;
using testing::noise;
using testing::numbers;
using testing::options_of;
using testing::Settings;
using testing::train;
using testing::two_bands;

TEST(Fit, LengthyMargotKeepsItsClaims) {
  Random random(73);
  for (int round = 0; round < 40; ++round) {
    Dataset data = testing::random_data(random, {20, 3, 2, true, true, 6});
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 2));
    }
    const char* selections[] = {"none", "hard", "soft"};
    const char* costs[] = {"0.01", "1", "30,2", "0.1,50"};
    const std::string selection = selections[random.below(3)];
    Settings settings{{"method", "margot"},
                      {"feature_selection", selection},
                      {"max_depth", "2"},
                      {"level_costs", costs[random.below(4)]},
                      {"n_jobs", "1"}};
    if (selection == "soft") settings["ccp_alpha"] = std::to_string(random.uniform(0, 3));
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
    EXPECT_EQ(read.objective_function->parameters(), result.objective_function->parameters());
    EXPECT_EQ(check_claims(read, trained_on), std::vector<std::string>{});
    // What stands in raw units is the tree that was found.
    if (selection == "hard") {
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
  expect_error([&] { train(two_bands(), with("ccp_alpha", "1")); },
               {"option 'ccp_alpha'", "does not read it", "margot with feature_selection=soft"});
  expect_error([&] { train(two_bands(), with("max_depth", "9")); }, {"option 'max_depth'", "at most 7 levels"});
  expect_error([&] { train(iris(), with("max_depth", "60")); }, {"option 'max_depth'", "at most 7 levels"});
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
    expect_error([&] { train(iris().subset(one_row), by); }, {"too few rows to train on: 1"});
    expect_error([&] { train(iris().subset(one_class), by); }, {"only one class occurs"});
    Dataset bare = iris();
    bare.columns.clear();
    expect_error([&] { train(bare, by); }, {"no feature column"});
    Dataset unlabeled = iris();
    unlabeled.labels.clear();
    expect_error([&] { train(unlabeled, by); }, {"no labels"});
    Settings greedy = by;
    greedy["min_samples_leaf"] = "151";
    if (method_named(method.name).reads_option("min_samples_leaf"))
      expect_error([&] { train(iris(), greedy); }, {"asks for 151 rows in every leaf, but the data have 150 rows"});
    Settings blind = by;
    blind["class_weight"] = "setosa=0,versicolor=0";
    expect_error([&] { train(iris(), blind); }, {"only one class occurs"});
    blind["class_weight"] = "rose=2";
    expect_error([&] { train(iris(), blind); }, {"no class of this name"});
  }
  Options wrong;
  wrong.max_depth = -2;
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
    EXPECT_EQ(result.errors, 0) << "two classes are told apart by share";
    EXPECT_EQ(result.proved.find("one frequent category from the rest or by the share of a class") != std::string::npos, levels == 13)
        << result.proved;
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
    std::erase_if(settings, [&method = method_of(options_of(settings))](const auto& setting) {
      return setting.first != "method" && !method.reads_option(setting.first);
    });
    Dataset trained_on = data;
    if (settings.contains("class_weight")) apply_class_weights(trained_on, "balanced");
    const Result result = fit(data, only_read(options_of(settings)));
    EXPECT_EQ(check_claims(result, trained_on), std::vector<std::string>{}) << to_json(result) << testing::to_string(data);
    if (settings["method"] == "oct" && !settings.contains("node_limit")) {
      EXPECT_EQ(result.status, Status::optimal) << result.proved << "\n" << testing::to_string(data);
    }
    EXPECT_EQ(from_json(to_json(result), "memory").tree, result.tree);
  }
}

}  // namespace
}  // namespace treewright
