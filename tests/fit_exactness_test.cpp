// What may be called optimal: the family that was searched, weights that doubles can add, values that a threshold can part.

#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/draw_case.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/fit.h"
#include "treewright/result.h"
#include "treewright/search/items/split_family.h"
#include "treewright/task/objective.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

// A category of 15 levels whose classes no single level tells apart, and a number that helps.
Dataset many_levels(Random& random, int classes) {
  std::vector<std::string> levels;
  for (int level = 0; level < 15; ++level) levels.push_back("l" + std::to_string(level));
  std::vector<std::int32_t> codes, labels;
  std::vector<double> x;
  for (int row = 0; row < 60; ++row) {
    const std::int32_t level = row < 15 ? row : static_cast<std::int32_t>(random.below(15));
    codes.push_back(row >= 15 && random.below(9) == 0 ? -1 : level);
    labels.push_back(static_cast<std::int32_t>(random.below(5) == 0 ? random.below(classes) : level * 7 % classes));
    x.push_back(static_cast<double>(random.below(4)));
  }
  return make_data({categories("c", levels, codes), numbers("x", x)}, labels, classes);
}

TEST(Exactness, AnOptimalTreeLiesInTheSearchedFamily) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    Dataset data = many_levels(random, 2 + static_cast<int>(random.below(2)));
    for (std::size_t row = 0; row < data.rows() && round % 3 == 1; ++row)
      data.weights.push_back(random.below(4) == 0 ? 0 : testing::draw_very_unequal_weight(random));
    Options options;
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    if (round % 4 == 2) options.min_samples_leaf = 1 + static_cast<double>(random.below(8));
    if (round % 5 == 3) options.ccp_alpha = 0.7, options.alpha_scale = "errors";
    const Result result = fit(data, options);
    ASSERT_EQ(result.status, Status::optimal);
    EXPECT_TRUE(search::SplitFamily(data).holds(result.tree, data)) << testing::to_string(data);
    EXPECT_EQ(result.bound, result.objective);
    const auto depth = static_cast<int>(options.max_depth);
    testing::BruteForce brute(data, static_cast<std::int64_t>(options.min_samples_leaf));
    const double scale = options.ccp_alpha > 0 ? 1 : result.objective_function->error_scale();
    EXPECT_NEAR(result.objective * scale, brute.best_cost(depth, (1 << depth) - 1, options.ccp_alpha), 1e-9) << testing::to_string(data);
  }
}

TEST(Exactness, AStartOfAnotherFamilyIsNotUsed) {
  Random random(6);
  int others = 0;
  for (int round = 0; round < 400; ++round) {
    const Dataset data = testing::draw_wide_category(random, 60);
    if (data.classes() > 2 || !testing::has_two_classes(data)) continue;
    Options cart;
    cart.method = "cart";
    cart.max_depth = 2;
    const Tree wide = fit(data, cart).tree;
    const search::SplitFamily family(data);
    if (family.holds(wide, data)) continue;
    ++others;
    Options options;
    options.max_depth = 2;
    FitHooks hooks;
    hooks.starts = {&wide};
    const Result with = fit(data, options, hooks), without = fit(data, options);
    EXPECT_EQ(with.errors, without.errors);
    EXPECT_TRUE(family.holds(with.tree, data));
  }
  EXPECT_GT(others, 3) << "below the root CART parts two classes by the shares of the node";
}

// Methods that search on some of the rows, or with other weights of them, still speak of the splits of all rows.
TEST(Exactness, MethodsOfOneProblemHaveOneFamily) {
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    Dataset data = many_levels(random, 2 + static_cast<int>(random.below(2)));
    Options options;
    options.max_depth = 2;
    const Result optimal = fit(data, options);
    options.method = "partition";
    options.partition_algorithm = "eiia";
    const Result other = fit(data, options);
    ASSERT_EQ(other.status, Status::optimal);
    EXPECT_EQ(other.errors, optimal.errors) << testing::to_string(data);
    EXPECT_TRUE(search::SplitFamily(data).holds(other.tree, data));
  }
}

TEST(Exactness, WeightsThatNoDoubleCanAddAreRefused) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  data.weights = {1e9, 1e-9, 1, 1};
  expect_error([&] { fit(data, {}); }, {"weights", "smallest weight", "differ less"});
  data.weights = {1e300, 1e300, 1e300, 1e308 * 1.7};
  data.weights[0] = 1.7e308;
  expect_error([&] { fit(data, {}); }, {"weights"});
  data.weights = {1e9, 1e-2, 0, 1};
  const Result result = fit(data, {});
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(result.objective, 0);
}

TEST(Exactness, TinyWeightsAreNotRounding) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 1, 0, 1, 0, 0});
  data.weights.assign(6, 1e-10);
  Options options;
  options.max_depth = 3;
  EXPECT_EQ(fit(data, options).objective, 0);
  options.method = "partition";
  EXPECT_EQ(fit(data, options).objective, 0);
}

TEST(Exactness, ValuesNearTheLargestDoubleAreRefused) {
  const Dataset data = make_data({numbers("x", {1, std::numeric_limits<double>::max(), std::nan("")})}, {0, 1, 0});
  expect_error([&] { fit(data, {}); }, {"column 'x', row 1", "too large", "missing"});
}

// The bound is below the optimum by what rounding may hide, and never above it.
TEST(Exactness, WeightsWithoutACommonUnitGiveAHonestBound) {
  Random random(8);
  for (int round = 0; round < 60; ++round) {
    Dataset data = testing::random_data(random, {14, 2, 3, false, false, 8});
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(std::exp(4 * random.normal()));
    Options options;
    options.max_depth = 2;
    options.ccp_alpha = random.below(2) == 0 ? 0 : 0.037;
    options.alpha_scale = "errors";
    const Result result = fit(data, options);
    const double optimum = testing::BruteForce(data, 1).best_cost(2, 3, options.ccp_alpha);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_LE(result.bound, optimum + 1e-15 * data.total_weight());
    EXPECT_NEAR(result.objective, optimum, 1e-12 * data.total_weight());
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
  }
}

TEST(Exactness, APriceThatVanishesBesideTheWeightsBreaksTies) {
  // Two splits on x do what one on y does. Depth two without a price is free to take either.
  Dataset data = make_data({numbers("x", {1, 2, 3, 4}), numbers("y", {0, 1, 1, 0})}, {0, 1, 1, 0});
  Options options;
  options.max_depth = 2;
  options.ccp_alpha = 1e-15;
  for (const double weight : {1.0, 1e14}) {
    data.weights.assign(4, weight);
    for (const char* scale : {"majority-errors", "errors"}) {
      options.alpha_scale = scale;
      const Result result = fit(data, options);
      EXPECT_EQ(result.status, Status::optimal);
      EXPECT_EQ(result.tree.splits(), 1u);
      EXPECT_EQ(result.objective, 1e-15);
      EXPECT_EQ(result.gap(), 0);
    }
  }
}

TEST(Exactness, APriceBelowTheRoundingOfWeightsIsRefused) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 1, 1, 0});
  data.weights = {1e14 / 3, std::sqrt(2) * 1e14, std::exp(1) * 1e14, 1e13};
  Options options;
  options.alpha_scale = "errors";
  options.ccp_alpha = 0.5;
  expect_error([&] { fit(data, options); }, {"ccp_alpha", "vanishes beside the total weight", "use 0, or more than"});
}

TEST(Exactness, AForgedScaleIsCaught) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5})}, {0, 1, 0, 1, 1});
  Options options;
  options.max_depth = 1;
  Result result = fit(data, options);
  const std::string text = to_json(result);
  for (const char* scale : {"0", "-1", "null", "1e400"}) {
    std::string forged = text;
    const std::size_t at = forged.find("\"error_scale\": ") + 15;
    forged.replace(at, forged.find_first_of(",\n", at) - at, scale);
    expect_error([&] { from_json(forged, "tree.json"); }, {"tree.json"});
  }
  const ErrorObjective forged(result.objective_function->price(), 1000);
  result.objective_function = std::make_shared<ErrorObjective>(forged);
  result.objective = result.bound = forged.value(result.errors, result.tree.terms());
  EXPECT_EQ(check_claims(result, data).size(), 1u);
}

}  // namespace
}  // namespace treewright
