#pragma once

#include <cstdint>
#include <vector>

#include "treewright/proof/items.h"

namespace treewright::proof {

/// What splits cost, in steps of 2^-grid whole units.
struct Price {
  std::int64_t steps = 0;
  int grid = 0;
};

/// What trees of at most one split on either side of a cut cost, and leaves.
struct Sides {
  std::int64_t left = 0, right = 0;  ///< of trees whose leaves hold enough rows
  std::int64_t left_of_all = 0, right_of_all = 0, left_leaf = 0, right_leaf = 0;
};

/// The best of these where leaves have labels, by going through the items once for each ordering.
class Stumps {
 public:
  /// `min_rows`: those of a leaf.
  Stumps(const LabelItems& items, const Price& price, std::int64_t min_rows) : items_(items), price_(price), min_rows_(min_rows) {}

  /// How often `best` visits an item for so many cuts, once for each ordering and label but one.
  std::int64_t visits(const Part& part, std::size_t cuts) const;
  /// The costs for each cut of the part. Shape (cuts).
  std::vector<Sides> best(const Part& part, const std::vector<Cut>& cuts);

 private:
  template <class T>
  class Scan;

  const LabelItems& items_;
  const Price price_;
  const std::int64_t min_rows_;
  std::vector<std::uint32_t> place_;  // of an item in the part's first ordering; other items have none. Shape (items).
};

}  // namespace treewright::proof
