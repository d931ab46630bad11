#pragma once

#include <limits>

namespace treewright {

/// The cost of what is not allowed, and the limit where there is none.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace treewright
