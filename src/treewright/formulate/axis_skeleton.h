#pragma once

#include <string>

#include "treewright/formulate/skeleton.h"

namespace treewright::formulate {

/// What the models of axis trees share: the feature and threshold of each split, the side on which they put a row, and the losses of (P).
/// See the essay in oct.cpp.
class AxisSkeleton : public Skeleton {
 protected:
  using Skeleton::Skeleton;

  /// A row that the splits send to a side.
  struct RoutedRow {
    const RowCell* row;    ///< its ranks
    std::size_t cell;      ///< the cell whose leaf it is in
    std::string name;      ///< in the names of constraints
    int only_if_one = -1;  ///< variable: where it is 0, the row may be on any side. -1: none
  };

  /// The rows that are routed, and the features that splits use.
  virtual const Cells& routed() const { return cells_; }
  const std::vector<search::Ordering>& orderings() const { return routed().orderings(); }

  /// What a_, b_, g_ and theta_ and their rows need besides the skeleton.
  mip::ModelSize axis_size(double routed_rows, bool thetas) const;

  /// a. Needs d.
  void add_features();
  /// b or g, and the constraints on the sides of the rows. Needs a and z.
  void add_routing(const std::vector<RoutedRow>& rows);
  /// theta, AHL24 (12), (13). Needs c and z.
  void add_p_losses();

  /// Sets a, b and g.
  void encode_cuts(const Placement& place, std::vector<double>& values) const;
  /// Sets theta, from c and the leaf of each cell.
  void encode_p_losses(const std::vector<int>& leaf, std::vector<double>& values) const;

  /// The last rank of an ordering that goes left of a node that splits on it, by its threshold; at most the last but one.
  std::uint32_t last_left(int t, std::size_t ordering, std::span<const double> values) const;

  // Numbers of variables. Shapes: b (inner nodes, entry 0 unused); a (inner nodes, orderings); g (inner nodes, orderings, ranks); theta
  // (cells, nodes, classes in use; -1 = costs nothing).
  std::vector<int> b_;
  std::vector<std::vector<int>> a_;
  std::vector<std::vector<std::vector<int>>> g_, theta_;

 private:
  void add_big_m_node(int t, const std::vector<RoutedRow>& rows, const std::vector<double>& eps);
  void add_threshold_node(int t, const std::vector<RoutedRow>& rows);
  /// x_ij of BD17: the scaled value of a rank.
  double scaled(std::size_t ordering, std::uint32_t rank) const;
  double epsilon(std::size_t ordering) const;
};

}  // namespace treewright::formulate
