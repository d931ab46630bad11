#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// How many more errors there are on the rows if the values of one column are shuffled, a bar for each column asked; "" for a policy, and
/// without rows. HTML.
std::string importance_panel(const ReportParts& parts);

/// The tree beside one without splits and the other tree of the page, on test and training rows; "" without rows. HTML.
std::string beside_panel(const ReportParts& parts);

}  // namespace treewright::report
