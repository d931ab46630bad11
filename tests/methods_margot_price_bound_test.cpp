#include "treewright/methods/margot/price_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/methods/margot/objective.h"
#include "treewright/select/fold_paths.h"

namespace treewright {
namespace {

// Points of the plane whose class depends on both coordinates, some labels wrong.
Dataset checkers(Random& random, std::size_t rows) {
  Dataset data;
  data.columns.resize(2);
  data.columns[0].name = "x", data.columns[1].name = "y";
  data.class_names = {"no", "yes"};
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = static_cast<double>(random.below(9)), y = static_cast<double>(random.below(9));
    data.columns[0].values.push_back(x);
    data.columns[1].values.push_back(y);
    data.labels.push_back(i < 2 ? static_cast<std::int32_t>(i) : ((x > 4) != (y > 4)) != (random.below(8) == 0));
  }
  return data;
}

Options at(const std::string& costs) {
  Options options;
  options.method = "margot";
  options.max_depth = 2;
  options.level_costs = costs;
  return options;
}

double bound_at(const Dataset& data, const Options& options, const std::vector<const Result*>& earlier) {
  Deadline deadline;
  const auto objective = std::make_shared<margot::MargotObjective>(margot::MargotObjective::from(options));
  const Task task{.data = data, .options = options, .objective = objective, .leaf_weight = {}, .deadline = deadline, .earlier = earlier};
  return margot::bound_from_earlier(task);
}

TEST(MargotPriceBound, NeverExceedsTheOptimum) {
  Random random(4);
  for (int round = 0; round < 4; ++round) {
    const Dataset data = checkers(random, 14);
    std::vector<Result> optima;
    for (const char* costs : {"0.1,0.1", "0.1,10", "1,1", "10,0.1", "10,1000", "0,10"}) optima.push_back(fit(data, at(costs)));
    for (const Result& one : optima) {
      for (const Result& other : optima) {
        const Options options = at(
            std::find_if(one.options.begin(), one.options.end(), [](const auto& option) { return option.first == "level_costs"; })->second);
        EXPECT_EQ(one.status, Status::optimal);
        EXPECT_LE(bound_at(data, options, {&other}), one.objective * (1 + 1e-9));
      }
    }
  }
}

TEST(MargotPriceBound, ShrinksWithTheScarcestPrice) {
  Random random(5);
  const Dataset data = checkers(random, 14);
  const Result known = fit(data, at("1,10"));
  EXPECT_EQ(bound_at(data, at("1,10"), {&known}), known.bound);
  EXPECT_EQ(bound_at(data, at("7,10"), {&known}), known.bound);
  EXPECT_DOUBLE_EQ(bound_at(data, at("0.5,4"), {&known}), 0.4 * known.bound);
  EXPECT_EQ(bound_at(data, at("0,10"), {&known}), 0);
}

TEST(MargotPriceBound, OtherProblemsSayNothing) {
  Random random(6);
  const Dataset data = checkers(random, 14);
  const Result known = fit(data, at("1,10"));
  Options deeper = at("1,10"), weighted = at("1,10");
  deeper.level_costs = "1,10,10", deeper.max_depth = 3;
  weighted.class_weight = "yes=2";
  EXPECT_EQ(bound_at(data, deeper, {&known}), 0);
  EXPECT_EQ(bound_at(data, weighted, {&known}), 0);
}

// The same grid with and without the trees and bounds of neighbors, as first trees only and to the proof, with one thread and with two.
TEST(MargotGrid, IsNeverWorseThanSeparateFits) {
  Random random(7);
  for (const bool first_trees : {true, false}) {
    const Dataset data = checkers(random, first_trees ? 60 : 16);
    select::FoldPlan plan;
    for (const char* c0 : {"0.01", "1", "100"}) {
      for (const char* c1 : {"0.01", "1", "100", "10000"}) {
        plan.settings.push_back(at(std::string(c0) + "," + c1));
        plan.settings.back().n_jobs = 1;
        if (first_trees) plan.settings.back().node_limit = 0;
      }
    }
    const std::vector<ComplexityPath> paths = select::fold_paths(data, plan);
    for (Options& options : plan.settings) options.n_jobs = 2;
    const std::vector<ComplexityPath> by_two = select::fold_paths(data, plan);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const Result alone = fit(data, plan.settings[k]), &shared = paths[k].points[0].result;
      EXPECT_EQ(check_claims(shared, data), std::vector<std::string>());
      EXPECT_LE(shared.objective, alone.objective * (1 + 1e-4));
      EXPECT_GE(shared.objective, alone.bound * (1 - 1e-9));
      EXPECT_LE(shared.bound, alone.objective * (1 + 1e-9));
      EXPECT_TRUE(first_trees || shared.status == Status::optimal);
      EXPECT_EQ(shared.objective, by_two[k].points[0].result.objective);
      EXPECT_EQ(shared.bound, by_two[k].points[0].result.bound);
    }
  }
}

}  // namespace
}  // namespace treewright
