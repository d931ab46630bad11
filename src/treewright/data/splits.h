#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "treewright/data/dataset.h"

namespace treewright {

/// Row numbers of a Dataset, from 0; `Dataset::subset` takes them.
using RowNumbers = std::vector<std::int32_t>;

struct SplitOptions {
  std::uint64_t seed = 1;
  /// Spread every class over the parts in proportion (needs labels).
  bool stratified = true;
};

/// Draws disjoint parts at random. `fractions`: share of the rows for each part, each > 0 with sum <= 1
/// (below 1 the rest is left out): {0.75, 0.25} for train and test, {0.5, 0.25, 0.25} for train, valid and
/// test. Shape of the result: (fractions); each part's rows ascend. A part holds its share of the rows, or
/// stratified its share of each class, rounded up or down. Throws Error on bad fractions, on parts that would
/// be empty, and on stratification without labels.
std::vector<RowNumbers> split_rows(const Dataset& data, std::span<const double> fractions, const SplitOptions& options = {});

struct Fold {
  RowNumbers train, test;  ///< ascending, together all rows
};

/// k-fold cross-validation: each row is in the test part of one fold. Sizes of test parts differ by at most
/// one, stratified also those of each class. Throws Error unless 2 <= k <= rows.
std::vector<Fold> k_folds(const Dataset& data, int k, const SplitOptions& options = {});

/// Parts by name from a table (CSV or TSV) with a column `row` (row numbers from 0) and columns that name
/// each row's part. `column`: the column to use; "" when there is but one besides `row`. Rows that do not
/// occur are in no part, nor are rows whose cell is empty. Throws Error on row numbers that are outside
/// 0..rows-1 or occur twice, and on an unknown column.
std::map<std::string, RowNumbers> read_parts(const std::string& path, const std::string& column, std::size_t rows);

/// Row numbers from a text file, divided by line ends, blanks or commas, in the order of the file; repeated
/// ones are kept (as in a bootstrap sample). Throws Error on anything but a whole number in 0..rows-1, and on
/// an empty file.
RowNumbers read_row_numbers(const std::string& path, std::size_t rows);

}  // namespace treewright
