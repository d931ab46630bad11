#include "treewright/search/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "support/brute_force.h"
#include "support/draw_case.h"
#include "support/random_data.h"
#include "support/search_runs.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::BruteForce;

Tree leaf_of(const Dataset& data) {
  Tree tree(data);
  tree.tally(data);
  return tree;
}

search::ExactSearchResult search(const Dataset& data, const search::ExactSearchOptions& options) {
  Deadline deadline;
  return search::search_exact(data, options, leaf_of(data), deadline);
}

double cost_of(const search::ExactSearchResult& result, const Dataset& data, const search::ExactSearchOptions& options) {
  return count_errors(result.tree, data) + options.split_price * static_cast<double>(result.tree.splits());
}

// Empty when the search returns a tree within the limits that costs what brute force finds, and proves it.
std::string disagreement(const Dataset& data, const search::ExactSearchOptions& options) {
  const search::ExactSearchResult result = search(data, options);
  const int full = (1 << options.max_depth) - 1;
  const int splits = options.max_splits < 0 ? full : static_cast<int>(std::min<std::int64_t>(options.max_splits, full));
  const double expected = BruteForce(data, options.min_rows).best_cost(options.max_depth, splits, options.split_price);
  const double cost = cost_of(result, data, options);
  std::ostringstream out;
  if (std::abs(cost - expected) > 1e-7) out << "cost " << cost << ", brute force " << expected << "\n";
  if (std::abs(result.lower - expected) > 1e-7) out << "bound " << result.lower << ", brute force " << expected << "\n";
  if (!result.complete) out << "not complete\n";
  if (result.tree.depth() > options.max_depth) out << "too deep\n";
  if (result.tree.splits() > static_cast<std::size_t>(splits)) out << "too many splits\n";
  for (const Node& node : result.tree.nodes()) {
    if (node.is_leaf() && node.rows < options.min_rows && result.tree.splits() > 0) out << "leaf with " << node.rows << " rows\n";
  }
  return out.str();
}

std::string describe(const search::ExactSearchOptions& options) {
  std::ostringstream out;
  out << "depth " << options.max_depth << ", splits " << options.max_splits << ", min_rows " << options.min_rows << ", price "
      << options.split_price;
  return out.str();
}

void check(const Dataset& data, const search::ExactSearchOptions& options, int round) {
  if (disagreement(data, options).empty()) return;
  const Dataset small = testing::shrink(
      data, [&](const Dataset& d) { return static_cast<std::int64_t>(d.rows()) >= options.min_rows && !disagreement(d, options).empty(); });
  FAIL() << "round " << round << ": " << describe(options) << "\n" << disagreement(small, options) << testing::to_string(small);
}

// Every second time nothing but the depth: an option more hides what its absence would show.
search::ExactSearchOptions random_options(Random& random, int min_depth, int max_depth) {
  search::ExactSearchOptions options;
  options.max_depth = min_depth + static_cast<int>(random.below(max_depth - min_depth + 1));
  if (random.below(2) == 0) return options;
  if (random.below(3) == 0) options.max_splits = static_cast<std::int64_t>(random.below(7));
  if (random.below(2) == 0) options.min_rows = 1 + static_cast<std::int64_t>(random.below(3));
  const double prices[] = {0, 0, 0.3, 1, 1.5};
  options.split_price = prices[random.below(5)];
  return options;
}

enum class Weights { none, whole, real };

void give_weights(Random& random, Weights kind, Dataset& data) {
  if (kind == Weights::none) return;
  do {
    data.weights.clear();
    for (std::size_t row = 0; row < data.rows(); ++row) {
      data.weights.push_back(kind == Weights::whole ? static_cast<double>(random.below(4)) : 0.1 + random.uniform() * 3);
    }
  } while (!testing::has_two_classes(data));
}

struct Case {
  const char* name;
  testing::DataLimits limits;
  int min_depth, max_depth, rounds;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class AgainstBruteForce : public ::testing::TestWithParam<Case> {};

TEST_P(AgainstBruteForce, AgreesOverAllOptions) {
  const Case& c = GetParam();
  Random random(20170407);
  for (int round = 0; round < c.rounds; ++round) {
    testing::DataLimits limits = c.limits;
    if (limits.values > 0) limits = testing::few_values(random, limits.max_rows);
    Dataset data = testing::draw_data(random, limits);
    if (!testing::has_two_classes(data)) continue;
    give_weights(random, static_cast<Weights>(random.below(2) == 0 ? 0 : random.below(3)), data);
    search::ExactSearchOptions options = random_options(random, c.min_depth, c.max_depth);
    options.min_rows = std::min(options.min_rows, static_cast<std::int64_t>(data.rows()));
    check(data, options, round);
    if (HasFatalFailure()) return;
  }
}

// Depth 3 with many rows, more than three columns and few values is where bounds went wrong; earlier versions of these tests drew at
// most 20 rows and three columns at depth 3, half of them with limits that switch rules off.
INSTANTIATE_TEST_SUITE_P(Exact, AgainstBruteForce,
                         ::testing::Values(Case{"any", {2, 40, 1, 6, 2, 6, 5}, 0, 2, 3000},
                                           Case{"few_values", {12, 40, 3, 6, 2, 3, 0, false, false, 3}, 3, 3, 10000},
                                           Case{"few_values_deep", {12, 24, 3, 6, 2, 3, 0, false, false, 3}, 4, 4, 1000},
                                           Case{"deep", {2, 16, 1, 4, 2, 5, 4}, 3, 3, 1000},
                                           Case{"deeper", {2, 10, 1, 3, 2, 3, 3}, 4, 4, 100}),
                         [](const auto& info) { return info.param.name; });

TEST(ExactSearch, EveryRuleOffGivesTheSameOptimum) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    Dataset data = testing::random_data(random, {30, 3, 3, true, true, 5});
    give_weights(random, static_cast<Weights>(random.below(3)), data);
    search::ExactSearchOptions options = random_options(random, 0, 3);
    options.min_rows = std::min(options.min_rows, static_cast<std::int64_t>(data.rows()));
    const double cost = cost_of(search(data, options), data, options);
    for (const search::RuleInfo& rule : search::rule_table()) {
      search::ExactSearchOptions without = options;
      without.rules = search::rules_without(rule.name);
      const search::ExactSearchResult result = search(data, without);
      ASSERT_NEAR(cost_of(result, data, options), cost, 1e-7) << "without " << rule.name << ": " << describe(options) << "\n"
                                                              << testing::to_string(data);
      ASSERT_NEAR(result.lower, cost, 1e-7) << "without " << rule.name;
    }
  }
}

// With a price the depth ends by itself: a limit of 60 levels is the same as one of as many as the best tree can pay for.
// What rows of equal features lose in every tree is known before anything is searched.
TEST(ExactSearch, EqualRowsBoundAtOnceAndSaveWork) {
  Random random(77);
  std::int64_t work_with = 0, work_without = 0;
  for (int round = 0; round < 10; ++round) {
    const Dataset data = testing::random_data(random, {300, 3, 4, false, false, 5});
    search::ExactSearchOptions with;
    with.max_depth = 4;
    search::ExactSearchOptions without = with;
    without.rules = search::rules_without("reach");
    std::map<std::vector<double>, std::vector<int>> rows;  // by their values, of each class
    for (std::size_t row = 0; row < data.rows(); ++row) {
      std::vector<double> values;
      for (const Column& column : data.columns) values.push_back(column.values[row]);
      std::vector<int>& of_class = rows[values];
      of_class.resize(data.classes());
      ++of_class[static_cast<std::size_t>(data.labels[row])];
    }
    double lost = 0;
    for (const auto& [values, of] : rows) lost += std::accumulate(of.begin(), of.end(), 0) - *std::max_element(of.begin(), of.end());
    EXPECT_GE(testing::search_outcome(data, with, 1).lower, lost);
    const testing::SearchOutcome sooner = testing::search_outcome(data, with), later = testing::search_outcome(data, without);
    EXPECT_EQ(sooner.lower, later.lower);
    EXPECT_TRUE(sooner.complete && later.complete);
    work_with += sooner.work;
    work_without += later.work;
  }
  EXPECT_LT(work_with, work_without);
}

TEST(ExactSearch, ThePriceLimitsTheDepth) {
  Random random(8);
  for (int round = 0; round < 40; ++round) {
    const Dataset data = testing::random_data(random, {30, 3, 3, true, true, 5});
    search::ExactSearchOptions options;
    options.split_price = 2 + static_cast<double>(random.below(3));
    options.max_depth = 60;
    options.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(3)), static_cast<std::int64_t>(data.rows()));
    const search::ExactSearchResult deep = search(data, options);
    const double cost = cost_of(deep, data, options);
    EXPECT_TRUE(deep.complete);
    EXPECT_EQ(deep.lower, cost);
    options.max_depth = static_cast<int>(cost / options.split_price) + 1;
    options.rules = search::rules_without("depth_price");
    EXPECT_EQ(cost_of(search(data, options), data, options), cost) << testing::to_string(data);
  }
}

TEST(ExactSearch, AnyNumberOfThreadsGivesTheSameTree) {
  Random random(11);
  for (int round = 0; round < 10; ++round) {
    const Dataset data = testing::random_data(random, {200, 4, 3, false, false, 60});
    search::ExactSearchOptions options;
    options.threads = 1;
    const Tree one = search(data, options).tree;
    for (const int threads : {2, 4}) {
      options.threads = threads;
      EXPECT_EQ(search(data, options).tree, one) << threads << " threads, round " << round;
    }
  }
}

TEST(ExactSearch, AStoppedSearchReturnsAValidBound) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const Dataset data = testing::random_data(random, {60, 4, 3, false, false, 30});
    search::ExactSearchOptions options;
    options.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(3)), static_cast<std::int64_t>(data.rows()));
    const double optimum = cost_of(search(data, options), data, options);
    for (const std::int64_t work : {0, 1, 5, 20, 100}) {
      Deadline deadline(Deadline::kNoLimit, work);
      const search::ExactSearchResult stopped = search::search_exact(data, options, leaf_of(data), deadline);
      EXPECT_LE(stopped.lower, optimum + 1e-9) << "work " << work;
      EXPECT_GE(cost_of(stopped, data, options), optimum - 1e-9);
      if (stopped.complete) {
        EXPECT_NEAR(cost_of(stopped, data, options), optimum, 1e-9);
      }
    }
  }
}

// The bound rises with the work, never above the optimum, and the end is the optimum.
TEST(ExactSearch, WorkRaisesAValidBound) {
  Random random(29);
  int between = 0;
  for (int round = 0; round < 12; ++round) {
    const Dataset data = testing::random_data(random, {70, 4, 3, false, false, 12});
    search::ExactSearchOptions options;
    options.max_depth = 4 + static_cast<int>(random.below(2));
    options.split_price = random.below(2) == 0 ? 0 : 0.3;
    options.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(3)), static_cast<std::int64_t>(data.rows()));
    const search::ExactSearchResult whole = search(data, options);
    ASSERT_TRUE(whole.complete);
    const double optimum = cost_of(whole, data, options);
    EXPECT_NEAR(whole.lower, optimum, 1e-9);
    double before = 0;
    for (std::int64_t work = 10; work < 200000; work *= 3) {
      Deadline deadline(Deadline::kNoLimit, work);
      const search::ExactSearchResult stopped = search::search_exact(data, options, leaf_of(data), deadline);
      EXPECT_LE(stopped.lower, optimum + 1e-9) << "work " << work;
      EXPECT_GE(stopped.lower, before - 1e-9) << "more work, and a lower bound";
      EXPECT_GE(cost_of(stopped, data, options), optimum - 1e-9);
      between += stopped.lower > before && !stopped.complete;
      before = stopped.lower;
    }
  }
  EXPECT_GT(between, 5) << "bounds below the optimum are told";
}

TEST(ExactSearch, AWorkLimitGivesTheSameTreeForAnyNumberOfThreads) {
  Random random(19);
  for (int round = 0; round < 12; ++round) {
    const Dataset data = testing::random_data(random, {80, 4, 3, false, false, 40});
    search::ExactSearchOptions options;
    options.max_depth = 3 + static_cast<int>(random.below(2));
    for (const std::int64_t work : {1, 10, 50, 300, 2000}) {
      options.threads = 1;
      Deadline alone(Deadline::kNoLimit, work);
      const search::ExactSearchResult one = search::search_exact(data, options, leaf_of(data), alone);
      for (const int threads : {2, 3, 8}) {
        options.threads = threads;
        Deadline deadline(Deadline::kNoLimit, work);
        const search::ExactSearchResult many = search::search_exact(data, options, leaf_of(data), deadline);
        EXPECT_EQ(many.tree, one.tree) << threads << " threads, work " << work << ", round " << round;
        EXPECT_EQ(many.lower, one.lower);
        EXPECT_EQ(many.complete, one.complete);
      }
    }
  }
}

// Nodes that are large enough for threads of their own (node/search_orderings.cpp): their orderings and their cuts.
TEST(ExactSearch, LengthyNodesSideBySideGiveTheSameTree) {
  Random random(37);
  std::int64_t complete = 0;
  for (int round = 0; round < 6; ++round) {
    Dataset data = testing::random_data(random, {900, 8, 2 + round % 2, false, false, 200});
    for (std::size_t row = 0; row < data.rows(); ++row)
      data.labels[row] = random.below(4) == 0 ? data.labels[row] : data.columns[0].values[row] > data.columns[1].values[row];
    search::ExactSearchOptions options;
    options.max_depth = 4;
    options.min_rows = round % 3 == 2 ? 20 : 1;
    options.split_price = round < 3 ? 0 : 8;
    for (const std::int64_t work : {500, 20'000}) {
      options.threads = 1;
      Deadline alone(Deadline::kNoLimit, work);
      const search::ExactSearchResult one = search::search_exact(data, options, leaf_of(data), alone);
      complete += one.complete;
      for (const int threads : {2, 9}) {
        options.threads = threads;
        Deadline deadline(Deadline::kNoLimit, work);
        const search::ExactSearchResult many = search::search_exact(data, options, leaf_of(data), deadline);
        EXPECT_EQ(many.tree, one.tree) << threads << " threads, work " << work << ", round " << round;
        EXPECT_EQ(many.lower, one.lower) << threads << " threads, work " << work << ", round " << round;
        EXPECT_EQ(many.complete, one.complete);
      }
    }
  }
  EXPECT_GT(complete, 0);
}

// Sums of such weights differ by less than a billionth of the total where trees differ by whole rows.
TEST(ExactSearch, UnequalWeightsHideNothing) {
  Random random(23);
  for (int round = 0; round < 150; ++round) {
    Dataset data = testing::random_data(random, {14, 2, 2, false, false, 14});
    const int kind = static_cast<int>(random.below(4));
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const bool first = data.labels[row] == 0;
      data.weights.push_back(kind == 0 ? (first ? 1e9 : 1) : kind == 1 ? (row == 0 ? 1e9 : 1) : kind == 2 ? 1e-10 : (first ? 1e10 : 0.1));
    }
    search::ExactSearchOptions options;
    options.max_depth = 2 + static_cast<int>(random.below(2));
    const search::ExactSearchResult result = search(data, options);
    const double smallest = *std::min_element(data.weights.begin(), data.weights.end());
    const double expected = BruteForce(data, 1).best_cost(options.max_depth, (1 << options.max_depth) - 1, 0);
    EXPECT_NEAR(cost_of(result, data, options), expected, 0.01 * smallest) << "kind " << kind << "\n" << testing::to_string(data);
    EXPECT_NEAR(result.lower, expected, 0.01 * smallest) << "kind " << kind;
  }
}

TEST(ExactSearch, OnlyTheOrderOfValuesMatters) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    Dataset data = testing::random_data(random, {60, 3, 3, false, false, 40});
    const search::ExactSearchOptions options;
    const double cost = cost_of(search(data, options), data, options);
    for (const double scale : {1e-8, 1e8}) {
      Dataset scaled = data;
      for (Column& column : scaled.columns) {
        for (double& value : column.values) value = value * scale + (scale > 1 ? 1e6 : 0);
      }
      EXPECT_EQ(cost_of(search(scaled, options), scaled, options), cost);
    }
    Dataset ranked = data;
    for (Column& column : ranked.columns) {
      const std::set<double> distinct(column.values.begin(), column.values.end());
      for (double& value : column.values) value = static_cast<double>(std::distance(distinct.begin(), distinct.find(value)));
    }
    EXPECT_EQ(cost_of(search(ranked, options), ranked, options), cost);
  }
}

TEST(ExactSearch, ProgressOnlyImproves) {
  Random random(13);
  for (int round = 0; round < 10; ++round) {
    const Dataset data = testing::random_data(random, {120, 4, 3, false, false, 50});
    search::ExactSearchOptions options;
    options.max_depth = 4;
    Deadline deadline;
    double incumbent = count_errors(leaf_of(data), data), bound = 0;
    const auto listener = [&](const Progress& progress, const Tree* better) {
      EXPECT_LE(progress.incumbent, incumbent);
      EXPECT_GE(progress.bound, bound);
      EXPECT_EQ(progress.source != ' ', progress.incumbent < incumbent);
      EXPECT_EQ(better != nullptr, progress.incumbent < incumbent);
      if (better != nullptr) {
        EXPECT_EQ(count_errors(*better, data), progress.incumbent);
      }
      incumbent = progress.incumbent;
      bound = progress.bound;
    };
    const search::ExactSearchResult result = search::search_exact(data, options, leaf_of(data), deadline, listener);
    EXPECT_EQ(incumbent, count_errors(result.tree, data));
    EXPECT_LE(bound, incumbent);
  }
}

TEST(ExactSearch, BeatsNothingWhenTheStartIsOptimal) {
  Random random(9);
  const Dataset data = testing::random_data(random, {60, 3, 2, false, false, 40});
  const search::ExactSearchOptions options;
  const Tree best = search(data, options).tree;
  Deadline deadline;
  const search::ExactSearchResult again = search::search_exact(data, options, best, deadline);
  EXPECT_EQ(again.tree, best);
  EXPECT_TRUE(again.complete);
  EXPECT_EQ(again.lower, count_errors(best, data));
}

}  // namespace
}  // namespace treewright
