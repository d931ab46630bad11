#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "treewright/svm/sparse_margin.h"

namespace treewright::margot {

/// Largest depth of a tree.
inline constexpr int kMaxMargotDepth = 7;

/// DGMP23's MARGOT: a complete tree of soft-margin hyperplanes for two classes.
struct MargotProblem {
  PointMatrix points;
  std::vector<double> target;        ///< -1 or +1. Shape (rows).
  std::vector<double> level_target;  ///< if it differs between levels. Shape (depth, rows), or empty: `target` everywhere.
  std::vector<double> weight;        ///< > 0; 1 in the paper. Shape (rows).
  int depth = 2;                     ///< >= 1
  std::vector<double> level_cost;    ///< price of a unit of slack at each level. Shape (depth).
  std::vector<svm::FeaturePrice>
      level_price;        ///< price or budget of the features of a node at each level (HFS, SFS); empty = none. Shape (depth).
  double epsilon = 1e-3;  ///< a row goes left if the decision value is at most -epsilon, right if it is at least 0

  std::size_t rows() const { return weight.size(); }
  /// Nodes are numbered level by level: t has children 2 t + 1 and 2 t + 2.
  std::size_t nodes() const { return (std::size_t{1} << depth) - 1; }
  bool last_level(std::size_t t) const { return t >= nodes() / 2; }
  static std::size_t level_of(std::size_t t) { return static_cast<std::size_t>(std::bit_width(t + 1) - 1); }
  double cost(std::size_t t, std::size_t row) const { return level_cost[level_of(t)] * weight[row]; }
  /// Whether features beyond a budget are allowed (SFS) and cost no more than a row inside the margin. Then decisions about features
  /// raise a bound less than decisions about rows.
  bool features_are_cheap() const {
    return !level_price.empty() && level_price[0].price > 0 &&
           level_price[0].price <= *std::min_element(level_cost.begin(), level_cost.end());
  }
  svm::FeaturePrice price(std::size_t t) const { return level_price.empty() ? svm::FeaturePrice{} : level_price[level_of(t)]; }
  /// The constraint of node t's SVM for a row that reaches it, and for one that goes on to one of its children.
  svm::MarginConstraint wanted(std::size_t t, std::size_t row) const {
    return {row, level_target.empty() ? target[row] : level_target[level_of(t) * rows() + row], 1, cost(t, row)};
  }
  svm::MarginConstraint routed(std::size_t row, bool right) const {
    return right ? svm::MarginConstraint{row, 1, 0} : svm::MarginConstraint{row, -1, epsilon};
  }
};

/// A hyperplane for every inner node, the root first and then level by level: node t has children 2 t + 1 and 2 t + 2.
struct MargotTree {
  std::vector<Hyperplane> planes;  ///< Shape (2^depth - 1).
  double objective = 0;  ///< sum over the nodes of |weights|^2 / 2 + cost of the slack of the rows that reach it + price of the features
};

/// The hyperplanes, and a node without direction wherever one has no weights: all rows that reach it take the side where most of their
/// weight belongs. With these the tree is complete.
std::vector<Hyperplane> with_unsplit_nodes(const MargotProblem& problem, std::vector<Hyperplane> planes);

/// The objective of a tree on the problem's rows, routed by the hyperplanes. Infinite if a node has more features than its budget. Rows
/// with a decision value between -epsilon and 0 go left.
double margot_objective(const MargotProblem& problem, const std::vector<Hyperplane>& planes);

}  // namespace treewright::margot
