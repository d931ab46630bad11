#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// Rows with equal features. A missing value equals another missing value.
struct Repeats {
  std::int64_t duplicates = 0;  ///< rows that equal an earlier row in all features and in the label
  std::int64_t conflicts = 0;   ///< rows that equal a row of another label in all features
  double accuracy_ceiling = 1;  ///< largest share (by weight) of rows that any function of the features classifies correctly
};

/// O(rows log rows) comparisons of rows. Rows without labels count as one class.
Repeats find_repeats(const Dataset& data);

/// What `describe` says of a column.
struct ColumnSummary {
  std::string name, kind;
  std::size_t distinct = 0, missing = 0;
  std::string values;  ///< minimum, median and maximum, or the most frequent levels
  /// Rows in each of 12 equal parts from the minimum to the maximum, or of the first 12 levels in the order of `values`. Empty without a
  /// value.
  std::vector<std::int64_t> histogram;
  std::vector<std::string> levels;  ///< all of them, in the order of `values`; empty where there are more than 100
};

std::vector<ColumnSummary> summarize_columns(const Dataset& data);

/// A text table for people: rows, features, classes with their shares; of each column its kind, distinct and
/// missing values, minimum, median and maximum or the most frequent levels; duplicate and conflicting rows
/// and the ceiling they set on the accuracy of any tree. Ends with a line end. Long names are cut and control
/// characters shown as '?'; of very many classes or columns the first are listed. Rows are equal if they agree in all columns but those
/// that training leaves out.
std::string describe(const Dataset& data, const std::vector<std::string>& left_out = {});

}  // namespace treewright
