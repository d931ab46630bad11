#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// The complexity path as a chart and a table; "" without one.
std::string path_panel(const ReportParts& parts);

}  // namespace treewright::report
