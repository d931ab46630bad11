#pragma once

#include "treewright/tree.h"

namespace treewright {

/// The limit of min_weight_fraction_leaf, and what it says about rows.
struct LeafWeight {
  double least = 0;                   ///< weight that every leaf must hold; 0 = no limit
  std::int64_t rows_needed = 1;       ///< a leaf with fewer rows is certainly too light
  std::int64_t rows_sufficient = -1;  ///< a leaf with so many rows is certainly heavy enough; -1 = no number of rows is

  /// `share` of the total weight of `data`.
  static LeafWeight from(double share, const Dataset& data);

  /// Sums of real weights closer than this are equal.
  double tolerance = 0;
  bool holds(const Node& leaf) const;
  bool holds(const Tree& tree) const;
  /// Takes back every split that makes a part too light. Expects a tallied tree.
  void repair(Tree& tree) const;
};

}  // namespace treewright
