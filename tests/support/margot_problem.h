#pragma once

#include <cmath>
#include <cstddef>

#include "treewright/base/random.h"
#include "treewright/methods/margot/problem.h"

namespace treewright::testing {

/// Rows on a coarse grid, some of them of weight 2, and costs of the levels between 0.1 and 100.
inline margot::MargotProblem random_problem(Random& random, std::size_t rows, std::size_t axes, int depth) {
  margot::MargotProblem problem;
  problem.points.axes = axes;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < axes; ++j) problem.points.x.push_back(static_cast<double>(random.below(9)) / 8);
    problem.target.push_back(random.below(2) == 0 ? -1 : 1);
    problem.weight.push_back(random.below(3) == 0 ? 2 : 1);
  }
  problem.depth = depth;
  for (int level = 0; level < depth; ++level) problem.level_cost.push_back(std::pow(10.0, static_cast<double>(random.below(4)) - 1));
  return problem;
}

}  // namespace treewright::testing
