#pragma once

#include <cstdint>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree/measures.h"

namespace treewright {

/// What labels that a tree chose cost these rows, beside what could be had without it.
struct PolicyCosts {
  double cost = 0;
  double cheapest = 0;             ///< of the cheapest label of each row, which no tree knows
  std::vector<std::int64_t> rows;  ///< that get each label. Shape (classes).
  std::vector<double> of_all;      ///< the cost if all rows had the label. Shape (classes).
  Share agreement;                 ///< rows that get their cheapest label
};

/// Of these labels of the rows of `data`, which has row_costs.
PolicyCosts policy_costs(const std::vector<std::int32_t>& chosen, const Dataset& data);

}  // namespace treewright
