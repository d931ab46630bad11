#pragma once

#include <cassert>
#include <numeric>

namespace treewright {

/// The threshold between two neighboring values, lower < upper: `x < midpoint` holds for lower and not for
/// upper, and x may be any other value of the column. Where the middle rounds onto the lower value
/// (neighboring doubles) the upper one is taken, or else the lower row would be routed to the wrong side.
inline double midpoint(double lower, double upper) {
  assert(lower < upper);
  const double middle = std::midpoint(lower, upper);
  return middle > lower ? middle : upper;
}

}  // namespace treewright
