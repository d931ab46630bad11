#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treewright/base/exact_sum.h"
#include "treewright/data.h"
#include "treewright/proof/proof.h"

namespace treewright::proof {

/// What the labels cost the rows, in whole units.
struct RowCosts {
  std::vector<std::int64_t> cost;  ///< above the row's cheapest label. Shape (rows x labels), row after row.
  std::int64_t total_reach = 0;    ///< the sum of each row's largest one
  ExactSum least;                  ///< what the rows cost if each had its cheapest label
  double rounding = 0;             ///< what the whole costs of any labels differ from the true ones in all, or more
  bool tell_shares = true;         ///< whether the unit is fine enough for shares of gains
};

/// The quotient of a number >= 0 and the unit as a whole number, exactly; a half is rounded up. Too large ones are kNumbersEnd.
std::int64_t in_units(double number, const Binary& unit);

/// `place`: of each class among the labels, -1 for one that is none. Throws Error if the whole costs are too large for exact sums; `origin`
/// names the proof.
RowCosts row_costs(const Dataset& data, const std::vector<std::int32_t>& place, std::size_t labels, const Binary& unit,
                   const std::string& origin);

}  // namespace treewright::proof
