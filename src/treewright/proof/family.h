#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treewright/proof/proof.h"
#include "treewright/proof/table.h"

namespace treewright::proof {

/// Categories of more levels than this (missing counted as one) are split one level against the rest, or by the share of a class in each
/// level. A level in which no label has one part in kRare of what it gains in all rows is not split from the rest.
inline constexpr std::int32_t kMaxSubsetLevels = 12;
inline constexpr std::uint64_t kRare = 1000;

/// An ordering of a table's rows.
struct Ranks {
  std::size_t column = 0;
  std::vector<std::uint32_t> of_code;  ///< of missing values, then of each code. Shape (codes + 1).
};

/// The ranks of a proof's orderings. Throws Error unless each ordering is one of its column, and all of them hold every split of the
/// family.
std::vector<Ranks> ranks_of(const Proof& proof, const Table& table, const std::string& origin);

}  // namespace treewright::proof
