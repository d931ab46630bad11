// MM-SVM-OCT: its model, against full enumeration on one column and against a solver.
#include "support/source_folder.h"
#include "treewright/methods/mm_svm/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/base/file.h"
#include "treewright/base/random.h"
#include "treewright/fit.h"
#include "treewright/methods/mm_svm/smallest_margin.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"
#include "treewright/result.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One column in [0, 1], its ends taken.
struct Instance {
  std::vector<double> x, y, weight;
  double c1 = 1, c3 = 0;
};

Instance random_instance(Random& random, std::size_t rows) {
  Instance instance;
  for (std::size_t i = 0; i < rows; ++i) {
    instance.x.push_back(i == 0 ? 0 : i == 1 ? 1 : static_cast<double>(random.below(9)) / 8);
    instance.y.push_back(i < 2 ? (i == 0 ? -1 : 1) : random.below(2) == 0 ? -1 : 1);
    instance.weight.push_back(random.below(3) == 0 ? 2 : 1);
  }
  instance.c1 = std::pow(10.0, random.uniform(-1, 3));
  instance.c3 = random.below(3) == 0 ? 0 : std::pow(10.0, random.uniform(-2, 2));
  return instance;
}

margot::MargotProblem problem_of(const Instance& instance, int depth) {
  margot::MargotProblem problem;
  problem.points = {1, instance.x};
  problem.target = instance.y;
  problem.weight = instance.weight;
  problem.depth = depth;
  problem.level_cost.assign(static_cast<std::size_t>(depth), instance.c1);
  return problem;
}

struct Sided {
  std::size_t row;
  int side;  // it goes on left (-1), right (1), nowhere (0)
};

// The least slack of one node's rows with |w| <= W, as a function of W: w x_i + b = c for two rows, or one and w = W or -W, is where the
// optimum of such a piecewise linear function lies.
class NodeSlack {
 public:
  NodeSlack(const Instance& of, std::vector<Sided> rows) : of_(of), rows_(std::move(rows)) {
    for (const Sided& r : rows_) {
      lines_.push_back({of_.x[r.row], of_.y[r.row]});
      if (r.side != 0) lines_.push_back({of_.x[r.row], r.side > 0 ? 0 : -0.001});
    }
    for (const Line& p : lines_) {
      for (const Line& q : lines_) {
        if (p.x == q.x) continue;
        const double w = (p.c - q.c) / (p.x - q.x), b = p.c - w * p.x;
        if (const double cost = at(w, b); cost < kInfinity) corners_.push_back({std::abs(w), cost});
      }
    }
  }

  double operator()(double longest) const {
    double least = rows_.empty() ? 0 : kInfinity;
    for (const auto& [w, cost] : corners_) {
      if (w <= longest) least = std::min(least, cost);
    }
    for (const double w : {-longest, longest, 0.0}) {
      for (const Line& line : lines_) least = std::min(least, at(w, line.c - w * line.x));
    }
    return least;
  }

 private:
  struct Line {
    double x, c;
  };
  double at(double w, double b) const {
    double total = 0;
    for (const Sided& r : rows_) {
      const double h = w * of_.x[r.row] + b;
      if ((r.side > 0 && h < -1e-9) || (r.side < 0 && h > -0.001 + 1e-9)) return kInfinity;
      total += of_.c1 * of_.weight[r.row] * std::max(0.0, 1 - of_.y[r.row] * h);
    }
    return total;
  }

  const Instance& of_;
  const std::vector<Sided> rows_;
  std::vector<Line> lines_;
  std::vector<std::pair<double, double>> corners_;
};

double least(const std::vector<NodeSlack>& nodes) {
  const auto total = [&](double w) {
    double sum = w * w / 2;
    for (const NodeSlack& node : nodes) sum += node(w);
    return sum;
  };
  double low = 0, high = 40;
  for (int k = 0; k < 90; ++k) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3, at_a = total(a), at_b = total(b);
    (at_a == kInfinity || at_a > at_b ? low : high) = at_a == kInfinity || at_a > at_b ? a : b;
  }
  return total(high);
}

double of_a_leaf(const Instance& instance, const std::vector<std::size_t>& rows) {
  double side[2] = {0, 0};
  for (const std::size_t i : rows) side[instance.y[i] > 0] += instance.weight[i];
  return 2 * instance.c1 * std::min(side[0], side[1]);
}

// Over all splits and all ways of the rows, at depth 2.
double brute_force(const Instance& instance) {
  const std::size_t rows = instance.x.size();
  std::vector<std::size_t> all(rows);
  for (std::size_t i = 0; i < rows; ++i) all[i] = i;
  double best = 2 * of_a_leaf(instance, all);
  for (std::size_t ways = 0; ways < (std::size_t{1} << rows); ++ways) {
    std::vector<Sided> root, at[2];
    std::vector<std::size_t> rows_at[2];
    for (const std::size_t i : all) {
      const bool right = (ways >> i) & 1;
      root.push_back({i, right ? 1 : -1});
      at[right].push_back({i, 0});
      rows_at[right].push_back(i);
    }
    for (int splits = 0; splits < 4; ++splits) {
      std::vector<NodeSlack> nodes;
      nodes.emplace_back(instance, root);
      double cost = instance.c3;
      for (int side = 0; side < 2; ++side) {
        if ((splits >> side) & 1) {
          nodes.emplace_back(instance, at[side]);
          cost += instance.c3;
        } else {
          cost += of_a_leaf(instance, rows_at[side]);
        }
      }
      best = std::min(best, cost + least(nodes));
    }
  }
  return best;
}

// The same by mm_svm_tree for all ways and splits.
margot::MargotTree best_tree(const margot::MargotProblem& problem, double c3) {
  margot::MargotTree best;
  best.objective = kInfinity;
  for (std::size_t ways = 0; ways < (std::size_t{1} << problem.target.size()); ++ways) {
    std::vector<std::size_t> reaches;
    for (std::size_t i = 0; i < problem.target.size(); ++i) reaches.push_back(1 + ((ways >> i) & 1));
    for (int splits = 0; splits < 8; ++splits) {
      const margot::MargotTree tree = mm_svm::mm_svm_tree(problem, c3, reaches, {(splits & 1) != 0, (splits & 2) != 0, (splits & 4) != 0});
      if (tree.objective < best.objective) best = tree;
    }
  }
  return best;
}

std::string scip() {
  const std::string python = testing::in_source(".venv-highs/bin/python"), script = testing::in_source("examples/solve_with_scip.py");
  if (std::system((python + " -c 'import pyscipopt' > /dev/null 2>&1").c_str()) != 0) return "";
  return python + " " + script + " {lp} {solution} {time} {start}";
}

Result fitted(const Instance& instance, int depth, const std::string& solver = "highs") {
  std::vector<std::int32_t> labels;
  for (const double y : instance.y) labels.push_back(y > 0);
  Dataset data = make_data({numbers("x", instance.x)}, labels);
  data.weights = instance.weight;
  Options options;
  options.method = "mm-svm";
  options.max_depth = depth;
  options.level_costs = std::to_string(instance.c1);
  options.ccp_alpha = instance.c3;
  options.gap_tolerance = 1e-3;
  options.mip_solver = solver;
  Result result = fit(data, options);
  EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
  const Result read = from_json(to_json(result), "memory");
  EXPECT_EQ(check_claims(read, data), std::vector<std::string>{});
  return result;
}

TEST(FormulateMmSvm, TreesForKnownWaysOfRowsEqualFullEnumeration) {
  Random random(4);
  for (int round = 0; round < 12; ++round) {
    const Instance instance = random_instance(random, 3 + random.below(4));
    const margot::MargotProblem problem = problem_of(instance, 2);
    const margot::MargotTree best = best_tree(problem, instance.c3);
    const double truth = brute_force(instance);
    EXPECT_NEAR(best.objective, truth, 1e-5 * truth) << "round " << round;
    // The optimum is a point of the model, also when its constants are made from nothing dearer.
    const mm_svm::MmSvmFormulation formulation(problem, instance.c3, best.objective);
    const std::vector<double> values = formulation.encode(best);
    EXPECT_EQ(formulation.model().broken(values), std::vector<std::string>{}) << "round " << round;
    EXPECT_NEAR(formulation.model().objective(values), best.objective, 1e-9 * std::max(1.0, best.objective));
    EXPECT_NEAR(formulation.decode(values).objective, best.objective, 1e-6 * best.objective);
  }
}

TEST(FormulateMmSvm, ScipFindsTheOptimumOfFullEnumeration) {
  const std::string solver = scip();
  if (solver.empty()) GTEST_SKIP() << "no pyscipopt in .venv-highs";
  Random random(5);
  int proved = 0;
  for (int round = 0; round < 6; ++round) {
    Instance instance = random_instance(random, 5 + random.below(4));
    instance.c1 = std::stod(std::to_string(std::pow(10.0, random.uniform(-1, 1.5))));
    const double truth = brute_force(instance);
    const Result result = fitted(instance, 2, solver);
    EXPECT_GE(result.objective, truth * (1 - 1e-5)) << "round " << round;
    EXPECT_LE(result.bound, truth * (1 + 1e-4)) << "round " << round;
    if (result.status != Status::optimal) continue;
    ++proved;
    EXPECT_NEAR(result.objective, truth, 2e-3 * truth) << "round " << round;
  }
  EXPECT_GE(proved, 4);
}

// Three rows on one column, depth 1, nothing dearer than 2: the distances to the farthest row are 1, 0.5 and 1, so that H = 3, 2, 3.
TEST(FormulateMmSvm, GoldenFile) {
  margot::MargotProblem problem;
  problem.points = {1, {0, 0.5, 1}};
  problem.target = {-1, 1, 1};
  problem.weight = {1, 1, 2};
  problem.depth = 1;
  problem.level_cost = {0.25};
  const mm_svm::MmSvmFormulation formulation(problem, 0.5, 2);
  EXPECT_EQ(mip::to_lp(formulation.model()), read_file(testing::in_source("tests/models/mm_svm.lp")));
}

TEST(FormulateMmSvm, WithoutASolverTheBoundIsBelowTheOptimum) {
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    Instance instance = random_instance(random, 3 + random.below(5));
    instance.c1 = std::stod(std::to_string(instance.c1));
    const double truth = brute_force(instance);
    const Result result = fitted(instance, 2);
    EXPECT_GE(result.objective, truth * (1 - 1e-5)) << "round " << round;
    EXPECT_LE(result.bound, truth * (1 + 1e-5)) << "round " << round;
    EXPECT_GE(result.bound, truth / 3) << "round " << round;
    EXPECT_EQ(fitted(instance, 1).status, Status::optimal) << "one node: the mean is the largest";
  }
}

// In raw units, with categories, missing values and weights, the tree costs what its planes cost.
TEST(FormulateMmSvm, TheTreeCostsWhatThePlanesCost) {
  Random random(7);
  int split = 0;
  for (int round = 0; round < 30; ++round) {
    Dataset data = testing::random_data(random, {20, 3, 2, true, true, 6});
    if (random.below(2) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 2));
    }
    Options options;
    options.method = "mm-svm";
    options.max_depth = 1 + static_cast<std::int64_t>(random.below(3));
    options.level_costs = round % 2 == 0 ? "0.5" : "20";
    options.ccp_alpha = random.uniform(0, 2);
    options.node_limit = static_cast<std::int64_t>(random.below(30));
    const Result result = fit(data, options);
    if (result.history.empty()) continue;  // no column tells the rows apart
    EXPECT_NEAR(result.history.back().incumbent, result.objective, 1e-6 * result.objective) << "round " << round;
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << "round " << round;
    split += !result.tree.node(Tree::root()).is_leaf();
  }
  EXPECT_GT(split, 15);
}

// Without a price, splits are free: one whose weights are rounding is still none.
TEST(FormulateMmSvm, NoSplitHasWeightsOfRounding) {
  Random random(8);
  int splits = 0;
  for (int round = 0; round < 60; ++round) {
    const Dataset data = testing::random_data(random, {20, 2, 2, false, false, 5});
    Options options;
    options.method = "mm-svm";
    options.max_depth = 2 + static_cast<std::int64_t>(random.below(2));
    options.level_costs = std::to_string(std::pow(10.0, random.uniform(-2, 3)));
    options.node_limit = 50;
    options.n_jobs = 1;
    const Result result = fit(data, options);
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{}) << "round " << round;
    const std::vector<Axis> axes = scaled_axes(data, Scaling::unit);
    for (const Node& node : result.tree.nodes()) {
      if (node.is_leaf()) continue;
      EXPECT_GT(mm_svm::half_square(in_scaled_units(node.split->rule, axes).h), 1e-12) << "round " << round;
      ++splits;
    }
  }
  EXPECT_GT(splits, 40);
}

// A "solver" that calls a point optimal whose planes do not deserve it: the tree costs less than that.
TEST(FormulateMmSvm, ClaimsNothingWhereSolverAndRecountDiffer) {
  const Instance instance{{0, 0.125, 0.25, 0.5, 0.75, 1}, {-1, 1, -1, -1, 1, -1}, {1, 1, 1, 1, 1, 1}, 1000, 1};
  const Result alone = fitted(instance, 2);
  ASSERT_EQ(alone.status, Status::heuristic);
  const std::string done = "; echo '# status optimal' >> {solution} #{lp}";
  EXPECT_EQ(fitted(instance, 2, "cp {start} {solution}" + done).status, Status::optimal);
  const Result other =
      fitted(instance, 2, "sed 's/^delta .*/delta " + std::to_string(0.99 * alone.objective) + "/' {start} > {solution}" + done);
  EXPECT_EQ(other.status, Status::heuristic);
  EXPECT_EQ(other.bound, alone.bound);
  EXPECT_NE(other.proved.find("so the solver claims nothing"), std::string::npos) << other.proved;
  EXPECT_EQ(other.tree, alone.tree);
  // The same with a bound between the tree and the point.
  const Result above =
      fitted(instance, 2,
             "sed 's/^delta .*/delta " + std::to_string(0.99 * alone.objective) + "/' {start} > {solution}; echo '# bound " +
                 std::to_string(1.1 * alone.objective) + "' >> {solution} #{lp}");
  EXPECT_EQ(above.bound, alone.bound);
  EXPECT_NE(above.proved.find("so the solver claims nothing"), std::string::npos) << above.proved;
}

TEST(FormulateMmSvm, SaysWhatItNeeds) {
  const Dataset data = make_data({numbers("x", {0, 1, 2, 3})}, {0, 1, 0, 1});
  Options options;
  options.method = "mm-svm";
  options.max_depth = 2;
  options.write_model = "no-file-is-written.mps";
  expect_error([&] { fit(data, options); }, {"quadratic rows", ".lp"});
  options.write_model.clear();
  options.max_splits = 1;
  expect_error([&] { fit(data, options); }, {"option 'max_splits'"});
  options.max_splits = -1;
  options.level_costs = "0";
  expect_error([&] { fit(data, options); }, {"option 'level_costs'", "above 0"});
  options.level_costs = "1";
  Dataset three = data;
  three.labels = {0, 1, 2, 1};
  three.class_names.push_back("third");
  expect_error([&] { fit(three, options); }, {"3 classes"});
  EXPECT_EQ(fit(make_data({numbers("x", {5, 5})}, {0, 1}), options).status, Status::optimal);
}

}  // namespace
}  // namespace treewright
