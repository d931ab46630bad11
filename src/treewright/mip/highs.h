#pragma once

#include <span>

#include "treewright/base/deadline.h"
#include "treewright/mip/solution.h"
#include "treewright/progress.h"

namespace treewright::mip {

/// Whether "highs" is in this build.
bool has_highs();

/// Whether "highs" still works on a model that a deadline has ended: it cannot be broken off between its callbacks. It stops by itself;
/// a program that will not wait for that ends by std::_Exit.
bool highs_was_left_behind();

/// `solve` by HiGHS (Huangfu & Hall 2018) in this process. Takes linear models with integers and convex quadratic ones without.
MipSolution solve_with_highs(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                             const ProgressListener& listener);

}  // namespace treewright::mip
