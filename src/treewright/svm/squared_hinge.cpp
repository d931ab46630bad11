// The linear SVM with squared hinge loss, by Newton's method in the primal.
//
// Idea. The objective f(v), v = (weights, offset), is convex and piecewise quadratic. On a piece only the active rows, those with a margin
// below 1, have a loss, and f is a ridge regression on them. Newton's method solves one regression after another. It ends after finitely
// many steps (Mangasarian 2002; Keerthi & DeCoste 2005): a few in practice, one or two from a warm start, for any cost. Dual coordinate
// descent (Hsieh et al. 2008) is the usual method for millions of sparse rows; its number of passes grows with the cost, and here the
// points are few and dense.
//
// Each regression is solved by conjugate gradients on v' H v / 2 + g' v with H = diag(1, .., 1, tiny) + 2 cost X_A' W_A X_A (X with a
// column of ones). H is never formed: a step is one pass over the active rows, and apart from rounding there are at most axes + 1 steps.
// The tolerance shrinks with the gradient, so the first regressions, whose active set is wrong anyway, are solved roughly. A Newton step
// that does not lower f is halved. This ends, because the direction is one of descent.
//
// Cost: O(active rows * axes) for a step of conjugate gradients, a few tens of them in all.

#include "treewright/svm/squared_hinge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"
#include "treewright/svm/conjugate_gradients.h"

namespace treewright::svm {

namespace {

constexpr int kMaxNewtonSteps = 50;
constexpr double kGradientTolerance = 1e-4;  // relative to the gradient at zero
constexpr double kOffsetRidge = 1e-8;        // keeps the regression solvable when no row is active

class Newton {
 public:
  Newton(const TwoClassPoints& points, double cost) : points_(points), cost_(cost), size_(points.points.axes + 1), margin_(points.rows()) {}

  Hyperplane solve(Hyperplane start) {
    assert(start.weights.size() <= points_.points.axes && points_.points.x.size() == points_.rows() * points_.points.axes && cost_ > 0);
    v_ = std::move(start.weights);
    v_.resize(points_.points.axes, 0.0);
    v_.push_back(start.offset);
    margins(v_, margin_);
    double value = objective(v_, margin_);
    std::vector<double> gradient(size_), step, moved, moved_margin(margin_.size());
    const double enough = kGradientTolerance * gradient_at_zero();
    for (int round = 0; round < kMaxNewtonSteps; ++round) {
      stop_point();
      activate(gradient);
      const double norm = std::sqrt(dot(gradient, gradient));
      if (norm <= enough) break;
      step = newton_step(gradient, std::min(0.1, std::sqrt(norm / (1e3 * enough))) * norm,
                         [this](const std::vector<double>& direction) { return times_hessian(direction); });
      const double slope = dot(gradient, step);
      double length = 1;
      bool lower = false;
      for (; length > 1e-10; length /= 2) {
        moved = v_;
        add_scaled(moved, length, step);
        margins(moved, moved_margin);
        const double candidate = objective(moved, moved_margin);
        if (candidate <= value + 1e-4 * length * slope) {
          value = candidate;
          lower = true;
          break;
        }
      }
      if (!lower) break;
      v_.swap(moved);
      margin_.swap(moved_margin);
    }
    Hyperplane result;
    result.offset = v_.back();
    v_.pop_back();
    result.weights = std::move(v_);
    return result;
  }

 private:
  std::span<const double> weights_of(const std::vector<double>& v) const { return {v.data(), points_.points.axes}; }

  void margins(const std::vector<double>& v, std::vector<double>& margin) const {
    for (std::size_t i = 0; i < margin.size(); ++i) {
      margin[i] = points_.target[i] * (dot(weights_of(v), points_.row(i)) + v.back());
    }
  }

  double objective(const std::vector<double>& v, const std::vector<double>& margin) const {
    double loss = 0;
    for (std::size_t i = 0; i < margin.size(); ++i) {
      const double short_of = std::max(0.0, 1 - margin[i]);
      loss += points_.weight[i] * short_of * short_of;
    }
    return dot(weights_of(v), weights_of(v)) / 2 + kOffsetRidge * v.back() * v.back() / 2 + cost_ * loss;
  }

  double gradient_at_zero() const {
    std::vector<double> gradient(size_, 0.0);
    for (std::size_t i = 0; i < points_.rows(); ++i) add_row(gradient, -2 * cost_ * points_.weight[i] * points_.target[i], i);
    return std::max(std::sqrt(dot(gradient, gradient)), 1e-12);
  }

  void add_row(std::vector<double>& to, double factor, std::size_t i) const {
    add_scaled({to.data(), points_.points.axes}, factor, points_.row(i));
    to.back() += factor;
  }

  // The active rows and the gradient at v_.
  void activate(std::vector<double>& gradient) {
    active_.clear();
    gradient = v_;
    gradient.back() *= kOffsetRidge;
    for (std::size_t i = 0; i < margin_.size(); ++i) {
      if (margin_[i] >= 1) continue;
      active_.push_back(static_cast<std::uint32_t>(i));
      add_row(gradient, -2 * cost_ * points_.weight[i] * (1 - margin_[i]) * points_.target[i], i);
    }
  }

  std::vector<double> times_hessian(const std::vector<double>& v) const {
    std::vector<double> result = v;
    result.back() *= kOffsetRidge;
    for (const std::uint32_t i : active_) {
      add_row(result, 2 * cost_ * points_.weight[i] * (dot(weights_of(v), points_.row(i)) + v.back()), i);
    }
    return result;
  }

  const TwoClassPoints& points_;
  double cost_;
  std::size_t size_;
  std::vector<double> v_, margin_;
  std::vector<std::uint32_t> active_;
};

}  // namespace

Hyperplane fit_squared_hinge(const TwoClassPoints& points, double cost, Hyperplane start) {
  return Newton(points, cost).solve(std::move(start));
}

}  // namespace treewright::svm
