#pragma once

#include <functional>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/margin/sparse_margin.h"

namespace treewright {

/// DGMP23's MARGOT: a complete tree of soft-margin hyperplanes for two classes.
struct MargotProblem {
  PointMatrix points;
  std::vector<double> target;             ///< -1 or +1. Shape (rows).
  std::vector<double> weight;             ///< > 0; 1 in the paper. Shape (rows).
  int depth = 2;                          ///< >= 1
  std::vector<double> level_cost;         ///< price of a unit of slack at each level. Shape (depth).
  std::vector<FeaturePrice> level_price;  ///< of the features of a node at each level (HFS, SFS); empty = they cost nothing. Shape (depth).
  double epsilon = 1e-3;  ///< a row goes left where the hyperplane's function is at most -epsilon, right where it is at least 0
};

/// A hyperplane for every inner node, the root first and then level by level: node t has children 2 t + 1 and 2 t + 2.
struct MargotTree {
  struct Plane {
    std::vector<double> weights;  ///< Shape (axes).
    double offset = 0;
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
/// threads.
MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap = 1e-4, const MargotListener& listener = {},
                          int threads = 1);

/// The objective of a tree on the problem's rows, each sent down by the planes. Infinite where a node has more features than it may. Rows in
/// the gap between -epsilon and 0 go left.
double margot_objective(const MargotProblem& problem, const std::vector<MargotTree::Plane>& planes);

}  // namespace treewright
