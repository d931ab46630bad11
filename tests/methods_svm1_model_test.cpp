#include "treewright/methods/svm1/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_subset.h"
#include "support/random_tree.h"
#include "treewright/base/deadline.h"
#include "treewright/fit.h"
#include "treewright/methods/svm1/objective.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"

namespace treewright {
namespace {

struct Case {
  Dataset data;
  svm1::Svm1Problem problem;
  double alpha1 = 0;
  Case(Random& random, const testing::DataShape& shape, int depth)
      : data(testing::random_data(random, shape)), problem{data, scaled_axes(data, Scaling::unit, false), {}} {
    alpha1 = random.below(2) == 0 ? 5 : 40;
    problem.slack_price.assign(data.rows(), alpha1);
    problem.alpha2 = 0.05 * static_cast<double>(1 + random.below(4));
    problem.eps = 0.05;
    problem.max_depth = depth;
  }
};

const char* const kSwitches[] = {"",          "all",          "largest_class", "smallest_class", "surplus_classes", "one_of_each",
                                 "side_rows", "upper_bounds", "real_labels",   "wide_weights"};

// The debug tree: no cut may remove a tree that is within the model, and it costs there what it costs.
TEST(FormulateSvm1, NoCutRemovesATree) {
  Random random(31);
  int cases = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const int depth = 1 + static_cast<int>(random.below(2));
    const Case c(random, {14, 3, 6, random.below(2) == 0, random.below(3) == 0, 6}, depth);
    Deadline none;
    const svm1::Svm1Alternation method(c.problem, none);
    const grow::EditableTree draft = method.admitted(grow::EditableTree::of(testing::random_tree(random, c.data, 3)));
    const Tree tree = draft.to_tree(c.data);
    const double cost = method.cost(draft);
    for (const char* off : kSwitches) {
      const svm1::Svm1Formulation formulation(c.problem, formulate::strengthening_without(off));
      const auto values = formulation.encode(tree);
      if (!values) continue;  // with categories, weights above the largest
      ++cases;
      EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{}) << "without '" << off << "'\n"
                                                                                       << testing::to_string(c.data);
      EXPECT_NEAR(formulation.model().objective(*values), cost, 1e-6 * std::max(1.0, cost));
      EXPECT_LE(method.cost(grow::EditableTree::of(formulation.decode(*values))), cost + 1e-6 * std::max(1.0, cost));
    }
  }
  EXPECT_GT(cases, 400);
}

// The least objective by trying every leaf for every row: the labels follow, and the hyperplanes of a node are a linear program with all
// sides known. Numbers only; shares no code with the formulation.
double least_by_assignment(const Case& c) {
  const int inner = 1 << c.problem.max_depth, leaves = inner;
  const std::size_t n = c.data.rows(), q = c.problem.axes.size();
  double best = std::numeric_limits<double>::infinity();
  std::vector<int> leaf(n, 0);
  for (bool more = true; more;) {
    double cost = 0;
    for (int l = 0; l < leaves; ++l) {
      std::vector<double> of_class(c.data.classes(), 0.0);
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (leaf[i] == l) total += 1, of_class[static_cast<std::size_t>(c.data.labels[i])] += 1;
      }
      cost += total - *std::max_element(of_class.begin(), of_class.end());
    }
    for (int b = 1; b < inner && cost < best; ++b) {
      mip::MipModel node;
      std::vector<int> h(q), length(q);
      const int g = node.add("g", -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
      for (std::size_t j = 0; j < q; ++j) {
        h[j] = node.add("h" + std::to_string(j), -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
        length[j] = node.add("length" + std::to_string(j), 0, mip::MipModel::kInfinity, c.problem.alpha2);
        node.at_least("up" + std::to_string(j), {{length[j], 1}, {h[j], -1}}, 0);
        node.at_least("down" + std::to_string(j), {{length[j], 1}, {h[j], 1}}, 0);
      }
      for (std::size_t i = 0; i < n; ++i) {
        // d = h . u - g in [-1, 1]; at most 0 on the left, at least 0 on the right, and eps away or slack.
        std::vector<mip::MipModel::Term> d{{g, -1}};
        for (std::size_t j = 0; j < q; ++j) {
          const Axis& axis = c.problem.axes[j];
          d.push_back({h[j], (c.data.columns[static_cast<std::size_t>(+axis.feature)].values[i] - axis.center) / axis.scale});
        }
        int at = leaf[i] + inner, side = 0;
        for (; at > 1; at /= 2) {
          if (at / 2 == b) side = at % 2 == 0 ? -1 : 1;
        }
        node.add_row("d" + std::to_string(i), side > 0 ? 0 : -1, d, side < 0 ? 0 : 1);
        if (side == 0) continue;
        const int slack = node.add("m" + std::to_string(i), 0, mip::MipModel::kInfinity, c.alpha1);
        for (auto& term : d) term.coefficient *= side;
        d.push_back({slack, 1});
        node.at_least("room" + std::to_string(i), d, c.problem.eps);
      }
      Deadline none;
      cost += mip::solve(node, {}, {}, none).objective;
    }
    best = std::min(best, cost);
    more = false;
    for (std::size_t i = 0; i < n && !more; ++i) {
      more = ++leaf[i] < leaves;
      if (!more) leaf[i] = 0;
    }
  }
  return best;
}

TEST(FormulateSvm1, TheModelsOptimumIsThatOfAllAssignments) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(32);
  for (int trial = 0; trial < 14; ++trial) {
    const bool deep = trial % 7 == 0;
    const Case c(random, {deep ? 4 : 6, 2, 3, false, false, 4}, deep ? 2 : 1);
    if (c.problem.axes.empty()) continue;
    const double least = least_by_assignment(c);
    for (const char* off : {"", "all"}) {
      const svm1::Svm1Formulation formulation(c.problem, formulate::strengthening_without(off));
      Deadline none;
      const mip::MipSolution found = mip::solve(formulation.model(), {}, {}, none);
      ASSERT_EQ(found.status, Status::optimal);
      EXPECT_NEAR(found.objective, least, 1e-5 * std::max(1.0, least)) << "without '" << off << "'\n" << testing::to_string(c.data);
      // Routed trees are points of the model.
      const svm1::Svm1Alternation method(c.problem, none);
      grow::EditableTree draft = method.admitted(grow::EditableTree::of(testing::random_tree(random, c.data, 3)));
      method.descend(draft);
      EXPECT_GE(method.cost(draft), least - 1e-6);
    }
  }
}

TEST(FormulateSvm1, CategoriesNeverMixWithNumbers) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(33);
  int sets = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Case c(random, {8, 3, 3, true, false, 3}, 1);
    const svm1::Svm1Formulation formulation(c.problem, formulate::Strengthening());
    Deadline none;
    const mip::MipSolution found = mip::solve(formulation.model(), {}, {}, none);
    ASSERT_EQ(found.status, Status::optimal);
    const Tree tree = formulation.decode(found.values);
    for (const Node& node : tree.nodes()) {
      if (node.is_leaf()) continue;
      sets += std::holds_alternative<CategorySplit>(node.split->rule);
      if (const auto* plane = std::get_if<HyperplaneSplit>(&node.split->rule)) {
        for (const auto& term : plane->terms) EXPECT_EQ(c.data.columns[static_cast<std::size_t>(+term.feature)].kind, ColumnKind::numeric);
      }
    }
    // In the solution itself: a node that splits by a category has no weights.
    double by = 0, weights = 0;
    for (std::size_t v = 0; v < found.values.size(); ++v) {
      const std::string& name = formulation.model().variables[v].name;
      if (name.starts_with("by_1_")) by += found.values[v];
      if (name.starts_with("hp_1_") || name.starts_with("hm_1_")) weights += found.values[v];
    }
    EXPECT_TRUE(by < 1e-6 || weights < 1e-6) << by << " " << weights;
  }
  EXPECT_GT(sets, 0);
}

TEST(FitSvm1, TheSolverIsNoWorseThanItsStartAndKeepsItsClaims) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(34);
  int proved = 0;
  for (int trial = 0; trial < 8; ++trial) {
    const Dataset data = testing::random_data(random, {8, 2, 3, trial % 2 == 0, trial % 4 == 0, 5});
    Options options;
    options.max_depth = 1;
    options.slack_price = 40;
    options.margin = 0.05;
    options.n_jobs = 1;
    options.method = "svm1";
    const Result start = fit(data, options);
    options.solver = "mip";
    const Result solved = fit(data, options);
    EXPECT_LE(solved.objective, start.objective + 1e-9);
    EXPECT_LE(solved.bound, solved.objective);
    proved += solved.status == Status::optimal;
    EXPECT_EQ(check_claims(solved, data), std::vector<std::string>{});
  }
  EXPECT_GT(proved, 4);
  // Z20's model means little where a row on a hyperplane costs less than an error.
  Options weak;
  weak.max_depth = 1;
  weak.slack_price = 1;
  weak.margin = 0.05;
  weak.method = "svm1";
  weak.solver = "mip";
  weak.node_limit = 1;
  EXPECT_NE(fit(testing::random_data(random, {8, 2, 2, false, false, 5}), weak).proved.find("slack_price * margin below 1"),
            std::string::npos);
}

// Of two columns that are nearly equal, hyperplanes near every row have large weights; a category changes nothing about that.
TEST(FormulateSvm1, CategoriesLeaveLargeWeightsInTheModel) {
  Dataset data = testing::make_data({testing::numbers("x1", {0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.85, 1}),
                                     testing::numbers("x2", {0, 0.152, 0.298, 0.452, 0.598, 0.752, 0.848, 1}),
                                     testing::categories("c", {"p", "q"}, {0, 0, 1, 1, 0, 0, 1, 1})},
                                    {0, 1, 0, 1, 0, 1, 0, 1});
  const svm1::Svm1Problem problem = [&] {
    svm1::Svm1Problem made{data, scaled_axes(data, Scaling::unit, false), {}};
    made.slack_price.assign(data.rows(), 1000);
    made.alpha2 = 1e-3;
    made.eps = 1e-3;
    made.max_depth = 1;
    return made;
  }();
  Tree tree(data);
  tree.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 4.24, -1, {}}, {FeatureId{1}, -4.25, -1, {}}}, -0.005}, false});
  tree.tally(data);
  for (const char* off : {"", "side_rows"}) {
    const svm1::Svm1Formulation formulation(problem, formulate::strengthening_without(off));
    const auto values = formulation.encode(tree);
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(formulation.model().broken(*values, 1e-7), std::vector<std::string>{});
  }
  EXPECT_FALSE(svm1::Svm1Formulation(problem, formulate::strengthening_without("wide_weights")).encode(tree).has_value());
}

}  // namespace
}  // namespace treewright
