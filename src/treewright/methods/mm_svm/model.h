#pragma once

#include "treewright/methods/margot/skeleton.h"

namespace treewright {

/// What the tree of `planes` costs as MM-SVM-OCT: half the square of the longest weights, the level costs times the slacks, and the price
/// of the nodes whose weights are not 0. See mm_svm.cpp.
double mm_svm_cost(const MargotProblem& problem, double split_price, const std::vector<MargotTree::Plane>& planes);

/// The best planes for rows of which it is known where they go. `reaches`: the node of the last level; shape (rows). `splits`: the nodes that
/// may split; those below one that does not, do not. Infinite objective where no planes send the rows so.
MargotTree mm_svm_tree(const MargotProblem& problem, double split_price, const std::vector<std::size_t>& reaches, std::vector<bool> splits);

/// MM-SVM-OCT as a mixed-integer program with quadratic rows.
class MmSvmFormulation : public MarginSkeleton {
 public:
  /// Trees that cost more than `dearest` may be left out: the constants of the model are made from it.
  MmSvmFormulation(const MargotProblem& problem, double split_price, double dearest);

  /// The point of the model that is this tree.
  std::vector<double> encode(const MargotTree& tree) const;

  /// The tree of a solution: its sides of rows and its splits, the hyperplanes solved again to full precision.
  MargotTree decode(std::span<const double> values) const;

 private:
  void add_width(std::size_t t);

  const double split_price_, dearest_;
  int delta_ = -1;
  std::vector<int> split_;  // variables. Shape (nodes).
};

}  // namespace treewright
