#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/data/points.h"

namespace treewright::reduce {

/// Whether a point is near a hull, and why.
struct InHull {
  bool inside = false;
  /// Inside: a convex combination of members that is at most eps from the point in every coordinate; at most axes + 1 members, no zero
  /// weights.
  std::vector<std::pair<std::uint32_t, double>> combination;
  /// Outside: w . (member - point) > eps * |w|_1 for every member. Shape (axes).
  std::vector<double> direction;
};

/// Is `point` within eps, in the max norm, of the convex hull of the members (rows of `table`)? Z20's (7) for one row. See in_hull.cpp.
InHull in_hull(const PointMatrix& table, std::span<const std::uint32_t> members, std::span<const double> point, double eps);

}  // namespace treewright::reduce
