#include "treewright/select/fold_paths.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "support/training.h"
#include "treewright/data.h"
#include "treewright/select/tune_table.h"

namespace treewright {
namespace {

using testing::iris;

Options of_depth(std::int64_t depth) {
  Options options;
  options.max_depth = depth;
  return options;
}

TEST(FoldPaths, AreThePathsOfTheSettings) {
  const Dataset data = iris();
  select::FoldPlan plan;
  plan.settings = {of_depth(3), of_depth(1), of_depth(2)};
  const std::vector<ComplexityPath> paths = select::fold_paths(data, plan);
  ASSERT_EQ(paths.size(), 3u);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const ComplexityPath alone = complexity_path(data, plan.settings[i]);
    ASSERT_EQ(paths[i].points.size(), alone.points.size());
    for (std::size_t k = 0; k < alone.points.size(); ++k) {
      EXPECT_EQ(paths[i].points[k].errors, alone.points[k].errors);
      EXPECT_EQ(paths[i].points[k].alpha_low, alone.points[k].alpha_low);
    }
  }
}

TEST(FoldPaths, StrictSettingsComeFirstAndStartTheOthers) {
  select::FoldPlan plan;
  plan.settings = {of_depth(3), of_depth(1)};
  std::vector<std::size_t> order, starts;
  plan.listener = [&](std::size_t setting, const ComplexityPath&) { order.push_back(setting); };
  plan.train = [&](std::size_t, const Dataset& data, const Options& options, const FitHooks& hooks) {
    starts.push_back(hooks.earlier.size());
    return fit(data, options, hooks);
  };
  const std::vector<ComplexityPath> paths = select::fold_paths(iris(), plan);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(starts.front(), 0u);
  EXPECT_GE(starts.back(), paths[1].points.size());
}

TEST(FoldPaths, LowPricesOfSlackComeFirst) {
  select::FoldPlan plan;
  for (const char* costs : {"10,1", "1,10", "1,2"}) {
    plan.settings.push_back(of_depth(2));
    plan.settings.back().method = "margot";
    plan.settings.back().level_costs = costs;
    plan.settings.back().node_limit = 0;
  }
  std::vector<std::size_t> order;
  plan.listener = [&](std::size_t setting, const ComplexityPath&) { order.push_back(setting); };
  select::fold_paths(iris(), plan);
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 1, 0}));
}

TEST(FoldPaths, OneTreeEachWithFixedAlphaOrWithoutAPath) {
  select::FoldPlan plan;
  plan.settings = {of_depth(2)};
  plan.fixed_alpha = true;
  EXPECT_EQ(select::fold_paths(iris(), plan)[0].points.size(), 1u);
  plan.fixed_alpha = false;
  plan.settings[0].method = "cart-h";
  EXPECT_EQ(select::fold_paths(iris(), plan)[0].points.size(), 1u);
}

TEST(FoldPaths, TimeIsSharedAmongAllSettings) {
  select::FoldPlan plan;
  plan.settings = {of_depth(1), of_depth(2)};
  plan.time_limit = 0;
  for (const ComplexityPath& path : select::fold_paths(iris(), plan)) EXPECT_EQ(path.status, Status::time_limit);
}

TEST(FoldPaths, EverySettingIsCheckedBeforeAnyIsTrained) {
  select::FoldPlan plan;
  plan.settings = {of_depth(1), of_depth(2)};
  plan.settings[1].svm_cost = 7;
  plan.listener = [](std::size_t, const ComplexityPath&) { FAIL() << "trained in spite of a mistake"; };
  expect_error([&] { select::fold_paths(iris(), plan); }, {"svm_cost", "leave it out"});
}

TEST(TuneTable, LinesStandBelowTheirHead) {
  PathPoint point;
  point.result.tree = complexity_path(iris(), of_depth(1)).points[0].result.tree;
  point.alpha_high = 0.25;
  point.errors = 12;
  const std::string head = select::tune_table_head(), line = select::tune_table_line("max_depth=2", scored_tree(point, 0, 4, 0.75), 0.75);
  EXPECT_EQ(line, "   5      0         12                0 .. 0.25     0.7500        0  heuristic    max_depth=2\n");
  EXPECT_EQ(head.find("setting"), line.find("max_depth"));
  EXPECT_EQ(select::tune_table_line("", scored_tree(point, 0, 4, 0.75), 0.75).back(), '\n');
}

}  // namespace
}  // namespace treewright
