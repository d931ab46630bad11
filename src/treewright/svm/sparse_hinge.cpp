// The l1-regularized SVM with squared hinge loss, by coordinate descent (the method CDN of Yuan et al. 2010).
//
// Idea. If all weights but one are fixed, the loss is piecewise quadratic in this weight, and |w| has a kink at zero. One Newton step on
// the loss plus the exact |w| has a closed form, the soft threshold: with slope g and curvature h of the loss at w_j, the step d minimizes
//
//   g d + h d^2 / 2 + |w_j + d|,   so   d = -(g + 1) / h  if g + 1 <= h w_j,   -(g - 1) / h  if g - 1 >= h w_j,   else  -w_j.
//
// A weight at zero whose slope stays within -1 .. 1 remains zero; this makes the solution sparse. The step is halved until the objective
// falls by a fraction of what the model predicts, so the objective never rises. The offset has no price and takes plain Newton steps. The
// margins of all rows are stored, so a coordinate takes one pass over its column. Coordinates are visited in a fixed order, so the result
// depends only on the data.
//
// Ends when the optimality condition of every coordinate holds within a small share of the largest violation at zero.

#include "treewright/svm/sparse_hinge.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/stop_point.h"

namespace treewright::svm {

namespace {

constexpr int kMaxPasses = 200;
constexpr double kTolerance = 1e-3;  // of the largest violation at the start
constexpr double kSufficient = 0.01;

class CoordinateDescent {
 public:
  CoordinateDescent(const TwoClassPoints& points, double cost) : points_(points), rows_(points.rows()), columns_(points.points.axes + 1) {
    for (std::size_t j = 0; j < points.points.axes; ++j) {
      columns_[j].resize(rows_);
      for (std::size_t i = 0; i < rows_; ++i) columns_[j][i] = points.target[i] * points.row(i)[j];
    }
    columns_.back() = points.target;  // of the offset
    for (const double weight : points.weight) price_.push_back(cost * weight);
  }

  Hyperplane solve(Hyperplane start) {
    assert(start.weights.size() <= points_.points.axes && points_.target.size() == rows_);
    value_ = std::move(start.weights);
    value_.resize(points_.points.axes, 0.0);
    value_.push_back(start.offset);
    room_.assign(rows_, 1.0);
    for (std::size_t j = 0; j < value_.size(); ++j) move(j, value_[j]);
    double most = 0;
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      double violation = 0;
      for (std::size_t j = 0; j < value_.size(); ++j) violation = std::max(violation, visit(j));
      most = std::max(most, violation);
      if (violation <= kTolerance * most) break;
    }
    Hyperplane result;
    result.offset = value_.back();
    value_.pop_back();
    result.weights = std::move(value_);
    return result;
  }

 private:
  bool is_offset(std::size_t j) const { return j == points_.points.axes; }

  // room_i = 1 - margin of row i, after weight j moved.
  void move(std::size_t j, double step) {
    if (step == 0) return;
    for (std::size_t i = 0; i < rows_; ++i) room_[i] -= step * columns_[j][i];
  }

  double loss_after(std::size_t j, double step) const {
    double loss = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double room = std::max(0.0, room_[i] - step * columns_[j][i]);
      loss += price_[i] * room * room;
    }
    return loss;
  }

  // Moves one weight. Returns by how much it missed its optimality condition.
  double visit(std::size_t j) {
    stop_point();
    double slope = 0, curvature = 0, loss = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double room = room_[i];
      if (room <= 0) continue;
      const double a = price_[i] * columns_[j][i];
      slope -= 2 * a * room;
      curvature += 2 * a * columns_[j][i];
      loss += price_[i] * room * room;
    }
    const double w = value_[j], kink = is_offset(j) ? 0 : 1;
    const double miss = w > 0 ? std::abs(slope + kink) : w < 0 ? std::abs(slope - kink) : std::max(0.0, std::abs(slope) - kink);
    if (miss == 0) return 0;
    curvature = std::max(curvature, 1e-12);
    double step = -w;
    if (slope + kink <= curvature * w) {
      step = -(slope + kink) / curvature;
    } else if (slope - kink >= curvature * w) {
      step = -(slope - kink) / curvature;
    }
    const double promise = slope * step + kink * (std::abs(w + step) - std::abs(w));
    for (double length = 1; length > 1e-6; length /= 2) {
      const double change = loss_after(j, length * step) - loss + kink * (std::abs(w + length * step) - std::abs(w));
      if (change > kSufficient * length * promise) continue;
      value_[j] = w + length * step;
      move(j, length * step);
      break;
    }
    return miss;
  }

  const TwoClassPoints& points_;
  std::size_t rows_;
  std::vector<std::vector<double>> columns_;  // target * x, the last one for the offset
  std::vector<double> price_, room_, value_;
};

}  // namespace

Hyperplane fit_sparse_hinge(const TwoClassPoints& points, double cost, Hyperplane start) {
  return CoordinateDescent(points, cost).solve(std::move(start));
}

}  // namespace treewright::svm
