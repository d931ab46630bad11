#include "treewright/svm/squared_hinge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/two_class_points.h"

namespace treewright {
namespace {

double objective(const svm::TwoClassPoints& points, double cost, const Hyperplane& s) {
  double loss = 0, norm = 0;
  for (const double w : s.weights) norm += w * w;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double value = s.offset;
    for (std::size_t j = 0; j < points.points.axes; ++j) value += s.weights[j] * points.row(i)[j];
    const double gap = std::max(0.0, 1 - points.target[i] * value);
    loss += points.weight[i] * gap * gap;
  }
  return norm / 2 + cost * loss;
}

TEST(SquaredHinge, TwoPointsByHand) {
  // One axis, points -1 and 1: by symmetry offset 0, and w minimizes w^2 / 2 + 2 C (1 - w)^2, so w = 4 C / (1 + 4 C).
  const svm::TwoClassPoints points{1, {-1, 1}, {-1, 1}, {1, 1}};
  for (const double cost : {0.01, 1.0, 100.0}) {
    const Hyperplane s = svm::fit_squared_hinge(points, cost);
    EXPECT_NEAR(s.weights[0], 4 * cost / (1 + 4 * cost), 1e-3);
    EXPECT_NEAR(s.offset, 0, 1e-3);
  }
}

TEST(SquaredHinge, NoNeighborIsBetter) {
  Random random(5);
  for (int round = 0; round < 30; ++round) {
    const svm::TwoClassPoints points =
        testing::two_class_points(random, 5 + static_cast<int>(random.below(60)), 1 + static_cast<int>(random.below(12)));
    const double cost = std::pow(10.0, random.uniform(-3, 3));
    const Hyperplane best = svm::fit_squared_hinge(points, cost);
    const double least = objective(points, cost, best);
    for (int step = 0; step < 40; ++step) {
      Hyperplane other = best;
      const double length = std::pow(10.0, random.uniform(-3, 0));
      for (double& w : other.weights) w += length * random.normal();
      other.offset += length * random.normal();
      EXPECT_GE(objective(points, cost, other), least * (1 - 1e-3)) << "cost " << cost;
    }
  }
}

TEST(SquaredHinge, TheStartDoesNotMatter) {
  Random random(6);
  const svm::TwoClassPoints points = testing::two_class_points(random, 80, 6);
  const Hyperplane cold = svm::fit_squared_hinge(points, 1), warm = svm::fit_squared_hinge(points, 1, svm::fit_squared_hinge(points, 0.1));
  EXPECT_NEAR(objective(points, 1, cold), objective(points, 1, warm), 1e-4 * objective(points, 1, cold));
}

TEST(SquaredHinge, WeightsCountAsCopies) {
  Random random(7);
  svm::TwoClassPoints twice = testing::two_class_points(random, 30, 3), copied = twice;
  std::fill(twice.weight.begin(), twice.weight.end(), 2.0);
  std::fill(copied.weight.begin(), copied.weight.end(), 1.0);
  const svm::TwoClassPoints once = copied;
  copied.points.x.insert(copied.points.x.end(), once.points.x.begin(), once.points.x.end());
  copied.target.insert(copied.target.end(), once.target.begin(), once.target.end());
  copied.weight.insert(copied.weight.end(), once.weight.begin(), once.weight.end());
  EXPECT_NEAR(objective(twice, 3, svm::fit_squared_hinge(twice, 3)), objective(copied, 3, svm::fit_squared_hinge(copied, 3)), 1e-3);
}

TEST(SquaredHinge, OneClassAndNoAxes) {
  const Hyperplane one = svm::fit_squared_hinge({1, {1, 2}, {1, 1}, {1, 1}}, 10);
  EXPECT_GT(one.offset + one.weights[0], 0.99);
  const Hyperplane none = svm::fit_squared_hinge({0, {}, {1, 1, -1}, {1, 1, 1}}, 10);
  EXPECT_GT(none.offset, 0);
}

}  // namespace
}  // namespace treewright
