// A bound for trees with a price of features, from the root's hyperplane alone.
//
// Theorem. No tree costs less than the soft-margin SVM of the root on all rows, features included, whose rows may take any side.
//
// Proof. The objective is the sum of what the nodes cost, and no node costs less than 0. The root holds all rows. Where the children ask
// rows to take a side, that only adds constraints to its SVM.
//
// The rows of some sets are separated by a single hyperplane, and then a tree is little more than the choice of its features. The search
// (search.cpp) decides rows, and features are the weak side of its bounds. Here features are all there is to decide, in the regions of
// sparse_margin.h with shares. The first region says whether this is worth its time: where the rows ask for several hyperplanes, its bound
// is below the one that is known.

#include "treewright/methods/margot/root_alone.h"

#include <algorithm>

namespace treewright::margot {

double bound_of_root_alone(const MargotProblem& problem, double known, double cutoff, Deadline& deadline,
                           const std::function<void(double bound)>& better) {
  constexpr int kAtATime = 2;  // the two halves of a region
  std::vector<svm::MarginConstraint> constraints;
  for (std::size_t row = 0; row < problem.rows(); ++row) constraints.push_back(problem.wanted(0, row));
  svm::SparseMargin root(problem.points, problem.price(0), true);
  double bound = known;
  root.solve(constraints, cutoff, 1);
  while (root.lower() > known && root.lower() < cutoff && root.may_become_exact() && !deadline.poll(kAtATime)) {
    if (root.lower() > bound) better(bound = root.lower());
    root.solve(constraints, cutoff, kAtATime);
  }
  return std::max(bound, std::min(root.lower(), cutoff));
}

}  // namespace treewright::margot
