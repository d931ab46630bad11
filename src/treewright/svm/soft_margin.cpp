// Soft-margin SVMs with hard constraints, by an interior-point method on the dual.
//
// The dual of  min |w|^2 / 2 + sum u_i slack_i,  s_i (w . x_i + b) >= m_i - slack_i  is
//
//     max  sum m_i a_i - |sum a_i s_i x_i|^2 / 2    with  sum s_i a_i = 0,  0 <= a_i <= u_i,
//
// where u_i is infinite for a hard constraint. All iterates are feasible for the dual, so each one is a lower bound on the minimum. A
// caller that only asks whether the minimum exceeds a value gets the answer after a few steps. If the hard constraints contradict each
// other, the dual is unbounded and the same test finds it.
//
// Method. Predictor-corrector steps (Mehrotra 1992). The matrix of the dual is Z Z' with one row s_i x_i for each constraint, so the
// equations of a step have only as many unknowns as there are axes (Ferris & Munson 2002): n p^2 + p^3 operations for a step, 10 to 20
// steps. Hard constraints get a slightly larger margin (1e-7), so that the weights satisfy them in floating point. The bound uses the true
// margins.

#include "treewright/svm/soft_margin.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/cholesky.h"
#include "treewright/base/dot.h"
#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"
#include "treewright/svm/gram.h"

namespace treewright::svm {

namespace {

constexpr double kGap = 1e-8;
constexpr int kSteps = 80;
constexpr int kStalled = 3;               // steps in a row without progress
constexpr double kCenter = 0.5;           // what is left of the mean product after such a step, if it is a full one
constexpr std::size_t kRowsAtATime = 64;  // between two looks at the deadline: each row costs the square of the axes

class InteriorPoint {
 public:
  InteriorPoint(const PointMatrix& points, std::span<const MarginConstraint> constraints)
      : axes_(points.axes),
        stride_((axes_ + kGramLanes - 1) / kGramLanes * kGramLanes),
        n_(constraints.size()),
        constraints_(constraints),
        z_(n_ * stride_, 0.0),
        scaled_(std::min(n_, kRowsAtATime) * stride_, 0.0),
        gram_(stride_ * stride_),
        matrix_(axes_) {
    for (std::size_t i = 0; i < n_; ++i) {
      stop_point();
      const MarginConstraint& c = constraints_[i];
      assert((axes_ == 0 || c.row < points.rows()) && (c.sign == 1 || c.sign == -1) && c.cost >= 0);
      for (std::size_t j = 0; j < axes_; ++j) z_[i * stride_ + j] = c.sign * points.row(c.row)[j];
      soft_.push_back(c.cost < kInfinity);
      goal_.push_back(c.margin + (soft_.back() ? 0 : kInside));
    }
  }

  SoftMargin solve(double cutoff) {
    SoftMargin best;
    best.weights.assign(axes_, 0.0);
    best.lower_weights.assign(axes_, 0.0);
    if (!start()) {
      // All on one side: a hyperplane without direction satisfies them all.
      double offset = 0;
      for (std::size_t i = 0; i < n_; ++i) offset = std::max(offset, goal_[i]);
      best.offset = n_ == 0 ? 0 : constraints_[0].sign * offset;
      best.upper = 0;
      return best;
    }
    for (int step = 0; step < kSteps; ++step) {
      stop_point();
      assess(best);
      if (best.lower > cutoff) break;
      if (best.upper < kInfinity && best.upper - best.lower <= kGap * std::max(1.0, best.upper)) break;
      if (!improve(best.upper < kInfinity)) break;
    }
    return best;
  }

 private:
  std::span<const double> z(std::size_t i) const { return {z_.data() + i * stride_, axes_}; }
  double room(std::size_t i) const { return constraints_[i].cost - a_[i]; }

  void set_weights() {
    weights_.assign(axes_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < axes_; ++j) weights_[j] += a_[i] * z(i)[j];
    }
  }

  // A point well inside the limits. False when all signs are equal.
  bool start() {
    double side[2] = {0, 0};
    std::vector<double> share(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      share[i] = std::min(constraints_[i].cost, 1.0);
      side[constraints_[i].sign > 0] += share[i];
    }
    if (side[0] == 0 || side[1] == 0) return false;
    const double least = std::min(side[0], side[1]);
    for (std::size_t i = 0; i < n_; ++i) a_.push_back(0.5 * share[i] * least / side[constraints_[i].sign > 0]);
    set_weights();
    for (std::size_t i = 0; i < n_; ++i) {
      const double slope = dot(z(i), weights_) - goal_[i];
      low_.push_back(std::max(slope, 0.0) + 1);
      high_.push_back(soft_[i] ? std::max(-slope, 0.0) + 1 : 0);
    }
    return true;
  }

  // Bound of this iterate, and what its hyperplane costs.
  void assess(SoftMargin& best) {
    double lower = 0, upper = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      assert(a_[i] >= 0 && room(i) >= 0);
      lower += constraints_[i].margin * a_[i];
    }
    const double length = dot(weights_, weights_) / 2;
    lower -= length;
    upper = length;
    for (std::size_t i = 0; i < n_; ++i) {
      const double missing = constraints_[i].margin - dot(z(i), weights_) - constraints_[i].sign * offset_;
      if (missing <= 0) continue;
      upper += soft_[i] ? constraints_[i].cost * missing : kInfinity;
    }
    if (lower > best.lower) {
      best.lower = lower;
      best.lower_weights = weights_;
    }
    if (upper < best.upper) {
      best.upper = upper;
      best.weights = weights_;
      best.offset = offset_;
    } else if (best.upper == kInfinity) {
      best.weights = weights_;
      best.offset = offset_;
    }
  }

  // (Z Z' + diag(theta)) result = g, after the matrix was factorized.
  std::vector<double> solve_step(const std::vector<double>& g) {
    std::vector<double> result(n_), inner(axes_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      result[i] = g[i] / theta_[i];
      for (std::size_t j = 0; j < axes_; ++j) inner[j] += result[i] * z(i)[j];
    }
    matrix_.solve(inner);
    for (std::size_t i = 0; i < n_; ++i) result[i] -= dot(z(i), inner) / theta_[i];
    return result;
  }

  struct Direction {
    std::vector<double> a, low, high;
    double offset = 0;
  };

  Direction direction(double target, const Direction* predicted) {
    std::vector<double> g(n_), to_low(n_), to_high(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double bend = predicted ? predicted->a[i] : 0;
      to_low[i] = (target - (predicted ? bend * predicted->low[i] : 0)) / a_[i] - low_[i];
      to_high[i] = soft_[i] ? (target + (predicted ? bend * predicted->high[i] : 0)) / room(i) - high_[i] : 0;
      const double residual = slope_[i] - low_[i] + high_[i];
      g[i] = -residual + to_low[i] - to_high[i];
    }
    const std::vector<double> free = solve_step(g);
    double along = 0, across = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      along += constraints_[i].sign * free[i];
      across += constraints_[i].sign * turn_[i];
    }
    Direction d;
    d.offset = along / across;
    d.a.resize(n_);
    d.low.resize(n_);
    d.high.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      d.a[i] = free[i] - d.offset * turn_[i];
      d.low[i] = to_low[i] - low_[i] / a_[i] * d.a[i];
      d.high[i] = soft_[i] ? to_high[i] + high_[i] / room(i) * d.a[i] : 0;
    }
    return d;
  }

  // The longest step that keeps everything positive.
  double longest(const Direction& d) const {
    double step = 1;
    const auto limit = [&](double value, double change) {
      if (change < 0) step = std::min(step, -value / change);
    };
    for (std::size_t i = 0; i < n_; ++i) {
      limit(a_[i], d.a[i]);
      limit(low_[i], d.low[i]);
      if (!soft_[i]) continue;
      limit(room(i), -d.a[i]);
      limit(high_[i], d.high[i]);
    }
    return step;
  }

  // Mean product of the pairs after a step.
  double mean_product(const Direction& d, double step) const {
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      sum += (a_[i] + step * d.a[i]) * (low_[i] + step * d.low[i]);
      pairs += 1 + soft_[i];
      if (soft_[i]) sum += (room(i) - step * d.a[i]) * (high_[i] + step * d.high[i]);
    }
    return sum / static_cast<double>(pairs);
  }

  // One predictor-corrector step. False when the numbers allow no further. `feasible`: no hard constraints contradict each other.
  bool improve(bool feasible) {
    slope_.resize(n_);
    theta_.resize(n_);
    std::fill(gram_.begin(), gram_.end(), 0.0);
    for (std::size_t begin = 0; begin < n_; begin += kRowsAtATime) {
      stop_point();
      const std::size_t rows = std::min(kRowsAtATime, n_ - begin);
      for (std::size_t i = begin; i < begin + rows; ++i) {
        slope_[i] = dot(z(i), weights_) - goal_[i] + constraints_[i].sign * offset_;
        theta_[i] = low_[i] / a_[i] + (soft_[i] ? high_[i] / room(i) : 0);
        for (std::size_t j = 0; j < axes_; ++j) scaled_[(i - begin) * stride_ + j] = z(i)[j] / theta_[i];
      }
      add_gram(z_.data() + begin * stride_, scaled_.data(), rows, stride_, gram_.data());
    }
    for (std::size_t j = 0; j < axes_; ++j) {
      std::copy_n(gram_.data() + j * stride_, j + 1, matrix_.row(j));
      matrix_.row(j)[j] += 1;
    }
    matrix_.factorize();
    std::vector<double> signs(n_);
    for (std::size_t i = 0; i < n_; ++i) signs[i] = constraints_[i].sign;
    turn_ = solve_step(signs);

    const Direction zero{std::vector<double>(n_, 0.0), std::vector<double>(n_, 0.0), std::vector<double>(n_, 0.0), 0};
    const double now = mean_product(zero, 0);
    const Direction predicted = direction(0, nullptr);
    const double ahead = mean_product(predicted, longest(predicted));
    const double center = std::pow(ahead / now, 3);
    stalled_ = !feasible || now < least_product_ ? 0 : stalled_ + 1;
    least_product_ = std::min(least_product_, now);
    // Corrected steps may go round in a circle (Cartis 2009). Plain steps toward the center lead out of it.
    const Direction d = stalled_ < kStalled ? direction(center * now, &predicted) : direction(kCenter * now, nullptr);
    const double step = 0.995 * longest(d);
    if (!(step > 1e-10) || !std::isfinite(d.offset)) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      a_[i] += step * d.a[i];
      low_[i] += step * d.low[i];
      if (soft_[i]) high_[i] += step * d.high[i];
    }
    offset_ += step * d.offset;
    set_weights();
    return true;
  }

  const std::size_t axes_, stride_, n_;
  std::span<const MarginConstraint> constraints_;
  std::vector<double> z_, scaled_, gram_;  // signed rows; some of them divided by theta_; their products. Shapes (., stride_).
  std::vector<double> goal_;
  std::vector<bool> soft_;
  std::vector<double> a_, low_, high_;  // the dual point, and the multipliers of its two limits
  std::vector<double> weights_, slope_, theta_, turn_;
  double offset_ = 0;
  double least_product_ = kInfinity;
  int stalled_ = 0;
  Cholesky matrix_;
};

}  // namespace

SoftMargin solve_soft_margin(const PointMatrix& points, std::span<const MarginConstraint> constraints, double cutoff) {
  return InteriorPoint(points, constraints).solve(cutoff);
}

}  // namespace treewright::svm
