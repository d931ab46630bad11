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

/// Whether any split may stand in the place that asks this column.
inline bool is_asked(const Json& place) {
  return place.is_object() && !place.contains("left");
}

/// Whether some place says its column alone.
inline bool asks_column(const Json& top) {
  return is_asked(top) || (top.is_object() && (asks_column(top["left"]) || asks_column(top["right"])));
}

inline bool goes_left(const Json& split, const Dataset& data, std::size_t row) {
  const auto column = std::ranges::find(data.columns, split["column"].get<std::string>(), &Column::name);
  if (column->missing(row)) return split["missing"] == "left";
  if (column->levels.empty()) return column->values[row] < split["below"].get<double>();
  const auto level = static_cast<std::size_t>(column->kind == ColumnKind::categorical ? column->codes[row] : column->values[row]);
  return std::ranges::find(split["levels"], Json(column->levels[level])) != split["levels"].end();
}

inline std::int64_t splits_in(const Json& top) {
  return top.is_object() && !is_asked(top) ? 1 + splits_in(top["left"]) + splits_in(top["right"]) : 0;
}

/// Draws splits that mostly part the rows of their place, at or between values that these have, and leave as many on each side as a leaf
/// needs.
class TopDraw {
 public:
  /// `asks`: whether a place may say its column alone.
  TopDraw(const Dataset& data, Random& random, std::size_t least, bool asks)
      : data_(data), random_(random), least_(std::max<std::size_t>(1, least)), asks_(asks) {}

  Json draw(int depth) {
    RowNumbers rows;
    for (std::size_t row = 0; row < data_.rows(); ++row) rows.push_back(static_cast<std::int32_t>(row));
    return part(depth, rows, true);
  }

 private:
  Json place(int depth) {
    const std::uint64_t kind = random_.below(8);
    if (kind == 0 && asks_ && depth > 0) return {{"column", data_.columns[random_.below(data_.features())].name}};
    return kind < 3 ? "leaf" : "...";
  }

  Json part(int depth, const RowNumbers& rows, bool is_root) {
    if (depth == 0 || rows.size() < 2 * least_ || random_.below(is_root ? 12 : 3) == 0) return place(depth);
    for (int trial = 0; trial < 6; ++trial) {
      Json split = draw_split(data_, random_);
      const auto& column = *std::ranges::find(data_.columns, split["column"].get<std::string>(), &Column::name);
      const auto some = static_cast<std::size_t>(rows[random_.below(rows.size())]);
      if (split.contains("below") && !column.missing(some))
        split["below"] = column.values[some] + 0.5 * static_cast<double>(random_.below(2));
      RowNumbers sides[2];
      for (const std::int32_t row : rows) sides[goes_left(split, data_, static_cast<std::size_t>(row)) ? 0 : 1].push_back(row);
      if (std::min(sides[0].size(), sides[1].size()) < least_ && random_.below(60) > 0) continue;
      split["left"] = part(depth - 1, sides[0], false);
      split["right"] = part(depth - 1, sides[1], false);
      return split;
    }
    return place(depth);
  }

  const Dataset& data_;
  Random& random_;
  const std::size_t least_;
  const bool asks_;
};

}  // namespace treewright::testing
