// Properties that every heuristic of grow/ keeps on any data: categories, missing values, weights, many classes.

#include <gtest/gtest.h>

#include <cmath>

#include "support/brute_force.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/base/deadline.h"
#include "treewright/fit.h"
#include "treewright/grow/alternating.h"
#include "treewright/grow/local_search.h"
#include "treewright/grow/oblique_cart.h"
#include "treewright/grow/subtree_rerouting.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright {
namespace {

Dataset some_data(Random& random, int rows = 60) {
  Dataset data = testing::random_data(random, {rows, 4, 3, true, true, 8});
  if (random.below(2) == 0) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 2));
  }
  return data;
}

std::int64_t least_rows(const grow::EditableTree& draft, const Dataset& data, const grow::RowList& rows) {
  if (draft.is_leaf()) return static_cast<std::int64_t>(rows.size());
  const auto [left, right] = grow::divide(*draft.split, data, rows);
  return std::min(least_rows(*draft.left, data, left), least_rows(*draft.right, data, right));
}

// A random tree within the limits.
grow::EditableTree random_start(Random& random, const Dataset& data, std::int64_t min_rows) {
  Tree tree = testing::random_tree(random, data, 1 + static_cast<int>(random.below(6)));
  trim(tree, 3, -1);
  grow::EditableTree draft = grow::EditableTree::of(tree);
  grow::drop_small(draft, data, grow::weighty_rows(data), min_rows);
  return draft;
}

TEST(Scaling, RawUnitsRouteAsTheCoordinatesDo) {
  Random random(11);
  for (int round = 0; round < 50; ++round) {
    const Dataset data = some_data(random);
    const ScaledPoints points(data, Scaling::standard);
    std::vector<double> weights;
    for (std::size_t a = 0; a < points.axes.size(); ++a) weights.push_back(random.normal());
    const double offset = random.normal();
    const HyperplaneSplit plane = in_raw_units({weights, offset}, points.axes);
    if (plane.terms.empty()) continue;
    const std::vector<double> back = in_scaled_units(plane, points.axes).h;
    for (std::size_t a = 0; a < weights.size(); ++a) EXPECT_NEAR(back[a], weights[a], 1e-12);
    const grow::RowList rows = grow::weighty_rows(data);
    const std::vector<double> sums = plane_sums(plane, data, rows);
    const std::vector<std::uint8_t> left = sides({plane, false}, data, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double sum = -offset;
      for (std::size_t a = 0; a < weights.size(); ++a) sum += weights[a] * points.row(rows[i])[a];
      EXPECT_NEAR(sums[i] - plane.threshold, sum, 1e-9);
      EXPECT_EQ(left[i] != 0, goes_left({plane, false}, data, rows[i]));
    }
    for (std::size_t t = 1; t < plane.terms.size(); ++t) {
      const auto pull = [&](const HyperplaneSplit::Term& term) {
        double most = 0;
        for (const double w : in_scaled_units(HyperplaneSplit{{term}, 0}, points.axes).h) most = std::max(most, std::abs(w));
        return most;
      };
      EXPECT_GE(pull(plane.terms[t - 1]), pull(plane.terms[t]) - 1e-12) << "what moves the rows most comes first";
    }
  }
}

TEST(SubtreeRerouting, TheBestThresholdIsTheBestOfAll) {
  Random random(12);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = some_data(random, 30);
    const std::int64_t min_rows = 1 + static_cast<std::int64_t>(random.below(4));
    const grow::EditableTree left = random_start(random, data, 1), right = random_start(random, data, 1);
    const grow::RowList rows = grow::weighty_rows(data);
    const grow::SubtreeRerouting rerouting(left, right, data, rows);
    grow::LeafCounts counts(data, rerouting.leaves, min_rows);
    std::vector<double> key;
    for (std::size_t i = 0; i < rows.size(); ++i) key.push_back(static_cast<double>(random.below(10)));
    const grow::BestCut cut = grow::best_threshold(rerouting, key, counts, 1e9, false, 0);
    double least = 1e9;
    for (double threshold = 0.5; threshold < 9; ++threshold) {
      std::vector<std::uint8_t> goes;
      bool any_left = false, any_right = false;
      for (const double k : key) {
        goes.push_back(k < threshold);
        (k < threshold ? any_left : any_right) = true;
      }
      rerouting.fill(counts, goes);
      if (any_left && any_right && counts.feasible()) least = std::min(least, counts.errors());
    }
    EXPECT_EQ(cut.found, least < 1e9);
    if (cut.found) {
      EXPECT_NEAR(cut.errors, least, 1e-9);
    }
  }
}

TEST(Alternating, TheObjectiveNeverRises) {
  Random random(13);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = some_data(random);
    const ScaledPoints points(data, Scaling::standard);
    grow::AlternatingOptions options;
    options.cost = std::pow(10.0, random.uniform(-3, 3));
    options.term_price = random.below(2) == 0 ? 0 : random.uniform(0, 2);
    options.min_rows = 1 + static_cast<std::int64_t>(random.below(5));
    options.max_passes = 1;
    grow::EditableTree draft = random_start(random, data, options.min_rows);
    const grow::RowList rows = grow::weighty_rows(data);
    double cost = grow::draft_cost(draft, data, rows, options.term_price);
    Deadline deadline;
    for (int pass = 0; pass < 4; ++pass) {
      grow::alternate(draft, data, points, options, deadline);
      const double now = grow::draft_cost(draft, data, rows, options.term_price);
      EXPECT_LE(now, cost + 1e-6);
      cost = now;
      if (!draft.is_leaf()) {
        EXPECT_GE(least_rows(draft, data, rows), options.min_rows);
      }
    }
  }
}

TEST(LocalSearch, TheObjectiveNeverRises) {
  Random random(14);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = some_data(random);
    const ScaledPoints points(data, Scaling::standard);
    grow::LocalSearchOptions options;
    options.term_price = random.below(2) == 0 ? 0 : random.uniform(0, 2);
    options.min_rows = 1 + static_cast<std::int64_t>(random.below(5));
    options.hyperplanes = random.below(2) == 0;
    options.max_depth = 3;
    grow::EditableTree draft = random_start(random, data, options.min_rows);
    const grow::RowList rows = grow::weighty_rows(data);
    double cost = grow::draft_cost(draft, data, rows, options.term_price);
    // Stopped after each visit of a node, so that every single change is seen.
    for (int visit = 0; visit < 12; ++visit) {
      Deadline one(Deadline::kNoLimit, 5);
      grow::descend(draft, data, points, options, random, one);
      const double now = grow::draft_cost(draft, data, rows, options.term_price);
      EXPECT_LE(now, cost + 1e-9);
      cost = now;
      if (!draft.is_leaf()) {
        EXPECT_GE(least_rows(draft, data, rows), options.min_rows);
      }
      EXPECT_LE(draft.depth(), options.max_depth);
    }
    grow::polish(draft, data, options);
    EXPECT_LE(grow::draft_cost(draft, data, rows, options.term_price), cost + 1e-9);
    if (!draft.is_leaf()) {
      EXPECT_GE(least_rows(draft, data, rows), options.min_rows);
    }
  }
}

TEST(LocalSearch, FindsTheOptimumOfTinyDataWithEnoughRestarts) {
  Random random(15);
  for (int round = 0; round < 40; ++round) {
    const Dataset data = testing::random_data(random, {12, 3, 3, true, true, 5});
    const std::int64_t min_rows = 1 + static_cast<std::int64_t>(random.below(3));
    const double price = random.below(2) == 0 ? 0 : random.uniform(0, 1.5);
    Options options;
    options.method = "local";
    options.split_kind = "axis";
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    options.min_samples_leaf = static_cast<double>(min_rows);
    options.alpha_scale = "errors";
    options.ccp_alpha = price;
    options.restarts = 30;
    const double least = testing::BruteForce(data, min_rows).best_cost(static_cast<int>(options.max_depth), 7, price);
    const Result result = fit(data, options);
    EXPECT_GE(result.objective, least - 1e-9);
    EXPECT_NEAR(result.objective, least, 1e-9) << "depth " << options.max_depth << " price " << price << " min " << min_rows << "\n"
                                               << testing::to_string(data);
  }
}

TEST(Hyperplanes, SolveWhatNoSmallAxisTreeCan) {
  // Two classes on either side of x + y = 0, and four corners of XOR.
  Random random(16);
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.uniform(-1, 1));
    y.push_back(random.uniform(-1, 1));
    labels.push_back(x.back() + y.back() > 0);
  }
  const Dataset data = testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, labels);
  for (const char* method : {"oct-h", "tao", "cart-h", "logistic-h"}) {
    Options options;
    options.method = method;
    options.max_depth = 1;
    options.svm_cost = 1000;
    EXPECT_LE(fit(data, options).errors, 1) << method;
  }
}

TEST(Hyperplanes, LengthyTheNumberOfThreadsChangesNothing) {
  Random random(17);
  for (int round = 0; round < 6; ++round) {
    const Dataset data = some_data(random);
    for (const char* method : {"oct-h", "tao", "local"}) {
      Options options;
      options.method = method;
      options.ccp_alpha = 0.01;
      options.n_jobs = 1;
      const Tree one = fit(data, options).tree;
      options.n_jobs = 4;
      EXPECT_EQ(fit(data, options).tree, one) << method;
      EXPECT_EQ(from_json(to_json(fit(data, options)), "memory").tree.predict(data), one.predict(data));
    }
  }
}

TEST(Hyperplanes, TheStopFlagGivesATree) {
  Random random(18);
  const Dataset data = some_data(random);
  std::atomic<bool> stop{true};
  FitHooks hooks;
  hooks.stop = &stop;
  for (const char* method : {"oct-h", "tao", "local"}) {
    Options options;
    options.method = method;
    const Result result = fit(data, options, hooks);
    EXPECT_EQ(result.status, Status::interrupted) << method;
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace treewright
