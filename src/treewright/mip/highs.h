#pragma once

#include "treewright/mip/solve.h"

namespace treewright::mip {

/// `solve` by HiGHS (Huangfu & Hall 2018) in this process. Takes linear models with integers and convex quadratic ones without.
MipSolution solve_with_highs(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                             const ProgressListener& listener);

}  // namespace treewright::mip
