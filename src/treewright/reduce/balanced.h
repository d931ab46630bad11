#pragma once

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/mip/model.h"
#include "treewright/reduce/in_hull.h"

namespace treewright::reduce {

/// Z20's (9), or with `whole` (6) with f = g = 1 and eps' = 0, for these rows; variables a_i, then b_j, then lambda_ji (i != j) row by row.
mip::MipModel balanced_model(const PointMatrix& table, std::span<const std::uint32_t> rows, bool whole);

/// Z20's Algorithm 2: rows such that as many as possible of the others lie in their hull, less the rows selected. Ascending. Rows in no
/// hull that are of no use to others are left out, but one row is always selected. Clusters of more than 40 rows are cut in halves first;
/// rows selected there that lie in the hull of the other selected ones are dropped. Throws Error where the solver is missing; where the
/// deadline comes first, all rows not looked at are selected.
std::vector<std::uint32_t> balanced_rows(const PointMatrix& table, std::span<const std::uint32_t> rows, const std::string& solver,
                                         ThreadPool& pool, Deadline& deadline);

}  // namespace treewright::reduce
