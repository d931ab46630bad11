// Multinomial logistic regression with a squared penalty on the weights, by Newton's method.
//
// Idea. The objective f(V) is convex and smooth. V holds a vector of weights and an offset for each class (with two classes, for the second
// one alone). A Newton step solves H step = -gradient by conjugate gradients (Komarek & Moore 2005; Lin, Weng & Keerthi 2008). H is never
// formed: with u_ik the decision values of a direction and m_i = sum_k p_ik u_ik their mean, row i adds cost * weight_i * p_ik (u_ik - m_i)
// x_i to the part of class k. The tolerance shrinks with the gradient, so the first steps, which are far away anyway, are solved roughly.
//
// A step is halved while f rises faster at its end than it fell at its start. So f is never evaluated, and no logarithm is needed. The
// exponential is computed here, by basic arithmetic: libraries of different systems round theirs differently, and the same data are to give
// the same tree everywhere.
//
// Cost: O(coordinates that are not 0 * classes) for a step of conjugate gradients, a few tens of them in all.

#include "treewright/svm/logistic.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"
#include "treewright/svm/conjugate_gradients.h"

namespace treewright::svm {

namespace {

constexpr int kMostSteps = 50, kMostHalvings = 30;
constexpr double kSmallGradient = 1e-4;   // relative to the gradient at zero
constexpr double kRidgeOfOffsets = 1e-8;  // the offsets of all classes may rise together without a change

// e^x for x <= 0, within a few units of the last place.
double exponential(double x) {
  if (x < -700) return 0;
  constexpr double kLog2 = 0.693147180559945309417, kHighPart = 0.693145751953125, kLowPart = kLog2 - kHighPart;
  const double twos = std::floor(x / kLog2 + 0.5);
  const double rest = (x - twos * kHighPart) - twos * kLowPart;
  double sum = 1;
  for (int n = 13; n > 0; --n) sum = 1 + rest / n * sum;
  return std::ldexp(sum, static_cast<int>(twos));
}

struct DenseRows {
  const PointMatrix& points;

  std::size_t axes() const { return points.axes; }
  double times(std::size_t i, std::span<const double> weights) const { return dot(weights, points.row(i)); }
  void add(std::size_t i, double factor, std::span<double> to) const { add_scaled(to, factor, points.row(i)); }
};

struct SparseRows {
  const SparsePoints& points;

  std::size_t axes() const { return points.axes; }
  double times(std::size_t i, std::span<const double> weights) const {
    double sum = 0;
    for (std::size_t at = points.first[i]; at < points.first[i + 1]; ++at) sum += weights[points.axis[at]] * points.x[at];
    return sum;
  }
  void add(std::size_t i, double factor, std::span<double> to) const {
    for (std::size_t at = points.first[i]; at < points.first[i + 1]; ++at) to[points.axis[at]] += factor * points.x[at];
  }
};

template <class Rows>
class Regression {
 public:
  Regression(Rows points, std::size_t classes, std::span<const std::uint32_t> target, std::span<const double> weight, double cost)
      : points_(points),
        target_(target),
        weight_(weight),
        cost_(cost),
        axes_(points.axes()),
        classes_(classes),
        free_(classes == 2 ? 1 : classes),
        size_(free_ * (axes_ + 1)),
        probability_(target.size() * free_) {
    assert(classes >= 2 && target.size() == weight.size() && cost > 0);
  }

  std::vector<Hyperplane> solve() {
    std::vector<double> v(size_, 0.0), gradient = gradient_at(v), moved, moved_gradient;
    const double enough = kSmallGradient * std::max(length_of(gradient), 1e-12);
    for (int round = 0; round < kMostSteps; ++round) {
      const double length = length_of(gradient);
      if (length <= enough) break;
      const std::vector<double> step = newton_step(gradient, std::min(0.1, std::sqrt(length / (1e3 * enough))) * length,
                                                   [this](const std::vector<double>& direction) { return times_hessian(direction); });
      const double falls = -dot(gradient, step);
      double share = 1;
      for (int halving = 0; halving < kMostHalvings; ++halving, share /= 2) {
        moved = v;
        add_scaled(moved, share, step);
        moved_gradient = gradient_at(moved);
        if (dot(moved_gradient, step) <= falls) break;
      }
      v.swap(moved);
      gradient.swap(moved_gradient);
    }
    std::vector<Hyperplane> planes(classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      planes[k].weights.assign(axes_, 0.0);
      const std::size_t skipped = classes_ - free_;
      if (k < skipped) continue;
      const std::span<const double> own = weights_of(v, k - skipped);
      planes[k].weights.assign(own.begin(), own.end());
      planes[k].offset = offset_of(v, k - skipped);
    }
    return planes;
  }

 private:
  static double length_of(const std::vector<double>& v) { return std::sqrt(dot(v, v)); }
  std::span<const double> weights_of(const std::vector<double>& v, std::size_t k) const { return {v.data() + k * (axes_ + 1), axes_}; }
  std::span<double> weights_of(std::vector<double>& v, std::size_t k) const { return {v.data() + k * (axes_ + 1), axes_}; }
  double offset_of(const std::vector<double>& v, std::size_t k) const { return v[k * (axes_ + 1) + axes_]; }

  // What the penalty adds to the gradient, or to the Hessian times v.
  std::vector<double> penalty_of(const std::vector<double>& v) const {
    std::vector<double> result = v;
    for (std::size_t k = 0; k < free_; ++k) result[k * (axes_ + 1) + axes_] *= kRidgeOfOffsets;
    return result;
  }

  void add_row(std::vector<double>& to, std::size_t k, double factor, std::size_t i) const {
    points_.add(i, factor, weights_of(to, k));
    to[k * (axes_ + 1) + axes_] += factor;
  }

  // The decision values of a row, of the classes that are free. Shape (free).
  void decide(const std::vector<double>& v, std::size_t i, std::span<double> values) const {
    for (std::size_t k = 0; k < free_; ++k) values[k] = points_.times(i, weights_of(v, k)) + offset_of(v, k);
  }

  // Keeps the probabilities at v.
  std::vector<double> gradient_at(const std::vector<double>& v) {
    stop_point();
    std::vector<double> gradient = penalty_of(v);
    const std::size_t skipped = classes_ - free_;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const std::span<double> p(probability_.data() + i * free_, free_);
      decide(v, i, p);
      const double most = std::max(*std::max_element(p.begin(), p.end()), skipped > 0 ? 0.0 : p[0]);
      double sum = skipped > 0 ? exponential(-most) : 0;
      for (double& one : p) sum += one = exponential(one - most);
      for (std::size_t k = 0; k < free_; ++k) {
        p[k] /= sum;
        const double truth = target_[i] == k + skipped ? 1 : 0;
        add_row(gradient, k, cost_ * weight_[i] * (p[k] - truth), i);
      }
    }
    return gradient;
  }

  std::vector<double> times_hessian(const std::vector<double>& v) const {
    std::vector<double> result = penalty_of(v), u(free_);
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const std::span<const double> p(probability_.data() + i * free_, free_);
      decide(v, i, u);
      double mean = 0;
      for (std::size_t k = 0; k < free_; ++k) mean += p[k] * u[k];
      for (std::size_t k = 0; k < free_; ++k) add_row(result, k, cost_ * weight_[i] * p[k] * (u[k] - mean), i);
    }
    return result;
  }

  const Rows points_;
  std::span<const std::uint32_t> target_;
  std::span<const double> weight_;
  double cost_;
  std::size_t axes_, classes_, free_, size_;
  std::vector<double> probability_;  // of the free classes. Shape (rows x free).
};

}  // namespace

std::vector<Hyperplane> fit_logistic(const ClassPoints& points, double cost) {
  return Regression(DenseRows{points.points}, points.classes, points.target, points.weight, cost).solve();
}

std::vector<Hyperplane> fit_logistic(const SparsePoints& points, std::size_t classes, std::span<const std::uint32_t> target,
                                     std::span<const double> weight, double cost) {
  assert(points.first.size() == target.size() + 1);
  return Regression(SparseRows{points}, classes, target, weight, cost).solve();
}

}  // namespace treewright::svm
