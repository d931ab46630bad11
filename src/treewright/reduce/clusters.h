#pragma once

#include <cstdint>
#include <vector>

#include "treewright/data/scaling.h"

namespace treewright::reduce {

/// Rows in clusters that only grow: what the partitioning algorithms merge. The medoid of a cluster is its row of the least sum of
/// distances to the others (of equals the first row).
///
/// Cost: any sequence of merges measures each pair of rows at most once, n^2 / 2 distances in all, and moves each row log n times.
class Clusters {
 public:
  /// One cluster for each row. `points` must outlive this object.
  explicit Clusters(const ScaledPoints& points);

  /// The name of a row's cluster; names of clusters that were merged into others are not used again.
  std::int32_t of(std::int32_t row) const { return cluster_[row]; }
  bool together(std::int32_t a, std::int32_t b) const { return cluster_[a] == cluster_[b]; }
  std::size_t size() const { return count_; }
  const std::vector<std::int32_t>& rows(std::int32_t cluster) const { return rows_[cluster]; }

  /// Merges the clusters of two rows; the name of the larger stays. `sums`: keeps the sums of distances up to date, without which there is
  /// no medoid.
  void merge(std::int32_t a, std::int32_t b, bool sums);
  std::int32_t medoid(std::int32_t cluster) const { return medoid_[cluster]; }

  /// All clusters, each with its rows ascending, in the order of their first rows.
  std::vector<std::vector<std::int32_t>> lists() const;

 private:
  const ScaledPoints& points_;
  std::size_t count_;
  std::vector<std::int32_t> cluster_, medoid_;
  std::vector<double> sum_;  // of the distances to the rows of the same cluster
  std::vector<std::vector<std::int32_t>> rows_;
};

}  // namespace treewright::reduce
