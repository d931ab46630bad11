#pragma once

#include <string>

#include "treewright/data.h"

namespace treewright {

/// The text between quotes, its own quotes doubled.
std::string csv_quoted(const std::string& text);

/// The name under which `write_csv` writes the weights: "weight", with underscores added until no column has
/// it.
std::string weight_column_name(const Dataset& data);

}  // namespace treewright
