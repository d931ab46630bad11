#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// The other trees that are nearly as good, as a table and their drawings; "" if they are not known.
std::string near_panel(const ReportParts& parts);

}  // namespace treewright::report
