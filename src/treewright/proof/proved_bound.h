#pragma once

#include "treewright/proof/check.h"
#include "treewright/result.h"

namespace treewright::proof {

/// What a verified proof shows in errors or costs, for an objective with a price of a split of its own.
struct ProvedBound {
  double lower = 0;      ///< no tree of the proof costs less
  double dearer = 0;     ///< by how much a split costs more in the proof, whose price is rounded
  double tolerance = 0;  ///< by how much a cost may miss `lower` that is equal to it: sums of costs are known up to so much
};

/// Of trees of so many levels. `data`: the raw rows.
ProvedBound proved_bound(const Verified& verified, const Objective& objective, const Dataset& data, int depth);

/// Whether what costs so much, in errors or costs, is equal to `shown.lower` or less. It may be above it by what "optimal" allows for
/// rounding.
bool is_proved(const ProvedBound& shown, double cost, const Objective& objective, const Dataset& data);

}  // namespace treewright::proof
