#pragma once

#include "treewright/methods/margot/problem.h"
#include "treewright/mip/size.h"

namespace treewright::margot {

/// The common part of the models of MARGOT and MM-SVM-OCT: a hyperplane and slacks at every node of the complete tree, and the paths of
/// rows.
class MarginSkeleton {
 public:
  const mip::MipModel& model() const { return model_; }
  /// The size that the model of a problem will have, at most.
  static mip::ModelSize size_of(const MargotProblem& problem);

 protected:
  struct Node {
    std::vector<int> w, slack;  // variables. Shapes (axes), (rows).
    int b = -1;
  };

  /// Throws Error of kind limit where the model would not fit into memory.
  explicit MarginSkeleton(const MargotProblem& problem);

  /// 0/1 variables z_il: row i goes to node l of the last level; sum over l of z_il = 1. Below, Z_ti is the sum of z_il over the nodes l
  /// below t.
  void add_assignment();
  /// y_i (w_t x_i + b_t) + slack_ti - big Z_ti >= least
  void add_margin(std::size_t t, std::size_t row, double big, double least);
  /// w_t x_i + b_t - right Z_i,right(t) >= -right  and  w_t x_i + b_t + left Z_i,left(t) <= most
  void add_sides(std::size_t t, std::size_t row, double right, double left, double most);

  /// Sets the hyperplanes, the slacks and z to the values of a tree.
  void encode_rows(const MargotTree& tree, std::vector<double>& values) const;
  /// The node of the last level to which a solution sends each row. Shape (rows).
  std::vector<std::size_t> reaches(std::span<const double> values) const;

  const MargotProblem& problem_;
  mip::MipModel model_;
  std::vector<Node> nodes_;

 private:
  std::vector<mip::MipModel::Term> decision_value(std::size_t t, std::size_t row) const;
  void add_below(std::size_t t, std::size_t row, double coefficient, std::vector<mip::MipModel::Term>& terms) const;

  std::vector<std::vector<int>> z_;  // Shape (rows, nodes); -1 above the last level.
};

}  // namespace treewright::margot
