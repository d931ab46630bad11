#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treewright/report.h"

namespace treewright::report {

/// What the script of the page needs, as script elements that hold JSON: the tree file, the range of each feature, and the rows if
/// requested. `contradicted`: the leaves that test rows contradict.
std::string page_data(const ReportParts& parts, const std::vector<std::int32_t>& contradicted);

}  // namespace treewright::report
