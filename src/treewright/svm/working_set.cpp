// Soft-margin SVMs whose solution is roughly known, by working sets (Osuna, Freund & Girosi 1997, chunking).
//
// Only constraints that hold exactly or are violated determine the solution; most others are far from it. The SVM is solved on the
// constraints that the guess violates or holds with little room. Constraints that this solution violates join the set, and it is solved
// again, until none is violated.
//
// A set of some constraints is a relaxation: its bound is a bound for all. The last set has the same solution as all constraints.

#include "treewright/svm/working_set.h"

#include <algorithm>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"

namespace treewright::svm {

namespace {

// A constraint that the guess holds with less room than this is in the first set.
constexpr double kNear = 0.3;

// Numbers of sets after which all constraints are taken.
constexpr int kRounds = 8;

}  // namespace

SoftMargin solve_from(const PointMatrix& points, std::span<const MarginConstraint> constraints, const Hyperplane& guess, double cutoff) {
  if (guess.weights.empty()) return solve_soft_margin(points, constraints, cutoff);
  std::vector<bool> taken(constraints.size(), false);
  std::vector<MarginConstraint> set;
  const auto take = [&](const Hyperplane& plane, double near) {
    const std::size_t before = set.size();
    for (std::size_t k = 0; k < constraints.size(); ++k) {
      const MarginConstraint& c = constraints[k];
      if (taken[k] || c.margin - c.sign * plane.decision_value(points.row(c.row)) <= -(c.cost < kInfinity ? near : 0)) continue;
      taken[k] = true;
      set.push_back(c);
    }
    return set.size() > before;
  };
  take(guess, kNear);
  for (int round = 0; round < kRounds; ++round) {
    stop_point();
    SoftMargin solved = solve_soft_margin(points, set, cutoff);
    if (solved.lower > cutoff || !(solved.upper < kInfinity)) {
      solved.upper = kInfinity;
      return solved;
    }
    if (!take({solved.weights, solved.offset}, 0)) return solved;
  }
  return solve_soft_margin(points, constraints, cutoff);
}

}  // namespace treewright::svm
