#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// What each column is worth, as a table; "" if it is not known.
std::string worth_panel(const ReportParts& parts);

}  // namespace treewright::report
