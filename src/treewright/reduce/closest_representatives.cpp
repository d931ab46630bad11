// ClosestRepresentativesMerge: Ales, Hure & Lambert 2024 (AHL24), Algorithm 3, with medoids as representatives.
//
//   while there are pairs and clusters that may merge:
//     (g, h) <- the pair of clusters whose representatives are nearest
//     of different classes: both become tabu and never merge again
//     of one class, neither tabu: merge them; the representative moves to the new medoid
//
// Difference from the paper. The paper keeps a sorted list of all pairs, n^2 / 2 at first, and sorts it again after every merge. Only two
// kinds of pairs have an effect: pairs of different classes with one cluster that is not yet tabu, and pairs of one class with neither
// tabu. So each cluster that is not tabu keeps its nearest partner of these kinds, found in k-d trees of the current representatives. A
// heap holds these pairs. If the partner of a pair has moved, merged or become tabu, the pair is computed again when it comes to the top.
// The later of two clusters has seen the earlier one when it was made, so the top of the heap is never farther than the nearest pair. The
// clusters are those of the definition (tested); ties are broken by the rows of the representatives.
//
// Neither exclusion nor consistency is guaranteed (Examples 2 and 3 of the paper are tests).
//
// Cost: one search in the k-d trees for each merge and each outdated pair; sums of distances for the medoids, at most n^2 / 2 in all.

#include <queue>

#include "treewright/base/stop_point.h"
#include "treewright/reduce/clusters.h"
#include "treewright/reduce/data_partition.h"
#include "treewright/reduce/kd_tree.h"

namespace treewright::reduce {

namespace {

class Merging {
 public:
  Merging(const Dataset& data, const ScaledPoints& points)
      : labels_(data.labels), points_(points), clusters_(points), tabu_(points.rows, false) {
    std::vector<std::vector<std::int32_t>> rows(data.classes());
    for (std::size_t row = 0; row < points.rows; ++row) rows[labels_[row]].push_back(static_cast<std::int32_t>(row));
    for (const std::vector<std::int32_t>& of_class : rows) {
      all_.emplace_back(points, of_class);
      open_.emplace_back(points, of_class);
    }
    for (std::size_t row = 0; row < points.rows; ++row) {
      stop_point();
      push_nearest(static_cast<std::int32_t>(row));
    }
  }

  DataPartition run(Deadline& deadline) {
    while (!heads_.empty() && !deadline.poll()) {
      const Head head = heads_.top();
      heads_.pop();
      if (!may_merge(head.from)) continue;
      if (!matters(head.from, head.to)) {
        push_nearest(head.from);
      } else if (labels_[head.from] != labels_[head.to]) {
        forbid(head.from);
        forbid(head.to);
      } else {
        merge(head.from, head.to);
      }
    }
    return {clusters_.lists()};
  }

 private:
  // Two representatives, by the rows that they are.
  struct Head {
    double distance2;
    std::int32_t from, to;
    std::pair<std::int32_t, std::int32_t> rows() const { return std::minmax(from, to); }
    bool operator>(const Head& other) const {
      return distance2 > other.distance2 || (distance2 == other.distance2 && rows() > other.rows());
    }
  };

  bool is_representative(std::int32_t row) const { return clusters_.medoid(clusters_.of(row)) == row; }
  bool may_merge(std::int32_t row) const { return is_representative(row) && !tabu_[clusters_.of(row)]; }
  bool matters(std::int32_t from, std::int32_t to) const { return labels_[from] == labels_[to] ? may_merge(to) : is_representative(to); }

  void push_nearest(std::int32_t row) {
    std::vector<Neighbor> best;
    const auto other = [&](const Neighbor& neighbor) { return neighbor.row != row; };
    const auto nothing = [](std::int32_t) { return false; };
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const KdTree& tree = static_cast<std::int32_t>(k) == labels_[row] ? open_[k] : all_[k];
      tree.nearest(points_.row(row), 1, std::numeric_limits<double>::infinity(), best, other, nothing);
    }
    if (!best.empty()) heads_.push({best[0].distance2, row, best[0].row});
  }

  void forbid(std::int32_t row) {
    tabu_[clusters_.of(row)] = true;
    open_[labels_[row]].show(row, false);
  }

  void merge(std::int32_t a, std::int32_t b) {
    const auto show = [&](std::int32_t row, bool visible) {
      all_[labels_[row]].show(row, visible);
      open_[labels_[row]].show(row, visible);
    };
    show(a, false);
    show(b, false);
    clusters_.merge(a, b, true);
    const std::int32_t medoid = clusters_.medoid(clusters_.of(a));
    show(medoid, true);
    push_nearest(medoid);
  }

  const std::vector<std::int32_t>& labels_;
  const ScaledPoints& points_;
  Clusters clusters_;
  std::vector<bool> tabu_;          // by name of the cluster
  std::vector<KdTree> all_, open_;  // of each class: the representatives; those that are not tabu
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
};

}  // namespace

DataPartition closest_representatives(const Dataset& data, const ScaledPoints& points, Deadline& deadline) {
  return Merging(data, points).run(deadline);
}

}  // namespace treewright::reduce
