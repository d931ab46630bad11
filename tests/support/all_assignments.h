#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "treewright/methods/margot/problem.h"

namespace treewright::testing {

/// The least objective of MARGOT over all ways to send the rows down, each node solved by itself.
class AllAssignments {
 public:
  explicit AllAssignments(const margot::MargotProblem& problem) : problem_(problem) {}

  double best(std::size_t node = 0, int level = 0, std::vector<std::size_t> rows = {}) const {
    if (level == 0) {
      for (std::size_t i = 0; i < problem_.target.size(); ++i) rows.push_back(i);
    }
    const bool last = level + 1 == problem_.depth;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t sides = 0; sides < (last ? 1 : std::size_t{1} << rows.size()); ++sides) {
      std::vector<svm::MarginConstraint> constraints;
      std::vector<std::size_t> left, right;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::size_t row = rows[k];
        constraints.push_back(problem_.wanted(node, row));
        if (last) continue;
        const bool goes_right = (sides >> k & 1) != 0;
        constraints.push_back(goes_right ? svm::MarginConstraint{row, 1, 0} : svm::MarginConstraint{row, -1, problem_.epsilon});
        (goes_right ? right : left).push_back(row);
      }
      double total = machine(constraints, static_cast<std::size_t>(level));
      if (total >= least) continue;
      if (!last) total += best(2 * node + 1, level + 1, left) + best(2 * node + 2, level + 1, right);
      least = std::min(least, total);
    }
    return least;
  }

 private:
  // The least cost over all sets of features.
  double machine(const std::vector<svm::MarginConstraint>& constraints, std::size_t level) const {
    if (problem_.level_price.empty()) return svm::solve_soft_margin(problem_.points, constraints).upper;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t set = 0; set < std::size_t{1} << problem_.points.axes; ++set) {
      std::vector<bool> axes;
      for (std::size_t j = 0; j < problem_.points.axes; ++j) axes.push_back((set >> j & 1) != 0);
      const double price = problem_.level_price[level].of(static_cast<std::size_t>(std::count(axes.begin(), axes.end(), true)));
      if (std::isfinite(price)) least = std::min(least, svm::solve_on_axes(problem_.points, constraints, axes).upper + price);
    }
    return least;
  }

  const margot::MargotProblem& problem_;
};

}  // namespace treewright::testing
