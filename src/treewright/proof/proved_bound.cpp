#include "treewright/proof/proved_bound.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/exact_sum.h"
#include "treewright/task/objective.h"

namespace treewright::proof {

ProvedBound proved_bound(const Verified& verified, const Objective& objective, const Dataset& data, int depth) {
  assert(depth >= 0 && verified.price >= 0);
  ProvedBound result;
  ExactSum dearer, lower;
  dearer.add(verified.price);
  dearer.add(-objective.split_price());
  result.dearer = std::max(0.0, dearer.up());
  // No tree has more splits than rows, or than its depth allows.
  const double most = std::min(static_cast<double>(data.rows()), std::ldexp(1.0, depth) - 1);
  lower.add(verified.bound);
  lower.add(-result.dearer, most);
  result.lower = lower.down();
  // The rows decide it. A proof has a rounding of its own, by the unit that it chose: a tolerance that grew with that would let a proof of
  // coarse units call every tree optimal.
  result.tolerance = kLastDigits * std::abs(verified.bound) + objective.known_sums(data).rounding;
  return result;
}

bool is_proved(const ProvedBound& shown, double cost, const Objective& objective, const Dataset& data) {
  if (cost <= shown.lower) return true;
  const double scale = objective.error_scale();
  return cost <= shown.lower + shown.tolerance && closes_gap(objective, cost / scale, shown.lower / scale, data);
}

}  // namespace treewright::proof
