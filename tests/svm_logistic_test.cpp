#include "treewright/svm/logistic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/random.h"

namespace treewright {
namespace {

// Three classes around the corners of a triangle, with noise.
svm::ClassPoints some_points(Random& random, std::size_t rows, std::size_t axes, std::size_t classes) {
  svm::ClassPoints points;
  points.points.axes = axes;
  points.classes = classes;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto k = static_cast<std::uint32_t>(i % classes);
    for (std::size_t j = 0; j < axes; ++j) points.points.x.push_back(random.normal() + (j % classes == k ? 1.0 : 0.0));
    points.target.push_back(k);
    points.weight.push_back(random.uniform(0.1, 2));
  }
  return points;
}

double objective(const svm::ClassPoints& points, double cost, const std::vector<Hyperplane>& planes) {
  double sum = 0;
  for (const Hyperplane& plane : planes) {
    for (const double w : plane.weights) sum += w * w / 2;
  }
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double all = 0;
    for (const Hyperplane& plane : planes) all += std::exp(plane.decision_value(points.row(i)));
    sum += cost * points.weight[i] * (std::log(all) - planes[points.target[i]].decision_value(points.row(i)));
  }
  return sum;
}

TEST(Logistic, TwoPointsByHand) {
  // Points -1 and 1: the offset is 0, and w minimizes w^2 / 2 + 2 C log(1 + exp(-w)), so w (1 + exp(w)) = 2 C.
  const svm::ClassPoints points{{1, {-1, 1}}, 2, {0, 1}, {1, 1}};
  for (const double cost : {0.01, 1.0, 100.0}) {
    const std::vector<Hyperplane> planes = svm::fit_logistic(points, cost);
    const double w = planes[1].weights[0];
    EXPECT_NEAR(w * (1 + std::exp(w)), 2 * cost, 2e-3 * cost);
    EXPECT_NEAR(planes[1].offset, 0, 1e-3);
    EXPECT_EQ(planes[0].weights[0], 0);
    EXPECT_EQ(planes[0].offset, 0);
  }
}

TEST(Logistic, WithoutAxesTheOffsetsGiveTheSharesOfTheClasses) {
  const std::vector<Hyperplane> planes = svm::fit_logistic({{0, {}}, 3, {0, 0, 1, 2}, {1, 2, 3, 6}}, 100);
  EXPECT_NEAR(planes[1].offset - planes[0].offset, 0, 1e-3);
  EXPECT_NEAR(planes[2].offset - planes[0].offset, std::log(2.0), 1e-3);
}

TEST(Logistic, NoNeighborIsBetter) {
  Random random(51);
  for (int round = 0; round < 30; ++round) {
    const std::size_t classes = 2 + random.below(4);
    const svm::ClassPoints points = some_points(random, 2 * classes + random.below(60), 1 + random.below(8), classes);
    const double cost = std::pow(10.0, random.uniform(-3, 3));
    const std::vector<Hyperplane> best = svm::fit_logistic(points, cost);
    const double least = objective(points, cost, best);
    for (int step = 0; step < 40; ++step) {
      std::vector<Hyperplane> other = best;
      const double length = std::pow(10.0, random.uniform(-3, 0));
      for (std::size_t k = classes == 2 ? 1 : 0; k < classes; ++k) {
        for (double& w : other[k].weights) w += length * random.normal();
        other[k].offset += length * random.normal();
      }
      EXPECT_GE(objective(points, cost, other), least * (1 - 1e-4)) << classes << " classes, cost " << cost;
    }
  }
}

TEST(Logistic, WeightsCountAsCopies) {
  Random random(52);
  svm::ClassPoints twice = some_points(random, 40, 3, 3), copied = twice;
  std::fill(twice.weight.begin(), twice.weight.end(), 2.0);
  std::fill(copied.weight.begin(), copied.weight.end(), 1.0);
  const svm::ClassPoints once = copied;
  copied.points.x.insert(copied.points.x.end(), once.points.x.begin(), once.points.x.end());
  copied.target.insert(copied.target.end(), once.target.begin(), once.target.end());
  copied.weight.insert(copied.weight.end(), once.weight.begin(), once.weight.end());
  EXPECT_NEAR(objective(twice, 3, svm::fit_logistic(twice, 3)), objective(copied, 3, svm::fit_logistic(copied, 3)), 1e-3);
}

TEST(Logistic, HugeValuesAndSeparatedClassesStayFinite) {
  const std::vector<Hyperplane> planes = svm::fit_logistic({{1, {-1e6, -9e5, 8e5, 1e6}}, 2, {0, 0, 1, 1}, {1, 1, 1, 1}}, 1e6);
  EXPECT_TRUE(std::isfinite(planes[1].weights[0]) && std::isfinite(planes[1].offset));
  EXPECT_GT(planes[1].decision_value(std::vector<double>{8e5}), 0);
  EXPECT_LT(planes[1].decision_value(std::vector<double>{-9e5}), 0);
}

}  // namespace
}  // namespace treewright
