#pragma once

#include <string>

#include "treewright/report/anatomy.h"
#include "treewright/report/report.h"
#include "treewright/tree/result.h"

namespace treewright::report {

/// What the split sees, stacked by class, with the split line; <svg> element.
std::string histogram_chart(const Histogram& histogram, const Split& split, const Tree& tree);

/// Incumbent and bound over time, with the letter of who found each incumbent; "" where there is no history.
std::string progress_chart(const Result& result);

/// Errors against splits, the corner with `splits` splits marked.
std::string path_chart(const std::vector<PathCorner>& path, std::int64_t splits);

}  // namespace treewright::report
