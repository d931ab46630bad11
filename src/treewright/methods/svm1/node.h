#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/methods/svm1/band_search.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::svm1 {

/// The problem of one node of SVM1-ODT, with the rest of the tree and the labels fixed: a hyperplane h . u = g that minimizes
///
///   sum_i [ left_i if d_i < 0, else right_i ] + sum_i slack_i * max(0, eps - |d_i|) + alpha2 * |h|_1,   d_i = h . u_i - g,
///
/// with |d_i| <= 1 for all rows, including those of other nodes. Improved by exact line searches.
class Svm1Node {
 public:
  /// `u`: all rows of the data on scaled axes. `rows`: those of the node. `all`: those with |d_i| <= 1. Both ascending.
  Svm1Node(const PointMatrix& u, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> all, double alpha2, double eps);

  std::vector<double> left, right, slack;  ///< prices. Shapes (rows).

  /// Starts at a hyperplane with |d_i| <= 1.
  void stand(const ScaledPlane& plane);
  /// Searches the offset, the scale, and the offset again.
  void place();
  /// Searches each coordinate of h, and place(), until a round gains little.
  void coordinates();

  const ScaledPlane& plane() const { return plane_; }
  double cost() const;

 private:
  BandRows band() const;
  double length() const;
  void along(std::size_t line);

  const PointMatrix& u_;
  std::span<const std::uint32_t> rows_;
  double alpha2_, eps_;
  ScaledPlane plane_;
  std::vector<std::uint32_t> order_;  // all rows, those of the node first
  std::vector<double> d_, speed_;     // of the rows in this order
};

}  // namespace treewright::svm1
