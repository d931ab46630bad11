// GreedyPartitioning: Ales, Hure & Lambert 2024 (AHL24), Algorithm 1.
//
//   P <- singletons
//   for pairs (i, j) of rows by increasing distance: if y_i = y_j, merge their clusters; until |P| <= rho |I|
//
// That is single linkage within each class, cut at a number of clusters: homogeneous by construction, and prone to chains, so that hulls may
// meet. Pairs come lazily (near_pairs.cpp), in the same order as from the paper's sorted list; ties go by row numbers.
//
// Cost: n - |P| merges; each takes a search in a k-d tree.

#include "treewright/reduce/data_partition.h"
#include "treewright/reduce/near_pairs.h"

namespace treewright::reduce {

DataPartition greedy_partition(const Dataset& data, const UnitPoints& points, double rho, Deadline& deadline) {
  Clusters clusters(points);
  const std::vector<double> scale2(points.rows(), 1.0);
  NearPairs pairs(points, data.labels, scale2, std::numeric_limits<double>::infinity(), clusters);
  const double wanted = rho * static_cast<double>(points.rows());
  while (static_cast<double>(clusters.size()) > wanted && !deadline.poll()) {
    const auto pair = pairs.next();
    if (!pair) break;
    clusters.merge(pair->a, pair->b, false);
  }
  return {clusters.lists()};
}

}  // namespace treewright::reduce
