#pragma once

#include <cstdint>
#include <vector>

#include "treewright/methods/margot/search.h"
#include "treewright/svm/sparse_margin.h"

namespace treewright::margot {

/// One thing that the search may decide: the side of a row at the tree node it is at, or whether a feature is in the node's machine.
struct MargotChoice {
  std::size_t node = 0;
  std::size_t item = 0;  ///< the row, or the feature
  bool of_feature = false;
};

/// What the search for MARGOT knows at one of its nodes: how far down the tree each row is certain to come, which features are decided,
/// and a bound for all trees that agree. See margot_state.cpp. A value; `problem` must outlive it.
class MargotState {
 public:
  /// Nothing is decided.
  explicit MargotState(const MargotProblem& problem);

  /// No tree that agrees costs less; infinite where there is none.
  double bound() const { return bound_; }
  /// The deepest tree node that the row is certain to reach.
  std::size_t node_of(std::size_t row) const { return reaches_[row]; }
  const svm::SparseMargin& machine(std::size_t t) const { return machines_[t]; }
  /// Of the plane of machine t at the row, and what it costs there.
  double height(std::size_t t, std::size_t row) const { return machines_[t].likely().height(problem_->points.row(row)); }
  double loss(std::size_t t, std::size_t row) const;

  /// The state after a choice: the row to the right child (or the left one), the feature in (or out), and all that follows at once. Its machines
  /// are solved until the bound passes `cutoff`.
  MargotState after(const MargotChoice& choice, bool right, double cutoff) const;

  /// Makes the machines ready to be solved with a little more; `forget` gives the memory back.
  void prepare();
  void forget();
  /// Gives machines of the last level more time for their features. False where that is of no use.
  bool settle_features(double cutoff);

  /// Planes for a whole tree: every row is sent down by the machines' planes, machines with more rows are solved again. None where they would
  /// cost `give_up` or more.
  std::vector<MargotTree::Plane> completion(double give_up) const;

 private:
  std::vector<svm::MarginConstraint> known(std::size_t t) const;
  void solve(std::size_t t, double cutoff);
  void follow(std::size_t t);
  double allowed(std::size_t t, double give_up, MargotTree::Plane& plane);

  const MargotProblem* problem_;
  std::vector<std::uint8_t> reaches_;        // Shape (rows).
  std::vector<svm::SparseMargin> machines_;  // Shape (tree nodes).
  double bound_ = 0;                         // sum of the machines' bounds
};

}  // namespace treewright::margot
