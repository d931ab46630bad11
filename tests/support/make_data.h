#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright::testing {

inline Column numbers(const std::string& name, std::vector<double> values) {
  Column column;
  column.name = name;
  column.values = std::move(values);
  return column;
}

inline Column categories(const std::string& name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  Column column;
  column.name = name;
  column.kind = ColumnKind::categorical;
  column.levels = std::move(levels);
  column.codes = std::move(codes);
  return column;
}

/// Classes are called "a", "b", ...
inline Dataset make_data(std::vector<Column> columns, std::vector<std::int32_t> labels, int classes = 2) {
  Dataset data;
  data.columns = std::move(columns);
  data.labels = std::move(labels);
  for (int k = 0; k < classes; ++k) data.class_names.push_back(std::string(1, static_cast<char>('a' + k)));
  return data;
}

}  // namespace treewright::testing
