#pragma once

#include <cstdint>
#include <limits>

namespace treewright {

/// An optimal tree of a problem with the same rows, weights and price of a split, whose trees include all trees of the problem at hand. No
/// tree of that costs less: a search ends where it has found one that costs the same.
struct Relaxation {
  double errors = 0;  ///< by weight; where labels have costs, on the table of gains
  std::int64_t splits = 0;
  /// A search also ends where it has proved that every tree costs more than so many errors, by weight, above this one.
  double most_more = std::numeric_limits<double>::infinity();
};

}  // namespace treewright
