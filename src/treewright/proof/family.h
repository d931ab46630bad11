#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treewright/proof/proof.h"
#include "treewright/proof/table.h"

namespace treewright::proof {

/// An ordering of a table's rows.
struct Ranks {
  std::size_t column = 0;
  std::vector<std::uint32_t> of_code;  ///< of missing values, then of each code. Shape (codes + 1).

  /// `code`: -1 = missing.
  std::uint32_t of(std::int32_t code) const { return of_code[static_cast<std::size_t>(code + 1)]; }
};

/// The ranks of a proof's orderings. Throws Error unless each ordering is one of its column, and all of them hold every split of the
/// family.
std::vector<Ranks> ranks_of(const Proof& proof, const Table& table, const std::string& origin);

}  // namespace treewright::proof
