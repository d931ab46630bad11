#include "treewright/reduce/clusters.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "treewright/base/stop_point.h"

namespace treewright::reduce {

Clusters::Clusters(const ScaledPoints& points)
    : points_(points), count_(points.rows), cluster_(points.rows), medoid_(points.rows), sum_(points.rows, 0.0), rows_(points.rows) {
  std::iota(cluster_.begin(), cluster_.end(), 0);
  std::iota(medoid_.begin(), medoid_.end(), 0);
  for (std::size_t row = 0; row < points.rows; ++row) rows_[row] = {static_cast<std::int32_t>(row)};
}

void Clusters::merge(std::int32_t a, std::int32_t b, bool sums) {
  std::int32_t large = cluster_[a], small = cluster_[b];
  assert(large != small && !rows_[large].empty() && !rows_[small].empty());
  if (rows_[large].size() < rows_[small].size()) std::swap(large, small);
  if (sums) {
    for (const std::int32_t x : rows_[small]) {
      stop_point();
      for (const std::int32_t y : rows_[large]) {
        const double distance = std::sqrt(points_.distance2(x, y));
        sum_[x] += distance;
        sum_[y] += distance;
      }
    }
  }
  for (const std::int32_t row : rows_[small]) cluster_[row] = large;
  rows_[large].insert(rows_[large].end(), rows_[small].begin(), rows_[small].end());
  rows_[small].clear();
  rows_[small].shrink_to_fit();
  --count_;
  if (!sums) return;
  const auto before = [&](std::int32_t x, std::int32_t y) { return sum_[x] < sum_[y] || (sum_[x] == sum_[y] && x < y); };
  medoid_[large] = *std::min_element(rows_[large].begin(), rows_[large].end(), before);
}

std::vector<std::vector<std::int32_t>> Clusters::lists() const {
  std::vector<std::vector<std::int32_t>> lists;
  for (std::size_t row = 0; row < cluster_.size(); ++row) {
    std::vector<std::int32_t> cluster = rows_[cluster_[row]];
    std::sort(cluster.begin(), cluster.end());
    if (cluster.front() == static_cast<std::int32_t>(row)) lists.push_back(std::move(cluster));
  }
  return lists;
}

}  // namespace treewright::reduce
