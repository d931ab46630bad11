#pragma once

#include <string>
#include <vector>

#include "treewright/report.h"

namespace treewright::report {

/// What the tree claims and does not hold on the training rows, a sentence each; empty also where there are no rows.
std::vector<std::string> broken_claims(const ReportParts& parts);

/// What was proved of the tree, for somebody who knows no optimization: a sentence or two in markup.
std::string verdict(const ReportParts& parts, const std::vector<std::string>& broken);

/// The claims as a table, the recount on the rows if there are any, and the command that trains the tree again.
std::string certificate(const ReportParts& parts, const std::vector<std::string>& broken);

/// What each label costs: "a called b: 3, b called a: 1" of a few classes.
std::string costs_text(const Result& result);

/// A line of a table of facts. The value is markup.
std::string row_of(const std::string& name, const std::string& value);

}  // namespace treewright::report
