#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/random_data.h"
#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/options.h"

namespace treewright::testing {

/// Splits that a tree begins with, as the option top takes them.
using Json = nlohmann::ordered_json;

/// Rows, limits, and the splits that trees on them begin with.
struct TopProblem {
  Dataset data;
  Options options;
  Json top;
  double split_price = 0, least_weight = 0;

  std::string text() const {
    return to_string(data) + top.dump() + " depth " + std::to_string(options.max_depth) + " splits " + std::to_string(options.max_splits) +
           " leaf " + std::to_string(options.min_samples_leaf) + " price " + std::to_string(split_price);
  }
};

inline Json draw_split(const Dataset& data, Random& random) {
  const Column& column = data.columns[random.below(data.features())];
  Json split = {{"column", column.name}};
  if (column.has_missing() || random.below(3) == 0) split["missing"] = random.below(2) == 0 ? "left" : "right";
  if (column.levels.empty()) {
    split["below"] = 0.5 * static_cast<double>(random.below(6)) - 0.75;
  } else {
    split["levels"] = Json::array();
    const std::size_t first = 1 + random.below(column.levels.size() - 1);
    for (std::size_t level = 0; level < column.levels.size(); ++level) {
      if (column.notation == Notation::ordered ? level < first : random.below(2) == 0) split["levels"].push_back(column.levels[level]);
    }
  }
  return split;
}

inline Json draw_top(const Dataset& data, Random& random, int depth) {
  if (depth == 0 || random.below(3) == 0) return random.below(4) == 0 ? "leaf" : "...";
  Json split = draw_split(data, random);
  split["left"] = draw_top(data, random, depth - 1);
  split["right"] = draw_top(data, random, depth - 1);
  return split;
}

inline bool goes_left(const Json& split, const Dataset& data, std::size_t row) {
  const auto column = std::ranges::find(data.columns, split["column"].get<std::string>(), &Column::name);
  if (column->missing(row)) return split["missing"] == "left";
  if (column->levels.empty()) return column->values[row] < split["below"].get<double>();
  const auto level = static_cast<std::size_t>(column->kind == ColumnKind::categorical ? column->codes[row] : column->values[row]);
  return std::ranges::find(split["levels"], Json(column->levels[level])) != split["levels"].end();
}

}  // namespace treewright::testing
