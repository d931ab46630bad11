#pragma once

#include <cstddef>

#include "treewright/proof/check.h"

namespace treewright::proof {

/// What a verified proof shows in errors or costs, for an objective with a price of a split of its own.
struct Shown {
  double lower = 0;      ///< no tree of the proof costs less
  double dearer = 0;     ///< by how much a split costs more in the proof, whose price is rounded
  double tolerance = 0;  ///< by how much a cost may miss `lower` that is equal to it: whole costs differ from the true ones by rounding
};

/// Of trees of so many levels. `price`: of a split; `rounding`: of the objective, on that many raw rows.
Shown shown(const Verified& verified, double price, double rounding, std::size_t rows, int depth);

}  // namespace treewright::proof
