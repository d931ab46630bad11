#pragma once

#include <cstdint>
#include <vector>

#include "treewright/methods/margot/problem.h"
#include "treewright/svm/sparse_margin.h"

namespace treewright::margot {

/// One decision of the search: the side of a row at the deepest tree node it is certain to reach, or whether a node SVM may use a feature.
struct MargotChoice {
  std::size_t node = 0;
  std::size_t item = 0;  ///< the row, or the feature
  bool of_feature = false;
};

/// A state of the search for MARGOT: how far down the tree each row is certain to come, which features are decided, and a bound for all
/// trees that agree with these decisions. See state.cpp. Has value semantics; `problem` must outlive it.
class MargotState {
 public:
  /// The state in which nothing is decided.
  explicit MargotState(const MargotProblem& problem);

  /// No tree that agrees with the decisions costs less; infinite if there is no such tree.
  double bound() const { return bound_; }
  /// The deepest tree node that the row is certain to reach.
  std::size_t node_of(std::size_t row) const { return reaches_[row]; }
  const svm::SparseMargin& node_svm(std::size_t t) const { return node_svms_[t]; }
  /// Decision value of node SVM t at the row, and the cost of the row there.
  double decision_value(std::size_t t, std::size_t row) const {
    return node_svms_[t].best_region().decision_value(problem_->points.row(row));
  }
  double loss(std::size_t t, std::size_t row) const;

  /// The state after a choice (row to the right or left child, feature in or out) and everything it implies. Its node SVMs are solved until
  /// the bound exceeds `cutoff`.
  MargotState after(const MargotChoice& choice, bool right, double cutoff) const;

  /// Prepares warm starts of the node SVMs; `forget` frees their memory.
  void prepare();
  void forget();
  /// Solves node SVMs again whose last solution was ended by rounding. False if that leads no further.
  bool solve_again(double cutoff);
  /// Continues the feature search of the last level's node SVMs. False if there is nothing left to search.
  bool settle_features(double cutoff);

  /// Hyperplanes of a complete tree: sends every row down by the current hyperplanes and solves node SVMs that receive more rows again.
  /// None if the tree would cost `give_up` or more.
  std::vector<Hyperplane> completion(double give_up) const;

 private:
  std::vector<svm::MarginConstraint> known(std::size_t t) const;
  void solve(std::size_t t, double cutoff, bool settle = false);
  void follow(std::size_t t);
  double allowed(std::size_t t, double give_up, Hyperplane& plane);

  const MargotProblem* problem_;
  std::vector<std::uint8_t> reaches_;         // Shape (rows).
  std::vector<svm::SparseMargin> node_svms_;  // Shape (tree nodes).
  double bound_ = 0;                          // sum of the bounds of the node SVMs
};

}  // namespace treewright::margot
