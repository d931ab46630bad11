#pragma once

#include "treewright/base/random.h"
#include "treewright/svm/squared_hinge.h"

namespace treewright::testing {

/// Points of which the first coordinate tells the class, but for noise; random weights.
inline svm::TwoClassPoints two_class_points(Random& random, int rows, int axes) {
  svm::TwoClassPoints points;
  points.points.axes = axes;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < axes; ++j) points.points.x.push_back(random.normal());
    points.target.push_back(points.row(i)[0] + 0.5 * random.normal() > 0 ? 1 : -1);
    points.weight.push_back(random.uniform(0.1, 2));
  }
  return points;
}

}  // namespace treewright::testing
