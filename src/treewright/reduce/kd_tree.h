#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/data/scaling.h"

namespace treewright::reduce {

/// A row and how far it is. The nearer comes first; of equally near rows the one with the smaller number, so that neighbors have one order.
struct Neighbor {
  double distance2 = 0;
  std::int32_t row = -1;
  auto operator<=>(const Neighbor&) const = default;
};

/// A k-d tree (Bentley 1975) over some rows: the nearest rows to a place, without looking at all of them. See kd_tree.cpp.
class KdTree {
 public:
  /// A part of the rows: those of order()[begin..end). A node without children is a leaf; children come after their parent.
  struct Node {
    std::int32_t begin = 0, end = 0, left = -1, right = -1, parent = -1;
    std::int32_t live = 0;  ///< rows that are not hidden
  };

  /// `points` must outlive the tree.
  KdTree(const ScaledPoints& points, std::vector<std::int32_t> rows);

  /// Hides a row from all searches, or shows it again. It must be one of the tree's.
  void show(std::int32_t row, bool visible);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<std::int32_t>& order() const { return order_; }

  /// Puts into `best` the at most `k` first of the visible rows at a squared distance below `reach` from `from` for which keep(neighbor)
  /// holds, and of what `best` holds already (sorted). Parts of the tree for which skip(node number) holds are left out.
  template <class Keep, class Skip>
  void nearest(std::span<const double> from, std::size_t k, double reach, std::vector<Neighbor>& best, const Keep& keep,
               const Skip& skip) const {
    if (!nodes_.empty()) search(0, distance_to_box(0, from), from, k, reach, best, keep, skip);
  }

 private:
  template <class Keep, class Skip>
  void search(std::int32_t id, double bound, std::span<const double> from, std::size_t k, double reach, std::vector<Neighbor>& best,
              const Keep& keep, const Skip& skip) const {
    const Node& node = nodes_[id];
    // A row at just the distance of the last one may come before it by its number.
    if (node.live == 0 || bound >= reach || (best.size() == k && bound > best.back().distance2) || skip(id)) return;
    if (node.left < 0) {
      for (std::int32_t i = node.begin; i < node.end; ++i) {
        if (hidden_[i]) continue;
        const Neighbor neighbor{distance2(from, order_[i]), order_[i]};
        if (neighbor.distance2 >= reach || (best.size() == k && neighbor >= best.back()) || !keep(neighbor)) continue;
        if (best.size() == k) best.pop_back();
        best.insert(std::upper_bound(best.begin(), best.end(), neighbor), neighbor);
      }
      return;
    }
    const double left = distance_to_box(node.left, from), right = distance_to_box(node.right, from);
    const bool left_first = left <= right;
    search(left_first ? node.left : node.right, left_first ? left : right, from, k, reach, best, keep, skip);
    search(left_first ? node.right : node.left, left_first ? right : left, from, k, reach, best, keep, skip);
  }

  void build(std::int32_t id);
  double distance_to_box(std::int32_t id, std::span<const double> from) const;
  double distance2(std::span<const double> from, std::int32_t row) const;

  const ScaledPoints& points_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
  std::vector<double> low_, high_;        // corners of the nodes' boxes. Shape (nodes, axes).
  std::vector<bool> hidden_;              // by place in order_
  std::vector<std::int32_t> place_, at_;  // of each row of the data: place in order_, leaf
};

}  // namespace treewright::reduce
