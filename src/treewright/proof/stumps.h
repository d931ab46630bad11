#pragma once

#include <vector>

#include "treewright/proof/items.h"

namespace treewright::proof {

/// The best trees of at most one split on either side of cuts, by going through the items once for each ordering.
class Stumps {
 public:
  Stumps(const Items& items, double price) : items_(items), price_(price) {}

  struct Sides {
    double left = 0, right = 0;
  };
  /// The costs for each cut of the part. Shape (cuts).
  std::vector<Sides> best(const Part& part, const std::vector<Cut>& cuts);

 private:
  template <class T>
  class Scan;

  const Items& items_;
  const double price_;
  std::vector<std::uint32_t> place_;  // of an item in the part's first ordering; other items have none. Shape (items).
};

}  // namespace treewright::proof
