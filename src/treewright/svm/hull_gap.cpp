// A bound on an SVM whose hard constraints cannot hold, or only with very long weights.
//
// Idea. If the convex hulls of the rows that must lie on the two sides meet, no weights satisfy the hard constraints, and the dual of
// soft_margin.cpp is unbounded. Where the margins of the hard constraints are small, the methods for SVMs notice that late or never: the
// multipliers must be very large, and rounding stops them before. The shape of the question is better: find the points of the two hulls
// that are nearest to each other.
//
// Claim. Let a be dual feasible with bound L and v = sum of a_i s_i x_i. Let p >= 0 be multipliers of hard constraints with sum of s_i p_i
// = 0, q = sum of p_i s_i x_i and r = sum of m_i p_i - v . q. If r > 0, the minimum is at least L + r^2 / (2 |q|^2).
// Proof. Hard constraints have no upper limit, so a + t p is dual feasible for every t >= 0. Its dual objective is
//     sum of m_i (a_i + t p_i) - |v + t q|^2 / 2 = L + t r - t^2 |q|^2 / 2.
// At t = r / |q|^2 this is L + r^2 / (2 |q|^2). By weak duality it is a lower bound.
//
// With p of sum 1 on each side, q is the difference of a point of one hull and a point of the other, so the shortest q is wanted. That is
// the point of least norm in the hull of all differences x_i - x_j (Wolfe 1976): keep a few differences, move to the point of least norm in
// their affine hull, drop those whose weight becomes negative, and add the difference that leads furthest towards the origin. Any p is
// valid, so rounding can only weaken the bound. |q| is taken to be at least 1e-10, far above the rounding of its coordinates.
//
// A step takes rows * axes + (axes + 1)^3 operations.

#include "treewright/svm/hull_gap.h"

#include <algorithm>
#include <cmath>

#include "treewright/base/cholesky.h"
#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"

namespace treewright::svm {

namespace {

constexpr int kHullSteps = 500;
constexpr double kShortest = 1e-10;  // length that q has at least, for the bound
constexpr double kEnough = 1e-12;    // length of q at which the hulls meet
constexpr double kProgress = 1e-14;  // squared length that a step is worth
constexpr double kRidge = 1e-15;

// A difference of a row that must be on the right and one that must be on the left.
struct Difference {
  std::size_t right, left;
  double weight;
  std::vector<double> z;
};

class Hulls {
 public:
  Hulls(const PointMatrix& points, std::span<const std::uint32_t> axes, std::span<const MarginConstraint> constraints)
      : axes_(axes.size()) {
    for (const MarginConstraint& c : constraints) {
      if (c.cost < std::numeric_limits<double>::infinity()) continue;
      Side& side = sides_[c.sign > 0];
      side.margin.push_back(c.margin);
      const auto x = points.row(c.row);
      for (const std::uint32_t j : axes) side.x.push_back(x[j]);
    }
  }

  bool two_sides() const { return !sides_[0].margin.empty() && !sides_[1].margin.empty(); }

  double bound(double lower, const std::vector<double>& dual, double cutoff) {
    found_.push_back(furthest(std::vector<double>(axes_, 0.0)));
    found_[0].weight = 1;
    double best = lower, margin = 0;
    for (const Side& side : sides_) margin += *std::max_element(side.margin.begin(), side.margin.end());
    const double norm = std::sqrt(dot(dual, dual));
    for (int step = 0; step < kHullSteps; ++step) {
      stop_point();
      const std::vector<double> q = point();
      const double length = dot(q, q);
      best = std::max(best, value(lower, dual, q));
      if (best > cutoff || length <= kEnough * kEnough) break;
      Difference next = furthest(q);
      const double along = dot(q, next.z);
      if (length - along <= kProgress * std::max(1.0, length)) break;
      // No q is shorter than along / |q|, and r / |q| is at most margin / |q| + |v|.
      if (along > 0 && lower + std::pow(margin * std::sqrt(length) / along + norm, 2) / 2 <= cutoff) break;
      found_.push_back(std::move(next));
      if (!shrink()) break;
    }
    return best;
  }

 private:
  struct Side {
    std::vector<double> x, margin;
    std::span<const double> row(std::size_t i, std::size_t axes) const { return {x.data() + i * axes, axes}; }
  };

  std::vector<double> point() const {
    std::vector<double> q(axes_, 0.0);
    for (const Difference& d : found_) {
      for (std::size_t j = 0; j < axes_; ++j) q[j] += d.weight * d.z[j];
    }
    return q;
  }

  // The difference of least value along q.
  Difference furthest(const std::vector<double>& q) const {
    std::size_t at[2] = {0, 0};
    for (const bool right : {false, true}) {
      const Side& side = sides_[right];
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < side.margin.size(); ++i) {
        const double along = (right ? 1 : -1) * dot(side.row(i, axes_), q);
        if (along >= best) continue;
        best = along;
        at[right] = i;
      }
    }
    Difference d{at[1], at[0], 0, std::vector<double>(axes_)};
    for (std::size_t j = 0; j < axes_; ++j) d.z[j] = sides_[1].row(d.right, axes_)[j] - sides_[0].row(d.left, axes_)[j];
    return d;
  }

  double value(double lower, const std::vector<double>& dual, const std::vector<double>& q) const {
    double rise = -dot(dual, q);
    for (const Difference& d : found_) rise += d.weight * (sides_[1].margin[d.right] + sides_[0].margin[d.left]);
    if (!(rise > 0)) return lower;
    return lower + rise * rise / 2 / std::max(dot(q, q), kShortest * kShortest);
  }

  // Moves to the point of least norm in the hull of the differences. False if rounding allows no further.
  bool shrink() {
    while (true) {
      // The weights u / sum(u) with (1 1' + Z Z') u = 1 have the least norm in the affine hull.
      const std::size_t size = found_.size();
      Cholesky matrix(size);
      for (std::size_t r = 0; r < size; ++r) {
        for (std::size_t c = 0; c <= r; ++c) matrix.row(r)[c] = 1 + dot(found_[r].z, found_[c].z);
        matrix.row(r)[r] += kRidge;
      }
      matrix.factorize();
      std::vector<double> u(size, 1.0);
      matrix.solve(u);
      double sum = 0;
      for (const double weight : u) sum += weight;
      if (!std::isfinite(sum) || !(sum > 0)) return false;
      double step = 1;
      for (std::size_t k = 0; k < size; ++k) {
        u[k] /= sum;
        if (u[k] <= 0) step = std::min(step, found_[k].weight / (found_[k].weight - u[k]));
      }
      double total = 0;
      std::size_t least = 0;
      for (std::size_t k = 0; k < size; ++k) {
        found_[k].weight = std::max(0.0, found_[k].weight + step * (u[k] - found_[k].weight));
        if (found_[k].weight < found_[least].weight) least = k;
        total += found_[k].weight;
      }
      if (!(total > 0)) return false;
      for (Difference& d : found_) d.weight /= total;
      if (step >= 1) return true;
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(least));
      if (found_.empty()) return false;
    }
  }

  const std::size_t axes_;
  Side sides_[2];
  std::vector<Difference> found_;
};

}  // namespace

double bound_from_hulls(const PointMatrix& points, std::span<const std::uint32_t> axes, std::span<const MarginConstraint> constraints,
                        double lower, std::span<const double> dual, double cutoff) {
  Hulls hulls(points, axes, constraints);
  if (!hulls.two_sides()) return lower;
  std::vector<double> here;
  for (const std::uint32_t j : axes) here.push_back(dual[j]);
  return hulls.bound(lower, here, cutoff);
}

}  // namespace treewright::svm
