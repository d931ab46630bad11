#include "treewright/methods/margot/problem.h"

#include <algorithm>

namespace treewright::margot {

std::vector<Hyperplane> with_unsplit_nodes(const MargotProblem& problem, std::vector<Hyperplane> planes) {
  std::vector<std::size_t> at(problem.rows(), 0);
  for (std::size_t t = 0; t < planes.size(); ++t) {
    if (planes[t].weights.empty()) {
      double balance = 0;
      for (std::size_t row = 0; row < problem.rows(); ++row) {
        if (at[row] == t) balance += problem.wanted(t, row).sign * problem.weight[row];
      }
      planes[t] = {std::vector<double>(problem.points.axes, 0.0), balance < 0 ? -1.0 : 1.0};
    }
    for (std::size_t row = 0; row < problem.rows(); ++row) {
      if (at[row] == t) at[row] = 2 * t + (planes[t].decision_value(problem.points.row(row)) >= 0 ? 2 : 1);
    }
  }
  return planes;
}

double margot_objective(const MargotProblem& problem, const std::vector<Hyperplane>& planes) {
  double total = 0;
  for (std::size_t t = 0; t < planes.size(); ++t) {
    for (const double w : planes[t].weights) total += w * w / 2;
    if (!problem.level_price.empty()) total += problem.level_price[std::bit_width(t + 1) - 1].of(planes[t].weights);
  }
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    std::size_t t = 0;
    while (t < problem.nodes()) {
      const double h = planes[t].decision_value(problem.points.row(row));
      const svm::MarginConstraint wanted = problem.wanted(t, row);
      total += wanted.cost * std::max(0.0, wanted.margin - wanted.sign * h);
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }
  return total;
}

}  // namespace treewright::margot
