#pragma once

#include "treewright/tree.h"

namespace treewright {

/// The limit min_weight_fraction_leaf, and the limits on rows that follow from it.
struct LeafWeight {
  double least = 0;                   ///< smallest weight of a leaf; 0 = no limit
  std::int64_t rows_needed = 1;       ///< a leaf with fewer rows is certainly too light
  std::int64_t rows_sufficient = -1;  ///< a leaf with this many rows is certainly heavy enough; -1 = no number of rows is

  const Dataset* weighed = nullptr;  ///< the rows that weigh; null = those that a tree was tallied on

  /// `share` of the total weight of `data`.
  static LeafWeight from(double share, const Dataset& data);
  /// For trees that are tallied on other rows, such as a table of gains. `data` must outlive it.
  LeafWeight on(const Dataset& data) const;

  /// Sums of real weights closer than this are equal.
  double tolerance = 0;
  bool holds(const Tree& tree) const;
  /// Removes every split with a side that is too light. Expects a tallied tree.
  void repair(Tree& tree) const;

 private:
  std::vector<double> weights_of_nodes(const Tree& tree) const;
  bool is_enough(double weight) const { return weight >= least - tolerance; }
};

}  // namespace treewright
