// Every method ends wherever its run is broken off, with a tree whose claims hold. No test here looks at the clock: a counter of stop
// points ends the run.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/training.h"
#include "treewright/base/random.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/ranked_rows.h"
#include "treewright/data/scaling.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/fit/registry.h"
#include "treewright/grow/cart.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/write.h"
#include "treewright/search/items/problem.h"
#include "treewright/svm/active_margin.h"
#include "treewright/svm/sparse_hinge.h"

namespace treewright {
namespace {

using testing::noise;

Options options_for(const Method& method) {
  Options options = testing::options_of(testing::settings_of(method));
  options.max_depth = 2;
  options.n_jobs = method.reads_option("n_jobs") ? 1 : options.n_jobs;
  options.restarts = method.reads_option("restarts") ? 2 : options.restarts;
  return options;
}

// These hand their model to a solver of quadratic models, which is none of the library's.
bool needs_a_command(const Method& method) {
  return method.name == "margot" && method.reads_option("mip_solver");
}

bool is_by_highs(const Method& method) {
  return method.reads_option("mip_start") && method.name != "margot" && method.name != "mm-svm" && method.name != "partition";
}

// Trains until the `last`-th stop point; `asked` counts them. Neither a bound nor a tree that was reported on the way is lost.
Result broken_off(const Dataset& data, const Options& options, std::int64_t last, std::int64_t& asked) {
  std::atomic<std::int64_t> count{0};  // threads ask side by side
  std::atomic<bool> stop{false};
  double bound = 0, incumbent = std::numeric_limits<double>::infinity();
  FitHooks hooks;
  hooks.stop = &stop;
  hooks.listener = [&](const Progress& progress) {
    bound = std::max(bound, progress.bound);
    incumbent = std::min(incumbent, progress.incumbent);
  };
  const StopScope scope([&] {
    if (++count <= last) return false;
    stop = true;
    return true;
  });
  Result result = fit(data, options, hooks);
  asked = count;
  EXPECT_GE(result.bound, bound - 1e-9) << options.method << " after " << last;
  EXPECT_LE(result.objective, incumbent * (1 + 1e-9) + 1e-9) << options.method << " after " << last;
  return result;
}

TEST(Stopping, EveryMethodEndsWithATreeWhereverItIsBrokenOff) {
  const Dataset data = noise();
  for (const Method& method : methods()) {
    if (needs_a_command(method) || (is_by_highs(method) && !mip::has_highs())) continue;
    const Options options = options_for(method);
    std::int64_t asked = 0;
    for (const std::int64_t last : {0, 1, 2, 3, 5, 8, 13, 40, 150, 600}) {
      const Result result = broken_off(data, options, last, asked);
      EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << method.label() << " after " << last;
      EXPECT_EQ(check_origin(result, data), std::vector<std::string>{}) << method.label() << " after " << last;
      if (last == 0) {
        EXPECT_GT(asked, 0) << method.name << " has no stop point";
      }
      if (asked <= last) break;  // it has ended by itself
    }
  }
}

// As by the clock, a run is broken off once: what makes the tree after it may take its time.
TEST(Stopping, AColumnIsAskedFirstWhereverTheRunIsBrokenOff) {
  const Dataset data = noise();
  Options options;
  options.max_depth = 2;
  options.n_jobs = 1;
  options.first_column = data.columns[1].name;
  for (std::int64_t last = 0;; last += 1 + last / 2) {
    std::int64_t asked = 0;
    const StopScope scope([&] { return asked++ == last; });
    const Result result = fit(data, options);
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << "after " << last;
    ASSERT_GT(result.tree.splits(), 0u) << "after " << last;
    EXPECT_EQ(std::get<AxisSplit>(result.tree.node(Tree::root()).split->rule).feature, FeatureId{1}) << "after " << last;
    if (asked > last) continue;
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_GT(last, 10) << "it has few stop points";
    break;
  }
}

// Classes of unlike weights, numbers with missing values, and a category of many levels.
Dataset mixed_noise(int classes) {
  Random random(7);
  constexpr int kRows = 150, kLevels = 30;
  std::vector<double> x, y;
  std::vector<std::int32_t> town, labels;
  for (int i = 0; i < kRows; ++i) {
    x.push_back(random.uniform());
    y.push_back(random.below(10) == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(random.below(20)));
    town.push_back(static_cast<std::int32_t>(random.below(kLevels)));
    labels.push_back(random.below(3) == 0 ? static_cast<std::int32_t>(random.below(classes))
                                          : (x.back() > 0.5) + (classes > 2 && town.back() > 20));
  }
  std::vector<std::string> names;
  for (int level = 0; level < kLevels; ++level) names.push_back("t" + std::to_string(level));
  Dataset data =
      testing::make_data({testing::numbers("x", x), testing::numbers("y", y), testing::categories("town", names, town)}, labels, classes);
  for (int i = 0; i < kRows; ++i) data.weights.push_back(0.1 + random.uniform());
  apply_class_weights(data, "balanced");
  return data;
}

TEST(Stopping, NoMethodLosesATreeThatItReported) {
  Random random(11);
  for (const Method& method : methods()) {
    if (needs_a_command(method) || (is_by_highs(method) && !mip::has_highs())) continue;
    const Dataset data = mixed_noise(method.name.starts_with("mm-svm") ? 2 : 3);
    Options options = options_for(method);
    if (method.reads_option("n_jobs")) options.n_jobs = 2;
    std::int64_t asked = 0;
    for (int round = 0; round < 25; ++round) {
      const auto last = static_cast<std::int64_t>(std::exp(random.uniform() * (method.label() == "oct" ? 12 : 7)));
      const Result result = broken_off(data, options, last, asked);
      EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << method.label() << " after " << last;
    }
  }
}

TEST(Stopping, ASearchKeepsItsBoundWhereverItIsBrokenOff) {
  const Dataset data = noise();
  Options options;
  options.max_depth = 4;
  std::int64_t asked = 0;
  bool raised = false;
  for (std::int64_t last = 1000; last < 400000; last += last / 2) {
    const Result result = broken_off(data, options, last, asked);
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << "after " << last;
    raised = raised || (asked > last && result.bound > 0);
  }
  EXPECT_TRUE(raised) << "no run was broken off after its bound had risen";
}

// The techniques below the methods: `call` has a stop point for each piece of work.
void expect_stop_points(const char* name, std::int64_t least, const std::function<void()>& call) {
  std::int64_t asked = 0;
  {
    const StopScope counts([&asked] { return ++asked < 0; });
    call();
  }
  EXPECT_GE(asked, least) << name;
  for (const std::int64_t last : {std::int64_t{0}, asked / 2, asked - 1}) {
    std::int64_t now = 0;
    const StopScope ends([&] { return ++now > last; });
    EXPECT_THROW(call(), Stopped) << name << " after " << last << " of " << asked;
  }
}

TEST(Stopping, TechniquesAskForEachPieceOfWork) {
  const Dataset data = noise();
  const std::size_t rows = data.rows(), columns = data.features();
  PointMatrix points{columns, {}};
  svm::TwoClassPoints two{{columns, {}}, {}, {}};
  std::vector<svm::MarginConstraint> constraints;
  for (std::size_t row = 0; row < rows; ++row) {
    for (const Column& column : data.columns) points.x.push_back(column.values[row]);
    two.target.push_back(data.labels[row] == 0 ? -1 : 1);
    two.weight.push_back(1);
    constraints.push_back({row, two.target.back(), 1, 10});
  }
  two.points = points;
  const auto many = static_cast<std::int64_t>(columns);
  expect_stop_points("make_problem", 3 * many, [&] { search::make_problem(data, false); });
  expect_stop_points("points", static_cast<std::int64_t>(rows) / 64, [&] { const ScaledPoints of_data(data, Scaling::standard); });
  expect_stop_points("interior point", 10 + many, [&] { svm::solve_soft_margin(points, constraints); });
  expect_stop_points("squared hinge", 3, [&] { svm::fit_squared_hinge(two, 1); });
  expect_stop_points("sparse hinge", many, [&] { svm::fit_sparse_hinge(two, 1); });
  expect_stop_points("active set", static_cast<std::int64_t>(rows) / 4, [&] {
    std::vector<std::uint32_t> axes;
    for (std::uint32_t j = 0; j < columns; ++j) axes.push_back(j);
    svm::ActiveMargin machine(points, axes);
    machine.extend(constraints, std::numeric_limits<double>::infinity());
  });
  expect_stop_points("models", 4, [] {
    mip::MipModel model;
    const int x = model.add_binary("x", 1);
    for (int row = 0; row < 2; ++row) model.at_most("row", {{x, 1}}, 1);
    static_cast<void>(mip::to_lp(model));
    static_cast<void>(model.broken(std::vector<double>{0}));
  });
}

TEST(Stopping, AGreedyTreeKeepsTheSplitsItHas) {
  const Dataset data = noise();
  std::int64_t asked = 0;
  {
    const StopScope counts([&asked] { return ++asked < 0; });
    EXPECT_GT(grow::grow_cart(data).splits(), 1u);
  }
  std::size_t before = 0;
  for (std::int64_t last = 0; last <= asked; last += 1 + asked / 7) {
    std::int64_t now = 0;
    const StopScope ends([&] { return ++now > last; });
    const Tree tree = grow::grow_cart(data);
    EXPECT_GE(tree.splits(), before);
    before = tree.splits();
  }
  EXPECT_GT(before, 0u);
}

}  // namespace
}  // namespace treewright
