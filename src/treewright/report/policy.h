#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// Whether labels are chosen by what they cost each row: then there are no true classes to count errors by.
bool is_policy(const Result& result);

/// The headline figures of a tree that chooses among labels by what they cost each row.
std::string policy_figures(const ReportParts& parts);

/// The mean cost of each label for the training rows of a node. HTML.
std::string label_costs(const Tree& tree, const Node& node);

/// What the labels cost the rows: of the tree, of the cheapest labels, and if all rows had the same.
std::string policy_table(const std::string& rows, const Tree& tree, const Dataset& data);

}  // namespace treewright::report
