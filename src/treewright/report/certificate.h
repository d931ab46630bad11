#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// What was proved of the tree, for somebody who knows no optimization: a sentence or two in markup.
std::string verdict(const Result& result);

/// The claims as a table, the recount on the rows if there are any, and the command that trains the tree again.
std::string certificate(const ReportParts& parts);

/// A line of a table of facts. The value is markup.
std::string row_of(const std::string& name, const std::string& value);

}  // namespace treewright::report
