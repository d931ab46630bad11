// Trees of least cost, compared with every tree.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/cost_case.h"
#include "support/training.h"
#include "treewright/explain/claims.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/fit/check_proof.h"
#include "treewright/result.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/objective.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::BruteForce;
using testing::CostCase;
using testing::draw_cost_matrix;
using testing::iris;
using testing::magnitude;
using testing::of_depth;
using testing::ones;
using testing::options_of;
using testing::rows_for_costs;
using testing::shown;
using testing::train;

using Sentences = std::vector<std::string>;

Dataset without_costs(Dataset data) {
  data.costs.clear();
  return data;
}

TEST(Costs, LengthyAreLeastAmongAllTrees) {
  Random random(11);
  std::array<int, 4> of_depths{};
  for (int round = 0; round < 1500; ++round) {
    const CostCase drawn = draw_cost_matrix(random);
    const Result result = fit(drawn.data, of_depth(drawn.depth));
    const double tolerance = 1e-9 * magnitude(drawn.data);
    ASSERT_EQ(result.status, Status::optimal) << result.proved << "\n" << shown(drawn);
    ASSERT_NEAR(*result.cost, BruteForce(drawn.data).best_cost(drawn.depth, 7, 0), tolerance) << shown(drawn);
    // Weights without a common unit are rounded to one.
    ASSERT_LE(result.objective - result.bound, 1e-9 * std::abs(result.objective) + tolerance) << shown(drawn);
    ASSERT_LE(result.bound, result.objective) << shown(drawn);
    // The file has the costs: the data that check reads have not.
    const Dataset rows = without_costs(drawn.data);
    const Result read = from_json(to_json(result), "memory");
    ASSERT_EQ(check_claims(read, rows), Sentences{}) << shown(drawn);
    ASSERT_EQ(check_origin(read, rows), Sentences{}) << shown(drawn);
    ASSERT_EQ(read.tree, result.tree);
    ASSERT_EQ(to_json(read), to_json(result));
    ++of_depths[static_cast<std::size_t>(result.tree.depth())];
  }
  EXPECT_GT(of_depths[3], 50);
  EXPECT_GT(of_depths[2], 200);
}

TEST(Costs, AndAPriceOfSplits) {
  Random random(12);
  int splits = 0;
  for (int round = 0; round < 500; ++round) {
    const CostCase drawn = draw_cost_matrix(random);
    Options options = of_depth(drawn.depth);
    options.ccp_alpha = 0.05 * static_cast<double>(1 + random.below(4));
    const char* const scales[] = {"majority-errors", "rows", "errors"};
    options.alpha_scale = scales[random.below(3)];
    const Result result = fit(drawn.data, options);
    BruteForce brute(drawn.data);
    // What the best single label costs above the cheapest ones.
    double least = 0;
    for (std::size_t row = 0; row < drawn.data.rows(); ++row) {
      const auto of_class = drawn.data.costs.begin() + drawn.data.labels[row] * static_cast<std::ptrdiff_t>(drawn.data.classes());
      least += drawn.data.weight(row) * *std::min_element(of_class, of_class + static_cast<std::ptrdiff_t>(drawn.data.classes()));
    }
    const double excess = brute.best_cost(0, 0, 0) - least;
    const double scale = options.alpha_scale == "errors"         ? 1
                         : options.alpha_scale == "rows"         ? drawn.data.total_weight()
                         : excess > 1e-9 * magnitude(drawn.data) ? excess
                                                                 : 1;
    EXPECT_NEAR(result.objective_function->error_scale(), scale, 1e-9 * (magnitude(drawn.data) + scale)) << shown(drawn);
    EXPECT_NEAR(result.objective * scale, brute.best_cost(drawn.depth, 7, options.ccp_alpha * scale), 2e-9 * magnitude(drawn.data))
        << shown(drawn);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_EQ(check_origin(result, without_costs(drawn.data)), Sentences{});
    splits += static_cast<int>(result.tree.splits());
  }
  EXPECT_GT(splits, 200);
}

TEST(Costs, BoundsOfStoppedRunsHold) {
  Random random(13);
  int stopped = 0;
  for (int round = 0; round < 400; ++round) {
    CostCase drawn = draw_cost_matrix(random);
    drawn.depth = 3;
    const double least = BruteForce(drawn.data).best_cost(3, 7, 0), tolerance = 1e-9 * magnitude(drawn.data);
    Options options = of_depth(3);
    options.alpha_scale = "errors";
    options.node_limit = static_cast<std::int64_t>(random.below(12));
    double last = std::numeric_limits<double>::infinity();
    FitHooks hooks;
    hooks.listener = [&](const Progress& news) {
      EXPECT_LE(news.bound, least + tolerance) << shown(drawn);
      EXPECT_GE(news.incumbent, least - tolerance) << shown(drawn);
      EXPECT_LE(news.incumbent, last);
      last = news.incumbent;
    };
    const Result result = fit(drawn.data, options, hooks);
    EXPECT_LE(result.bound, least + tolerance) << shown(drawn);
    EXPECT_GE(result.objective, least - tolerance) << shown(drawn);
    EXPECT_NEAR(result.objective, last, tolerance);
    EXPECT_EQ(check_claims(result, without_costs(drawn.data)), Sentences{}) << shown(drawn);
    stopped += result.status == Status::node_limit;
  }
  EXPECT_GT(stopped, 50);
}

TEST(Costs, OfOneForEachErrorChangeNothing) {
  Random random(14);
  for (const char* method : {"oct", "cart", "oct-h", "tao", "local", "cart-h", "logistic-h"}) {
    for (int round = 0; round < 12; ++round) {
      CostCase drawn = draw_cost_matrix(random);
      Options options = options_of({{"method", method}, {"max_depth", "2"}});
      options.ccp_alpha = round % 3 == 0 ? 0.03 : 0;
      options.alpha_scale = round % 2 == 0 ? "majority-errors" : "rows";
      if (round % 4 == 1) options.class_weight = "balanced";
      drawn.data.costs.clear();
      const Result errors = fit(drawn.data, options);
      drawn.data.costs = ones(drawn.data.classes());
      const Result costs = fit(drawn.data, options);
      EXPECT_EQ(costs.tree, errors.tree) << method << "\n" << shown(drawn);
      EXPECT_EQ(costs.objective, errors.objective) << method << "\n" << shown(drawn);
      EXPECT_EQ(costs.bound, errors.bound) << method << "\n" << shown(drawn);
      EXPECT_EQ(costs.errors, errors.errors);
      EXPECT_EQ(*costs.cost, errors.errors);
      EXPECT_EQ(costs.status, errors.status);
      EXPECT_EQ(costs.verified, errors.verified);
      EXPECT_EQ(costs.options, errors.options);
    }
  }
}

TEST(Costs, OfTwoClassesAreWeights) {
  Random random(15);
  for (int round = 0; round < 60; ++round) {
    testing::DataShape shape;
    shape.max_rows = 30;
    shape.max_classes = 2;
    Dataset data = testing::random_data(random, shape);
    const double missed = 1 + static_cast<double>(random.below(9)), alarm = 1 + static_cast<double>(random.below(9));
    Dataset weighted = data;
    for (const std::int32_t label : data.labels) weighted.weights.push_back(label == 0 ? alarm : missed);
    data.costs = {0, alarm, missed, 0};
    const Result costs = fit(data, of_depth(2)), weights = fit(weighted, of_depth(2));
    EXPECT_EQ(*costs.cost, weights.errors);
    EXPECT_EQ(costs.objective, weights.objective);
    // The leaves tell shares of the classes, not of what they cost.
    EXPECT_EQ(costs.tree.nodes().front().class_weight, data.class_totals());
  }
}

TEST(Costs, LabelALeafByItsCheapestLabel) {
  Dataset data = iris();
  // Versicolor and virginica cost little as one another's, and a wrong setosa much.
  data.costs = {0, 20, 20, 50, 0, 1, 50, 1, 0};
  const Result one = fit(data, of_depth(0));
  EXPECT_EQ(one.tree.nodes().front().label, 1) << "the first of two";
  EXPECT_EQ(*one.cost, 50 * 20 + 50 * 1);
  EXPECT_EQ(one.errors, 100);
  data.costs = {0, 1, 3, 9, 0, 3, 9, 1, 0};
  data.weights.assign(150, 1.0);
  for (std::size_t row = 0; row < 50; ++row) data.weights[row] = 1.5;
  const Result majority = fit(without_costs(data), of_depth(0)), cheapest = fit(data, of_depth(0));
  EXPECT_EQ(majority.tree.nodes().front().label, 0);
  EXPECT_EQ(cheapest.tree.nodes().front().label, 1);
  EXPECT_EQ(cheapest.tree.predict_proba(data)[0], 75.0 / 175);
  EXPECT_EQ(explain::headline(cheapest),
            "No tree with at most 0 questions on a path costs less than 125 on these 150 rows (0.714 a unit of weight)");
}

TEST(Costs, NothingToGain) {
  Dataset data = iris();
  for (const std::vector<double>& costs : {std::vector<double>(9, 2.5), std::vector<double>{0, 1, 1, 0, 1, 1, 0, 1, 1}}) {
    data.costs = costs;
    for (const char* method : {"oct", "cart", "tao"}) {
      const Result result = fit(data, options_of({{"method", method}}));
      EXPECT_EQ(result.tree.splits(), 0u);
      EXPECT_EQ(result.status, std::string_view(method) == "oct" ? Status::optimal : Status::heuristic);
      EXPECT_EQ(*result.cost, costs.front() == 0 ? 0 : 375);
      EXPECT_EQ(result.bound, result.objective);
      EXPECT_EQ(check_claims(result, iris()), Sentences{});
      EXPECT_EQ(check_origin(result, iris()), Sentences{});
    }
  }
}

TEST(Costs, HeuristicsNeverClaimLessThanTheOptimum) {
  Random random(16);
  for (int round = 0; round < 40; ++round) {
    const CostCase drawn = draw_cost_matrix(random);
    for (const char* method : {"cart", "oct-h", "tao", "local", "cart-h", "logistic-h"}) {
      Options options = options_of({{"method", method}});
      options.max_depth = drawn.depth;
      const Result result = fit(drawn.data, options);
      EXPECT_EQ(check_claims(result, without_costs(drawn.data)), Sentences{}) << method << "\n" << shown(drawn);
      EXPECT_EQ(check_origin(result, without_costs(drawn.data)), Sentences{}) << method << "\n" << shown(drawn);
      if (std::string_view(method) == "cart") {
        EXPECT_GE(*result.cost, BruteForce(drawn.data).best_cost(drawn.depth, 7, 0) - 1e-9 * magnitude(drawn.data));
      }
    }
  }
}

TEST(Costs, CheckFindsWhatWasChanged) {
  Dataset data = iris();
  data.costs = {0, 1, 1, 5, 0, 1, 5, 2, 0};
  const Result honest = fit(data, of_depth(1));
  EXPECT_EQ(check_claims(honest, iris()), Sentences{});
  const auto found = [&](const std::function<void(Result&)>& change) {
    Result result = honest;
    change(result);
    std::string all;
    for (const Sentences& sentences : {check_claims(result, iris()), check_origin(result, iris())}) {
      for (const std::string& sentence : sentences) all += sentence + "\n";
    }
    return all;
  };
  const auto expect = [](const std::string& sentences, const char* part) {
    EXPECT_NE(sentences.find(part), std::string::npos) << sentences;
  };
  expect(found([](Result& r) { *r.cost -= 1; }), "the cost is 50 by recount, but 49 is claimed");
  expect(found([](Result& r) { r.cost.reset(); }), "not both there");
  expect(found([](Result& r) { r.method = "svm1"; }), "its options name 'oct'");
  expect(found([](Result& r) { r.objective_function = plain_errors(); }), "not both there");
  const auto with = [&](double alpha, double scale, std::vector<double> costs) {
    return found([&](Result& r) { r.objective_function = std::make_shared<CostObjective>(alpha, scale, std::move(costs)); });
  };
  const double scale = honest.objective_function->error_scale();
  expect(with(0, scale, {0, 1, 1, 5, 0, 1.5, 5, 2, 0}), "the cost is 75 by recount, but 50 is claimed");
  expect(with(0, scale, {0, 1, 1, 5, 0, 9, 5, 2, 0}), "costs less");
  expect(with(0, 2 * scale, data.costs), "the objective is");
  expect(with(0, scale, {0, 1, 1, 0}), "there are 4 costs for 3 classes");
  std::string text = to_json(honest);
  text.replace(text.find("\"cost\": 50"), 10, "\"cost\": 40");
  EXPECT_TRUE(from_json(text, "memory").edited);
  EXPECT_EQ(select::solve_again(honest, iris(), 60).broken, Sentences{});
  Result wrong = honest;
  wrong.bound += 0.1;
  EXPECT_NE(select::solve_again(wrong, iris(), 60).broken, Sentences{});
}

// A cost that forbids a label, however large, must not hide the other ones: the least cost is found to the last unit, or the costs are
// refused.
TEST(Costs, OfForbiddenLabelsHideNoOthers) {
  Random random(47);
  int told = 0, refused = 0, dearer = 0;
  for (int round = 0; round < 400; ++round) {
    CostCase drawn = rows_for_costs(random, 4);
    drawn.data.weights.clear();
    const double forbids = std::pow(10.0, 3 + static_cast<double>(random.below(16)));
    const std::size_t classes = drawn.data.classes();
    for (std::size_t k = 0; k < classes * classes; ++k) {
      const bool right = k % (classes + 1) == 0;
      drawn.data.costs.push_back(right ? 0 : random.below(3) == 0 ? forbids : 1 + static_cast<double>(random.below(5)));
    }
    try {
      const Result result = fit(drawn.data, of_depth(drawn.depth));
      EXPECT_EQ(result.status, Status::optimal) << shown(drawn);
      EXPECT_NEAR(*result.cost, BruteForce(drawn.data).best_cost(drawn.depth, 7, 0), 0.25) << shown(drawn);
      told += forbids >= 1e6;
      // A checker knows sums as well: a tree that costs more is not optimal to it.
      proof::Verified verified_bound;
      verified_bound.bound = *result.cost;
      const Claim of = Claim::of(result, drawn.data, "proof");
      EXPECT_TRUE(compare(result, drawn.data, of, verified_bound, "proof").optimal) << shown(drawn);
      Result worse = result;
      worse.tree = fit(drawn.data, of_depth(std::max(0, drawn.depth - 1))).tree;
      if (result.objective_function->of(worse.tree, drawn.data) * result.objective_function->error_scale() < *result.cost + 0.5) continue;
      EXPECT_FALSE(compare(worse, drawn.data, of, verified_bound, "proof").optimal) << shown(drawn);
      ++dearer;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("use costs and weights that differ less"), std::string::npos) << error.what();
      EXPECT_GE(forbids, 1e9) << shown(drawn);
      ++refused;
    }
  }
  EXPECT_GE(told, 50);
  EXPECT_GE(refused, 50);
  EXPECT_GE(dearer, 50);
}

TEST(Costs, AreRefusedWhereTheyCannotBeUsed) {
  Dataset data = iris();
  data.costs = ones(3);
  const auto refused = [&](const testing::Settings& settings, const std::vector<std::string>& parts) {
    expect_error([&] { train(data, settings); }, parts);
  };
  for (const char* method : {"svm1", "margot", "partition", "binoct"})
    refused({{"method", method}}, {"method", "cannot minimize costs", "use one of oct, auto, oct-h, tao, local, logistic-h, cart-h, cart"});
  refused({{"alpha_scale", "baseline-correct"}}, {"alpha_scale", "counts rows"});
  data.costs.pop_back();
  refused({}, {"costs", "8 costs for 3 classes"});
  data.costs.push_back(std::numeric_limits<double>::infinity());
  refused({}, {"not finite"});
  data.costs = {0, 1e-20, 1, 1e20, 0, 1, 1, 1, 0};
  refused({}, {"costs", "differ less"});
}

}  // namespace
}  // namespace treewright
