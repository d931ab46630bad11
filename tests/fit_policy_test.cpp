// Trees that choose among labels by what these cost each row, compared with every tree.

#include <gtest/gtest.h>

#include <algorithm>

#include "expect_error.h"
#include "support/brute_force.h"
#include "support/cost_case.h"
#include "support/training.h"
#include "treewright/data/costs/costs.h"
#include "treewright/fit.h"
#include "treewright/fit/check_origin.h"
#include "treewright/result.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/cost_objective.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::BruteForce;
using testing::CostCase;
using testing::draw_policy;
using testing::magnitude;
using testing::of_depth;
using testing::options_of;
using testing::rows_for_costs;
using testing::shown;

using Sentences = std::vector<std::string>;

TEST(Policy, CostsLeastAmongAllTrees) {
  Random random(21);
  std::array<int, 4> of_depths{};
  for (int round = 0; round < 1200; ++round) {
    const CostCase drawn = draw_policy(random);
    const Result result = fit(drawn.data, of_depth(drawn.depth));
    const double tolerance = 1e-9 * magnitude(drawn.data);
    ASSERT_EQ(result.status, Status::optimal) << result.proved << "\n" << shown(drawn);
    ASSERT_NEAR(*result.cost, BruteForce(drawn.data).best_cost(drawn.depth, 7, 0), tolerance) << shown(drawn);
    ASSERT_LE(result.bound, result.objective) << shown(drawn);
    const Result read = from_json(to_json(result), "memory");
    ASSERT_EQ(check_claims(read, drawn.data), Sentences{}) << shown(drawn);
    ASSERT_EQ(check_origin(read, drawn.data), Sentences{}) << shown(drawn);
    ASSERT_EQ(read.tree, result.tree);
    ASSERT_EQ(to_json(read), to_json(result));
    ++of_depths[static_cast<std::size_t>(result.tree.depth())];
  }
  EXPECT_GT(of_depths[3], 50);
  EXPECT_GT(of_depths[2], 150);
}

TEST(Policy, WithPriceSplitsAndEveryScale) {
  Random random(22);
  int splits = 0;
  for (int round = 0; round < 400; ++round) {
    const CostCase drawn = draw_policy(random);
    Options options = of_depth(drawn.depth);
    options.ccp_alpha = 0.05 * static_cast<double>(1 + random.below(4));
    const char* const scales[] = {"majority-errors", "rows", "errors"};
    options.alpha_scale = scales[random.below(3)];
    if (random.below(3) == 0) options.max_splits = static_cast<std::int64_t>(random.below(4));
    const Result result = fit(drawn.data, options);
    const double scale = result.objective_function->error_scale();
    const int most = options.max_splits < 0 ? 7 : static_cast<int>(options.max_splits);
    EXPECT_NEAR(result.objective * scale, BruteForce(drawn.data).best_cost(drawn.depth, most, options.ccp_alpha * scale),
                2e-9 * magnitude(drawn.data))
        << shown(drawn);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_EQ(check_origin(result, drawn.data), Sentences{});
    splits += static_cast<int>(result.tree.splits());
  }
  EXPECT_GT(splits, 200);
}

TEST(Policy, BoundsOfStoppedRunsHold) {
  Random random(23);
  int stopped = 0;
  for (int round = 0; round < 300; ++round) {
    CostCase drawn = draw_policy(random);
    drawn.depth = 3;
    const double least = BruteForce(drawn.data).best_cost(3, 7, 0), tolerance = 1e-9 * magnitude(drawn.data);
    Options options = of_depth(3);
    options.alpha_scale = "errors";
    options.node_limit = static_cast<std::int64_t>(random.below(12));
    const Result result = fit(drawn.data, options);
    EXPECT_LE(result.bound, least + tolerance) << shown(drawn);
    EXPECT_GE(result.objective, least - tolerance) << shown(drawn);
    EXPECT_EQ(check_claims(result, drawn.data), Sentences{}) << shown(drawn);
    stopped += result.status == Status::node_limit;
  }
  EXPECT_GT(stopped, 40);
}

// A matrix says of each class what the rows of the class could say themselves.
TEST(Policy, LengthyOfAMatrixIsTheTreeOfTheMatrix) {
  Random random(24);
  for (int round = 0; round < 200; ++round) {
    CostCase drawn = draw_policy(random);
    const std::vector<double> totals = drawn.data.class_totals();
    if (std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0; }) < 2) continue;
    Dataset by_class = drawn.data, by_row = drawn.data;
    by_class.row_costs.clear();
    by_row.row_costs.clear();
    const std::size_t classes = by_class.classes();
    for (std::size_t i = 0; i < classes * classes; ++i) by_class.costs.push_back(static_cast<double>(random.below(9)) - 3);
    for (const std::int32_t label : by_row.labels) {
      const auto line = by_class.costs.begin() + label * static_cast<std::ptrdiff_t>(classes);
      by_row.row_costs.insert(by_row.row_costs.end(), line, line + static_cast<std::ptrdiff_t>(classes));
    }
    for (const char* method : {"oct", "cart", "oct-h"}) {
      const Options options = options_of({{"method", method}, {"max_depth", "2"}});
      const Result a = fit(by_class, options), b = fit(by_row, options);
      Tree bare = b.tree, of_classes = a.tree;
      bare.tally(by_class);
      of_classes.probability_model.reset();  // costs by row have no classes to say how probable they are
      of_classes.shrinkage = bare.shrinkage;
      EXPECT_EQ(bare, of_classes) << method << "\n" << shown(drawn);
      EXPECT_NEAR(*a.cost, *b.cost, 1e-9 * (1 + magnitude(by_row))) << method;
      EXPECT_EQ(a.status, b.status);
    }
  }
}

TEST(Policy, CheckAgainSolvesIt) {
  Random random(25);
  for (int round = 0; round < 60; ++round) {
    const CostCase drawn = draw_policy(random);
    const Result result = fit(drawn.data, of_depth(2));
    const select::SecondSolve second = select::solve_again(result, drawn.data, 60, {});
    EXPECT_EQ(second.broken, Sentences{}) << shown(drawn);
    EXPECT_NEAR(*second.result.cost, *result.cost, 1e-9 * magnitude(drawn.data));
  }
}

TEST(Policy, FalseClaimsAreFound) {
  Random random(26);
  CostCase drawn = draw_policy(random);
  while (drawn.data.classes() < 3 || drawn.data.rows() < 8) drawn = draw_policy(random);
  const Result result = fit(drawn.data, of_depth(2));
  const auto broken = [&](const std::function<void(Result&)>& change, const Dataset& data) {
    Result changed = result;
    change(changed);
    std::string all;
    for (const std::string& sentence : check_claims(changed, data)) all += sentence + "\n";
    return all;
  };
  EXPECT_NE(broken([](Result& r) { *r.cost -= 1; }, drawn.data).find("the cost is"), std::string::npos);
  Dataset dearer = drawn.data;
  dearer.row_costs[0] += 5;
  EXPECT_NE(broken([](Result&) {}, dearer).find("what labels cost in node 0"), std::string::npos);
  Dataset without = drawn.data;
  without.row_costs.clear();
  EXPECT_NE(broken([](Result&) {}, without).find("these rows have none"), std::string::npos);
  Dataset other = drawn.data;
  for (double& cost : other.row_costs) cost = -cost;
  EXPECT_NE(broken([](Result&) {}, other).find("costs less"), std::string::npos);
}

TEST(Policy, OneLabelThatIsAlwaysCheapestIsALeaf) {
  Dataset data = parse_csv("x,a,b\n1,0,1\n2,3,5\n3,-1,-1\n", "rows", [] {
    ReadOptions read;
    read.cost_columns = {"a", "b"};
    read.training = true;
    return read;
  }());
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.features(), 1u);
  const Result result = fit(data, of_depth(3));
  EXPECT_EQ(result.tree.leaves(), 1u);
  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(*result.cost, 2);
}

TEST(Policy, WhatCannotUseCostsByRowRefusesThem) {
  Random random(27);
  CostCase drawn = draw_policy(random);
  Options options = of_depth(2);
  options.class_weight = "balanced";
  expect_error([&] { fit(drawn.data, options); }, {"class_weight", "these costs are by row"});
  expect_error([&] { fit(drawn.data, options_of({{"method", "svm1"}})); }, {"cannot minimize costs"});
  drawn.data.row_costs.pop_back();
  expect_error([&] { fit(drawn.data, of_depth(2)); }, {"costs", "give one for each row and label"});
}

ReadOptions with_costs(const std::vector<std::string>& columns) {
  ReadOptions read;
  read.cost_columns = columns;
  return read;
}

TEST(CostColumns, AreReadInTheOrderOfTheirNames) {
  const Dataset data = parse_csv("go,x,stay\n1,7,2.5\n-1,8,0\n", "rows.csv", with_costs({"stay", "0"}));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"stay", "go"}));
  EXPECT_EQ(data.row_costs, (std::vector<double>{2.5, 1, 0, -1}));
  EXPECT_EQ(data.labels, (std::vector<std::int32_t>{1, 1}));
  ASSERT_EQ(data.features(), 1u);
  EXPECT_EQ(data.columns[0].name, "x");
  const std::vector<std::int32_t> rows = {1, 1, 0};
  EXPECT_EQ(data.subset(rows).row_costs, (std::vector<double>{0, -1, 0, -1, 2.5, 1}));
  const Dataset arff = parse_arff("@relation r\n@attribute x numeric\n@attribute a numeric\n@attribute b numeric\n@data\n1,2,3\n4,6,5\n",
                                  "rows.arff", with_costs({"a", "b"}));
  EXPECT_EQ(arff.row_costs, (std::vector<double>{2, 3, 6, 5}));
  EXPECT_EQ(arff.labels, (std::vector<std::int32_t>{0, 1}));
}

TEST(CostColumns, WrongOnesAreRefused) {
  const auto refused = [](const char* text, const ReadOptions& read, const std::vector<std::string>& parts) {
    expect_error([&] { parse_csv(text, "f.csv", read); }, parts);
  };
  const char* const text = "x,a,b\n1,2,3\n4,5,6\n";
  refused(text, with_costs({"a"}), {"f.csv, cost columns", "one label only"});
  refused(text, with_costs({"a", "a"}), {"column 'a'", "named twice"});
  refused(text, with_costs({"a", "c"}), {"there is no column 'c'"});
  refused("x,a,b\n1,2,\n4,5,6\n", with_costs({"a", "b"}), {"column 'b', row 1", "the cost is missing"});
  refused("x,a,b\n1,2,much\n4,5,6\n", with_costs({"a", "b"}), {"column 'b'", "holds texts"});
  ReadOptions read = with_costs({"a", "b"});
  read.target = "x";
  refused(text, read, {"there is no target beside them"});
  read = with_costs({"a", "b"});
  read.weights = "b";
  refused(text, read, {"column 'b'", "is the weights and holds costs at once"});
  read = with_costs({"a", "b"});
  read.bins = 3;
  refused(text, read, {"leave out what is said of the target"});
  expect_error([&] { parse_libsvm("1 1:2\n", "f.svm", with_costs({"a", "b"})); }, {"columns have no names"});
}

}  // namespace
}  // namespace treewright
