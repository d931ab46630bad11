#include "treewright/proof/shown.h"

#include <algorithm>
#include <cmath>

#include "treewright/tree/objective.h"

namespace treewright::proof {

Shown shown(const Verified& verified, double price, double rounding, std::size_t rows, int depth) {
  Shown result;
  result.dearer = std::max(0.0, verified.price - price);
  // No tree has more splits than rows, or than its depth allows.
  const double most = std::min(static_cast<double>(rows), std::ldexp(1.0, depth) - 1);
  result.lower = verified.bound - result.dearer * most;
  // The rounding is in the bound, and once more in the tree.
  result.tolerance = kLastDigits * std::abs(verified.bound) + std::max(rounding, 2 * verified.rounding);
  return result;
}

}  // namespace treewright::proof
