#include "treewright/tune.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/brute_force.h"
#include "support/make_data.h"
#include "support/path_corners.h"
#include "support/random_data.h"
#include "support/training.h"
#include "treewright/data.h"
#include "treewright/mip/highs.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

using testing::iris;

void give_weights(Random& random, Dataset& data) {
  do {
    data.weights.clear();
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(0.1 + 3 * random.uniform());
  } while (!testing::has_two_classes(data));
}

TEST(ComplexityPath, IsTheHullOfBruteForce) {
  Random random(1984);
  int longest = 0;
  for (int round = 0; round < 300; ++round) {
    Dataset data = testing::random_data(random, {14, 3, 3, round % 3 == 0, round % 2 == 0, 8});
    if (round % 2 == 1) give_weights(random, data);
    Options options;
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    options.min_samples_leaf = 1 + static_cast<double>(random.below(2));
    if (random.below(4) == 0) options.max_splits = static_cast<std::int64_t>(random.below(5));
    const char* scales[] = {"majority-errors", "baseline-correct", "rows", "errors"};
    options.alpha_scale = scales[random.below(4)];
    options.min_samples_leaf = std::min(options.min_samples_leaf, static_cast<double>(data.rows()));
    const std::int64_t full = (std::int64_t{1} << options.max_depth) - 1;
    const int splits = static_cast<int>(options.max_splits < 0 ? full : std::min(options.max_splits, full));
    const std::vector<testing::PathCorner> expected = testing::path_corners(
        testing::BruteForce(data, static_cast<std::int64_t>(options.min_samples_leaf)).best(static_cast<int>(options.max_depth), splits));

    const ComplexityPath path = complexity_path(data, options);
    ASSERT_EQ(path.status, Status::optimal);
    ASSERT_EQ(path.points.size(), expected.size()) << "round " << round << "\n" << testing::to_string(data);
    longest = std::max(longest, static_cast<int>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const PathPoint& point = path.points[i];
      EXPECT_EQ(point.splits, expected[i].splits) << "round " << round;
      EXPECT_NEAR(point.errors, expected[i].loss, 1e-9);
      EXPECT_EQ(check_claims(point.result, data), std::vector<std::string>());
      EXPECT_EQ(point.result.status, Status::optimal);
      // The tree must come out again where the path says it is optimal.
      Options inside = options;
      inside.ccp_alpha = i == 0 ? 1.5 * point.alpha_low + 0.1 : (point.alpha_low + point.alpha_high) / 2;
      if (point.alpha_high > point.alpha_low) {
        const Result again = fit(data, inside);
        EXPECT_EQ(again.tree.splits(), point.result.tree.splits());
        EXPECT_NEAR(again.errors, point.errors, 1e-9);
      }
    }
  }
  EXPECT_GE(longest, 4) << "the data are too easy to test the recursion";
}

TEST(ComplexityPath, IntervalsOfAlphaMeet) {
  const ComplexityPath path = complexity_path(iris(), {});
  ASSERT_EQ(path.points.size(), 6u);
  EXPECT_NEAR(path.points[1].alpha_low, 0.44, 1e-12);  // one split errs on 50, two on 6 of the root's 100
  EXPECT_EQ(path.points.front().alpha_high, std::numeric_limits<double>::infinity());
  EXPECT_EQ(path.points.back().alpha_low, 0);
  for (std::size_t i = 1; i < path.points.size(); ++i) {
    EXPECT_EQ(path.points[i].alpha_high, path.points[i - 1].alpha_low);
    EXPECT_LT(path.points[i].alpha_low, path.points[i].alpha_high);
    EXPECT_LT(path.points[i].errors, path.points[i - 1].errors);
  }
}

TEST(ComplexityPath, ClassWeightsCount) {
  Random random(5);
  const Dataset data = testing::random_data(random, {40, 3, 2, false, false, 20});
  Options options;
  options.class_weight = "c0=5";
  Dataset weighted = data;
  apply_class_weights(weighted, options.class_weight);
  const ComplexityPath path = complexity_path(data, options);
  for (const PathPoint& point : path.points) EXPECT_EQ(check_claims(point.result, weighted), std::vector<std::string>());
  EXPECT_NE(path.points.front().errors, complexity_path(data, {}).points.front().errors);
}

TEST(ComplexityPath, ALimitIsTold) {
  Random random(8);
  const Dataset data = testing::random_data(random, {60, 3, 3, false, false, 30});
  Options options;
  options.node_limit = 0;
  const ComplexityPath path = complexity_path(data, options);
  EXPECT_EQ(path.status, Status::node_limit);
  ASSERT_FALSE(path.points.empty());
  for (const PathPoint& point : path.points) {
    for (const std::string& broken : check_claims(point.result, data)) ADD_FAILURE() << broken;
  }
}

TEST(ComplexityPath, OfCartIsItsPrunings) {
  const Dataset data = iris();
  Options options;
  options.method = "cart";
  const ComplexityPath path = complexity_path(data, options);
  EXPECT_EQ(path.status, Status::heuristic);
  ASSERT_GE(path.points.size(), 3u);
  EXPECT_EQ(path.points.front().splits, 0);
  EXPECT_EQ(path.points.back().result.tree, fit(data, options).tree);
  for (std::size_t i = 1; i < path.points.size(); ++i) EXPECT_GT(path.points[i].splits, path.points[i - 1].splits);
}

// BD17 sec. 3, by the paper's model.
TEST(ComplexityPath, OfTheModelIsThatOfTheSearch) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Options options;
  options.max_depth = 2;
  options.min_samples_leaf = 8;
  const ComplexityPath searched = complexity_path(iris(), options);
  options.solver = "mip";
  ASSERT_TRUE(has_path(options.method));
  const ComplexityPath modeled = complexity_path(iris(), options);
  EXPECT_EQ(modeled.status, Status::optimal);
  ASSERT_EQ(modeled.points.size(), searched.points.size());
  EXPECT_GT(modeled.points.size(), 2u);
  for (std::size_t i = 0; i < modeled.points.size(); ++i) {
    EXPECT_EQ(modeled.points[i].splits, searched.points[i].splits);
    EXPECT_EQ(modeled.points[i].errors, searched.points[i].errors);
    EXPECT_DOUBLE_EQ(modeled.points[i].alpha_low, searched.points[i].alpha_low);
    EXPECT_DOUBLE_EQ(modeled.points[i].alpha_high, searched.points[i].alpha_high);
  }
}

// Two classes on both sides of x + y = 1, with one row on the wrong side: a split by x or y alone errs on two rows.
Dataset two_sides() {
  return testing::make_data({testing::numbers("x", {0.1, 0.2, 0.3, 0.6, 0.7, 0.4, 0.5, 0.8, 0.9, 0.35}),
                             testing::numbers("y", {0.3, 0.6, 0.1, 0.2, 0.05, 0.9, 0.8, 0.5, 0.7, 0.3})},
                            {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
}

std::vector<std::pair<std::size_t, double>> terms_and_errors(const ComplexityPath& path) {
  std::vector<std::pair<std::size_t, double>> found;
  for (const PathPoint& point : path.points) found.emplace_back(point.result.tree.terms(), point.errors);
  return found;
}

// BD17 sec. 4.3.
TEST(ComplexityPath, OfHyperplanesIsOverTheirFeatures) {
  Options options;
  options.method = "oct-h";
  options.max_depth = 1;
  const ComplexityPath path = complexity_path(two_sides(), options);
  EXPECT_EQ(path.status, Status::heuristic);
  EXPECT_EQ(terms_and_errors(path), (std::vector<std::pair<std::size_t, double>>{{0, 5}, {1, 2}, {2, 1}}));
}

TEST(ComplexityPath, OfHyperplanesHasNoTreeThatAnotherBeats) {
  Options options;
  options.method = "oct-h";
  options.max_depth = 2;
  const ComplexityPath path = complexity_path(iris(), options);
  ASSERT_GE(path.points.size(), 4u);
  const double scale = ErrorObjective::from(options, iris()).error_scale();
  for (const PathPoint& here : path.points) {
    EXPECT_EQ(check_claims(here.result, iris()), std::vector<std::string>());
    const double alpha = std::isfinite(here.alpha_high) ? (here.alpha_low + here.alpha_high) / 2 : 2 * here.alpha_low;
    const auto cost = [&](const PathPoint& point) { return point.errors / scale + alpha * static_cast<double>(point.result.tree.terms()); };
    for (const PathPoint& other : path.points) EXPECT_GE(cost(other), cost(here));
  }
}

TEST(ComplexityPath, OfTheHyperplaneModelIsProved) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Options options;
  options.method = "oct-h";
  options.solver = "mip";
  options.max_depth = 1;
  const ComplexityPath path = complexity_path(two_sides(), options);
  EXPECT_EQ(path.status, Status::optimal);
  EXPECT_EQ(terms_and_errors(path), (std::vector<std::pair<std::size_t, double>>{{0, 5}, {1, 2}, {2, 1}}));
  for (const PathPoint& point : path.points) EXPECT_EQ(check_claims(point.result, two_sides()), std::vector<std::string>());
}

}  // namespace
}  // namespace treewright
