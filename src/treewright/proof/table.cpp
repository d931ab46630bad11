// The rows as a proof sees them, taken from the data alone: codes and whole costs.

#include "treewright/proof/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "treewright/base/stop_point.h"
#include "treewright/proof/file.h"

namespace treewright::proof {

namespace {

// The codes of a category as places among the levels that occur.
void take_levels(const Column& column, TableColumn& result) {
  std::vector<std::string> spelling;
  for (const std::string& level : column.levels) spelling.push_back(spelled(level));
  std::vector<std::int32_t> place(spelling.size(), -1);
  for (const std::int32_t code : column.codes) {
    if (code >= 0) place[static_cast<std::size_t>(code)] = 0;
  }
  for (std::size_t k = 0; k < spelling.size(); ++k) {
    if (place[k] == 0) result.levels.push_back(spelling[k]);
  }
  std::sort(result.levels.begin(), result.levels.end());
  for (std::size_t k = 0; k < spelling.size(); ++k) {
    const auto at = std::lower_bound(result.levels.begin(), result.levels.end(), spelling[k]);
    place[k] = static_cast<std::int32_t>(at - result.levels.begin());
  }
  for (const std::int32_t code : column.codes) result.codes.push_back(code < 0 ? -1 : place[static_cast<std::size_t>(code)]);
  result.distinct = static_cast<std::int32_t>(result.levels.size());
}

TableColumn column_of(const Column& column) {
  TableColumn result;
  result.name = spelled(column.name);
  result.category = column.kind == ColumnKind::categorical;
  if (result.category) {
    take_levels(column, result);
  } else {
    std::vector<double> distinct;
    std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(distinct), [](double value) { return !std::isnan(value); });
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const double value : column.values) {
      const auto at = std::lower_bound(distinct.begin(), distinct.end(), value);
      result.codes.push_back(std::isnan(value) ? -1 : static_cast<std::int32_t>(at - distinct.begin()));
    }
    result.distinct = static_cast<std::int32_t>(distinct.size());
  }
  result.has_missing = std::find(result.codes.begin(), result.codes.end(), -1) != result.codes.end();
  return result;
}

}  // namespace

Table make_table(const Dataset& data, const Proof& proof, const std::string& origin) {
  const bool of_events = data.response && data.response->loss != Loss::squared;
  if (data.response.has_value() != proof.of_numbers() || of_events != proof.exposure.has_value()) {
    refuse(origin, fmt::format("speaks of {}, and these rows have {}",
                               proof.target     ? "numbers"
                               : proof.exposure ? "events"
                                                : "labels",
                               of_events       ? "events"
                               : data.response ? "numbers"
                                               : "labels"));
  }
  Table table;
  table.rows = data.rows();
  for (const Column& column : data.columns) {
    stop_point();
    table.columns.push_back(column_of(column));
  }
  if (proof.of_numbers()) {
    table.sums = proof.exposure ? row_events(data, proof, origin) : row_sums(data, proof, origin);
    for (TableColumn& column : table.columns) {
      if (column.is_wide()) column.means = level_means(data, column.codes, column.levels.size());
    }
    return table;
  }
  table.labels = labels_of(data);
  table.costs = row_costs(data, table.labels.place, table.labels.names.size(), proof.unit, origin);
  return table;
}

}  // namespace treewright::proof
