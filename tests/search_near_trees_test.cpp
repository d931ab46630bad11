#include "treewright/search/near_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/cost_case.h"
#include "support/random_data.h"
#include "support/training.h"
#include "treewright/near_trees.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using Rows = testing::BruteForce::Rows;
using Columns = std::set<std::size_t>;
using Partition = std::set<Rows>;
using Trees = std::map<std::pair<Columns, Partition>, double>;  // and their cost

// Every tree by trying every split: what it asks, how it parts the rows, what it costs.
class AllTrees {
 public:
  AllTrees(const Dataset& data, std::int64_t min_rows, double price) : data_(data), min_rows_(min_rows), price_(price) {
    for (std::size_t f = 0; f < data.features(); ++f) {
      Dataset alone = data;
      alone.columns = {data.columns[f]};
      const std::vector<Rows> splits = testing::BruteForce(alone).splits();
      for (const Rows split : splits) splits_.emplace_back(f, split);
    }
  }

  Trees up_to(int depth, std::int64_t splits) const {
    Trees trees;
    for (const Found& found : all((Rows{1} << data_.rows()) - 1, depth, splits)) trees[{found.columns, found.parts}] = found.cost;
    return trees;
  }

 private:
  struct Found {
    Columns columns;
    Partition parts;
    double cost;
    std::int64_t splits;
  };

  std::int64_t count(Rows rows) const {
    std::int64_t n = 0;
    for (std::size_t row = 0; row < data_.rows(); ++row) n += static_cast<std::int64_t>(rows >> row & 1);
    return n;
  }

  double leaf_cost(Rows rows) const {
    std::vector<double> of_label(data_.classes(), 0.0);
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      if ((rows >> row & 1) == 0) continue;
      for (std::size_t label = 0; label < of_label.size(); ++label) of_label[label] += data_.weight(row) * cost(row, label);
    }
    return *std::ranges::min_element(of_label);
  }

  double cost(std::size_t row, std::size_t label) const {
    const auto truth = static_cast<std::size_t>(data_.labels[row]);
    if (!data_.row_costs.empty()) return data_.row_costs[row * data_.classes() + label];
    return data_.costs.empty() ? (label == truth ? 0 : 1) : data_.costs[truth * data_.classes() + label];
  }

  std::vector<Found> all(Rows rows, int depth, std::int64_t splits) const {
    std::vector<Found> found{{{}, {rows}, leaf_cost(rows), 0}};
    if (depth == 0 || splits == 0) return found;
    for (const auto& [column, split] : splits_) {
      const Rows left = rows & split, right = rows & ~split;
      if (std::min(count(left), count(right)) < std::max<std::int64_t>(1, min_rows_)) continue;
      for (const Found& l : all(left, depth - 1, splits - 1)) {
        for (const Found& r : all(right, depth - 1, splits - 1)) {
          if (l.splits + r.splits + 1 > splits) continue;
          if (l.splits + r.splits == 0 && l.cost + r.cost >= leaf_cost(rows) - 1e-9) continue;
          Found both{l.columns, l.parts, price_ + l.cost + r.cost, l.splits + r.splits + 1};
          both.columns.insert(column);
          both.columns.insert(r.columns.begin(), r.columns.end());
          both.parts.insert(r.parts.begin(), r.parts.end());
          found.push_back(both);
        }
      }
    }
    return found;
  }

  const Dataset& data_;
  const std::int64_t min_rows_;
  const double price_;
  std::vector<std::pair<std::size_t, Rows>> splits_;
};

std::pair<Columns, Partition> key_of(const Tree& tree, const Dataset& data) {
  Columns columns;
  for (const FeatureId used : tree.features_used()) columns.insert(static_cast<std::size_t>(+used));
  std::map<NodeId, Rows> parts;
  for (std::size_t row = 0; row < data.rows(); ++row) parts[tree.route(data, row)] |= Rows{1} << row;
  Partition partition;
  for (const auto& [leaf, rows] : parts) partition.insert(rows);
  return {columns, partition};
}

// Rows of equal features and another class would cancel, and such rows count for no part.
bool has_contradictions(const Dataset& data) {
  std::map<std::vector<double>, std::int32_t> known;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<double> features;
    for (const Column& column : data.columns) {
      const double value = column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row];
      features.push_back(std::isnan(value) ? -1e9 : value);
    }
    if (!known.emplace(features, data.labels[row]).second && known[features] != data.labels[row]) return true;
  }
  return false;
}

TEST(NearTrees, AreAllTreesOfThatCost) {
  Random random(404);
  int listed = 0, limited = 0;
  for (int round = 0; round < 1000; ++round) {
    Dataset data;
    do {
      data = testing::random_data(random, {11, 3, 3, random.below(3) == 0, random.below(3) == 0, 4});
    } while (!testing::has_two_classes(data) || has_contradictions(data));
    search::ExactSearchOptions options;
    options.max_depth = static_cast<int>(random.below(4));
    if (random.below(3) == 0) options.max_splits = static_cast<std::int64_t>(random.below(5));
    if (random.below(4) == 0) options.min_rows = 2;
    if (random.below(3) == 0) options.split_price = 0.5 * static_cast<double>(1 + random.below(3));
    if (options.max_depth == 3 && options.max_splits < 0) options.max_splits = 3;  // for the enumeration
    options.threads = 1 + static_cast<int>(random.below(2));
    if (random.below(3) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(1 + static_cast<double>(random.below(3)));
    }
    const std::int64_t splits = options.max_splits < 0 ? search::full_splits(options.max_depth) : options.max_splits;
    const Trees truth = AllTrees(data, options.min_rows, options.split_price).up_to(options.max_depth, splits);
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [key, cost] : truth) least = std::min(least, cost);
    Deadline deadline;
    const Tree best = search::search_exact(data, options, Tree(data), deadline).tree;
    ASSERT_NEAR(errors_and_splits(best, data, options.split_price), least, 1e-9)
        << testing::to_string(data) << "depth " << options.max_depth << " price " << options.split_price << " splits " << splits << " rows "
        << options.min_rows;
    const double within = static_cast<double>(random.below(4));
    const search::NearTrees near = search::near_trees(data, options, best, {within, 100'000}, deadline);
    EXPECT_EQ(near.complete_within, within);
    std::set<std::pair<Columns, Partition>> seen;
    double before = least;
    for (const auto& [tree, cost] : near.trees) {
      EXPECT_GE(cost, before - 1e-9);
      before = cost;
      EXPECT_EQ(errors_and_splits(tree, data, options.split_price), cost) << testing::to_string(data);
      EXPECT_LE(tree.depth(), options.max_depth);
      const auto key = key_of(tree, data);
      EXPECT_TRUE(seen.insert(key).second) << "twice\n" << testing::to_string(data);
      const auto known = truth.find(key);
      ASSERT_NE(known, truth.end()) << testing::to_string(data);
      EXPECT_NEAR(known->second, cost, 1e-9);
    }
    std::size_t wanted = 0;
    for (const auto& [key, cost] : truth) wanted += cost <= least + within + 1e-9;
    EXPECT_EQ(near.trees.size(), wanted) << testing::to_string(data) << "depth " << options.max_depth << " within " << within << " price "
                                         << options.split_price << " splits " << splits << " rows " << options.min_rows;
    std::map<Columns, double> of_set;
    for (const auto& [key, cost] : truth) {
      if (cost <= least + within + 1e-9 && (!of_set.contains(key.first) || cost < of_set[key.first])) of_set[key.first] = cost;
    }
    const search::NearTrees sets = search::near_trees(data, options, best, {within, 100'000, true}, deadline);
    EXPECT_EQ(sets.trees.size(), of_set.size()) << testing::to_string(data);
    for (const auto& [tree, cost] : sets.trees) EXPECT_NEAR(cost, of_set.at(key_of(tree, data).first), 1e-9) << testing::to_string(data);
    listed += static_cast<int>(wanted);
    if (wanted < 3) continue;
    const std::size_t count = 1 + random.below(wanted - 1);
    const search::NearTrees few = search::near_trees(data, options, best, {within, count}, deadline);
    EXPECT_EQ(few.trees.size(), count);
    std::size_t inside = 0;
    for (const auto& [key, cost] : truth) inside += cost <= least + few.complete_within + 1e-9;
    EXPECT_LE(inside, count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(few.trees[i].cost, near.trees[i].cost, 1e-9);
    limited += few.complete_within < within;
  }
  EXPECT_GT(listed, 4000);
  EXPECT_GT(limited, 50);
}

// Rows of equal features are added up, and a row that costs the same under every label counts for no part.
bool has_such_rows(const Dataset& data) {
  std::set<std::vector<double>> known;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<double> features;
    for (const Column& column : data.columns) {
      const double value = column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row];
      features.push_back(std::isnan(value) ? -1e9 : value);
    }
    if (!known.insert(features).second) return true;
    const std::size_t k = data.classes();
    const auto line = data.costs.empty() ? data.row_costs.begin() + static_cast<std::ptrdiff_t>(row * k)
                                         : data.costs.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(data.labels[row]) * k);
    if (std::all_of(line, line + static_cast<std::ptrdiff_t>(k), [&](double cost) { return cost == *line; })) return true;
  }
  return false;
}

// Costs by class and by row, whole and real: the trees are those of the enumeration, and their claims hold.
TEST(NearTrees, NeedAnAmountAndANumber) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 1, 0, 1});
  const Options options;
  expect_error([&] { near_trees(data, options, {-1, 10, false}); }, {"within", "is negative or no number"});
  expect_error([&] { near_trees(data, options, {std::nan(""), 10, false}); }, {"within", "is negative or no number"});
  expect_error([&] { near_trees(data, options, {1, 0, false}); }, {"count", "is below 1"});
}

TEST(NearTrees, OfCostsAreAllTreesOfThatCost) {
  Random random(405);
  int listed = 0;
  for (int round = 0; round < 600; ++round) {
    testing::CostCase drawn;
    do {
      drawn = random.below(2) == 0 ? testing::draw_cost_matrix(random) : testing::draw_policy(random);
    } while (drawn.data.rows() > 11 || !testing::has_two_classes(drawn.data) || has_such_rows(drawn.data));
    const Dataset& data = drawn.data;
    Options options = testing::of_depth(std::min(drawn.depth, 2));
    options.alpha_scale = "errors";
    if (random.below(3) == 0) options.ccp_alpha = 0.5;
    if (random.below(4) == 0) options.min_samples_leaf = 2;
    options.n_jobs = 1;
    const auto min_rows = static_cast<std::int64_t>(options.min_samples_leaf);
    const Trees truth =
        AllTrees(data, min_rows, options.ccp_alpha).up_to(static_cast<int>(options.max_depth), search::full_splits(options.max_depth));
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [key, cost] : truth) least = std::min(least, cost);
    const double within = static_cast<double>(random.below(3)) + 0.25;
    const double near_to = 1e-7 * std::max(1.0, testing::magnitude(data));
    const NearTrees near = near_trees(data, options, {within, 100'000, false});
    EXPECT_EQ(near.status, Status::optimal);
    EXPECT_TRUE(near.complete());
    EXPECT_NEAR(near.best, least, near_to) << testing::shown(drawn);
    std::set<std::pair<Columns, Partition>> seen;
    for (const Result& result : near.trees) {
      EXPECT_EQ(check_claims(result, data), std::vector<std::string>()) << testing::shown(drawn);
      const auto key = key_of(result.tree, data);
      EXPECT_TRUE(seen.insert(key).second) << testing::shown(drawn);
      const auto known = truth.find(key);
      ASSERT_NE(known, truth.end()) << testing::shown(drawn);
      EXPECT_NEAR(known->second, *result.cost + options.ccp_alpha * static_cast<double>(result.tree.splits()), near_to);
    }
    for (const auto& [key, cost] : truth) {
      if (std::abs(cost - (least + within)) <= near_to) continue;
      EXPECT_EQ(seen.contains(key), cost < least + within) << testing::shown(drawn);
    }
    listed += static_cast<int>(seen.size());
  }
  EXPECT_GT(listed, 2000);
}

TEST(NearTrees, AStoppedListSaysSo) {
  const Dataset& data = testing::noise();
  search::ExactSearchOptions options;
  options.max_depth = 3;
  Deadline deadline(0.0);
  deadline.poll();
  const search::NearTrees near = search::near_trees(data, options, Tree(data), {5, 100}, deadline);
  EXPECT_LT(near.complete_within, 0);
}

}  // namespace
}  // namespace treewright
