#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "treewright/column_worth.h"

namespace treewright::explain {

/// The least cost as an interval, with its status; an infinite number is "inf".
nlohmann::ordered_json interval_json(const LeastCost& least);
/// The same with a summary of the tree, where one was found.
nlohmann::ordered_json least_json(const LeastCost& least);

/// "worst_radius < 16.8", or the column where no tree is known that asks it.
std::string asked_text(const ColumnSplit& column);
/// The split on a column as the option top takes it, and what the best tree with it costs.
nlohmann::ordered_json split_json(const ColumnSplit& column);
/// All columns, and what the best tree and a leaf in the place cost.
nlohmann::ordered_json splits_json(const ColumnSplits& found);

}  // namespace treewright::explain
