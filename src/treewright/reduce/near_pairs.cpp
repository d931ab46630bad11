// Pairs of rows of one class in the order of distance / min(scale, scale): D (all scales 1) and D' (scale = distance to the nearest row of
// another class) of Ales, Hure & Lambert 2024 (AHL24, sec. 3.2).
//
// Difference from the paper. The paper sorts all n^2 / 2 pairs. Here each pair belongs to its row of smaller scale (of equals, to the first
// row). The pairs of a row come in the order of distance: its neighbors in a k-d tree of its class, fetched four at a time, then eight, and
// so on. A heap holds the next pair of every row, so its top is the next pair of all.
//
// Pairs within one cluster change nothing. So neighbors are only searched among the other clusters, and nodes of the k-d tree whose rows
// are all in the row's own cluster are skipped. Clusters only grow, so such a node stays in one cluster.
//
// Invariant: the pairs are those of the sorted list that are not in one cluster at their turn, in the order of the list, ties by distance
// and rows included (tested against the list).
//
// Cost: memory for a few neighbors of each row; one search for every few pairs.

#include "treewright/reduce/near_pairs.h"

#include <algorithm>
#include <cassert>

#include "treewright/base/stop_point.h"

namespace treewright::reduce {

namespace {

constexpr std::size_t kLargestBatch = 64;

}  // namespace

NearPairs::NearPairs(const ScaledPoints& points, const std::vector<std::int32_t>& labels, const std::vector<double>& scale2, double limit,
                     const Clusters& clusters)
    : points_(points), labels_(labels), scale2_(scale2), limit_(limit), clusters_(clusters), owners_(points.rows) {
  assert(labels.size() == points.rows && scale2.size() == points.rows);
  std::vector<std::vector<std::int32_t>> by_class;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    by_class.resize(std::max<std::size_t>(by_class.size(), labels[row] + 1));
    by_class[labels[row]].push_back(static_cast<std::int32_t>(row));
  }
  for (std::vector<std::int32_t>& rows : by_class) {
    trees_.emplace_back(points, std::move(rows));
    one_row_.emplace_back(trees_.back().nodes().size(), -1);
  }
  for (std::size_t row = 0; row < labels.size(); ++row) offer(static_cast<std::int32_t>(row));
}

std::optional<NearPairs::Pair> NearPairs::next() {
  while (!heads_.empty()) {
    const Head head = heads_.top();
    heads_.pop();
    const bool news = !clusters_.together(head.pair.a, head.pair.b);
    offer(head.owner);
    if (news) return head.pair;
  }
  return {};
}

void NearPairs::offer(std::int32_t row) {
  stop_point();
  Owner& owner = owners_[row];
  const double scale2 = scale2_[row];
  if (!(scale2 > 0)) return;
  while (!owner.coming.empty() && clusters_.together(row, owner.coming.back().row)) owner.coming.pop_back();
  if (owner.coming.empty()) {
    const auto keep = [&](const Neighbor& other) {
      const bool mine = scale2 < scale2_[other.row] || (scale2 == scale2_[other.row] && row < other.row);
      return mine && other > owner.last && other.distance2 / scale2 < limit_ && !clusters_.together(row, other.row);
    };
    const std::int32_t label = labels_[row];
    // A hair farther than the limit, which keep() decides on.
    trees_[label].nearest(points_.row(row), owner.batch, scale2 * limit_ * (1 + 1e-9), owner.coming, keep,
                          [&](std::int32_t node) { return all_in(label, node, clusters_.of(row)); });
    owner.batch = std::min(2 * owner.batch, kLargestBatch);
    if (owner.coming.empty()) return;
    owner.last = owner.coming.back();
    std::reverse(owner.coming.begin(), owner.coming.end());
  }
  const Neighbor other = owner.coming.back();
  owner.coming.pop_back();
  heads_.push({{other.distance2 / scale2, other.distance2, std::min(row, other.row), std::max(row, other.row)}, row});
}

bool NearPairs::all_in(std::int32_t label, std::int32_t node, std::int32_t cluster) {
  std::int32_t& row = one_row_[label][node];
  if (row < 0) {
    const KdTree& tree = trees_[label];
    const KdTree::Node& part = tree.nodes()[node];
    if (part.left < 0) {
      row = tree.order()[part.begin];
      for (std::int32_t i = part.begin; i < part.end && row >= 0; ++i) {
        if (!clusters_.together(row, tree.order()[i])) row = -1;
      }
    } else {
      const std::int32_t left = one_row_[label][part.left], right = one_row_[label][part.right];
      if (left >= 0 && right >= 0 && clusters_.together(left, right)) row = left;
    }
  }
  return row >= 0 && clusters_.of(row) == cluster;
}

}  // namespace treewright::reduce
