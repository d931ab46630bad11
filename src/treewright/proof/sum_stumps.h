#pragma once

#include <cstdint>
#include <vector>

#include "treewright/proof/stumps.h"

namespace treewright::proof {

/// The best trees of at most one split on either side of cuts, and leaves, where trees predict a number. As Stumps; costs are steps.
class SumStumps {
 public:
  /// `price`: of a split. `min_rows`: those of a leaf.
  SumStumps(const SumItems& items, const Price& price, std::int64_t min_rows) : items_(items), price_(price.steps), min_rows_(min_rows) {}

  std::int64_t visits(const Part& part, std::size_t cuts) const;
  std::vector<Sides> best(const Part& part, const std::vector<Cut>& cuts);

 private:
  class Scan;

  const SumItems& items_;
  const std::int64_t price_;
  const std::int64_t min_rows_;
  std::vector<std::uint32_t> place_;  // of an item in the part; other items have none. Shape (items).
};

}  // namespace treewright::proof
