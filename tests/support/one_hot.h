#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright::testing {

/// Every value of every column becomes a 0/1 column of its own; a missing value is one more value.
inline Dataset one_hot(const Dataset& data) {
  Dataset result = data;
  result.columns.clear();
  for (const Column& column : data.columns) {
    // Key: the value or the code; missing ones come last.
    std::map<double, std::vector<double>> indicators;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      double key = std::numeric_limits<double>::infinity();
      if (!column.missing(row)) key = column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row];
      auto [at, added] = indicators.try_emplace(key);
      if (added) at->second.assign(data.rows(), 0.0);
      at->second[row] = 1;
    }
    for (auto& [key, values] : indicators) {
      Column indicator;
      indicator.name = column.name + "=" + std::to_string(key);
      indicator.values = std::move(values);
      result.columns.push_back(std::move(indicator));
    }
  }
  return result;
}

}  // namespace treewright::testing
