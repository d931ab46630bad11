#pragma once

#include "treewright/methods/margot/skeleton.h"

namespace treewright::mm_svm {

/// The objective of MM-SVM-OCT for the tree of `planes`: half the square of the longest weights, plus the level costs times the slacks,
/// plus the price of the nodes whose weights are not 0. See model.cpp.
double mm_svm_cost(const margot::MargotProblem& problem, double split_price, const std::vector<Hyperplane>& planes);

/// The best hyperplanes for a given leaf assignment. `reaches`: the node of the last level for each row; shape (rows). `splits`: the nodes
/// that may split; nodes below one that does not split do not either. Infinite objective if no hyperplanes send the rows this way.
margot::MargotTree mm_svm_tree(const margot::MargotProblem& problem, double split_price, const std::vector<std::size_t>& reaches,
                               std::vector<bool> splits);

/// MM-SVM-OCT as a mixed-integer program with quadratic constraints.
class MmSvmFormulation : public margot::MarginSkeleton {
 public:
  /// The model may exclude trees that cost more than `dearest`: its constants are computed from this value.
  MmSvmFormulation(const margot::MargotProblem& problem, double split_price, double dearest);

  /// The solution of the model that represents this tree.
  std::vector<double> encode(const margot::MargotTree& tree) const;

  /// The tree of a solution: takes its sides of rows and its splits, and solves the hyperplanes again to full precision.
  margot::MargotTree decode(std::span<const double> values) const;

 private:
  void add_width(std::size_t t);

  const double split_price_, dearest_;
  int delta_ = -1;
  std::vector<int> split_;  // variables. Shape (nodes).
};

}  // namespace treewright::mm_svm
