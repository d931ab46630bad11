#include "treewright/reduce/data_partition.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/reduce/clusters.h"

namespace treewright::reduce {

namespace {

// The data with one row for each cluster, of its weight and class; the columns are left to the caller.
Dataset rows_of_clusters(const Dataset& data, const DataPartition& partition) {
  Dataset result;
  result.class_names = data.class_names;
  result.target_name = data.target_name;
  for (const std::vector<std::int32_t>& cluster : partition.clusters) {
    std::vector<double> by_class(data.classes(), 0.0);
    double weight = 0;
    for (const std::int32_t row : cluster) by_class[data.labels[row]] += data.weight(row), weight += data.weight(row);
    // Rows of no weight have a class all the same.
    assert(std::is_sorted(cluster.begin(), cluster.end()));
    const auto heaviest = std::max_element(by_class.begin(), by_class.end());
    result.labels.push_back(*heaviest > 0 ? static_cast<std::int32_t>(heaviest - by_class.begin()) : data.labels[cluster.front()]);
    result.weights.push_back(weight);
  }
  return result;
}

double mean_of(const Column& column, const std::vector<std::int32_t>& cluster) {
  double sum = 0, present = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::int32_t row : cluster) {
    const double value = column.values[row];
    if (std::isnan(value)) continue;
    sum += value * 0.5;
    present += 1;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Rounding must not carry it beyond its rows: equal values have themselves as their mean.
  return 2 * present < static_cast<double>(cluster.size()) ? std::nan("") : std::clamp(2 * (sum / present), low, high);
}

std::int32_t mode_of(const Column& column, const std::vector<std::int32_t>& cluster) {
  std::vector<int> count(column.levels.size() + 1, 0);  // the last one: missing
  for (const std::int32_t row : cluster) ++count[column.codes[row] < 0 ? column.levels.size() : column.codes[row]];
  const auto mode = static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
  return mode == column.levels.size() ? -1 : static_cast<std::int32_t>(mode);
}

}  // namespace

std::vector<std::int32_t> DataPartition::cluster_of_row() const {
  std::size_t rows = 0;
  for (const std::vector<std::int32_t>& cluster : clusters) rows += cluster.size();
  std::vector<std::int32_t> result(rows, -1);
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    for (const std::int32_t row : clusters[g]) result[row] = static_cast<std::int32_t>(g);
  }
  assert(std::find(result.begin(), result.end(), -1) == result.end());
  return result;
}

DataPartition partition_named(std::string_view name, const Dataset& data, const ScaledPoints& points, double rho, Deadline& deadline) {
  assert(0 <= rho && rho <= 1 && data.labels.size() == points.rows);
  if (name == "gp") return greedy_partition(data, points, rho, deadline);
  if (name == "crm") return closest_representatives(data, points, deadline);
  assert(name == "igp");
  return improved_greedy_partition(data, points, deadline);
}

Dataset barycenters(const Dataset& data, const DataPartition& partition) {
  Dataset result = rows_of_clusters(data, partition);
  for (const Column& column : data.columns) {
    Column& mean = result.columns.emplace_back();
    mean.name = column.name;
    mean.kind = column.kind;
    mean.levels = column.levels;
    mean.notation = column.notation;
    mean.unit = column.unit;
    mean.zoned = column.zoned;
    for (const std::vector<std::int32_t>& cluster : partition.clusters) {
      if (column.kind == ColumnKind::numeric) {
        mean.values.push_back(mean_of(column, cluster));
      } else {
        mean.codes.push_back(mode_of(column, cluster));
      }
    }
  }
  return result;
}

Dataset medoids(const Dataset& data, const ScaledPoints& points, const DataPartition& partition) {
  Dataset result = rows_of_clusters(data, partition);
  Clusters clusters(points);
  std::vector<std::int32_t> rows;
  for (const std::vector<std::int32_t>& cluster : partition.clusters) {
    for (std::size_t i = 1; i < cluster.size(); ++i) clusters.merge(cluster[0], cluster[i], true);
    rows.push_back(clusters.medoid(clusters.of(cluster[0])));
  }
  result.columns = data.subset(rows).columns;
  return result;
}

}  // namespace treewright::reduce
