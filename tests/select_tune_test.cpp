#include "treewright/tune.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <tuple>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/scratch_folder.h"
#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/base/hash.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/version.h"
#include "treewright/data.h"
#include "treewright/fit/registry.h"
#include "treewright/mip/highs.h"
#include "treewright/result.h"

namespace treewright {
namespace {

using testing::iris;

TunePlan holdout(const Dataset& data) {
  const double shares[] = {2.0 / 3, 1.0 / 3};
  const std::vector<RowNumbers> parts = split_rows(data, shares);
  TunePlan plan;
  plan.folds = {{parts[0], parts[1]}};
  return plan;
}

// What a user sees of two runs.
void expect_same(const TuneResult& a, const TuneResult& b) {
  ASSERT_EQ(a.trees.size(), b.trees.size());
  for (std::size_t i = 0; i < a.trees.size(); ++i) {
    EXPECT_EQ(a.trees[i].scored.splits, b.trees[i].scored.splits);
    EXPECT_EQ(a.trees[i].fitted, b.trees[i].fitted);
    EXPECT_EQ(a.trees[i].scored.score, b.trees[i].scored.score);
    EXPECT_EQ(a.trees[i].scored.alpha_low, b.trees[i].scored.alpha_low);
  }
  EXPECT_EQ(a.options.ccp_alpha, b.options.ccp_alpha);
  EXPECT_EQ(a.choice.step.setting, b.choice.step.setting);
  EXPECT_EQ(a.result.tree, b.result.tree);
}

// A single leaf is right on nine rows of ten, and on half of the classes. A split finds all of the rare class and errs on more rows.
Dataset rare_class() {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 200; ++row) {
    labels.push_back(row % 10 == 0 ? 1 : 0);
    x.push_back(labels.back() == 1 || row % 4 == 1 ? 1 : 0);
  }
  return testing::make_data({testing::numbers("x", x)}, labels);
}

TEST(Tune, MaximizesTheScoringItIsGiven) {
  const Dataset data = rare_class();
  TunePlan plan = holdout(data);
  const auto share = [&](const RowNumbers& rows) {
    const Dataset part = data.subset(rows);
    return static_cast<double>(std::count(part.labels.begin(), part.labels.end(), 1)) / static_cast<double>(part.rows());
  };
  const double learned = share(plan.folds[0].train), rare = share(plan.folds[0].test);
  Options options;
  options.max_depth = 1;
  const std::pair<Scoring, double> of_the_leaf[] = {{Scoring::accuracy, 1 - rare},
                                                    {Scoring::balanced_accuracy, 0.5},
                                                    {Scoring::f1, (1 - rare) / (2 - rare)},
                                                    {Scoring::log_loss, rare * std::log(learned) + (1 - rare) * std::log(1 - learned)},
                                                    {Scoring::auc, 0.5}};
  for (const auto& [scoring, expected] : of_the_leaf) {
    plan.scoring = scoring_named(name_of(scoring));
    Options weighted = options;
    weighted.class_weight = "a=1,b=3";  // a path with a split
    const TuneResult plain = tune(data, options, plan);
    EXPECT_NEAR(plain.trees.front().scored.score, expected, 1e-9) << name_of(scoring);
    for (const TuneResult& tuned : {plain, tune(data, weighted, plan)}) {
      double highest = tuned.trees.front().scored.score;
      for (const TunedTree& tree : tuned.trees) highest = std::max(highest, tree.scored.score);
      EXPECT_EQ(tuned.choice.step.score, highest) << name_of(scoring);
    }
  }
  plan.scoring = Scoring::auc;
  std::erase_if(plan.folds[0].test, [&](auto row) { return data.labels[row] == 1; });
  expect_error([&] { tune(data, options, plan); }, {"AUC", "one class"});
  expect_error([] { scoring_named("luck"); }, {"scoring", "luck", "balanced-accuracy"});
}

TEST(Tune, ScoresCountClassWeights) {
  const Dataset data = rare_class();
  Options options;
  options.max_depth = 1;
  EXPECT_EQ(tune(data, options, holdout(data)).result.tree.splits(), 0u);
  options.class_weight = "balanced";
  const TuneResult tuned = tune(data, options, holdout(data));
  EXPECT_EQ(tuned.result.tree.splits(), 1u);
  for (const TunedTree& tree : tuned.trees) {
    if (tree.scored.splits > 0) continue;
    EXPECT_NEAR(tree.scored.score, 0.5, 0.1);
  }
}

// BD17 sec. 3 by trying every tree: for each C the least errors, then the hull, then (for a given score of each corner) the middle of the
// interval of the best. Only the scores are taken from the run: trees of equal errors may label new rows differently.
TEST(Tune, IsBruteForceOnSmallData) {
  Random random(2017);
  int longest = 0;
  for (int round = 0; round < 60; ++round) {
    const Dataset data = testing::random_data(random, {24, 3, 2, round % 3 == 0, false, 6});
    TunePlan plan = holdout(data);
    const Dataset train = data.subset(plan.folds[0].train);
    if (!testing::has_two_classes(train)) continue;
    Options options;
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    options.min_samples_leaf = 1 + static_cast<double>(random.below(2));
    const int full = (1 << options.max_depth) - 1;
    const auto brute = [&](const Dataset& rows) { return testing::BruteForce(rows, static_cast<std::int64_t>(options.min_samples_leaf)); };
    const std::vector<double> least = brute(train).best(static_cast<int>(options.max_depth), full);
    const double root = least[0];

    const TuneResult tuned = tune(data, options, plan);
    EXPECT_EQ(tuned.status, Status::optimal);
    longest = std::max(longest, static_cast<int>(tuned.trees.size()));
    double alpha = -1, best = -1;
    for (const TunedTree& tree : tuned.trees) {
      EXPECT_EQ(tree.fitted, least[static_cast<std::size_t>(tree.scored.splits)]) << "round " << round;
      double low = 0, high = 2;
      for (int c = 0; c <= full; ++c) {
        const double gain = (least[static_cast<std::size_t>(c)] - tree.fitted) / root;
        const double fewer = static_cast<double>(tree.scored.splits - c);
        if (fewer > 0) high = std::min(high, gain / fewer);
        if (fewer < 0) low = std::max(low, gain / fewer);
      }
      EXPECT_NEAR(tree.scored.alpha_low, low, 1e-9);
      if (tree.scored.splits > 0) {
        EXPECT_NEAR(tree.scored.alpha_high, high, 1e-9);
      }
      best = std::max(best, tree.scored.score);
    }
    // The union of neighbors that are best, and the widest of several.
    double widest = -1;
    for (std::size_t i = tuned.trees.size(); i-- > 0;) {
      if (tuned.trees[i].scored.score < best) continue;
      const double low = tuned.trees[i].scored.alpha_low;
      while (i > 0 && tuned.trees[i - 1].scored.score == best) --i;
      const double end = tuned.trees[i].scored.alpha_high;
      const double begin = tuned.trees[i].scored.alpha_low;
      const double high = std::isfinite(end) ? end : begin > 0 ? 2 * begin : 1;
      if (high - low > widest + 1e-12) widest = high - low, alpha = (low + high) / 2;
    }
    EXPECT_NEAR(tuned.options.ccp_alpha, alpha, 1e-9) << "round " << round;
    // The final tree, on all rows.
    const double scale = brute(data).best(0, 0)[0];
    EXPECT_NEAR(tuned.result.objective * scale,
                brute(data).best_cost(static_cast<int>(options.max_depth), full, tuned.options.ccp_alpha * scale), 1e-6);
    EXPECT_EQ(check_claims(tuned.result, data), std::vector<std::string>());
  }
  EXPECT_GE(longest, 4) << "the data are too easy";
}

TEST(Tune, ReusingSolutionsChangesNothing) {
  const Dataset data = iris();
  TunePlan plan = holdout(data);
  plan.axes = {{"max_depth", {"1", "2", "3"}}, {"min_samples_leaf", {"1", "5", "0.1"}}};
  const TuneResult together = tune(data, {}, plan);
  EXPECT_EQ(together.settings.size(), 9u);
  std::vector<std::pair<std::int64_t, double>> alone;
  for (const char* depth : {"1", "2", "3"}) {
    for (const char* leaf : {"1", "5", "0.1"}) {
      TunePlan one = plan;
      one.axes = {{"max_depth", {depth}}, {"min_samples_leaf", {leaf}}};
      for (const TunedTree& tree : tune(data, {}, one).trees) alone.emplace_back(tree.scored.splits, tree.fitted);
    }
  }
  ASSERT_EQ(together.trees.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(together.trees[i].scored.splits, alone[i].first);
    EXPECT_EQ(together.trees[i].fitted, alone[i].second);
  }
}

// Two classes on either side of a slanting line, with some labels wrong: something for every method.
Dataset slant() {
  Dataset data;
  data.columns.resize(2);
  data.columns[0].name = "x", data.columns[1].name = "y";
  data.class_names = {"below", "above"};
  for (int x = 0; x < 7; ++x) {
    for (int y = 0; y < 7; ++y) {
      data.columns[0].values.push_back(x);
      data.columns[1].values.push_back(y);
      data.labels.push_back((x + y > 6) != ((3 * x + 5 * y) % 11 == 0));
    }
  }
  return data;
}

bool has_solver_for(const Method& method) {
  const bool by_solver = method.reads_option("mip_start") && method.name != "mm-svm";
  if (by_solver && method.name == "margot") return false;  // quadratic, which HiGHS does not take
  return mip::has_highs() || !by_solver;
}

TEST(Tune, LengthyEveryMethodCanBeTuned) {
  const Dataset data = slant();
  for (const Method& method : methods()) {
    if (!has_solver_for(method)) continue;
    Options options = testing::options_of(testing::settings_of(method));
    options.max_depth = 2;
    options.time_limit = 5;
    TunePlan plan = holdout(data);
    if (!has_path(method.name)) plan.axes = {{"max_depth", {"1", "2"}}};
    const TuneResult tuned = tune(data, options, plan);
    if (method.name != "auto") {  // says which method it chose
      EXPECT_EQ(tuned.result.method, method.name);
    }
    EXPECT_GE(tuned.trees.size(), 2u) << method.name;
    EXPECT_EQ(check_claims(tuned.result, data), std::vector<std::string>()) << method.name;
  }
}

TEST(Tune, AGridOfAlphaTakesTheBestOfIt) {
  const Dataset data = iris();
  TunePlan plan = holdout(data);
  plan.axes = {{"ccp_alpha", {"0.9", "0.1", "0.01"}}};
  Options options;
  options.max_depth = 2;
  const TuneResult tuned = tune(data, options, plan);
  EXPECT_EQ(tuned.trees.size(), 3u);
  EXPECT_EQ(tuned.options.ccp_alpha, 0.1);
  for (const TunedTree& tree : tuned.trees) EXPECT_FALSE(tree.on_a_path);
  EXPECT_EQ(tuned.choice.why.find("interval"), std::string::npos) << "alpha was set, not chosen: " << tuned.choice.why;
}

TEST(Tune, FoldsCoverAllRows) {
  const Dataset data = iris();
  TunePlan plan;
  plan.folds = k_folds(data, 4);
  Options options;
  options.max_depth = 2;
  const TuneResult tuned = tune(data, options, plan);
  EXPECT_EQ(tuned.result.rows, 150);
  EXPECT_EQ(tuned.trees.back().scored.fold, 3);
  for (const CurveStep& step : tuned.curve) EXPECT_LE(step.score, tuned.choice.step.score);
}

// Whatever the kill left of the checkpoint, a resumed run ends as an undisturbed one.
TEST(Tune, ResumesFromEveryPrefixOfItsCheckpoint) {
  const testing::ScratchFolder folder;
  const Dataset data = iris();
  TunePlan plan = holdout(data);
  plan.axes = {{"max_depth", {"1", "2", "3"}}};
  const TuneResult undisturbed = tune(data, {}, plan);
  plan.checkpoint = folder / "checkpoint";
  expect_same(tune(data, {}, plan), undisturbed);
  const std::string whole = read_file(plan.checkpoint);
  plan.on_existing = "resume";
  for (std::size_t length = 0; length <= whole.size(); length += 1 + whole.size() / 23) {
    write_file(plan.checkpoint, whole.substr(0, length));
    expect_same(tune(data, {}, plan), undisturbed);
    const std::string again = read_file(plan.checkpoint);
    EXPECT_EQ(std::count(again.begin(), again.end(), '\n'), std::count(whole.begin(), whole.end(), '\n')) << "a solve was done twice";
  }
}

// Another scoring may choose another setting, whose final tree is not that of the first run.
TEST(Tune, ResumedWithAnotherScoringTrainsTheTreeItChooses) {
  const testing::ScratchFolder folder;
  int differ = 0;
  for (int seed = 0; seed < 20 && differ < 3; ++seed) {
    GenerateOptions how;
    how.rows = 60;
    how.features = 3;
    how.label_noise = 0.3;
    how.seed = seed;
    const Dataset data = generate("bd17-train", how);
    Options options;
    options.method = "cart";
    TunePlan plan = holdout(data);
    plan.axes = {{"max_depth", {"1", "2", "3"}}, {"ccp_alpha", {"0"}}};
    plan.checkpoint = folder / fmt::format("checkpoint-{}", seed);
    const TuneResult first = tune(data, options, plan);
    plan.scoring = scoring_named("log-loss");
    plan.on_existing = "resume";
    const TuneResult resumed = tune(data, options, plan);
    plan.checkpoint.clear();
    plan.on_existing = "error";
    expect_same(resumed, tune(data, options, plan));
    differ += first.choice.step.setting != resumed.choice.step.setting;
  }
  EXPECT_EQ(differ, 3);
}

// A solve that the time limit ended is no answer for a run that has more time.
TEST(Tune, ResumesWhatHadNoTime) {
  const testing::ScratchFolder folder;
  const Dataset data = iris();
  TunePlan plan = holdout(data);
  plan.checkpoint = folder / "checkpoint";
  Options options;
  options.max_depth = 3;
  options.time_limit = 0;
  const TuneResult stopped = tune(data, options, plan);
  EXPECT_EQ(stopped.result.status, Status::time_limit);
  plan.on_existing = "resume";
  EXPECT_EQ(tune(data, options, plan).result.status, Status::time_limit) << "there is no more time";
  options.time_limit = Options().time_limit;
  const TuneResult whole = tune(data, options, plan);
  EXPECT_EQ(whole.result.status, Status::optimal);
  EXPECT_EQ(whole.status, Status::optimal);
}

TEST(Tune, RefusesACheckpointOfAnotherRun) {
  const testing::ScratchFolder folder;
  const Dataset data = iris();
  TunePlan plan = holdout(data);
  plan.checkpoint = folder / "checkpoint";
  Options options;
  options.max_depth = 1;
  tune(data, options, plan);
  plan.on_existing = "resume";
  options.max_depth = 2;
  const std::string whole = read_file(plan.checkpoint);
  expect_error([&] { tune(data, options, plan); }, {"checkpoint", "other max_depth (1 there, 2 here)"});
  plan.on_existing = "error";
  expect_error([&] { tune(data, options, plan); }, {"checkpoint", "exists already", "on_existing=resume"});
  EXPECT_EQ(read_file(plan.checkpoint), whole);
  plan.on_existing = "resume";
  options.max_depth = 1;
  std::string edited = whole;
  edited.replace(edited.rfind("\"errors\":") + 9, 1, "9");
  write_file(plan.checkpoint, edited);
  expect_error([&] { tune(data, options, plan); }, {"line", "was changed"});
  for (const char* line :
       {"{\"solve\": 1, \"seconds\": 0, \"result\": {}}", "{\"solve\": \"s\", \"seconds\": \"0\", \"result\": {}}", "[]"}) {
    write_file(plan.checkpoint, whole.substr(0, whole.find('\n') + 1) + hash_text(hash(line)) + " " + line + "\n");
    expect_error([&] { tune(data, options, plan); }, {"line 2", "not a line of a checkpoint"});
  }
  // An earlier version may have had a mistake that this one has corrected.
  std::string header = whole.substr(0, whole.find('\n'));
  header = header.substr(header.find(' ') + 1);
  const std::string now = std::string("\"") + version() + "\"";
  ASSERT_NE(header.find(now), std::string::npos) << header;
  header.replace(header.find(now), now.size(), "\"0.0.1\"");
  write_file(plan.checkpoint, hash_text(hash(header)) + " " + header + "\n");
  expect_error([&] { tune(data, options, plan); }, {"checkpoint", "other version (0.0.1 there, " + std::string(version()) + " here)"});
  write_file(plan.checkpoint, "a,b,y\n1,2,u\n");
  expect_error([&] { tune(data, options, plan); }, {"line 1", "not a line of a checkpoint"});
  EXPECT_EQ(read_file(plan.checkpoint), "a,b,y\n1,2,u\n");
  plan.on_existing = "error";
  plan.on_existing = "overwrite";
  plan.listener = [](const std::string&, const TunedTree&) { ADD_FAILURE() << "a solve before the refusal"; };
  expect_error([&] { tune(data, options, plan); }, {"checkpoint", "not a checkpoint, so it is not overwritten"});
  EXPECT_EQ(read_file(plan.checkpoint), "a,b,y\n1,2,u\n");
  plan.on_existing = "resume";
  plan.checkpoint.clear();
  expect_error([&] { tune(data, options, plan); }, {"no checkpoint"});
}

TEST(Tune, ALimitIsTold) {
  const Dataset data = iris();
  Options options;
  options.node_limit = 0;
  const TuneResult tuned = tune(data, options, holdout(data));
  EXPECT_EQ(tuned.status, Status::node_limit);
  EXPECT_EQ(check_claims(tuned.result, data), std::vector<std::string>());
}

// What a stop leaves untried is told, and the settings are compared on the same folds.
TEST(Tune, TellsWhatWasNotTried) {
  const Dataset data = iris();
  std::atomic<bool> stop{false};
  FitHooks hooks;
  hooks.stop = &stop;
  TunePlan plan;
  plan.folds = k_folds(data, 3, {});
  plan.axes = {{"max_depth", {"1", "2", "3"}}};
  EXPECT_EQ(tune(data, {}, plan, hooks).not_tried, "");
  for (const auto& [setting, fold, told] : {std::tuple("max_depth=2", 0, "max_depth=3"),
                                            {"max_depth=1", 0, "max_depth=2, max_depth=3"},
                                            {"max_depth=2", 1, "1 of 3"},
                                            {"max_depth=3", 1, "2 of 3"}}) {
    stop = false;
    plan.listener = [&, last_setting = setting, last_fold = fold](const std::string& name, const TunedTree& tree) {
      if (name == last_setting && tree.scored.fold == last_fold) stop = true;
    };
    const TuneResult tuned = tune(data, {}, plan, hooks);
    EXPECT_NE(tuned.not_tried.find(told), std::string::npos) << tuned.not_tried;
    EXPECT_EQ(tuned.status, Status::interrupted);
    EXPECT_EQ(check_claims(tuned.result, data), std::vector<std::string>());
  }
}

TEST(Auto, TellsWhatWasNotTried) {
  Options options;
  options.method = "auto";
  options.n_jobs = 1;
  options.time_limit = 0;
  const Result result = fit(iris(), options);
  EXPECT_NE(result.selection.find("stopped before any candidate was compared"), std::string::npos) << result.selection;
  EXPECT_EQ(result.status, Status::time_limit);
  std::int64_t asked = 0;
  std::atomic<bool> stop{false};
  FitHooks hooks;
  hooks.stop = &stop;
  const StopScope counts([&] {
    stop = ++asked > 3000;
    return false;
  });
  options.time_limit = std::numeric_limits<double>::infinity();
  const Result stopped = fit(iris(), options, hooks);
  EXPECT_NE(stopped.selection.find("not tried: no time"), std::string::npos) << stopped.selection;
}

TEST(Tune, NeedsFoldsAndValues) {
  const Dataset data = iris();
  expect_error([&] { tune(data, {}, {}); }, {"folds"});
  TunePlan plan = holdout(data);
  plan.axes = {{"max_depth", {}}};
  expect_error([&] { tune(data, {}, plan); }, {"max_depth", "no values"});
  plan.axes = {{"depth", {"1"}}};
  expect_error([&] { tune(data, {}, plan); }, {"depth"});
  plan.axes = {};
  plan.folds = {{{0, 1, 60, 900}, {3}}};
  expect_error([&] { tune(data, {}, plan); }, {"row 900", "none of the 150 rows"});
}

}  // namespace
}  // namespace treewright
