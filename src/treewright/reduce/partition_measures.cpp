// The four measures of a data-partition: Ales, Hure & Lambert 2024 (AHL24), Definitions 2 to 4 and the size reduction.
//
// Consistency finds nearest rows in a k-d tree. Of equally near rows the first one counts; the paper's argmin leaves this open. Exclusion
// tests hulls by linear programs (hulls_meet.cpp), but only if their bounding boxes meet, and not if both are known to meet others.
//
// Cost: clusters^2 / 2 comparisons of boxes; a linear program for pairs whose boxes meet; a nearest-row search for each row.

#include <algorithm>

#include "treewright/base/infinity.h"
#include "treewright/reduce/data_partition.h"
#include "treewright/reduce/kd_tree.h"

namespace treewright::reduce {

namespace {

double exclusion_of(const ScaledPoints& points, const DataPartition& partition) {
  const std::size_t axes = points.axes.size(), count = partition.size();
  std::vector<double> low(count * axes, kInfinity), high(count * axes, -kInfinity);
  for (std::size_t g = 0; g < count; ++g) {
    for (const std::int32_t row : partition.clusters[g]) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        low[g * axes + axis] = std::min(low[g * axes + axis], points.row(row)[axis]);
        high[g * axes + axis] = std::max(high[g * axes + axis], points.row(row)[axis]);
      }
    }
  }
  std::vector<bool> meets(count, false);
  for (std::size_t g = 0; g < count; ++g) {
    for (std::size_t h = g + 1; h < count; ++h) {
      if (meets[g] && meets[h]) continue;
      bool apart = false;
      for (std::size_t axis = 0; axis < axes && !apart; ++axis) {
        apart = high[g * axes + axis] < low[h * axes + axis] || high[h * axes + axis] < low[g * axes + axis];
      }
      if (!apart && hulls_meet(points, partition.clusters[g], partition.clusters[h])) meets[g] = meets[h] = true;
    }
  }
  const auto alone = static_cast<double>(std::count(meets.begin(), meets.end(), false));
  return alone / static_cast<double>(count);
}

double consistency_of(const Dataset& data, const ScaledPoints& points, const DataPartition& partition) {
  std::vector<std::int32_t> rows;
  for (std::size_t row = 0; row < points.rows; ++row) rows.push_back(static_cast<std::int32_t>(row));
  const KdTree tree(points, rows);
  const std::vector<std::int32_t> cluster = partition.cluster_of_row();
  double border = 0, merged = 0;
  for (const std::int32_t row : rows) {
    std::vector<Neighbor> nearest;
    const auto is_other = [&](const Neighbor& neighbor) { return neighbor.row != row; };
    const auto skip_none = [](std::int32_t) { return false; };
    tree.nearest(points.row(row), 1, kInfinity, nearest, is_other, skip_none);
    if (nearest.empty() || data.labels[nearest[0].row] == data.labels[row]) continue;
    border += 1;
    merged += partition.clusters[cluster[row]].size() > 1;
  }
  return border > 0 ? 1 - merged / border : 1;
}

}  // namespace

PartitionMeasures measure(const Dataset& data, const ScaledPoints& points, const DataPartition& partition) {
  const auto rows = static_cast<double>(data.rows());
  double of_their_class = 0;
  for (const std::vector<std::int32_t>& cluster : partition.clusters) {
    std::vector<int> count(data.classes(), 0);
    for (const std::int32_t row : cluster) ++count[data.labels[row]];
    of_their_class += *std::max_element(count.begin(), count.end());
  }
  return {(rows - static_cast<double>(partition.size())) / rows, of_their_class / rows, exclusion_of(points, partition),
          consistency_of(data, points, partition)};
}

}  // namespace treewright::reduce
