// Limits on the leaves of trees of least cost, compared with every tree within them.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/brute_force.h"
#include "support/cost_case.h"
#include "support/training.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/result.h"
#include "treewright/select/solve_again.h"

namespace treewright {
namespace {

using testing::BruteForce;
using testing::CostCase;
using testing::magnitude;
using testing::shown;

using Sentences = std::vector<std::string>;

CostCase draw(Random& random) {
  return random.below(2) == 0 ? testing::draw_cost_matrix(random) : testing::draw_policy(random);
}

// Some of the limits, within what the rows can keep.
Options with_limits(Random& random, const CostCase& drawn, bool weights) {
  Options options = testing::of_depth(drawn.depth);
  options.alpha_scale = "errors";
  const auto n = static_cast<std::int64_t>(drawn.data.rows());
  options.min_samples_leaf = static_cast<double>(std::min<std::int64_t>(n, 1 + static_cast<std::int64_t>(random.below(5))));
  if (weights) options.min_weight_fraction_leaf = 0.3 * random.uniform();
  if (random.below(2) == 0) options.max_splits = static_cast<std::int64_t>(random.below(5));
  if (random.below(2) == 0) options.ccp_alpha = 0.1 * magnitude(drawn.data) * random.uniform() / static_cast<double>(n);
  return options;
}

double least_cost(const CostCase& drawn, const Options& options) {
  const int most = options.max_splits < 0 ? 7 : static_cast<int>(options.max_splits);
  BruteForce brute(drawn.data, static_cast<std::int64_t>(options.min_samples_leaf),
                   options.min_weight_fraction_leaf * drawn.data.total_weight());
  return brute.best_cost(drawn.depth, most, options.ccp_alpha);
}

void expect_claims_hold(const Result& result, const CostCase& drawn) {
  const Result read = from_json(to_json(result), "memory");
  EXPECT_EQ(check_claims(read, drawn.data), Sentences{}) << shown(drawn);
  EXPECT_EQ(check_origin(read, drawn.data), Sentences{}) << shown(drawn);
}

TEST(CostLimits, LengthyRowsOfLeavesAndSplits) {
  Random random(31);
  int splits = 0, bound_by_limit = 0;
  for (int round = 0; round < 1500; ++round) {
    const CostCase drawn = draw(random);
    const Options options = with_limits(random, drawn, false);
    const Result result = fit(drawn.data, options);
    const double tolerance = 2e-9 * magnitude(drawn.data);
    ASSERT_EQ(result.status, Status::optimal) << result.proved << "\n" << shown(drawn);
    ASSERT_NEAR(result.objective, least_cost(drawn, options), tolerance) << shown(drawn);
    expect_claims_hold(result, drawn);
    splits += static_cast<int>(result.tree.splits());
    bound_by_limit += result.objective > BruteForce(drawn.data).best_cost(drawn.depth, 7, options.ccp_alpha) + tolerance;
    if (round % 10 == 0) {
      EXPECT_EQ(select::solve_again(result, drawn.data, 60).broken, Sentences{});
    }
  }
  EXPECT_GT(splits, 500);
  EXPECT_GT(bound_by_limit, 300);
}

TEST(CostLimits, EveryPruningRuleKeepsTheOptimum) {
  Random random(32);
  for (int round = 0; round < 150; ++round) {
    const CostCase drawn = draw(random);
    Options options = with_limits(random, drawn, false);
    const double least = least_cost(drawn, options);
    for (const char* rules : {"bit_sets", "merge_rows", "core_rows,lipschitz", "known_bounds,merge_orderings"}) {
      options.disable = rules;
      EXPECT_NEAR(fit(drawn.data, options).objective, least, 2e-9 * magnitude(drawn.data)) << rules << "\n" << shown(drawn);
    }
  }
}

// The search counts rows, so that the weight of leaves may leave a gap. What weighs are the rows of the data, not their gains.
TEST(CostLimits, LengthyWeightOfLeaves) {
  Random random(33);
  int proved = 0, open = 0;
  for (int round = 0; round < 800; ++round) {
    const CostCase drawn = draw(random);
    const Options options = with_limits(random, drawn, true);
    const Result result = fit(drawn.data, options);
    const double tolerance = 2e-9 * magnitude(drawn.data), least = least_cost(drawn, options);
    EXPECT_LE(result.bound, least + tolerance) << shown(drawn);
    EXPECT_GE(result.objective, least - tolerance) << shown(drawn);
    expect_claims_hold(result, drawn);
    if (result.status == Status::optimal) {
      EXPECT_NEAR(result.objective, least, tolerance) << shown(drawn);
    }
    (result.status == Status::optimal ? proved : open) += 1;
  }
  EXPECT_GT(proved, 400);
  EXPECT_GT(open, 5);
}

TEST(CostLimits, LengthyHeuristicsKeepThem) {
  Random random(34);
  int splits = 0;
  for (int round = 0; round < 300; ++round) {
    const CostCase drawn = draw(random);
    for (const char* method : {"cart", "tao", "local", "oct-h", "cart-h", "logistic-h"}) {
      Options options = with_limits(random, drawn, round % 2 == 1);
      options.method = method;
      options.ccp_alpha = 0;
      if (options.method == "cart") options.min_samples_split = 2 + static_cast<std::int64_t>(random.below(6));
      const Result result = fit(drawn.data, options);
      expect_claims_hold(result, drawn);
      splits += static_cast<int>(result.tree.splits());
      const auto& nodes = result.tree.nodes();
      for (std::size_t i = 0; i < nodes.size() && options.method == "cart"; ++i) {
        EXPECT_TRUE(nodes[i].is_leaf() || nodes[i].rows >= options.min_samples_split);
      }
    }
  }
  EXPECT_GT(splits, 300);
}

// A matrix of ones is errors.
TEST(CostLimits, OnesAreErrors) {
  Random random(35);
  for (int round = 0; round < 200; ++round) {
    CostCase drawn = testing::draw_cost_matrix(random);
    const std::size_t k = drawn.data.classes();
    drawn.data.costs.assign(k * k, 1.0);
    for (std::size_t i = 0; i < k; ++i) drawn.data.costs[i * k + i] = 0;
    const Options options = with_limits(random, drawn, round % 2 == 1);
    Dataset plain = drawn.data;
    plain.costs.clear();
    const Result with = fit(drawn.data, options), without = fit(plain, options);
    EXPECT_EQ(with.tree, without.tree) << shown(drawn);
    EXPECT_EQ(with.status, without.status);
  }
}

}  // namespace
}  // namespace treewright
