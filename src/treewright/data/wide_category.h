#pragma once

#include <cstddef>
#include <cstdint>

namespace treewright {

/// A category of more levels than this (missing counted as one) is wide: not every set of its levels is a split, nor every level an axis.
/// All sets of 13 levels would be 924 orderings.
inline constexpr std::size_t kMaxSubsetLevels = 12;

/// A level of a wide category with less than one part in so many of the weight is rare.
inline constexpr std::uint64_t kRareLevel = 1000;

}  // namespace treewright
