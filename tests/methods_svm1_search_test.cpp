#include "treewright/methods/svm1/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "support/random_data.h"
#include "treewright/base/deadline.h"
#include "treewright/fit.h"
#include "treewright/methods/svm1/node_program.h"
#include "treewright/methods/svm1/state.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"

namespace treewright {
namespace {

using svm1::NodeProgram;

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Case {
  Dataset data;
  svm1::Svm1Problem problem;
  Case(Random& random, const testing::DataShape& shape, int depth)
      : data(testing::random_data(random, shape)), problem{data, scaled_axes(data, Scaling::unit, false), {}} {
    if (random.below(3) == 0) {
      for (std::size_t i = 0; i < data.rows(); ++i) data.weights.push_back(0.5 * static_cast<double>(1 + random.below(4)));
    }
    const double alpha1[] = {2, 20, 60, 400}, alpha2[] = {0.01, 0.1, 0.5};
    const double price = alpha1[random.below(4)];
    for (std::size_t i = 0; i < data.rows(); ++i) problem.slack_price.push_back(price * data.weight(i));
    problem.alpha2 = alpha2[random.below(3)];
    problem.eps = random.below(2) == 0 ? 0.05 : 0.02;
    problem.max_depth = depth;
  }
};

// The node's program as a model: side[i] is -1 left, 1 right, 0 elsewhere. With h = 0 and g = 0 it always has a solution.
double by_model(const PointMatrix& u, const std::vector<double>& price, const std::vector<int>& side, double alpha2, double eps) {
  mip::MipModel model;
  std::vector<int> h(u.axes);
  const int g = model.add("g", -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
  for (std::size_t j = 0; j < u.axes; ++j) {
    h[j] = model.add("h" + std::to_string(j), -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
    const int length = model.add("l" + std::to_string(j), 0, mip::MipModel::kInfinity, alpha2);
    model.at_least("up" + std::to_string(j), {{length, 1}, {h[j], -1}}, 0);
    model.at_least("down" + std::to_string(j), {{length, 1}, {h[j], 1}}, 0);
  }
  for (std::size_t i = 0; i < side.size(); ++i) {
    std::vector<mip::MipModel::Term> d{{g, -1}};
    for (std::size_t j = 0; j < u.axes; ++j) d.push_back({h[j], u.row(i)[j]});
    model.add_row("d" + std::to_string(i), side[i] > 0 ? 0 : -1, d, side[i] < 0 ? 0 : 1);
    if (side[i] == 0) continue;
    const int slack = model.add("m" + std::to_string(i), 0, mip::MipModel::kInfinity, price[i]);
    for (auto& term : d) term.coefficient *= side[i];
    d.push_back({slack, 1});
    model.at_least("room" + std::to_string(i), d, eps);
  }
  Deadline none;
  const mip::MipSolution found = mip::solve(model, {}, {}, none);
  EXPECT_EQ(found.status, Status::optimal);
  return found.objective;
}

double by_program(const PointMatrix& u, const std::vector<double>& price, const std::vector<int>& side, double alpha2, double eps,
                  bool one_by_one) {
  NodeProgram program(u, alpha2, 1e4);
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side[i] == 0) continue;
    program.require({i, static_cast<double>(side[i]), eps, price[i]});
    program.require({i, static_cast<double>(side[i]), 0});
    if (one_by_one) program.solve(kInf);
  }
  program.solve(kInf);
  return program.lower();
}

TEST(Svm1NodeProgram, IsTheLinearProgram) {
  if (!mip::has_highs()) GTEST_SKIP() << "no HiGHS in this build";
  Random random(51);
  int programs = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Case c(random, {12, 4, 3, false, false, 2 + static_cast<int>(random.below(9))}, 1);
    const PointMatrix u = coordinates(c.data, c.problem.axes);
    if (u.axes == 0) continue;
    std::vector<int> side;
    for (std::size_t i = 0; i < c.data.rows(); ++i) {
      // Mostly as a line has them.
      const bool right = random.below(8) == 0 ? random.below(2) == 0 : u.row(i)[0] + 0.3 * u.row(i)[u.axes - 1] > 0.6;
      side.push_back(random.below(4) == 0 ? 0 : right ? 1 : -1);
    }
    const double model = by_model(u, c.problem.slack_price, side, c.problem.alpha2, c.problem.eps);
    for (const bool one_by_one : {false, true}) {
      const double own = by_program(u, c.problem.slack_price, side, c.problem.alpha2, c.problem.eps, one_by_one);
      EXPECT_NEAR(own, model, 1e-6 * std::max(1.0, model)) << trial << "\n" << testing::to_string(c.data);
    }
    ++programs;
  }
  EXPECT_GT(programs, 200);
}

// The least cost of all assignments of points to leaves. What a node costs depends on the points that go left and right there: the linear
// program, or alpha2 if a set of levels sends them so.
class Enumeration {
 public:
  explicit Enumeration(const Case& c) : c_(c), all_(c.problem), u_(all_.u) {
    for (const auto& here : all_.of_point) first_.push_back(here.front());
  }

  double least() {
    std::vector<std::size_t> leaf(first_.size(), 0);
    double best = kInf;
    while (true) {
      best = std::min(best, cost(leaf, best));
      std::size_t i = 0;
      while (i < leaf.size() && ++leaf[i] == all_.leaves()) leaf[i++] = 0;
      if (i == leaf.size()) return best;
    }
  }

 private:
  double cost(const std::vector<std::size_t>& leaf, double best) {
    double sum = 0;
    for (std::size_t l = 0; l < all_.leaves(); ++l) {
      std::vector<double> of_class(c_.data.classes(), 0.0);
      double total = 0;
      for (const svm1::Svm1Item& item : all_.items) {
        if (leaf[item.point] != l) continue;
        total += item.weight;
        of_class[static_cast<std::size_t>(item.label)] += item.weight;
      }
      sum += total - *std::max_element(of_class.begin(), of_class.end());
    }
    for (int level = 0; level < c_.problem.max_depth; ++level) {
      for (std::size_t t = 0; t < (std::size_t{1} << level); ++t) {
        std::vector<int> side(leaf.size(), 0);
        for (std::size_t p = 0; p < leaf.size(); ++p) {
          if (leaf[p] >> (c_.problem.max_depth - level) != t) continue;
          side[p] = (leaf[p] >> (c_.problem.max_depth - level - 1)) & 1 ? 1 : -1;
        }
        if (sum < best) sum += node_cost(side);
      }
    }
    return sum;
  }

  double node_cost(const std::vector<int>& side) {
    const auto [at, is_new] = known_.try_emplace(side, kInf);
    if (!is_new) return at->second;
    std::vector<int> of_items(all_.items.size(), 0);
    std::vector<double> price(all_.items.size(), 0.0);
    for (std::size_t p = 0; p < side.size(); ++p) {
      of_items[first_[p]] = side[p];
      for (const std::size_t i : all_.of_point[p]) price[first_[p]] += all_.items[i].slack_price;
    }
    at->second = u_.axes > 0 ? by_program(u_, price, of_items, c_.problem.alpha2, c_.problem.eps, false) : kInf;
    if (std::ranges::count(side, 1) == 0 || std::ranges::count(side, -1) == 0) at->second = 0;
    for (std::size_t c = 0; c < all_.categories.size(); ++c) {
      std::vector<int> goes(all_.levels[c], 0);
      bool fits = true;
      for (std::size_t p = 0; p < side.size(); ++p) {
        int& of_level = goes[static_cast<std::size_t>(all_.level[c][first_[p]])];
        if (side[p] != 0 && of_level == -side[p]) fits = false;
        if (side[p] != 0) of_level = side[p];
      }
      if (fits) at->second = std::min(at->second, c_.problem.alpha2);
    }
    return at->second;
  }

  const Case& c_;
  const svm1::Svm1Items all_;
  const PointMatrix& u_;
  std::vector<std::size_t> first_;
  std::map<std::vector<int>, double> known_;
};

// TREEWRIGHT_SVM1_TRIALS asks for more.
int trials(int usual) {
  const char* asked = std::getenv("TREEWRIGHT_SVM1_TRIALS");
  return asked == nullptr ? usual : std::atoi(asked);
}

TEST(Svm1Search, AgreesWithAllAssignmentsHeavy) {
  Random random(52);
  const int count = trials(300);
  int complete = 0, split = 0;
  for (int trial = 0; trial < count; ++trial) {
    const int depth = 1 + (trial % 3 != 0);
    const Case c(random, {depth == 1 ? 7 : 6 + (trial % 10 == 1), 3, 3, trial % 2 == 0, trial % 4 == 0, 2 + trial % 6}, depth);
    Deadline none;
    const svm1::Svm1Found found = svm1::search_svm1(c.problem, {}, none, 1e-6, 1000000);
    const double least = Enumeration(c).least(), tolerance = 2e-6 * std::max(1.0, least);
    ASSERT_LE(found.lower, least + tolerance) << trial << "\n" << testing::to_string(c.data);
    ASSERT_GE(found.cost, least - tolerance) << trial << "\n" << testing::to_string(c.data);
    if (found.complete) {
      ASSERT_LE(found.cost, least + tolerance) << trial << "\n" << testing::to_string(c.data);
    }
    complete += found.complete;
    split += !found.draft.is_leaf();
  }
  // The others have rows on a hyperplane that choose their side.
  EXPECT_GT(complete, count * 9 / 10);
  EXPECT_GT(split, count / 2);
  RecordProperty("complete", complete);
}

TEST(Svm1Search, TheTreeIsNoWorseThanItsStartAndTheResultIsChecked) {
  Random random(53);
  int proved = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const Dataset data = testing::random_data(random, {14, 3, 3, trial % 2 == 0, trial % 4 == 0, 7});
    Options options;
    options.method = "svm1";
    options.max_depth = 2;
    options.slack_price = 100;
    options.margin = 0.05;
    options.n_jobs = 1;
    options.max_splits = trial % 3 == 0 ? 1 : -1;
    const Result result = fit(data, options);
    EXPECT_LE(result.bound, result.objective);
    proved += result.status == Status::optimal;
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
    options.node_limit = 1;
    const Result stopped = fit(data, options);
    EXPECT_GE(stopped.objective, result.objective - 1e-9);
    EXPECT_LE(stopped.bound, result.objective + 1e-9);
  }
  EXPECT_GT(proved, 4);
}

TEST(Svm1Search, ALimitOnNodesLeavesTheLocalSearchAlone) {
  Random random(59);
  for (int trial = 0; trial < 4; ++trial) {
    const Dataset data = testing::random_data(random, {60, 3, 3, trial % 2 == 0, false, 7});
    Options options;
    options.method = "svm1";
    options.max_depth = 2;
    options.node_limit = 0;
    const double none = fit(data, options).objective;
    options.node_limit = 40;
    EXPECT_LE(none, 1.2 * fit(data, options).objective);
    options.node_limit = -1;
    EXPECT_LE(none, 1.2 * fit(data, options).objective);
  }
}

}  // namespace
}  // namespace treewright
