#include "treewright/svm/sparse_margin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/random.h"
#include "treewright/svm/few_features.h"

namespace treewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Over all sets of features.
double least_cost(const PointMatrix& points, const std::vector<svm::MarginConstraint>& constraints, svm::FeaturePrice price) {
  double least = kInfinity;
  for (std::size_t set = 0; set < std::size_t{1} << points.axes; ++set) {
    std::vector<bool> axes;
    for (std::size_t j = 0; j < points.axes; ++j) axes.push_back((set >> j & 1) != 0);
    const double features = price.of(static_cast<std::size_t>(std::count(axes.begin(), axes.end(), true)));
    if (std::isfinite(features)) least = std::min(least, svm::solve_on_axes(points, constraints, axes).upper + features);
  }
  return least;
}

struct Machine {
  PointMatrix points;
  std::vector<svm::MarginConstraint> constraints;
  svm::FeaturePrice price;
};

Machine random_machine(Random& random, bool hard) {
  Machine machine;
  PointMatrix& points = machine.points;
  points.axes = 2 + random.below(4);
  const double cost = std::pow(10.0, static_cast<double>(random.below(4)) - 1);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < points.axes; ++j) points.x.push_back(random.uniform());
    machine.constraints.push_back({i, points.row(i)[0] - points.row(i)[1] + random.uniform() - 0.5 > 0 ? 1.0 : -1.0, 1, cost});
  }
  machine.constraints.push_back({0, points.row(0)[0] > 0.5 ? 1.0 : -1.0, 1e-3});
  machine.price = {random.below(3), hard ? kInfinity : cost};
  return machine;
}

TEST(SparseMargin, GrowsToTheBestSetOfFeatures) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const auto [points, constraints, price] = random_machine(random, round % 2 == 0);
    const double least = least_cost(points, constraints, price), tolerance = 3e-6 * std::max(1.0, least);
    svm::SparseMargin search(points, price, round % 4 < 2);
    // A few rows more at a time; a search that is cut short keeps a bound.
    for (const std::size_t count : {7, 14, 21}) {
      const std::vector<svm::MarginConstraint> known(constraints.begin(), constraints.begin() + static_cast<std::ptrdiff_t>(count));
      search.solve(known, kInfinity, 3);
      EXPECT_LE(search.lower(), least_cost(points, known, price) + tolerance) << "round " << round;
    }
    while (search.may_become_exact()) search.solve(constraints, kInfinity, 5);
    EXPECT_TRUE(search.exact());
    EXPECT_NEAR(search.lower(), least, tolerance) << "round " << round;
  }
}

// Where one class has few rows, no feature is worth its price, and several regions have the same bound. Only that of the fewest features is
// exact.
TEST(SparseMargin, AnExactBoundIsTheCostOfItsHyperplane) {
  Random random(4);
  for (int round = 0; round < 60; ++round) {
    auto [points, constraints, price] = random_machine(random, true);
    for (svm::MarginConstraint& constraint : constraints)
      constraint.sign = constraint.row % 10 == 3 && std::isfinite(constraint.cost) ? -1 : 1;
    svm::SparseMargin search(points, price);
    for (std::size_t count = 3; count <= constraints.size(); ++count) {
      const std::vector<svm::MarginConstraint> known(constraints.begin(), constraints.begin() + static_cast<std::ptrdiff_t>(count));
      search.solve(known, kInfinity, 5);
      while (search.may_become_exact()) search.solve(known, kInfinity, 5);
      EXPECT_EQ(search.exact(), search.best_region().exact()) << "round " << round;
      if (!search.exact()) continue;
      const std::vector<double>& weights = search.best_region().weights();
      double cost = price.of(weights);
      for (const double w : weights) cost += w * w / 2;
      for (const svm::MarginConstraint& c : known) {
        const double missing = c.margin - c.sign * search.best_region().decision_value(points.row(c.row));
        if (missing > 0) cost += c.cost * missing;
      }
      EXPECT_NEAR(cost, search.lower(), 1e-5 * std::max(1.0, search.lower())) << "round " << round;
    }
  }
}

TEST(SparseMargin, DecidedFeaturesAreABoundForTheirChoice) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const auto [points, constraints, price] = random_machine(random, round % 2 == 0);
    const double least = least_cost(points, constraints, price), tolerance = 3e-6 * std::max(1.0, least);
    // The least of both sides of each decision is the least of all.
    std::vector<svm::FeatureRegion> open(1, svm::FeatureRegion(points, price, round % 4 < 2));
    open[0].solve(constraints, kInfinity);
    double found = kInfinity;
    while (!open.empty()) {
      svm::FeatureRegion region = std::move(open.back());
      open.pop_back();
      const std::vector<std::size_t> feature = region.undecided(1);
      if (region.exact() || feature.empty()) {
        found = std::min(found, region.lower());
        continue;
      }
      for (const bool in : {true, false}) {
        svm::FeatureRegion half = region;
        half.decide(feature[0], in);
        half.solve(constraints, kInfinity);
        EXPECT_GE(half.lower(), region.lower());
        open.push_back(std::move(half));
      }
    }
    EXPECT_NEAR(found, least, tolerance) << "round " << round;
  }
}

// The relaxation lies between the bound without shares and the best set of features, and is convex: no other shares are below it.
TEST(SparseMargin, SharesLeadToTheRelaxation) {
  Random random(5);
  int raised = 0;
  for (int round = 0; round < 60; ++round) {
    const auto [points, constraints, price] = random_machine(random, round % 2 == 0);
    const double least = least_cost(points, constraints, price), tolerance = 3e-6 * std::max(1.0, least);
    svm::FeatureRegion plain(points, price), relaxed(points, price, true);
    plain.solve(constraints, kInfinity);
    relaxed.solve(constraints, kInfinity);
    EXPECT_GE(relaxed.lower(), plain.lower() - tolerance) << "round " << round;
    EXPECT_LE(relaxed.lower(), least + tolerance) << "round " << round;
    raised += relaxed.lower() > plain.lower() * 1.001 ? 1 : 0;
    // Any shares and the weights of their SVM cost at least the relaxation.
    const std::vector<svm::FeatureUse> open(points.axes, svm::FeatureUse::open);
    const svm::SoftMargin whole = svm::solve_on_axes(points, constraints, std::vector<bool>(points.axes, true));
    const std::vector<double> shares = svm::cheapest_shares(whole.weights, open, price);
    double slacks = whole.upper;
    for (const double w : whole.weights) slacks -= w * w / 2;
    EXPECT_GE(slacks + svm::cost_of_shares(whole.weights, shares, price), relaxed.lower() - tolerance) << "round " << round;
  }
  EXPECT_GT(raised, 10);
}

TEST(FeatureShares, AreTheCheapestOfAGrid) {
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    const std::vector<double> weights = {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    std::vector<svm::FeatureUse> use;
    for (int j = 0; j < 3; ++j) use.push_back(random.below(3) == 0 ? svm::FeatureUse::in : svm::FeatureUse::open);
    const auto taken = static_cast<std::size_t>(std::count(use.begin(), use.end(), svm::FeatureUse::in));
    const bool hard = random.below(2) == 0;
    const svm::FeaturePrice price = {hard ? taken + 1 : random.below(3), hard ? kInfinity : random.uniform(0.1, 2)};
    const std::vector<double> best = svm::cheapest_shares(weights, use, price);
    const double cost = svm::cost_of_shares(weights, best, price);
    for (int k = 0; k < 1000; ++k) {
      std::vector<double> shares = {k / 100 % 10 / 10.0 + 0.1, k / 10 % 10 / 10.0 + 0.1, k % 10 / 10.0 + 0.1};
      double total = 0;
      for (int j = 0; j < 3; ++j) total += shares[j] = use[j] == svm::FeatureUse::in ? 1 : shares[j];
      if (hard && total > static_cast<double>(price.budget)) continue;
      EXPECT_LE(cost, svm::cost_of_shares(weights, shares, price) + 1e-5 * cost) << "round " << round;
    }
  }
}

TEST(FewFeatures, AreNeverBetterThanTheBest) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const auto [points, constraints, price] = random_machine(random, round % 2 == 0);
    const double least = least_cost(points, constraints, price), tolerance = 3e-6 * std::max(1.0, least);
    const svm::SoftMargin whole = svm::solve_on_axes(points, constraints, std::vector<bool>(points.axes, true));
    for (const svm::SoftMargin& found :
         {svm::eliminate_features(points, constraints, price, whole, true),
          svm::eliminate_features(points, constraints, price, whole, false), svm::add_features(points, constraints, price)}) {
      EXPECT_GE(found.upper, least - tolerance);
      EXPECT_TRUE(std::isfinite(price.of(found.weights)) || std::isinf(found.upper));
    }
    EXPECT_NEAR(svm::best_features(points, constraints, price, kInfinity, 1000).upper, least, tolerance) << "round " << round;
    EXPECT_EQ(svm::best_features(points, constraints, price, least / 2, 1000).upper, kInfinity);
  }
}

}  // namespace
}  // namespace treewright
