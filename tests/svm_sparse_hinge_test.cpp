#include "treewright/svm/sparse_hinge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/two_class_points.h"

namespace treewright {
namespace {

double objective(const svm::TwoClassPoints& points, double cost, const Hyperplane& s) {
  double value = 0;
  for (const double w : s.weights) value += std::abs(w);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double side = s.offset;
    for (std::size_t j = 0; j < points.points.axes; ++j) side += s.weights[j] * points.row(i)[j];
    const double room = std::max(0.0, 1 - points.target[i] * side);
    value += cost * points.weight[i] * room * room;
  }
  return value;
}

TEST(SparseHinge, TwoPointsByHand) {
  // One axis, points -1 and 1: offset 0, and w minimizes w + 2 C (1 - w)^2, so w = 1 - 1 / (4 C), and 0 where that is negative.
  const svm::TwoClassPoints points{1, {-1, 1}, {-1, 1}, {1, 1}};
  for (const double cost : {0.1, 0.25, 1.0, 100.0}) {
    const Hyperplane s = svm::fit_sparse_hinge(points, cost);
    EXPECT_NEAR(s.weights[0], std::max(0.0, 1 - 1 / (4 * cost)), 1e-3) << cost;
    EXPECT_NEAR(s.offset, 0, 1e-3);
  }
}

TEST(SparseHinge, NoNeighborIsBetter) {
  Random random(6);
  for (int round = 0; round < 30; ++round) {
    const svm::TwoClassPoints points =
        testing::two_class_points(random, 5 + static_cast<int>(random.below(60)), 1 + static_cast<int>(random.below(12)));
    const double cost = std::pow(10.0, random.uniform(-3, 2));
    const Hyperplane best = svm::fit_sparse_hinge(points, cost);
    const double least = objective(points, cost, best);
    for (int step = 0; step < 40; ++step) {
      Hyperplane other = best;
      const double length = std::pow(10.0, random.uniform(-3, 0));
      for (double& w : other.weights) w += length * random.normal() * static_cast<double>(random.below(2));
      other.offset += length * random.normal();
      EXPECT_GE(objective(points, cost, other), least * (1 - 1e-3)) << "cost " << cost;
    }
  }
}

TEST(SparseHinge, UsesOnlyTheAxisThatTells) {
  Random random(7);
  const svm::TwoClassPoints points = testing::two_class_points(random, 400, 20);
  const Hyperplane s = svm::fit_sparse_hinge(points, 0.02);
  EXPECT_GT(s.weights[0], 0.1);
  EXPECT_LE(std::count_if(s.weights.begin(), s.weights.end(), [](double w) { return w != 0; }), 4);
}

TEST(SparseHinge, AStartLeadsToTheSameObjective) {
  Random random(8);
  for (int round = 0; round < 10; ++round) {
    const svm::TwoClassPoints points = testing::two_class_points(random, 50, 6);
    Hyperplane start;
    for (int j = 0; j < 6; ++j) start.weights.push_back(random.normal());
    start.offset = random.normal();
    const double cold = objective(points, 1, svm::fit_sparse_hinge(points, 1));
    EXPECT_NEAR(objective(points, 1, svm::fit_sparse_hinge(points, 1, start)), cold, 1e-3 * cold);
  }
}

}  // namespace
}  // namespace treewright
