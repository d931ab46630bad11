#pragma once

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/reduce/in_hull.h"

namespace treewright::reduce {

/// Rows of a cluster, told apart by the hull of the others: Z20's I_N (inside), and for the rest the largest weight that any row of I_N
/// gives them (the transformed lambda of Theorem 4).
struct HullRows {
  std::vector<std::uint32_t> inside;    ///< ascending
  std::vector<std::uint32_t> extreme;   ///< ascending; `inside` lies within eps of their hull
  std::vector<double> largest;          ///< Shape (extreme).
  std::vector<std::uint32_t> untested;  ///< ascending; not empty only where the deadline came first
};

/// Divides the cluster `rows` of `table`. Ties and threads do not matter: same rows, same answer. With eps = 0 `extreme` are the vertices
/// of the hull, the first of equal rows for all.
HullRows divide_by_hull(const PointMatrix& table, std::span<const std::uint32_t> rows, double eps, ThreadPool& pool, Deadline& deadline);

}  // namespace treewright::reduce
