#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/data/scaling.h"

namespace treewright::reduce {

/// A partition of the rows into clusters, each of which is to stand as one row (Ales, Hure & Lambert 2024, Definition 1). Each cluster
/// holds its rows ascending; clusters come in the order of their first rows.
struct DataPartition {
  std::vector<std::vector<std::int32_t>> clusters;

  std::size_t size() const { return clusters.size(); }
  /// The cluster of each row. Shape (rows).
  std::vector<std::int32_t> cluster_of_row() const;
};

/// AHL24 Algorithm 1 (GP): rows of one class are merged, the nearest first, until at most `rho` times the rows are left as clusters, or one
/// cluster for each class. `rho` in 0..1. Where the deadline ends it, the clusters so far. `data` must be labeled, `points` its rows.
DataPartition greedy_partition(const Dataset& data, const ScaledPoints& points, double rho, Deadline& deadline);

/// AHL24 Algorithm 2 (IGP): merges rows that are nearer to each other than to any row of another class, as long as the medoids of
/// their clusters are too. Consistent by construction. Otherwise as greedy_partition.
DataPartition improved_greedy_partition(const Dataset& data, const ScaledPoints& points, Deadline& deadline);

/// AHL24 Algorithm 3 (CRM): merges the clusters of the nearest medoids; clusters whose nearest is of another class stay as they are.
/// Otherwise as greedy_partition.
DataPartition closest_representatives(const Dataset& data, const ScaledPoints& points, Deadline& deadline);

/// By name: gp, igp or crm.
DataPartition partition_named(std::string_view name, const Dataset& data, const ScaledPoints& points, double rho, Deadline& deadline);

/// One row for each cluster, in raw units, with the cluster's weight and its heaviest class: the barycenter of its rows (their means; of a
/// category the commonest level; missing where most rows lack the value), which is no row of the data in general.
Dataset barycenters(const Dataset& data, const DataPartition& partition);

/// The same with the medoid of each cluster: its row of the least sum of distances to the others.
Dataset medoids(const Dataset& data, const ScaledPoints& points, const DataPartition& partition);

/// How well clusters keep together what belongs together (AHL24 sec. 3.1).
struct PartitionMeasures {
  double size_reduction = 0;  ///< R: share of the rows that the clusters save
  double homogeneity = 0;     ///< H, Definition 2: share of the rows that are of their cluster's class
  double exclusion = 0;       ///< E, Definition 3: share of the clusters whose convex hull meets no other's
  /// C, Definition 4: of the rows whose nearest row is of another class, the share that are clusters by themselves; 1 without such rows.
  double consistency = 0;
};
PartitionMeasures measure(const Dataset& data, const ScaledPoints& points, const DataPartition& partition);

/// Whether the convex hulls of two sets of rows have a point in common, by linear programming; hulls nearer than about 1e-8 count as
/// meeting.
bool hulls_meet(const ScaledPoints& points, const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b);

}  // namespace treewright::reduce
