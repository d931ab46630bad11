#include <gtest/gtest.h>

#include <cmath>

#include "support/random_data.h"
#include "support/random_subset.h"
#include "support/random_tree.h"
#include "treewright/methods/svm1/alternating.h"
#include "treewright/methods/svm1/band_search.h"
#include "treewright/methods/svm1/objective.h"

namespace treewright {
namespace {

using testing::DataShape;
using testing::random_data;

// The search is exact: no step of a fine grid is better.
TEST(BandSearch, NoStepIsBetter) {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + random.below(12);
    std::vector<double> place, speed, left, right, slack;
    const double hat = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 3 : 40;
    for (std::size_t i = 0; i < n; ++i) {
      place.push_back(random.uniform(-0.8, 0.8));
      speed.push_back(random.below(5) == 0 ? 0 : random.uniform(-1, 1));
      left.push_back(static_cast<double>(random.below(3)));
      right.push_back(static_cast<double>(random.below(3)));
      slack.push_back(hat);
    }
    const svm1::LengthPrice price{random.below(2) == 0 ? 0.0 : 0.7, random.uniform(-1, 1), 1};
    const svm1::BandRows rows{place, speed, left, right, slack, 0.1};
    const auto cost = [&](double step) {
      std::vector<double> moved = place;
      for (std::size_t i = 0; i < n; ++i) moved[i] += step * speed[i];
      return svm1::band_cost({moved, speed, left, right, slack, 0.1}) + price.rate * std::abs(price.at_zero + price.slope * step);
    };
    const double step = svm1::best_step(rows, price, -1.5, 2), found = cost(step);
    EXPECT_GE(step, -1.5);
    EXPECT_LE(step, 2);
    for (int k = 0; k <= 7000; ++k) EXPECT_LE(found, cost(-1.5 + k * 5e-4) + 1e-4) << "trial " << trial << " step " << step;
  }
}

struct Case {
  Dataset data;
  svm1::Svm1Problem problem;
  explicit Case(Random& random)
      : data(random_data(random, {30, 4, 3, random.below(2) == 0, random.below(3) == 0, 9})),
        problem{data, scaled_axes(data, Scaling::unit, false), {}} {
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(0.5 * static_cast<double>(1 + random.below(4)));
    }
    const double alpha1 = random.below(3) == 0 ? 0 : 50;
    for (std::size_t row = 0; row < data.rows(); ++row) problem.slack_price.push_back(alpha1 * data.weight(row));
    alpha = alpha1;
    problem.alpha2 = random.below(3) == 0 ? 0 : 0.3;
    problem.eps = 0.02;
    problem.max_depth = static_cast<int>(random.below(4));
    problem.min_rows = 1 + static_cast<std::int64_t>(random.below(3));
    if (random.below(3) == 0) problem.max_splits = static_cast<std::int64_t>(random.below(4));
  }
  double alpha = 0;
};

TEST(Svm1Alternation, NeverCostsMoreAndAgreesWithTheRecount) {
  Random random(11);
  for (int trial = 0; trial < 150; ++trial) {
    const Case c(random);
    Deadline none;
    const svm1::Svm1Alternation method(c.problem, none);
    grow::EditableTree draft = method.admitted(grow::EditableTree::of(testing::random_tree(random, c.data, 3)));
    const double before = method.cost(draft);
    method.descend(draft);
    const double after = method.cost(draft);
    method.perturb(draft, random);
    EXPECT_LE(after, before + 1e-9);
    EXPECT_LE(method.cost(draft), after + 1e-9);
    const Tree tree = draft.to_tree(c.data);
    EXPECT_NEAR(svm1::svm1_cost(tree, c.data, c.problem.eps, scaled_axes(c.data, Scaling::unit, false)).total(c.alpha, c.problem.alpha2),
                method.cost(draft), 1e-9 * std::max(1.0, after));
    EXPECT_LE(tree.depth(), c.problem.max_depth);
    if (c.problem.max_splits >= 0) {
      EXPECT_LE(static_cast<std::int64_t>(tree.splits()), c.problem.max_splits);
    }
    for (const Node& node : tree.nodes()) {
      if (node.is_leaf()) {
        EXPECT_TRUE(node.rows >= c.problem.min_rows || tree.nodes().size() == 1);
        continue;
      }
      // M = 1, and no hyperplane over levels: a rule is by numbers or by one category.
      for (std::size_t row = 0; row < c.data.rows(); ++row) {
        const double d = svm1::svm1_distance(*node.split, c.data, row, c.problem.axes);
        EXPECT_TRUE(std::abs(d) <= 1 + 1e-9 || std::isinf(d));
      }
      if (const auto* plane = std::get_if<HyperplaneSplit>(&node.split->rule)) {
        for (const auto& term : plane->terms) EXPECT_EQ(c.data.columns[+term.feature].kind, ColumnKind::numeric);
      }
    }
  }
}

}  // namespace
}  // namespace treewright
