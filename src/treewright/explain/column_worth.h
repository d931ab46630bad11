#pragma once

#include <string>

#include "treewright/column_worth.h"

namespace treewright::explain {

/// A least cost: a number where it is proved, else an interval; `none` where there is no such tree.
std::string least_cost(const LeastCost& least, const std::string& none = "-");
/// The same of a run that was to find out about some costs only that they are more.
std::string least_cost(const LeastCost& least, const ColumnWorths& worths, const std::string& none = "-");

/// What a column is worth: how much more the trees cost that never ask it.
std::string worth(const ColumnWorth& column, const ColumnWorths& worths);

}  // namespace treewright::explain
