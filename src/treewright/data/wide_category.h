#pragma once

#include <cstddef>
#include <cstdint>

#include "treewright/data.h"

namespace treewright {

/// A category of more levels than this (missing counted as one) is wide: not every set of its levels is a split, nor every level an axis.
/// All sets of 13 levels would be 924 orderings.
inline constexpr std::size_t kMaxSubsetLevels = 12;

inline bool is_wide_category(const Column& column) {
  return column.levels_present() > kMaxSubsetLevels;
}

/// A level of a wide category with less than one part in so many of the weight is rare: of each class where splits are made, of all rows
/// where axes are.
inline constexpr std::uint64_t kRareLevel = 1000;

}  // namespace treewright
