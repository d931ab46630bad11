// Points with more axes than rows, in coordinates of the space that the rows span.
//
// Theorem. Let the rows of Q be an orthonormal basis of the space of the rows x_i, and let c_i = Q x_i. A support vector machine on any of
// these rows, with any soft and hard constraints on w . x_i + b, has the same minimum on the points c_i. If v solves it there, w = Q' v
// solves it here.
//
// Proof. Each x_i lies in the space, so x_i = Q' c_i. For every v, w = Q' v has |w| = |v| and w . x_i = v . Q x_i = v . c_i: the same cost.
// For every w, v = Q w has |v| <= |w| and v . c_i = w . Q' c_i = w . x_i: no larger cost.
//
// So the SVMs of all nodes of a tree, on all subsets of rows, may use the same coordinates, of which there are at most as many as rows. A
// solver whose step costs rows * axes^2 then pays rows^3. The theorem needs |w|^2 to be the only price of weights: features with a budget
// or a price of their own exist on the original axes only.
//
// Method. Gram-Schmidt with each row orthogonalized twice, so that Q is orthonormal up to rounding whatever the rows (Giraud, Langou,
// Rozloznik & van den Eshof 2005). A row that leaves less than 1e-12 of its length is dependent and adds no direction. Equal rows get equal
// coordinates because these are computed from the complete basis.
//
// Rounding. Let e be the largest distance of a row to Q' c_i, about 1e-12 of its length at most. A dual point a with v = sum of a_i s_i c_i
// is feasible for both problems, and its two values differ by at most e |v| sum(a) + (e sum(a))^2 / 2: the order of what rounding does to
// the products of rows on the original axes.
//
// Cost: 3 rows^2 * axes multiplications.

#include "treewright/svm/row_space.h"

#include <cassert>
#include <cmath>

#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"

namespace treewright::svm {

namespace {

constexpr double kDependent = 1e-12;

double length(std::span<const double> x) {
  return std::sqrt(dot(x, x));
}

}  // namespace

RowSpace::RowSpace(const PointMatrix& points) {
  basis_.axes = points.axes;
  for (std::size_t i = 0; i < points.rows() && basis_.rows() < points.axes; ++i) {
    stop_point();
    const auto row = points.row(i);
    extend({row.begin(), row.end()});
  }
  if (basis_.x.empty()) {  // all rows are 0: any direction will do
    basis_.x.assign(points.axes, 0.0);
    basis_.x[0] = 1;
  }
  points_.axes = basis_.rows();
  for (std::size_t i = 0; i < points.rows(); ++i) {
    stop_point();
    for (std::size_t k = 0; k < basis_.rows(); ++k) points_.x.push_back(dot(points.row(i), basis_.row(k)));
  }
}

// Adds the direction of the row that is orthogonal to the basis, if there is one.
void RowSpace::extend(std::vector<double> row) {
  const double before = length(row);
  for (int time = 0; time < 2; ++time) {
    for (std::size_t k = 0; k < basis_.rows(); ++k) {
      const auto direction = basis_.row(k);
      const double along = dot(row, direction);
      for (std::size_t j = 0; j < row.size(); ++j) row[j] -= along * direction[j];
    }
  }
  const double left = length(row);
  if (!(left > kDependent * before)) return;
  for (const double x : row) basis_.x.push_back(x / left);
}

std::vector<double> RowSpace::from_axes(const std::vector<double>& weights) const {
  assert(weights.size() == basis_.axes);
  std::vector<double> inside;
  for (std::size_t k = 0; k < basis_.rows(); ++k) inside.push_back(dot(weights, basis_.row(k)));
  return inside;
}

std::vector<double> RowSpace::on_axes(const std::vector<double>& weights) const {
  assert(weights.size() == basis_.rows());
  std::vector<double> all(basis_.axes, 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto direction = basis_.row(k);
    for (std::size_t j = 0; j < all.size(); ++j) all[j] += weights[k] * direction[j];
  }
  return all;
}

}  // namespace treewright::svm
