#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// One row in the list of one feature.
struct RankedRow {
  std::uint32_t rank;  ///< dense rank of a numeric value, or the level's code
  std::uint32_t row;
};

/// Rank of a row that has a missing value.
inline constexpr std::uint32_t kMissingRank = std::numeric_limits<std::uint32_t>::max();

/// The given rows (ascending) sorted by rank: equal values are neighbors and in order of rows, rows without
/// the value stand at the end. Equal ranks mean equal values, -0.0 and 0.0 included. O(rows) for many rows,
/// whatever the values.
std::vector<RankedRow> sorted_rows(const Column& column, std::span<const std::uint32_t> rows);

}  // namespace treewright
