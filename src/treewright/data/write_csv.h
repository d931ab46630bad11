#pragma once

#include <string>

#include "treewright/data/dataset.h"

namespace treewright {

/// The data as CSV: header; features, then a column "weight" if there are weights, then the target if there
/// are labels. Numbers have the digits that read back to the same value; missing values are empty cells;
/// names and levels are quoted where needed, also when they look like a missing marker. `parse_csv` gives the
/// data back if told the weights column, that there is a header (for names that are numbers), and which
/// columns are categorical (for levels that are all numbers); levels and classes that do not occur are lost,
/// and an empty level reads as missing.
std::string write_csv(const Dataset& data);

/// The text between quotes, its own quotes doubled.
std::string csv_quoted(const std::string& text);

/// The name under which `write_csv` writes the weights: "weight", with underscores added until no column has
/// it.
std::string weight_column_name(const Dataset& data);

}  // namespace treewright
