#pragma once

#include <string>

#include "treewright/base/deadline.h"
#include "treewright/reduce/hull.h"
#include "treewright/tree.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::svm1 {

struct SelectOptions {
  double beta1 = 0.1, beta2 = 0.1;  ///< Z20's, see select_rows.cpp
  double eps = 0.01;                ///< of (7)
  bool balanced = false;            ///< Algorithm 2 instead of the division by hull; needs a solver
  std::string solver = "highs";     ///< see MipOptions
};

/// A selected row, and why.
struct SelectedRow {
  enum class Kind { wrong, support, other };  ///< Algorithm 3's I, J and K; of Algorithm 1, J and the rest
  std::uint32_t row = 0;
  NodeId leaf{};  ///< of the tree that made the clusters
  Kind kind = Kind::other;
};

/// Rows as points: numeric columns on the axes' scale, one 0/1 column for each level; missing values sit at the mean, or have no level.
PointMatrix points_of(const Dataset& data, std::span<const Axis> axes);

/// Algorithm 1 of Z20 (or 2) on every cluster, that is the rows of positive weight of one class in one leaf: at least one row of each.
/// Ascending. Where the deadline comes first, rows that are not looked at go by their distance from the tree's hyperplanes. Throws Error
/// where `balanced` finds no solver.
std::vector<SelectedRow> select_rows(const Dataset& data, const Tree& tree, std::span<const Axis> axes, const SelectOptions& options,
                                     ThreadPool& pool, Deadline& deadline);

/// The rows of a round of Z20's Algorithm 3: I, those that the tree gets wrong; and of the others, leaf by leaf, the extreme ones that
/// inside rows lean on (J) and the nearest to the tree's hyperplanes of the rest (K), as many as beta2 leaves room for. Ascending.
std::vector<SelectedRow> rows_of_round(const Dataset& data, const Tree& tree, std::span<const Axis> axes, const SelectOptions& options,
                                       ThreadPool& pool, Deadline& deadline);

}  // namespace treewright::svm1
