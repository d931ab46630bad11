#include "treewright/data/read/ordered_levels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/did_you_mean.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/error.h"

namespace treewright {

namespace {

// The place of each of the column's levels among the ordered ones; -1 = none.
std::vector<std::int32_t> places_of(const Column& column, const std::vector<std::string>& levels, const std::string& where, bool training) {
  std::vector<std::int32_t> places;
  for (const std::string& level : column.levels) {
    const auto found = std::find(levels.begin(), levels.end(), level);
    places.push_back(found == levels.end() ? -1 : static_cast<std::int32_t>(found - levels.begin()));
    if (places.back() < 0 && training) {
      throw Error(where, fmt::format("'{}' is none of the ordered levels{}", level, did_you_mean(level, levels)),
                  fmt::format("name all levels with --ordered, from the lowest to the highest, or the text with --missing; named are {}",
                              fmt::join(levels, ", ")));
    }
  }
  return places;
}

}  // namespace

Column in_order(Column categories) {
  Column column = std::move(categories);
  for (const std::int32_t code : column.codes) column.values.push_back(code < 0 ? std::nan("") : code);
  column.codes.clear();
  column.kind = ColumnKind::numeric;
  column.notation = Notation::ordered;
  return column;
}

void order_levels(Dataset& data, const std::string& origin, const ReadOptions& options) {
  for (const auto& [spec, levels] : options.ordered) {
    const std::string name = data.reading.columns[find_column(data.reading.columns, spec, "columns of ordered levels (--ordered)", origin)];
    const auto column = std::find_if(data.columns.begin(), data.columns.end(), [&](const Column& one) { return one.name == name; });
    if (column == data.columns.end()) continue;  // it is left out
    const std::string where = fmt::format("{}, column '{}'", origin, name);
    const std::vector<std::int32_t> places = places_of(*column, levels, where, options.training);
    // A tree that is to be applied finds its own levels, and tells of others.
    if (std::find(places.begin(), places.end(), -1) != places.end()) continue;
    for (std::int32_t& code : column->codes) code = code < 0 ? -1 : places[static_cast<std::size_t>(code)];
    column->levels = levels;
    *column = in_order(std::move(*column));
  }
}

}  // namespace treewright
