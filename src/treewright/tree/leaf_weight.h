#pragma once

#include "treewright/tree.h"

namespace treewright {

/// The limit min_weight_fraction_leaf, and the limits on rows that follow from it.
struct LeafWeight {
  double least = 0;                   ///< smallest weight of a leaf; 0 = no limit
  std::int64_t rows_needed = 1;       ///< a leaf with fewer rows is certainly too light
  std::int64_t rows_sufficient = -1;  ///< a leaf with this many rows is certainly heavy enough; -1 = no number of rows is

  /// `share` of the total weight of `data`.
  static LeafWeight from(double share, const Dataset& data);

  /// Sums of real weights closer than this are equal.
  double tolerance = 0;
  bool holds(const Node& leaf) const;
  bool holds(const Tree& tree) const;
  /// Removes every split with a side that is too light. Expects a tallied tree.
  void repair(Tree& tree) const;
};

}  // namespace treewright
