#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace treewright::reduce {

/// Points that others refer to by row.
struct PointTable {
  std::size_t axes = 0;
  std::vector<double> x;  ///< Shape (rows x axes), row after row.

  std::size_t rows() const { return axes == 0 ? 0 : x.size() / axes; }
  std::span<const double> row(std::size_t i) const { return {x.data() + i * axes, axes}; }
};

/// Whether a point is near a hull, and why.
struct InHull {
  bool inside = false;
  /// Inside: a convex combination of members that is at most eps from the point in every coordinate; at most axes + 1 members, no zero weights.
  std::vector<std::pair<std::uint32_t, double>> combination;
  /// Outside: w . (member - point) > eps * |w|_1 for every member. Shape (axes).
  std::vector<double> direction;
};

/// Is `point` within eps, in the max norm, of the convex hull of the members (rows of `table`)? Z20's (7) for one row. See in_hull.cpp.
InHull in_hull(const PointTable& table, std::span<const std::uint32_t> members, std::span<const double> point, double eps);

}  // namespace treewright::reduce
