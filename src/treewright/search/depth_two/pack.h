#pragma once

#include <cstdint>
#include <optional>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/items/bit_columns.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// Whether bit sets (bit_stumps.h) solve depth two on these ranked items in less time than the kernel of stump_kernel.h. Counted, not
/// measured: the same on every machine.
bool worth_packing(const Subset& ranked, std::int32_t classes, std::int64_t min_rows);

/// Whether the items take few bits each, so that bit sets of them are small.
bool is_compact(const Subset& ranked, std::int32_t classes, std::int64_t min_rows);

/// All cuts of ranked items as bit sets. A place is the one in the order of its ordering. Rows are counted when min_rows > 1. Reuses the
/// memory.
void pack(const Subset& ranked, std::int32_t classes, std::int64_t min_rows, BitColumns& to);

/// The same items as a packed subset.
Subset packed(const Subset& ranked, std::int32_t classes, std::int64_t min_rows);

/// The same where bit sets are allowed and `worth_packing`.
std::optional<Subset> packed_where_faster(const Subset& ranked, std::int32_t classes, const SearchLimits& limits);

/// All cuts of ranked items as sets with one bit for each item, in their order. None where they take much memory.
std::optional<BitColumns> bits_of_items(const Subset& ranked);

/// Whether the counts of these items fit 16 bits.
bool is_narrow(const BitColumns& columns);

}  // namespace treewright::search
