// ImprovedGreedyPartitioning: Ales, Hure & Lambert 2024 (AHL24), Algorithm 2.
//
// d(i) is the distance from row i to the nearest row of another class. Pairs of rows of one class come by increasing
// |x_i - x_j| / min(d(i), d(j)), as long as that is below 1:
//
//   for pairs (i, j): if |x_m - x_m'| < min(d(m), d(m')) for the medoids m, m' of their clusters, merge the clusters
//
// Rows deep inside their class merge first, and rows at its border stay alone. A row that shares a cluster has a pair with a ratio below 1,
// so its nearest row is of its own class: the partition is consistent. Hulls rarely meet, but they may.
//
// Difference from the paper. Pairs within one cluster are left out, because they change nothing. The paper sorts all pairs; here they are
// computed when they are needed (near_pairs.cpp). The clusters are the same. Ties are broken by distance and row numbers.
//
// Cost: sums of distances for the medoids, at most n^2 / 2 in all, and the pairs with a ratio below 1 that are not yet in one cluster. A
// pair that the medoids refuse comes once.

#include "treewright/base/stop_point.h"
#include "treewright/reduce/data_partition.h"
#include "treewright/reduce/near_pairs.h"

namespace treewright::reduce {

namespace {

// d(i)^2 of every row.
std::vector<double> distance2_to_others(const ScaledPoints& points, const std::vector<std::int32_t>& labels, std::size_t classes) {
  std::vector<double> result(points.rows, std::numeric_limits<double>::infinity());
  std::vector<std::vector<std::int32_t>> rows(classes);
  for (std::size_t row = 0; row < labels.size(); ++row) rows[labels[row]].push_back(static_cast<std::int32_t>(row));
  for (std::size_t k = 0; k < classes; ++k) {
    const KdTree tree(points, rows[k]);
    for (std::size_t row = 0; row < labels.size(); ++row) {
      if (labels[row] == static_cast<std::int32_t>(k)) continue;
      stop_point();
      std::vector<Neighbor> nearest;
      const auto any = [](const Neighbor&) { return true; };
      const auto none = [](std::int32_t) { return false; };
      tree.nearest(points.row(static_cast<std::int32_t>(row)), 1, result[row], nearest, any, none);
      if (!nearest.empty()) result[row] = nearest[0].distance2;
    }
  }
  return result;
}

}  // namespace

DataPartition improved_greedy_partition(const Dataset& data, const ScaledPoints& points, Deadline& deadline) {
  Clusters clusters(points);
  const std::vector<double> d2 = distance2_to_others(points, data.labels, data.classes());
  NearPairs pairs(points, data.labels, d2, 1, clusters);
  while (!deadline.poll()) {
    const auto pair = pairs.next();
    if (!pair) break;
    const std::int32_t m = clusters.medoid(clusters.of(pair->a)), other = clusters.medoid(clusters.of(pair->b));
    if (points.distance2(m, other) < std::min(d2[m], d2[other])) clusters.merge(pair->a, pair->b, true);
  }
  return {clusters.lists()};
}

}  // namespace treewright::reduce
