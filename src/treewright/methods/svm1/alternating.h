#pragma once

#include <cstdint>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::svm1 {

/// Z20's problem: rows with prices, on a fixed scale. The weights of the data are the prices of errors.
struct Svm1Problem {
  const Dataset& data;
  std::vector<Axis> axes;           ///< the scale: of these rows, or of the data they were selected from
  std::vector<double> slack_price;  ///< alpha1 times the row's weight. Shape (rows).
  double alpha2 = 0, eps = 0;
  int max_depth = 2;
  std::int64_t max_splits = -1;  ///< -1 = no limit
  std::int64_t min_rows = 1;     ///< smallest number of rows of positive weight in a leaf
};

/// The heuristic of method svm1: improves a tree until no node can be improved. See alternating.cpp.
class Svm1Alternation {
 public:
  Svm1Alternation(const Svm1Problem& problem, Deadline& deadline);

  /// Errors + price of slack + alpha2 |h|_1 on the rows of the problem. Leaves predict their majority.
  double cost(const grow::EditableTree& draft) const;

  /// Turns thresholds into hyperplanes, drops terms that are on no axis, and cuts what is too deep or too small. Afterwards every row is at
  /// most 1 from every hyperplane (M = 1).
  grow::EditableTree admitted(grow::EditableTree draft) const;

  /// Local search; never raises the cost. `draft` must have passed `admit`.
  void descend(grow::EditableTree& draft) const;

  /// Perturbation: replaces the split of one node by a random one and runs the local search; keeps the result if it costs less.
  void perturb(grow::EditableTree& draft, Random& random) const;

 private:
  class Revision;

  // Price of the slack of each row on its path. Shape (rows).
  std::vector<double> slack_below(const grow::EditableTree& draft, std::span<const std::uint32_t> rows) const;
  double cost(const grow::EditableTree& draft, std::span<const std::uint32_t> rows) const;
  grow::EditableTree admitted(grow::EditableTree draft, std::span<const std::uint32_t> rows, int depth) const;
  bool within_unit(ScaledPlane& plane) const;
  bool pass(grow::EditableTree& node, std::span<const std::uint32_t> rows, int depth, std::int64_t& splits_left) const;
  bool revise(grow::EditableTree& node, std::span<const std::uint32_t> rows) const;
  bool shorten(grow::EditableTree& node, std::span<const std::uint32_t> rows, std::int64_t& splits_left) const;
  bool grow(grow::EditableTree& leaf, std::span<const std::uint32_t> rows, std::int64_t& splits_left) const;

  const Svm1Problem& problem_;
  Deadline& deadline_;
  grow::RowList all_;
  ScaledPoints points_;  // standardized, for the support vector machines
  PointMatrix u_;        // in the units of the objective
};

}  // namespace treewright::svm1
