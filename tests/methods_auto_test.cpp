// Method auto: its pool, and what it says of its choice. Most tests train by a stand-in, whose trees are as good as the test
// wants.

#include "treewright/methods/auto/method.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "support/auto_stand_in.h"
#include "support/make_data.h"
#include "support/training.h"
#include "treewright/base/random.h"
#include "treewright/base/stop_point.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"
#include "treewright/methods/auto/pool.h"
#include "treewright/methods/auto/race.h"

namespace treewright {
namespace {

using testing::automatic_options;
using testing::iris;
using testing::leaf;
using testing::line;
using testing::make_data;
using testing::noise;
using testing::numbers;
using testing::split_at;

std::vector<std::string> names_of(const std::vector<Options>& settings) {
  std::vector<std::string> names;
  for (const Options& setting : settings) names.push_back(automatic::name_of(setting));
  return names;
}

TEST(AutoPool, HasBothKindsOfTreesAtEveryDepth) {
  const std::vector<Options> settings = automatic::pool(automatic_options(3), 2);
  std::set<std::pair<std::string, std::int64_t>> kinds;
  for (const Options& setting : settings) kinds.insert({setting.method, setting.max_depth});
  for (std::int64_t depth = 1; depth <= 3; ++depth) {
    for (const char* method : {"oct", "oct-h", "tao"}) EXPECT_TRUE(kinds.contains({method, depth})) << method << depth;
  }
  EXPECT_TRUE(kinds.contains({"cart", 0}));
  EXPECT_EQ(kinds.rbegin()->second, 3);
  EXPECT_EQ(automatic::name_of(settings.front()), "cart depth 3");
  EXPECT_EQ(names_of(automatic::pool(automatic_options(0), 2)), std::vector<std::string>{"cart depth 0"});
  const std::vector<std::string> names = names_of(settings);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(AutoPool, KeepsWhatTheUserAsksFor) {
  Options base = automatic_options(2);
  base.ccp_alpha = 0.25;
  base.min_samples_leaf = 7;
  for (const Options& setting : automatic::pool(base, 2)) {
    EXPECT_EQ(setting.min_samples_leaf, 7);
    // The price of cart has another unit.
    EXPECT_EQ(setting.ccp_alpha, setting.method == "cart" ? 0 : 0.25);
  }
}

TEST(AutoPool, HasALogisticRegressionDeepEnoughForItsPairsOfClasses) {
  const auto depths = [](std::int64_t most, std::size_t classes) {
    std::set<std::int64_t> found;
    for (const Options& setting : automatic::pool(automatic_options(most), classes)) {
      if (setting.method == "logistic-h") found.insert(setting.max_depth);
    }
    return found;
  };
  EXPECT_EQ(depths(4, 2), std::set<std::int64_t>{1});
  EXPECT_EQ(depths(4, 3), std::set<std::int64_t>{2});
  EXPECT_EQ(depths(4, 9), std::set<std::int64_t>{4});
  EXPECT_TRUE(depths(0, 3).empty());
  Options regression = automatic_options(1);
  regression.method = "logistic-h";
  for (const auto& [name, value] : automatic::differing(regression)) EXPECT_NE(name, "restarts") << value;  // it has none
}

TEST(AutoPool, HasAxisSplitsAloneIfThatIsAsked) {
  Options base = automatic_options(3);
  base.split_kind = "axis";
  std::set<std::string> methods;
  for (const Options& setting : automatic::pool(base, 3)) methods.insert(setting.method);
  EXPECT_EQ(methods, (std::set<std::string>{"cart", "oct"}));
}

TEST(AutoPool, StartsMoreOftenWithManyClasses) {
  for (const std::size_t classes : {2u, 5u, 6u, 20u}) {
    Options base = automatic_options(2);
    for (const Options& setting : automatic::pool(base, classes)) {
      EXPECT_TRUE(setting.method != "tao" || setting.restarts == (classes > 5 ? 1 : 0));
    }
    base.restarts = 0;
    for (const Options& setting : automatic::pool(base, classes)) EXPECT_EQ(setting.restarts, 0);
  }
}

TEST(AutoPool, GridsOfCostsHaveNoEnd) {
  std::vector<Options> settings = automatic::pool(automatic_options(2), 2);
  const auto setting = [&](const char* name) {
    return *std::find_if(settings.begin(), settings.end(), [&](const Options& o) { return automatic::name_of(o) == name; });
  };
  EXPECT_DOUBLE_EQ(automatic::beyond(settings, setting("tao depth 2 cost 10"))->svm_cost, 100);
  EXPECT_DOUBLE_EQ(automatic::beyond(settings, setting("tao depth 1 cost 0.001"))->svm_cost, 0.0001);
  EXPECT_FALSE(automatic::beyond(settings, setting("tao depth 2 cost 1")));
  EXPECT_FALSE(automatic::beyond(settings, setting("oct depth 2")));
  Options far = setting("tao depth 2 cost 10");
  far.svm_cost = 1e6;
  settings.push_back(far);
  EXPECT_FALSE(automatic::beyond(settings, far));
}

TEST(Auto, TrustsASettingWithGoodNeighbors) {
  const Dataset data = line(300);
  Deadline deadline;
  // One setting of tao is perfect, and its neighbors are bad. All settings of oct are good.
  const auto trainer = [](const Dataset& train, const Options& how) {
    if (automatic::name_of(how) == "tao depth 1 cost 0.1") return split_at(train, 0);
    return split_at(train, how.method == "oct" ? 0.02 : 0.4);
  };
  const ChosenOptions choice = automatic::methods().front().choose(data, automatic_options(2), deadline, trainer);
  EXPECT_EQ(choice.options.method, "oct") << choice.selection;
  const auto lucky = std::find_if(choice.candidates.begin(), choice.candidates.end(), [](const auto& c) { return c.accuracy == 1; });
  ASSERT_NE(lucky, choice.candidates.end());
  EXPECT_EQ(lucky->method, "tao");
  EXPECT_GT(lucky->behind, 0.03);
}

TEST(Auto, PrefersFewSplitsWithinTheError) {
  // One row near the end is of the other class: only a second split finds it.
  Dataset data = line(300);
  const auto last = std::max_element(data.columns[0].values.begin(), data.columns[0].values.end()) - data.columns[0].values.begin();
  const double threshold = data.columns[0].values[last];
  data.labels[last] = 0;
  Deadline deadline;
  const auto trainer = [&](const Dataset& train, const Options& how) {
    Result result = split_at(train, 0);
    if (how.max_depth < 2) return result;
    const NodeId right = result.tree.node(Tree::root()).right;
    result.tree.split(right, {AxisSplit{FeatureId{0}, threshold}, false});
    result.tree.tally(train);
    return result;
  };
  const ChosenOptions choice = automatic::methods().front().choose(data, automatic_options(2), deadline, trainer);
  EXPECT_EQ(choice.options.max_depth, 1) << choice.selection;
}

TEST(Auto, TrainsAHyperplaneTreeFromMoreStarts) {
  for (const std::int64_t restarts : {7, 2, 0}) {
    Options options = automatic_options(1);
    options.restarts = restarts;
    Deadline deadline;
    const auto trainer = [](const Dataset& train, const Options& how) { return how.method == "tao" ? split_at(train, 0) : leaf(train); };
    const ChosenOptions choice = automatic::methods().front().choose(line(200), options, deadline, trainer);
    EXPECT_EQ(choice.options.method, "tao") << choice.selection;
    EXPECT_EQ(choice.options.restarts, std::min<std::int64_t>(restarts, 3));
  }
}

// Where nobody chooses a depth there are four levels, and more for classes that would fill the leaves of four.
TEST(Auto, HasADepthForTheClasses) {
  for (const auto& [classes, depth] : {std::pair{2, 4}, {8, 4}, {9, 5}, {16, 5}, {17, 6}, {26, 6}}) {
    EXPECT_EQ(automatic::usual_depth(static_cast<std::size_t>(classes)), depth) << classes;
    Options asked;
    asked.method = "auto";
    const Dataset of_classes = make_data({numbers("x", {1, 2})}, {0, classes - 1}, classes);
    EXPECT_EQ(with_depth(asked, of_classes).max_depth, depth);
    asked.max_depth = 2;
    EXPECT_EQ(with_depth(asked, of_classes).max_depth, 2);
  }
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 180; ++row) x.push_back(row % 9), labels.push_back(row % 9);
  Options asked = automatic_options(-1);
  asked.restarts = 0;
  EXPECT_EQ(fit(make_data({numbers("x", x)}, labels, 9), asked).errors, 0) << "nine classes need four levels";
}

TEST(Auto, SaysWhatItCompared) {
  const Result result = fit(iris(), automatic_options(2));
  std::int64_t chosen = 0;
  for (const CandidateScore& candidate : result.candidates) {
    chosen += candidate.reason == "chosen";
    EXPECT_FALSE(candidate.reason.empty());
    EXPECT_TRUE(candidate.reason != "chosen" || candidate.method == result.method);
  }
  EXPECT_EQ(chosen, 1);
  EXPECT_EQ(result.candidates.front().behind, 0);
  const Result read = from_json(to_json(result), "memory");
  ASSERT_EQ(read.candidates.size(), result.candidates.size());
  for (std::size_t i = 0; i < read.candidates.size(); ++i) {
    EXPECT_EQ(read.candidates[i].options, result.candidates[i].options);
    EXPECT_EQ(read.candidates[i].accuracy, result.candidates[i].accuracy);
    EXPECT_EQ(read.candidates[i].parts, result.candidates[i].parts);
    EXPECT_EQ(read.candidates[i].reason, result.candidates[i].reason);
  }
}

// First those that stayed to the end, then those that left early, then those that were not tried; within each by points behind.
TEST(Auto, ItsTableIsSorted) {
  const Dataset data = line(300);
  Deadline deadline;
  const auto trainer = [](const Dataset& train, const Options& how) {
    return split_at(train, how.method == "tao" ? 0.45 : how.method == "cart" ? 0.05 : how.max_depth == 1 ? 0.02 : 0);
  };
  const ChosenOptions choice = automatic::methods().front().choose(data, automatic_options(2), deadline, trainer);
  const auto group = [](const CandidateScore& candidate) {
    const bool stayed = candidate.reason == "chosen" || candidate.reason.starts_with("less accurate") || candidate.reason == "not simpler";
    return candidate.parts == 0 ? 2 : stayed ? 0 : 1;
  };
  int left_early = 0;
  std::size_t at = choice.selection.find("\nbehind"), lines = 0;
  ASSERT_NE(at, std::string::npos) << choice.selection;
  for (std::size_t i = 0; i < choice.candidates.size(); ++i) {
    const CandidateScore& candidate = choice.candidates[i];
    left_early += group(candidate) == 1;
    if (candidate.reason == "chosen" || (candidate.parts > 0 && i < 12)) {  // the text counts the others
      at = choice.selection.find(": " + candidate.reason + "\n", at + 1);
      ++lines;
      EXPECT_NE(at, std::string::npos) << "the text has another order at " << i;
    }
    if (i == 0) continue;
    const CandidateScore& before = choice.candidates[i - 1];
    EXPECT_LE(group(before), group(candidate)) << i;
    EXPECT_TRUE(group(before) < group(candidate) || before.behind <= candidate.behind) << i;
  }
  EXPECT_GT(left_early, 0) << "all trees of tao are bad";
  const auto compared = std::count_if(choice.candidates.begin(), choice.candidates.end(),
                                      [](const CandidateScore& candidate) { return candidate.parts > 0; });
  EXPECT_NE(choice.selection.find(fmt::format("\n{} others were compared", compared - lines)), std::string::npos) << choice.selection;
}

TEST(Auto, IsTheSameWithAnyNumberOfThreads) {
  Options one = automatic_options(2), three = one;
  three.n_jobs = 3;
  const Result a = fit(noise(), one), b = fit(noise(), three);
  EXPECT_EQ(a.tree, b.tree);
  ASSERT_EQ(a.candidates.size(), b.candidates.size());
  for (std::size_t i = 0; i < a.candidates.size(); ++i) {
    EXPECT_EQ(a.candidates[i].options, b.candidates[i].options);
    EXPECT_EQ(a.candidates[i].accuracy, b.candidates[i].accuracy);
    EXPECT_EQ(a.candidates[i].reason, b.candidates[i].reason);
  }
}

TEST(Auto, IsNotOptimalWhenItsChoiceWasInterrupted) {
  std::atomic<bool> stop{false};
  FitHooks hooks;
  hooks.stop = &stop;
  std::int64_t asked = 0;
  const StopScope counts([&] {
    stop = ++asked > 2000;
    return false;
  });
  const Result result = fit(iris(), automatic_options(2), hooks);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(check_claims(result, iris()), std::vector<std::string>{});
}

}  // namespace
}  // namespace treewright
