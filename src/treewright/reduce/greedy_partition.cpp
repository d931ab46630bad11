// GreedyPartitioning: Ales, Hure & Lambert 2024 (AHL24), Algorithm 1.
//
//   P <- singletons
//   for pairs (i, j) of rows by increasing distance: if y_i = y_j, merge their clusters; until |P| <= rho |I|
//
// This is single linkage within each class, stopped at a number of clusters. Clusters hold one class only. They tend to be chains, so their
// hulls may meet.
//
// Difference from the paper. Pairs are computed when they are needed (near_pairs.cpp), in the order of the paper's sorted list. Ties are
// broken by row numbers.
//
// Cost: n - |P| merges, each with a search in a k-d tree.

#include "treewright/reduce/data_partition.h"
#include "treewright/reduce/near_pairs.h"

namespace treewright::reduce {

DataPartition greedy_partition(const Dataset& data, const ScaledPoints& points, double rho, Deadline& deadline) {
  Clusters clusters(points);
  const std::vector<double> scale2(points.rows, 1.0);
  NearPairs pairs(points, data.labels, scale2, std::numeric_limits<double>::infinity(), clusters);
  const double wanted = rho * static_cast<double>(points.rows);
  while (static_cast<double>(clusters.size()) > wanted && !deadline.poll()) {
    const auto pair = pairs.next();
    if (!pair) break;
    clusters.merge(pair->a, pair->b, false);
  }
  return {clusters.lists()};
}

}  // namespace treewright::reduce
