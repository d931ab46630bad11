#pragma once

#include <cstddef>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/svm/soft_margin.h"

namespace treewright::testing {

struct SoftMarginCase {
  PointMatrix points;
  std::vector<svm::MarginConstraint> constraints;
};

/// Soft constraints whose side is the sign of an alternating sum of the coordinates, but for noise up to so much either way. `coordinate`
/// draws a coordinate.
template <class Draw>
SoftMarginCase soft_margin_case(Random& random, std::size_t rows, std::size_t axes, double cost, double noise, const Draw& coordinate) {
  SoftMarginCase c;
  c.points.axes = axes;
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < axes; ++j) {
      c.points.x.push_back(coordinate());
      sum += (j % 2 == 0 ? 1 : -1) * c.points.x.back();
    }
    c.constraints.push_back({i, sum + noise * (2 * random.uniform() - 1) > 0 ? 1.0 : -1.0, 1, cost});
  }
  return c;
}

/// With coordinates from 0 to 1.
inline SoftMarginCase soft_margin_case(Random& random, std::size_t rows, std::size_t axes, double cost) {
  return soft_margin_case(random, rows, axes, cost, 0.5, [&random] { return random.uniform(); });
}

}  // namespace treewright::testing
