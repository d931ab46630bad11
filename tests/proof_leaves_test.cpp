// Proofs about trees whose leaves hold a least number of rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/brute_force.h"
#include "support/draw_case.h"
#include "support/random_data.h"
#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/proof/table.h"
#include "treewright/search/exact.h"
#include "treewright/search/prove/prove.h"

namespace treewright {
namespace {

struct Case {
  Dataset data;
  search::ExactSearchOptions options;
  double best = 0;  // by brute force
};

double best_of(const Dataset& data, const search::ExactSearchOptions& options) {
  testing::BruteForce every(data, options.min_rows);
  const std::int64_t most = (std::int64_t{1} << options.max_depth) - 1;
  return every.best_cost(options.max_depth, static_cast<int>(options.max_splits < 0 ? most : std::min(options.max_splits, most)),
                         options.split_price);
}

// Equal rows, weights (some of them 0), missing values, categories and prices.
std::optional<Case> draw(Random& random) {
  Case drawn;
  drawn.data = testing::draw_data(random, {4, 18, 1, 3, 2, 4, 4});
  if (!testing::has_two_classes(drawn.data)) return {};
  if (random.below(3) == 0) {
    for (std::size_t row = 0; row < drawn.data.rows(); ++row) drawn.data.weights.push_back(static_cast<double>(random.below(4)));
    if (drawn.data.total_weight() == 0) return {};
  }
  drawn.options.max_depth = static_cast<int>(random.below(5));
  const double prices[] = {0, 0, 0.5, 1};
  drawn.options.split_price = prices[random.below(4)];
  if (random.below(3) == 0) drawn.options.max_splits = static_cast<std::int64_t>(random.below(6));
  drawn.options.min_rows = 2 + static_cast<std::int64_t>(random.below(4));
  drawn.options.threads = 1 + static_cast<int>(random.below(2));
  drawn.best = best_of(drawn.data, drawn.options);
  return drawn;
}

proof::Proof prove(const Case& of) {
  Tree leaf(of.data);
  leaf.tally(of.data);
  Deadline deadline;
  const auto found = search::search_exact(of.data, of.options, leaf, deadline);
  return *search::prove(of.data, of.data, of.options, found, deadline);
}

// What a proof shows, in weight of rows; nothing if it is refused.
std::optional<double> bound_of(const proof::Proof& proof, const Dataset& data) {
  try {
    return proof::verify(proof, data, "proof").bound;
  } catch (const Error&) {
    return {};
  }
}

TEST(ProofOfLeaves, EveryBoundIsShownAndNoneAboveIt) {
  Random random(21);
  int dearer = 0, long_ones = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::optional<Case> drawn = draw(random);
    if (!drawn) continue;
    const proof::Proof made = prove(*drawn);
    const std::string bytes = proof::to_bytes(made, "test");
    const proof::Proof read = proof::from_bytes(bytes, "bytes");
    EXPECT_EQ(proof::to_bytes(read, "test"), bytes);
    EXPECT_EQ(read.min_rows, drawn->options.min_rows);
    EXPECT_NEAR(proof::verify(read, drawn->data, "bytes").bound, drawn->best, 1e-9) << "round " << round;
    proof::Proof raised = read;
    ++raised.bound;
    EXPECT_EQ(bound_of(raised, drawn->data), std::nullopt) << "round " << round;
    search::ExactSearchOptions any = drawn->options;
    any.min_rows = 1;
    if (best_of(drawn->data, any) < drawn->best - 1e-9) ++dearer;
    if (made.body.size() > 30) ++long_ones;
  }
  EXPECT_GT(dearer, 200);
  EXPECT_GT(long_ones, 100);
}

// Whatever is changed in the body or the limit, nothing above the optimum is accepted.
TEST(ProofOfLeaves, ChangedProofsShowNothingFalse) {
  Random random(22);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::optional<Case> drawn = draw(random);
    if (!drawn) continue;
    proof::Proof changed = prove(*drawn);
    if (random.below(2) == 0) changed.bound += static_cast<std::int64_t>(1 + random.below(2)) << changed.grid;
    if (random.below(3) == 0) changed.min_rows = 1 + static_cast<std::int64_t>(random.below(5));
    if (!changed.body.empty() && random.below(4) > 0) {
      char& byte = changed.body[random.below(changed.body.size())];
      byte = static_cast<char>(random.below(2) == 0 ? byte + 1 : byte - 1);
    }
    drawn->options.min_rows = changed.min_rows;
    const auto bound = bound_of(changed, drawn->data);
    refused += !bound;
    EXPECT_LE(bound.value_or(0), best_of(drawn->data, drawn->options) + 1e-9) << "round " << round;
  }
  EXPECT_GT(refused, 800);
}

}  // namespace
}  // namespace treewright
