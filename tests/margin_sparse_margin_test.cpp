#include "treewright/margin/sparse_margin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/random.h"

namespace treewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Over all sets of features.
double least_cost(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price) {
  double least = kInfinity;
  for (std::size_t set = 0; set < std::size_t{1} << points.axes; ++set) {
    std::vector<bool> axes;
    for (std::size_t j = 0; j < points.axes; ++j) axes.push_back((set >> j & 1) != 0);
    const double features = price.of(static_cast<std::size_t>(std::count(axes.begin(), axes.end(), true)));
    if (std::isfinite(features)) least = std::min(least, solve_on_axes(points, constraints, axes).upper + features);
  }
  return least;
}

TEST(SparseMargin, GrowsToTheBestSetOfFeatures) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    PointMatrix points;
    points.axes = 2 + random.below(4);
    std::vector<MarginConstraint> constraints;
    const double cost = std::pow(10.0, static_cast<double>(random.below(4)) - 1);
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < points.axes; ++j) points.x.push_back(random.uniform());
      constraints.push_back({i, points.row(i)[0] - points.row(i)[1] + random.uniform() - 0.5 > 0 ? 1.0 : -1.0, 1, cost});
    }
    constraints.push_back({0, points.row(0)[0] > 0.5 ? 1.0 : -1.0, 1e-3});
    const FeaturePrice price{random.below(3), round % 2 == 0 ? kInfinity : cost};
    const double least = least_cost(points, constraints, price), tolerance = 3e-6 * std::max(1.0, least);
    SparseMargin search(points.axes, price);
    // A few rows more at a time; a search that is cut short keeps a bound.
    for (const std::size_t count : {7, 14, 21}) {
      const std::vector<MarginConstraint> known(constraints.begin(), constraints.begin() + static_cast<std::ptrdiff_t>(count));
      search.solve(points, known, kInfinity, 3);
      EXPECT_LE(search.lower(), least_cost(points, known, price) + tolerance) << "round " << round;
    }
    search.solve(points, constraints, kInfinity, 1000);
    EXPECT_TRUE(search.exact());
    EXPECT_NEAR(search.lower(), least, tolerance) << "round " << round;
    std::vector<bool> all(points.axes, true);
    const SoftMargin whole = solve_on_axes(points, constraints, all);
    for (const SoftMargin& found : {thin_out(points, constraints, price, whole, true), thin_out(points, constraints, price, whole, false),
                                    build_up(points, constraints, price)}) {
      EXPECT_GE(found.upper, least - tolerance);
      EXPECT_TRUE(std::isfinite(price.of(found.weights)) || std::isinf(found.upper));
    }
  }
}

}  // namespace
}  // namespace treewright
