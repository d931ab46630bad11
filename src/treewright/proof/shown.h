#pragma once

#include "treewright/data.h"
#include "treewright/proof/check.h"
#include "treewright/tree/objective.h"

namespace treewright::proof {

/// What a verified proof shows in the unit of the costs of an objective, which has its own price of a split.
struct Shown {
  double lower = 0;      ///< no tree of the proof costs less
  double dearer = 0;     ///< by how much a split costs more in the proof, whose price is rounded
  double tolerance = 0;  ///< by how much a cost may miss `lower` that is equal to it: whole costs differ from the true ones by rounding
};

/// Of trees of so many levels on the raw rows.
Shown shown(const Verified& verified, const Objective& objective, const Dataset& data, int depth);

}  // namespace treewright::proof
