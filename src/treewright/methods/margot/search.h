#pragma once

#include <bit>
#include <functional>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/svm/sparse_margin.h"

namespace treewright::margot {

/// DGMP23's MARGOT: a complete tree of soft-margin hyperplanes for two classes.
struct MargotProblem {
  svm::PointMatrix points;
  std::vector<double> target;        ///< -1 or +1. Shape (rows).
  std::vector<double> level_target;  ///< where it differs from level to level. Shape (depth, rows), or empty: `target` everywhere.
  std::vector<double> weight;        ///< > 0; 1 in the paper. Shape (rows).
  int depth = 2;                     ///< >= 1
  std::vector<double> level_cost;    ///< price of a unit of slack at each level. Shape (depth).
  std::vector<svm::FeaturePrice>
      level_price;        ///< of the features of a node at each level (HFS, SFS); empty = they cost nothing. Shape (depth).
  double epsilon = 1e-3;  ///< a row goes left where the hyperplane's function is at most -epsilon, right where it is at least 0

  std::size_t rows() const { return weight.size(); }
  /// Nodes are numbered level by level: t has children 2 t + 1 and 2 t + 2.
  std::size_t nodes() const { return (std::size_t{1} << depth) - 1; }
  bool last_level(std::size_t t) const { return t >= nodes() / 2; }
  static std::size_t level_of(std::size_t t) { return static_cast<std::size_t>(std::bit_width(t + 1) - 1); }
  double cost(std::size_t t, std::size_t row) const { return level_cost[level_of(t)] * weight[row]; }
  svm::FeaturePrice price(std::size_t t) const { return level_price.empty() ? svm::FeaturePrice{} : level_price[level_of(t)]; }
  /// What node t's machine asks of a row that reaches it, and of one that goes on to one of its children.
  svm::MarginConstraint wanted(std::size_t t, std::size_t row) const {
    return {row, level_target.empty() ? target[row] : level_target[level_of(t) * rows() + row], 1, cost(t, row)};
  }
  svm::MarginConstraint routed(std::size_t row, bool right) const {
    return right ? svm::MarginConstraint{row, 1, 0} : svm::MarginConstraint{row, -1, epsilon};
  }
};

/// A hyperplane for every inner node, the root first and then level by level: node t has children 2 t + 1 and 2 t + 2.
struct MargotTree {
  struct Plane {
    std::vector<double> weights;  ///< Shape (axes).
    double offset = 0;

    double height(std::span<const double> x) const;  ///< weights . x + offset
  };
  std::vector<Plane> planes;  ///< Shape (2^depth - 1).
  double objective = 0;  ///< sum over the nodes of |weights|^2 / 2 + cost of the slacks of the rows that reach it + price of the features
};

struct MargotResult {
  MargotTree tree;
  double lower = 0;        ///< no tree of the model has a smaller objective
  std::int64_t nodes = 0;  ///< of the search
  bool complete = false;   ///< proved within `gap`
};

/// Hears the objective and the bound whenever one of them gets better.
using MargotListener = std::function<void(double objective, double lower, bool better_tree)>;

/// Levels a tree may have.
inline constexpr int kMaxMargotDepth = 7;

/// The optimal tree of MARGOT by branch and bound over the sides rows take. See margot.cpp. The search does the same with any number of
/// threads. `starts`: planes of trees to begin from, shape (2^depth - 1); no weights where a tree has no split.
MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap = 1e-4, const MargotListener& listener = {},
                          int threads = 1, const std::vector<std::vector<MargotTree::Plane>>& starts = {});

/// The objective of a tree on the problem's rows, each sent down by the planes. Infinite where a node has more features than it may. Rows in
/// the gap between -epsilon and 0 go left.
double margot_objective(const MargotProblem& problem, const std::vector<MargotTree::Plane>& planes);

}  // namespace treewright::margot
