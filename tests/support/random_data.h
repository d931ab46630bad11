#pragma once

#include <functional>
#include <sstream>

#include "treewright/base/random.h"
#include "treewright/data.h"

namespace treewright::testing {

struct DataShape {
  int max_rows = 12, max_features = 3, max_classes = 3;
  bool categories = false, missing = false;
  int max_values = 6;    ///< distinct values of a numeric feature: few make ties
  bool ordered = false;  ///< some columns are of ordered levels
};

/// A random data set; rows 2..max_rows, at least two classes occur.
inline Dataset random_data(Random& random, const DataShape& shape) {
  const int n = 2 + static_cast<int>(random.below(shape.max_rows - 1));
  const int p = 1 + static_cast<int>(random.below(shape.max_features));
  const int k = 2 + static_cast<int>(random.below(shape.max_classes - 1));
  Dataset data;
  for (int f = 0; f < p; ++f) {
    Column& column = data.columns.emplace_back();
    column.name = "f" + std::to_string(f);
    const bool misses = shape.missing && random.below(2) == 0;
    const int values = 2 + static_cast<int>(random.below(shape.max_values - 1));
    if (shape.ordered && random.below(3) == 0) {
      column.notation = Notation::ordered;
      for (int v = 0; v < values; ++v) column.levels.push_back("level " + std::to_string(v));
      for (int i = 0; i < n; ++i)
        column.values.push_back(misses && random.below(4) == 0 ? std::nan("") : static_cast<double>(random.below(values)));
      continue;
    }
    if (shape.categories && random.below(2) == 0) {
      column.kind = ColumnKind::categorical;
      for (int v = 0; v < values; ++v) column.levels.push_back(std::string(1, static_cast<char>('a' + v)));
      for (int i = 0; i < n; ++i) column.codes.push_back(misses && random.below(4) == 0 ? -1 : static_cast<int>(random.below(values)));
    } else {
      for (int i = 0; i < n; ++i) {
        column.values.push_back(misses && random.below(4) == 0 ? std::nan("") : 0.5 * static_cast<double>(random.below(values)) - 1);
      }
    }
  }
  for (int c = 0; c < k; ++c) data.class_names.push_back("c" + std::to_string(c));
  for (int i = 0; i < n; ++i) data.labels.push_back(i < 2 ? i : static_cast<int>(random.below(k)));
  return data;
}

inline std::string to_string(const Dataset& data) {
  std::ostringstream out;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns) {
      if (column.missing(row)) {
        out << "?,";
      } else if (column.kind == ColumnKind::numeric) {
        out << column.values[row] << ",";
      } else {
        out << column.levels[column.codes[row]] << ",";
      }
    }
    out << data.class_names[data.labels[row]];
    if (!data.weights.empty()) out << "  weight " << data.weights[row];
    out << "\n";
  }
  return out.str();
}

inline bool has_two_classes(const Dataset& data) {
  int occurring = 0;
  for (const double total : data.class_totals()) occurring += total > 0;
  return occurring >= 2;
}

/// Removes rows and columns as long as `fails` keeps failing: the smallest failure is the easiest to understand.
inline Dataset shrink(Dataset data, const std::function<bool(const Dataset&)>& fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t f = 0; f < data.features() && data.features() > 1; ++f) {
      Dataset fewer = data;
      fewer.columns.erase(fewer.columns.begin() + static_cast<std::ptrdiff_t>(f));
      if (fails(fewer)) data = fewer, smaller = true;
    }
    for (std::size_t out = 0; out < data.rows() && data.rows() > 2; ++out) {
      std::vector<std::int32_t> rows;
      for (std::size_t row = 0; row < data.rows(); ++row) {
        if (row != out) rows.push_back(static_cast<std::int32_t>(row));
      }
      const Dataset fewer = data.subset(rows);
      if (has_two_classes(fewer) && fails(fewer)) data = fewer, smaller = true;
    }
  }
  return data;
}

}  // namespace treewright::testing
