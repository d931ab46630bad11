#include "support/source_folder.h"
#include "treewright/methods/partition/refine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/make_data.h"
#include "support/random_subset.h"
#include "support/random_tree.h"
#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/fit.h"
#include "treewright/methods/partition/move_thresholds.h"
#include "treewright/mip/highs.h"
#include "treewright/search/exact.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::BruteForce;
using testing::give_weights;
using testing::make_data;
using testing::numbers;
using testing::random_data;
using testing::Weights;

Options options_of(const std::string& refine, int depth, int splits) {
  Options options;
  options.method = "partition";
  options.partition_algorithm = refine;
  options.max_depth = depth;
  options.max_splits = splits;
  options.n_jobs = 1;
  return options;
}

partition::Refinement refined(const Dataset& data, const Options& options, reduce::DataPartition partition) {
  Deadline deadline(options.time_limit);
  return partition::refine({data, options, partition::kPartitionObjective.from_options(options, data),
                            min_leaf_rows(options.min_samples_leaf, data.rows()), LeafWeight::from(0, data), deadline},
                           std::move(partition));
}

// The tree that is optimal for the representatives, and E~: what it loses of them.
std::pair<Tree, double> optimum_of(const Dataset& representatives, int depth, int splits) {
  Tree leaf(representatives);
  leaf.tally(representatives);
  search::ExactSearchOptions how;
  how.max_depth = depth;
  how.max_splits = splits;
  how.split_price = 1.0 / (splits + 1);
  Deadline none;
  const Tree tree = search::search_exact(representatives, how, leaf, none).tree;
  return {tree, count_errors(tree, representatives)};
}

bool intersects(const Tree& tree, const Dataset& data, const reduce::DataPartition& partition, const Dataset& representatives) {
  const std::vector<std::int32_t> cluster = partition.cluster_of_row();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (tree.route(data, row) != tree.route(representatives, cluster[row])) return true;
  }
  return false;
}

// Rows of one class in clusters by chance.
reduce::DataPartition random_partition(Random& random, const Dataset& data) {
  reduce::DataPartition partition;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto same = std::find_if(partition.clusters.begin(), partition.clusters.end(), [&](const auto& cluster) {
      return data.labels[cluster[0]] == data.labels[row] && random.below(2) == 0;
    });
    if (same == partition.clusters.end()) {
      partition.clusters.push_back({static_cast<std::int32_t>(row)});
    } else {
      same->push_back(static_cast<std::int32_t>(row));
    }
  }
  return partition;
}

std::vector<double> run_of(double from, int count, double step = 1) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(from + step * i);
  return values;
}

// One feature; each block of values is one cluster of one class.
struct Blocks {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  reduce::DataPartition partition;

  void add(std::int32_t label, const std::vector<double>& values) {
    partition.clusters.emplace_back();
    for (const double value : values) {
      partition.clusters.back().push_back(static_cast<std::int32_t>(x.size()));
      x.push_back(value);
      labels.push_back(label);
    }
  }
  Dataset data(int classes = 2) const { return make_data({numbers("x", x)}, labels, classes); }
};

// Examples of the paper, rebuilt: it prints pictures, not numbers.

TEST(Refine, Example4TheRepresentativesMayLoseLess) {
  // 46 rows of three classes, one cluster each; six rows of the first lie behind the second.
  Blocks blocks;
  std::vector<double> first = run_of(0, 14, 0.1);
  for (const double x : run_of(7, 6, 0.1)) first.push_back(x);
  blocks.add(0, first);
  blocks.add(1, run_of(4, 13, 0.1));
  blocks.add(2, run_of(9, 13, 0.1));
  const Dataset data = blocks.data(3);
  ASSERT_EQ(data.rows(), 46u);
  const auto [tree, lost] = optimum_of(reduce::barycenters(data, blocks.partition), 2, 2);
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(count_errors(tree, data), 6);
}

TEST(Refine, Example5TheRepresentativesMayLoseMore) {
  // 50 rows of two classes in nine clusters; the barycenter of a cluster of five lies on the wrong side, one of its rows on the right one.
  Blocks blocks;
  for (int i = 0; i < 4; ++i) blocks.add(0, run_of(i < 3 ? 2 * i : 8, 6, 0.1));
  blocks.add(1, {3.01, 3.02, 3.03, 3.04, 20});
  for (int i = 0; i < 3; ++i) blocks.add(1, run_of(30 + 2 * i, 5, 0.1));
  blocks.add(1, run_of(40, 6, 0.1));
  const Dataset data = blocks.data();
  ASSERT_EQ(data.rows(), 50u);
  ASSERT_EQ(blocks.partition.size(), 9u);
  const auto [tree, lost] = optimum_of(reduce::barycenters(data, blocks.partition), 1, 1);
  EXPECT_EQ(lost, 5);
  EXPECT_EQ(count_errors(tree, data), 4);
}

Blocks example_6() {
  Blocks blocks;
  blocks.add(0, run_of(-200, 13));
  blocks.add(1, {-90, -89, -88, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35});
  blocks.add(0, run_of(20, 4));
  return blocks;
}

TEST(Refine, Example6TheHeuristicAlgorithmEndsBesideTheOptimum) {
  const Blocks blocks = example_6();
  const Dataset data = blocks.data();
  ASSERT_EQ(data.rows(), 30u);
  for (const char* name : {"hia", "hiia"}) {
    const partition::Refinement found = refined(data, options_of(name, 1, 1), blocks.partition);
    ASSERT_EQ(found.rounds.size(), 1u) << name;
    EXPECT_FALSE(found.rounds[0].intersects);
    EXPECT_TRUE(found.rounds[0].proved);
    EXPECT_EQ(count_errors(found.tree, data), 4);
    EXPECT_EQ(found.status, Status::heuristic);
    EXPECT_EQ(found.lower, 0);
  }
  for (const char* name : {"eia", "eiia"}) {
    const partition::Refinement found = refined(data, options_of(name, 1, 1), blocks.partition);
    EXPECT_EQ(count_errors(found.tree, data), 3) << name;
    EXPECT_EQ(found.status, Status::optimal);
    EXPECT_EQ(found.lower, 3.5);
  }
}

TEST(Refine, Proposition1TreesThatCutNoClusterLoseWhatTheModelSays) {
  Random random(31);
  int without = 0;
  for (int round = 0; round < 400; ++round) {
    Dataset data = random_data(random, {20, 3, 3, round % 2 == 0, round % 3 == 0, 5});
    give_weights(random, static_cast<Weights>(random.below(3)), data);
    const reduce::DataPartition partition = random_partition(random, data);
    const Dataset representatives = reduce::barycenters(data, partition);
    const auto [tree, lost] = optimum_of(representatives, 2, 3);
    if (intersects(tree, data, partition, representatives)) continue;
    ++without;
    EXPECT_NEAR(count_errors(tree, data), lost, 1e-9);
  }
  EXPECT_GT(without, 20);
}

TEST(Refine, Proposition2EndsWithATreeThatCutsNoCluster) {
  Random random(32);
  for (int round = 0; round < 200; ++round) {
    const Dataset data = random_data(random, {20, 3, 3, round % 2 == 0, round % 3 == 0, 5});
    for (const char* name : {"hia", "hiia"}) {
      const partition::Refinement found = refined(data, options_of(name, 2, 2), random_partition(random, data));
      ASSERT_LE(found.rounds.size(), data.rows() + 1);
      EXPECT_FALSE(found.rounds.back().intersects);
      EXPECT_NEAR(found.rounds.back().errors + found.rounds.back().tree.splits() / 3.0, found.rounds.back().model, 1e-9);
      for (std::size_t k = 1; k < found.rounds.size(); ++k) EXPECT_GT(found.rounds[k].clusters, found.rounds[k - 1].clusters);
    }
  }
}

TEST(Refine, Proposition3ExactAlgorithmsFindTheOptimum) {
  Random random(33);
  int heuristic_was_worse = 0;
  for (int round = 0; round < 250; ++round) {
    Dataset data = random_data(random, {12, 3, 3, round % 2 == 0, round % 3 == 0, 5});
    give_weights(random, static_cast<Weights>(random.below(3)), data);
    const int splits = 1 + static_cast<int>(random.below(3));
    Options options = options_of(round % 2 == 0 ? "eia" : "eiia", 2, splits);
    options.min_samples_leaf = 1 + static_cast<double>(random.below(3));
    const auto rows = static_cast<std::int64_t>(options.min_samples_leaf);
    const reduce::DataPartition partition = random_partition(random, data);
    const partition::Refinement found = refined(data, options, partition);
    const double price = partition::kPartitionObjective.from_options(options, data)->price();
    const double best = BruteForce(data, rows).best_cost(2, splits, price);
    ASSERT_EQ(found.status, Status::optimal) << testing::to_string(data);
    EXPECT_NEAR(found.lower, best, 1e-9) << testing::to_string(data);
    EXPECT_NEAR(count_errors(found.tree, data) + price * static_cast<double>(found.tree.splits()), best, 1e-9) << testing::to_string(data);
    options.partition_algorithm = "hiia";
    const partition::Refinement quick = refined(data, options, partition);
    heuristic_was_worse += count_errors(quick.tree, data) + price * static_cast<double>(quick.tree.splits()) > best + 1e-9;
    for (const Node& node : quick.tree.nodes()) EXPECT_TRUE(quick.tree.nodes().size() == 1 || node.rows >= rows);
  }
  EXPECT_GT(heuristic_was_worse, 5);
}

TEST(Refine, Proposition4MovedThresholdsLoseNoMore) {
  Random random(34);
  int better = 0, follow = 0;
  for (int round = 0; round < 400; ++round) {
    Dataset data = random_data(random, {30, 3, 3, round % 4 == 0, round % 3 == 0, 9});
    give_weights(random, static_cast<Weights>(random.below(3)), data);
    const reduce::DataPartition partition = random_partition(random, data);
    const Dataset representatives = reduce::barycenters(data, partition);
    const auto [tree, lost] = optimum_of(representatives, 3, 7);
    const Tree moved = partition::move_thresholds(tree, data, partition.cluster_of_row(), representatives);
    EXPECT_EQ(moved.splits(), tree.splits());
    EXPECT_NEAR(count_errors(moved, representatives), lost, 1e-9);
    const double before = count_errors(tree, data), after = count_errors(moved, data);
    EXPECT_LE(after, before + 1e-9);
    better += after < before - 1e-9;
    follow += moved != tree;
  }
  EXPECT_GT(better, 50);
  EXPECT_GT(follow, better);
}

// The same by a MIP solver: each round of (DP) costs the same, and (DP') ends with the optimum.
// docs/partition.md, "Hyperplane trees": 1. a tree of any splits that cuts no cluster loses the same of rows and means; 2. counting
// clusters that are lost whole is a bound for any tree, and exact for one that cuts none.
TEST(Refine, HyperplaneTreesThatCutNoClusterLoseTheSameOfMeansAndBoundsHold) {
  Random random(34);
  int without = 0, cut = 0;
  for (int round = 0; round < 4000; ++round) {
    const Dataset data = random_data(random, {12, 3, 2, false, false, 5});
    const reduce::DataPartition partition = random_partition(random, data);
    const Dataset means = reduce::barycenters(data, partition);
    const Tree tree = testing::random_tree(random, data, 1 + static_cast<int>(random.below(3)));
    double lost_whole = 0;
    bool cuts = false;
    for (const std::vector<std::int32_t>& cluster : partition.clusters) {
      const auto is_wrong = [&](std::int32_t row) { return tree.node(tree.route(data, row)).label != data.labels[row]; };
      if (std::all_of(cluster.begin(), cluster.end(), is_wrong)) lost_whole += static_cast<double>(cluster.size());
      cuts = cuts || std::any_of(cluster.begin(), cluster.end(),
                                 [&](std::int32_t row) { return tree.route(data, row) != tree.route(data, cluster[0]); });
    }
    const double errors = count_errors(tree, data);
    EXPECT_LE(lost_whole, errors);
    ++(cuts ? cut : without);
    if (cuts) continue;
    EXPECT_EQ(lost_whole, errors);
    EXPECT_EQ(count_errors(tree, means), errors);
  }
  EXPECT_GT(without, 100);
  EXPECT_GT(cut, 100);
}

// There too: the best tree for the means cuts no cluster and is not the best for the rows.
TEST(Refine, TheBestTreeForTheMeansMayBeWorse) {
  Blocks blocks;
  blocks.add(0, {0, 0, 0, 0, 10});
  blocks.add(1, {1, 3});
  const Dataset data = blocks.data();
  const Dataset means = reduce::barycenters(data, blocks.partition);
  const auto [tree, lost] = optimum_of(means, 1, 1);
  EXPECT_FALSE(intersects(tree, data, blocks.partition, means));
  EXPECT_EQ(lost, 2);
  EXPECT_EQ(BruteForce(data, 1).best_cost(1, 1, 0.5), 1.5);
}

TEST(Refine, HeavyMipModelsAgreeWithTheSearch) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  Random random(35);
  for (int round = 0; round < 40; ++round) {
    const Dataset data = random_data(random, {10, 2, 3, round % 2 == 0, round % 3 == 0, 5});
    const int splits = 1 + static_cast<int>(random.below(3));
    const reduce::DataPartition partition = random_partition(random, data);
    Options options = options_of("hia", 2, splits);
    const partition::Refinement searched = refined(data, options, partition);
    options.partition_model = "dp";
    const partition::Refinement solved = refined(data, options, partition);
    EXPECT_NEAR(solved.rounds[0].model, searched.rounds[0].model, 1e-9) << testing::to_string(data);
    EXPECT_TRUE(solved.rounds.back().proved);
    options.partition_model = "dp-prime";
    const double price = 1.0 / (splits + 1), best = BruteForce(data, 1).best_cost(2, splits, price);
    for (const char* name : {"eia", "eiia"}) {
      options.partition_algorithm = name;
      const partition::Refinement found = refined(data, options, partition);
      ASSERT_EQ(found.status, Status::optimal) << testing::to_string(data);
      EXPECT_NEAR(found.lower, best, 1e-9) << testing::to_string(data);
      EXPECT_NEAR(count_errors(found.tree, data) + price * static_cast<double>(found.tree.splits()), best, 1e-9)
          << testing::to_string(data);
      for (const partition::RefineRound& one : found.rounds) EXPECT_LE(one.model, best + 1e-9);
    }
    if (HasFailure()) return;
  }
}

// The bound of a proof may be below the tree by what is lost when weights without a common unit are rounded to one.
TEST(Refine, WeightsWithoutACommonUnitAreProved) {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::vector<double>> columns(3);
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
    for (int row = 0; row < 800; ++row) {
      for (std::vector<double>& column : columns) column.push_back(static_cast<double>(random.below(4)));
      labels.push_back(static_cast<std::int32_t>(random.below(2)));
      weights.push_back(0.01 + random.uniform());
    }
    Dataset data = make_data({numbers("a", columns[0]), numbers("b", columns[1]), numbers("c", columns[2])}, labels);
    data.weights = weights;
    Options options;
    options.method = "partition";
    options.max_depth = 2;
    EXPECT_EQ(fit(data, options).status, Status::optimal) << "round " << round;
  }
}

TEST(Refine, ResultsDoNotDependOnThreads) {
  const Dataset data = read_dataset(testing::in_source("data/breast-cancer.csv"));
  for (const char* name : {"hiia", "eiia"}) {
    Options options = options_of(name, 2, 3);
    options.partition = "crm";
    const Result one = fit(data, options);
    options.n_jobs = 3;
    const Result three = fit(data, options);
    EXPECT_EQ(one.tree, three.tree);
    EXPECT_EQ(one.bound, three.bound);
  }
}

TEST(Refine, LimitsAreToldAndKept) {
  const Dataset data = read_dataset(testing::in_source("data/breast-cancer.csv"));
  Options options = options_of("eiia", 3, 7);
  options.time_limit = 0;
  const Result none = fit(data, options);
  EXPECT_EQ(none.status, Status::time_limit);
  EXPECT_NEAR(none.bound, 0.125, 1e-9) << "the price of a split: a single leaf errs on more";
  options.time_limit = std::numeric_limits<double>::infinity();
  options.node_limit = 20;
  const Result some = fit(data, options);
  EXPECT_EQ(some.status, Status::node_limit);
  EXPECT_LE(some.bound, some.objective);
  options.node_limit = 10000;
  EXPECT_GT(fit(data, options).bound, 2 * none.bound) << "the rounds leave nodes for the proof";
  std::atomic<bool> stop{true};
  FitHooks hooks;
  hooks.stop = &stop;
  options.node_limit = -1;
  EXPECT_EQ(fit(data, options, hooks).status, Status::interrupted);
}

TEST(Refine, TheObjectiveIsThePapersWhereABudgetIsGivenAndNoPrice) {
  const Dataset iris = read_dataset(testing::in_source("data/iris.csv"));
  Options options = options_of("eiia", 2, 2);
  Result result = fit(iris, options);
  EXPECT_DOUBLE_EQ(result.objective, result.errors + static_cast<double>(result.tree.splits()) / 3);
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(check_claims(result, iris), std::vector<std::string>{});
  EXPECT_NE(result.selection.find("clusters of 150 rows by igp"), std::string::npos) << result.selection;
  EXPECT_NE(result.selection.find("proof"), std::string::npos) << result.selection;
  options.ccp_alpha = 0.25;  // of the errors of the majority class
  result = fit(iris, options);
  EXPECT_DOUBLE_EQ(result.objective, result.errors / 100 + 0.25 * static_cast<double>(result.tree.splits()));
  options.ccp_alpha = 0;
  options.max_splits = -1;
  result = fit(iris, options);
  EXPECT_DOUBLE_EQ(result.objective, result.errors / 100);
}

TEST(Refine, ThePriceOfATieIsAShareOfTheUnitOfTheWeights) {
  Dataset data = make_data({numbers("x", {0, 1, 2, 3})}, {0, 0, 1, 1});
  data.weights.assign(4, 0.01);
  const Options options = options_of("eiia", 2, 3);
  const Result light = fit(data, options);
  EXPECT_EQ(light.errors, 0);
  EXPECT_DOUBLE_EQ(light.objective, 0.01 / 4);
  EXPECT_EQ(light.status, Status::optimal);
  // No common unit: splits are free.
  data.weights = {1e6, 1002999.9999999999, 2e17, 1004000};
  const Result heavy = fit(data, options);
  EXPECT_EQ(heavy.errors, 0);
  EXPECT_EQ(heavy.objective, 0);
}

TEST(Refine, RefusesModelsOfTheOtherAlgorithm) {
  const Dataset iris = read_dataset(testing::in_source("data/iris.csv"));
  Options options = options_of("eiia", 2, 2);
  options.partition_model = "dp";
  expect_error([&] { fit(iris, options); }, {"option 'partition_model'", "model (DP) gives no bound"});
  options.partition_algorithm = "hiia";
  options.partition_model = "dp-prime";
  expect_error([&] { fit(iris, options); }, {"option 'partition_model'", "works with eia and eiia only"});
}

}  // namespace
}  // namespace treewright
