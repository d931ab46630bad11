#pragma once

#include <optional>
#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright {

enum class ColumnRole { feature, target, weight, dropped };

/// What becomes of one column of a file.
struct ColumnPlan {
  ColumnRole role = ColumnRole::feature;
  std::optional<ColumnKind> kind;  ///< the kind the user asked for
};

/// The plan of each column of a file. Shape (names).
/// Throws Error when two columns share a name, an option speaks of a column that is not there, or two options
/// quarrel over one.
std::vector<ColumnPlan> plan_columns(const std::vector<std::string>& names, const ReadOptions& options, const std::string& origin);

/// The options, without a target where columns of costs take its place. Throws Error where both are named.
ReadOptions labels_of_costs(const ReadOptions& options, const std::string& origin);

/// The names of the columns of costs, in their order. Expects a plan to have been made.
std::vector<std::string> cost_columns_of(const std::vector<std::string>& names, const ReadOptions& options);

/// What a proof says of the reading of a file with these columns.
Reading reading_of(const std::vector<std::string>& names, const std::vector<ColumnPlan>& plans, const ReadOptions& options);

/// Index of the column called `spec` or, if none is, numbered `spec` (negative from the end). `what` says in
/// the Error what the column is wanted for.
std::size_t find_column(const std::vector<std::string>& names, const std::string& spec, const std::string& what, const std::string& origin);

}  // namespace treewright
