// A k-d tree (Bentley, Multidimensional binary search trees used for associative searching, 1975).
//
// The rows are halved at the median of the axis with the largest spread, until eight are left. Each node stores the bounding box of its
// rows. A search visits the nearer box first and skips boxes that are farther than what it has found. Rows can be hidden, as the merging of
// representatives needs; a node without visible rows is skipped.
//
// Invariant: the distance to a box is never above the distance to a row in it, in floating point too, because it adds up terms in the same
// order and none of them is larger. So a search finds exactly what a pass over all rows would find, ties included.
//
// Cost: O(n log n) to build; a search visits about log n nodes if there are few axes, and all rows if there are many.

#include "treewright/reduce/kd_tree.h"

#include <cassert>
#include <numeric>

#include "treewright/base/stop_point.h"

namespace treewright::reduce {

namespace {

constexpr std::int32_t kLeafRows = 8;

}  // namespace

KdTree::KdTree(const ScaledPoints& points, std::vector<std::int32_t> rows)
    : points_(points), order_(std::move(rows)), hidden_(order_.size(), false), place_(points.rows, -1), at_(points.rows, -1) {
  if (order_.empty()) return;
  const auto all = static_cast<std::int32_t>(order_.size());
  nodes_.push_back({0, all, -1, -1, -1, all});
  build(0);
}

void KdTree::build(std::int32_t id) {
  stop_point();
  const std::int32_t begin = nodes_[id].begin, end = nodes_[id].end;
  const std::size_t axes = points_.axes.size(), corner = low_.size();
  low_.resize(corner + axes, std::numeric_limits<double>::infinity());
  high_.resize(corner + axes, -std::numeric_limits<double>::infinity());
  for (std::int32_t i = begin; i < end; ++i) {
    const std::span<const double> x = points_.row(order_[i]);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      low_[corner + axis] = std::min(low_[corner + axis], x[axis]);
      high_[corner + axis] = std::max(high_[corner + axis], x[axis]);
    }
  }
  std::size_t widest = 0;
  for (std::size_t axis = 1; axis < axes; ++axis) {
    if (high_[corner + axis] - low_[corner + axis] > high_[corner + widest] - low_[corner + widest]) widest = axis;
  }
  if (end - begin <= kLeafRows || axes == 0 || high_[corner + widest] == low_[corner + widest]) {
    for (std::int32_t i = begin; i < end; ++i) place_[order_[i]] = i, at_[order_[i]] = id;
    return;
  }
  const std::int32_t middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](std::int32_t a, std::int32_t b) {
    const double x = points_.row(a)[widest], y = points_.row(b)[widest];
    return x < y || (x == y && a < b);
  });
  for (const bool left : {true, false}) {
    const auto child = static_cast<std::int32_t>(nodes_.size());
    (left ? nodes_[id].left : nodes_[id].right) = child;
    const std::int32_t from = left ? begin : middle, to = left ? middle : end;
    nodes_.push_back({from, to, -1, -1, id, to - from});
    build(child);
  }
}

void KdTree::show(std::int32_t row, bool visible) {
  assert(place_[row] >= 0);
  if (hidden_[place_[row]] != visible) return;
  hidden_[place_[row]] = !visible;
  for (std::int32_t id = at_[row]; id >= 0; id = nodes_[id].parent) nodes_[id].live += visible ? 1 : -1;
}

double KdTree::distance_to_box(std::int32_t id, std::span<const double> from) const {
  const std::size_t axes = points_.axes.size();
  const double *low = low_.data() + id * axes, *high = high_.data() + id * axes;
  double sum = 0;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const double away = std::max(0.0, std::max(low[axis] - from[axis], from[axis] - high[axis]));
    sum += away * away;
  }
  return sum;
}

double KdTree::distance2(std::span<const double> from, std::int32_t row) const {
  const std::span<const double> x = points_.row(row);
  double sum = 0;
  for (std::size_t axis = 0; axis < x.size(); ++axis) sum += (from[axis] - x[axis]) * (from[axis] - x[axis]);
  return sum;
}

}  // namespace treewright::reduce
