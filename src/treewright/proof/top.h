#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/proof/family.h"
#include "treewright/proof/table.h"

namespace treewright::proof {

/// The rows at each leaf and each open place below given splits. Which side of a split is the left one makes no difference: the side of the
/// first row comes first.
struct TopRows {
  std::vector<TopPlace::Kind> kinds;             ///< as Proof::top
  std::vector<std::vector<std::uint32_t>> rows;  ///< of each leaf and open place, ascending

  bool operator==(const TopRows&) const = default;

  static TopRows place(TopPlace::Kind kind, std::vector<std::uint32_t> rows) { return {{kind}, {std::move(rows)}}; }
  static TopRows split(TopRows left, TopRows right);
};

/// Those of a proof's splits. Throws Error where a split is none of the proof's orderings, sends all rows that reach it to one side, or
/// lies deeper than the proof speaks of. Expects a proof with splits.
TopRows top_rows(const Proof& proof, const Table& table, const std::vector<Ranks>& orderings, const std::string& origin);

/// The splits in words: "age" < 40 (yes: leaf, no: ...).
std::string top_in_words(const Proof& proof, const Dataset& data, const Table& table);

}  // namespace treewright::proof
