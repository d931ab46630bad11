#include "treewright/methods/partition/dp_prime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/mip_case.h"
#include "treewright/formulate/oct.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"
#include "treewright/reduce/data_partition.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::random_data;

struct Clustered {
  Dataset data, representatives;
  reduce::DataPartition partition;
  formulate::FormulationOptions options;
};

// Few rows, in clusters of one class by chance.
Clustered random_case(Random& random) {
  Clustered c;
  c.data = random_data(random, {9, 2, 3, random.below(3) == 0, random.below(4) == 0, 5});
  testing::give_weights(random, static_cast<testing::Weights>(random.below(2)), c.data);
  for (std::size_t row = 0; row < c.data.rows(); ++row) {
    const auto same = std::find_if(c.partition.clusters.begin(), c.partition.clusters.end(), [&](const auto& cluster) {
      return c.data.labels[cluster[0]] == c.data.labels[row] && random.below(2) == 0;
    });
    if (same == c.partition.clusters.end()) {
      c.partition.clusters.push_back({static_cast<std::int32_t>(row)});
    } else {
      same->push_back(static_cast<std::int32_t>(row));
    }
  }
  c.representatives = reduce::barycenters(c.data, c.partition);
  c.options.max_depth = 1 + static_cast<int>(random.below(2));
  c.options.max_splits = 1 + static_cast<std::int64_t>(random.below(3));
  c.options.price = 1.0 / (static_cast<double>(c.options.max_splits) + 1);
  const char* const off[] = {"", "all", "thresholds", "thresholds,side_rows,tight_m", "leaf_losses", "merge_rows,leaf_losses,wrong_labels"};
  c.options.rules = formulate::strengthening_without(off[random.below(std::size(off))]);
  return c;
}

Tree optimal_tree(const Dataset& data, const formulate::FormulationOptions& options) {
  testing::MipCase c{data, options, {}};
  return testing::exact_optimum(c).first;
}

// The optimum of (DP') by its definition: the best of the optima over all choices of representatives.
double best_over_choices(const Clustered& c, std::size_t cluster, std::vector<std::int32_t>& rows) {
  if (cluster == c.partition.size()) {
    Dataset chosen = c.representatives;
    chosen.columns = c.data.subset(rows).columns;
    const Tree tree = optimal_tree(chosen, c.options);
    return count_errors(tree, chosen) + c.options.price * static_cast<double>(tree.splits());
  }
  double best = std::numeric_limits<double>::infinity();
  for (const std::int32_t row : c.partition.clusters[cluster]) {
    rows[cluster] = row;
    best = std::min(best, best_over_choices(c, cluster + 1, rows));
  }
  return best;
}

TEST(FormulateDpPrime, TreesAreFeasibleAndCostWhatTheyShould) {
  Random random(41);
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    const Clustered c = random_case(random);
    if (formulate::Cells::from(c.data, true).orderings().empty()) continue;
    const partition::DpPrimeFormulation formulation(c.data, c.partition.clusters, c.representatives, c.options);
    const Tree tree = optimal_tree(c.data, c.options);
    const auto values = formulation.encode(tree);
    ASSERT_TRUE(values.has_value());
    const double cost = formulation.cost_of(tree);
    // A relaxation, tree by tree.
    EXPECT_LE(cost, count_errors(tree, c.data) + c.options.price * static_cast<double>(tree.splits()) + 1e-9);
    EXPECT_EQ(formulation.model().broken(*values), std::vector<std::string>{}) << testing::to_string(c.data);
    EXPECT_NEAR(formulation.model().objective(*values), cost, 1e-9) << testing::to_string(c.data);
    // There and back again.
    Tree back = formulation.decode(*values);
    EXPECT_EQ(back.predict(c.data), tree.predict(c.data)) << testing::to_string(c.data);
    ++compared;
  }
  EXPECT_GT(compared, 150);
}

TEST(FormulateDpPrime, HeavyIsTheBestChoiceOfRepresentatives) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(42);
  for (int round = 0; round < 60; ++round) {
    const Clustered c = random_case(random);
    if (formulate::Cells::from(c.data, true).orderings().empty()) continue;
    const partition::DpPrimeFormulation formulation(c.data, c.partition.clusters, c.representatives, c.options);
    Deadline none;
    const mip::MipSolution found = mip::solve(formulation.model(), {}, {}, none);
    ASSERT_EQ(found.status, Status::optimal);
    std::vector<std::int32_t> rows(c.partition.size());
    EXPECT_NEAR(found.objective, best_over_choices(c, 0, rows), 1e-5) << testing::to_string(c.data);
    const std::vector<std::int32_t> chosen = formulation.chosen(found.values);
    for (std::size_t p = 0; p < chosen.size(); ++p) {
      EXPECT_TRUE(std::count(c.partition.clusters[p].begin(), c.partition.clusters[p].end(), chosen[p]) == 1);
    }
    if (HasFailure()) return;
  }
}

TEST(FormulateDp, HeavyIsTheModelOfAllRowsOnWeightedRepresentatives) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(43);
  for (int round = 0; round < 60; ++round) {
    const Clustered c = random_case(random);
    if (formulate::Cells::from(c.representatives, true).orderings().empty()) continue;
    Deadline none;
    const formulate::OctFormulation formulation(c.representatives, c.options, formulate::OctFormulation::Losses::p, none);
    const mip::MipSolution found = mip::solve(formulation.model(), {}, {}, none);
    const Tree tree = optimal_tree(c.representatives, c.options);
    EXPECT_NEAR(found.objective, count_errors(tree, c.representatives) + c.options.price * static_cast<double>(tree.splits()), 1e-5);
  }
}

}  // namespace
}  // namespace treewright
