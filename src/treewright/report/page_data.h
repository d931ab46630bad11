#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// What the script of the page needs, as script elements that hold JSON: the tree file, the range of each feature, and the rows if
/// requested.
std::string page_data(const ReportParts& parts);

}  // namespace treewright::report
