#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/data.h"

namespace treewright::proof {

/// A level in which less than one part in so many of all is, is rare, and not split from the rest.
inline constexpr std::uint64_t kRare = 1000;

/// How trees that predict numbers split a category of many levels: see level_means.cpp. Levels are places: 0 = missing, then the codes.
struct LevelMeans {
  std::vector<std::vector<std::size_t>> groups;  ///< by ascending mean; no split by means parts the levels of a group
  std::vector<std::size_t> frequent;             ///< these are split from the rest
};

/// `codes`: of the rows, -1 = missing. `levels`: how many codes there are.
LevelMeans level_means(const Dataset& data, const std::vector<std::int32_t>& codes, std::size_t levels);

}  // namespace treewright::proof
