#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/search/items/bit_columns.h"

namespace treewright::search {

/// Some of the items: one bit for each bit of the root's columns, and their hash.
struct ItemSet {
  std::vector<BitColumns::Word> words;
  std::uint64_t hash = 0;
  bool operator==(const ItemSet&) const = default;
};

/// All items of these columns.
ItemSet all_items(const BitColumns& all);

/// The items of `set` on one side of a cut of these columns. `out` may be `set`.
void take_side(const BitColumns& all, const ItemSet& set, std::size_t cut, bool right, ItemSet& out);

}  // namespace treewright::search
