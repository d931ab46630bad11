// Method auto: its pool, and what it says of its choice. Most tests train by a stand-in, whose trees are as good as the test
// wants.

#include "treewright/methods/auto/method.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "support/auto_stand_in.h"
#include "support/make_data.h"
#include "support/training.h"
#include "treewright/base/random.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/splits.h"
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

// Where nobody chooses a depth there are four levels, and more for many classes: those of a regression, or of leaves for all.
TEST(Auto, LengthyHasADepthForTheClasses) {
  for (const auto& [classes, depth] : {std::pair{2, 4}, {5, 4}, {8, 7}, {9, 8}, {26, 8}, {300, 10}}) {
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

// A tree of its own for each setting and part, far from the best place or near it.
struct DrawnTrees {
  Random random;
  std::map<std::string, std::vector<Tree>> of_setting = {};

  Result operator()(const Dataset& train, const Options& how) {
    std::vector<Tree>& trees = of_setting[automatic::name_of(how)];
    const double off = trees.empty() ? random.uniform(-0.6, 0.6) : 0;
    Result result = split_at(
        train, trees.empty() ? off : std::get<AxisSplit>(trees[0].node(Tree::root()).split->rule).threshold + random.uniform(-0.1, 0.1));
    trees.push_back(result.tree);
    return result;
  }
};

Options setting_of(const CandidateScore& score, Options base) {
  base.method = score.method;
  base.svm_cost = 1;  // of axis trees, which have none
  for (const auto& [name, value] : score.options) set_option(base, name, value);
  return base;
}

// A candidate as the folds have it: what it gained on each validation row, part after part.
struct Folded {
  const CandidateScore* score;
  Options options;
  std::vector<double> gains = {};

  double mean(const std::vector<double>& weights) const {
    double sum = 0, all = 0;
    for (std::size_t v = 0; v < gains.size(); ++v) sum += weights[v] * gains[v], all += weights[v];
    return sum / all;
  }
};

// By how much the first of the race leads a candidate, with its neighbors, and what each row adds to it: from the folds alone.
std::pair<double, std::vector<double>> lead_of(const Folded& leader, const Folded& one, const std::vector<Folded>& all,
                                               const std::vector<double>& weights, const std::vector<std::int32_t>& rows, std::size_t n) {
  std::vector<std::pair<const Folded*, double>> parts = {{&one, 1}};
  for (const Folded& other : all) {
    if (automatic::are_neighbors(one.options, other.options)) parts.emplace_back(&other, 0);
  }
  for (auto& [part, share] : parts) share = parts.size() == 1 ? 1 : part == &one ? 0.5 : 0.5 / static_cast<double>(parts.size() - 1);
  double mean = 0;
  std::vector<double> of_row(n, 0.0);
  for (const auto& [part, share] : parts) {
    const std::size_t common = std::min(leader.gains.size(), part->gains.size());
    double lead = 0, whole = 0;
    for (std::size_t v = 0; v < common; ++v) lead += weights[v] * (leader.gains[v] - part->gains[v]), whole += weights[v];
    lead /= whole;
    mean += share * lead;
    const auto distinct =
        static_cast<double>(std::set<std::int32_t>(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(common)).size());
    const double factor = share * std::sqrt(distinct / (distinct - 1)) / whole;
    for (std::size_t v = 0; v < common; ++v) of_row[rows[v]] += factor * weights[v] * (leader.gains[v] - part->gains[v] - lead);
  }
  return {mean, of_row};
}

// What is told of the candidates follows from the folds: accuracies on their own parts, the lead of the first, and the error of that lead.
TEST(Auto, ItsTableFollowsFromTheFolds) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Dataset data = line(60 + 40 * seed);
    if (seed % 2 == 1) {
      Random random(seed);
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 3));
    }
    Options options = automatic_options(2);
    options.random_state = static_cast<std::int64_t>(seed);
    DrawnTrees trees{Random(seed + 100)};
    Deadline deadline;
    const ChosenOptions choice = automatic::methods().front().choose(data, options, deadline, std::ref(trees));
    SplitOptions how;
    how.seed = seed + 1;
    const std::vector<Fold> folds = repeated_k_folds(data, 10, std::clamp(static_cast<int>(2000 / data.rows()), 1, 3), how);
    std::vector<double> weights;
    std::vector<std::int32_t> rows;
    for (const Fold& fold : folds) {
      for (const std::int32_t row : fold.test) rows.push_back(row), weights.push_back(data.weight(row));
    }
    std::vector<Folded> all;
    for (const CandidateScore& score : choice.candidates) {
      Folded& one = all.emplace_back(Folded{&score, setting_of(score, options)});
      const std::vector<Tree>& fitted = trees.of_setting.at(automatic::name_of(one.options));
      ASSERT_EQ(static_cast<std::int64_t>(fitted.size()), score.parts);
      for (std::size_t part = 0; part < fitted.size(); ++part) {
        const Dataset valid = data.subset(folds[part].test);
        const std::vector<std::int32_t> said = fitted[part].predict(valid);
        for (std::size_t r = 0; r < said.size(); ++r) one.gains.push_back(said[r] == valid.labels[r]);
      }
      EXPECT_NEAR(score.accuracy, one.mean(weights), 1e-12);
      EXPECT_GE(score.accuracy, 0);
      EXPECT_LE(score.accuracy, 1);
    }
    const auto stayed = [](const Folded& one) { return !one.score->reason.starts_with("beaten"); };
    double most = 0;
    for (const Folded& one : all) most = std::max(most, stayed(one) ? one.mean(weights) : 0);
    // What left early is compared with the most accurate one. Of several, it is the one that entered the race first.
    double off = 1;
    for (const Folded& leader : all) {
      if (!stayed(leader) || leader.mean(weights) < most - 1e-12) continue;
      const auto [first, of_first] = lead_of(leader, all.front(), all, weights, rows, data.rows());
      double here = 0;
      for (const Folded& one : all) {
        const auto [mean, of_row] = lead_of(leader, one, all, weights, rows, data.rows());
        double squares = 0;
        for (std::size_t row = 0; row < data.rows(); ++row) squares += std::pow(of_row[row] - of_first[row], 2);
        here = std::max({here, std::abs(one.score->behind - (mean - first)), std::abs(one.score->standard_error - std::sqrt(squares))});
      }
      off = std::min(off, here);
    }
    EXPECT_LT(off, 1e-9) << choice.selection;
    EXPECT_EQ(choice.candidates.front().behind, 0);
    EXPECT_EQ(choice.candidates.front().standard_error, 0) << "a difference to itself";
    for (const Folded& one : all) {
      const std::string& reason = one.score->reason;
      const bool within = one.score->behind <= one.score->standard_error + 1e-12;
      const bool says_within = reason == "chosen" || reason.starts_with("more splits") || reason.starts_with("about as many splits");
      EXPECT_TRUE(!stayed(one) || (one.score->behind >= 0 && within == says_within)) << reason << "\n" << choice.selection;
    }
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
    const bool stayed = !candidate.reason.starts_with("beaten");
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
