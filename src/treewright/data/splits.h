#pragma once

#include <map>
#include <string>

#include "treewright/data.h"

namespace treewright {

/// Repeated cross-validation: `k_folds` so many times, each time with the next seed. Fold j of repeat r is entry r * k + j. Throws Error as
/// `k_folds` does, and unless repeats >= 1.
std::vector<Fold> repeated_k_folds(const Dataset& data, int k, int repeats, SplitOptions options = {});

/// Parts by name from a table (CSV or TSV) with a column `row` (row numbers from 0) and columns that name
/// each row's part. `column`: the column to use; "" when there is but one besides `row`. Rows that do not
/// occur are in no part, nor are rows whose cell is empty. Throws Error on row numbers that are outside
/// 0..rows-1 or occur twice, and on an unknown column.
std::map<std::string, RowNumbers> read_parts(const std::string& path, const std::string& column, std::size_t rows);

}  // namespace treewright
