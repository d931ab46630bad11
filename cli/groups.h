#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::cli {

/// The rows in groups: those with equal values in one column.
struct Groups {
  std::string column;
  std::vector<std::string> names;
  std::vector<std::int32_t> of_row;

  /// Those of some rows; none of no groups.
  Groups subset(std::span<const std::int32_t> rows) const;
};

/// The groups of a column of these rows; missing values are a group. `origin` is what messages call the data. Throws Error where there is
/// no such column or it has too many values.
Groups groups_of(const Dataset& data, const std::string& column, const std::string& origin);

/// How these predictions of a tree treat the groups: rows, accuracy, and how often each class is predicted and true.
std::string groups_text(const Tree& tree, const std::vector<std::int32_t>& predicted, const Dataset& data, const Groups& groups);
nlohmann::ordered_json groups_json(const Tree& tree, const std::vector<std::int32_t>& predicted, const Dataset& data, const Groups& groups);

}  // namespace treewright::cli
