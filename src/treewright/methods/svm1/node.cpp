// The node problem of SVM1-ODT by line searches; see node.h and band_search.h.
//
// A line in (h, g) changes a coordinate of h, the offset g, or the scale of both. Along each line all distances d_i move at their own
// speeds, and the best step is found exactly. The condition |d_i| <= 1 limits the step. A search over all lines costs O(axes * rows log
// rows).

#include "treewright/methods/svm1/node.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "treewright/base/stop_point.h"

namespace treewright::svm1 {

namespace {

constexpr int kMaxRounds = 5;
constexpr double kWorthwhile = 1e-3;  // stop after a round with a smaller relative gain

}  // namespace

Svm1Node::Svm1Node(const PointMatrix& u, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> all, double alpha2, double eps)
    : u_(u), rows_(rows), alpha2_(alpha2), eps_(eps), order_(rows.begin(), rows.end()), speed_(all.size()) {
  std::set_difference(all.begin(), all.end(), rows.begin(), rows.end(), std::back_inserter(order_));
}

void Svm1Node::stand(const ScaledPlane& plane) {
  plane_ = plane;
  d_.assign(order_.size(), -plane.g);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::span<const double> x = u_.row(order_[i]);
    for (std::size_t a = 0; a < u_.axes; ++a) d_[i] += plane.h[a] * x[a];
  }
}

double Svm1Node::cost() const {
  return band_cost(band()) + alpha2_ * length();
}

void Svm1Node::place() {
  along(u_.axes);
  along(u_.axes + 1);
  along(u_.axes);
}

void Svm1Node::coordinates() {
  for (int round = 0; round < kMaxRounds; ++round) {
    const double before = cost();
    for (std::size_t a = 0; a < u_.axes; ++a) {
      // After the first round only coordinates other than zero are searched.
      if (round == 0 || plane_.h[a] != 0) along(a);
    }
    place();
    if (!(cost() < before - kWorthwhile * before)) return;
  }
}

BandRows Svm1Node::band() const {
  const std::size_t n = rows_.size();
  return {{d_.data(), n}, {speed_.data(), n}, left, right, slack, eps_};
}

double Svm1Node::length() const {
  double sum = 0;
  for (const double h : plane_.h) sum += std::abs(h);
  return sum;
}

// Line 0..axes-1: a coordinate of h; axes: the offset; axes + 1: the scale of all.
void Svm1Node::along(std::size_t line) {
  stop_point();
  LengthPrice price{alpha2_, 0, 0};
  double low = -4, high = 4;
  if (line < u_.axes) {
    price = {alpha2_, plane_.h[line], 1};
    for (std::size_t i = 0; i < order_.size(); ++i) speed_[i] = u_.row(order_[i])[line];
  } else if (line == u_.axes) {
    std::fill(speed_.begin(), speed_.end(), -1.0);
  } else {
    const double now = length();
    price = {alpha2_, now, now};
    speed_ = d_;
    low = -0.999;
    high = 1e9;
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const double v = speed_[i];
    if (v == 0) continue;
    const double a = (-1 - d_[i]) / v, b = (1 - d_[i]) / v;
    low = std::max(low, std::min(a, b));
    high = std::min(high, std::max(a, b));
  }
  low = std::min(low, 0.0);
  high = std::max(high, 0.0);
  if (!(high - low > 1e-12)) return;
  const double before = cost(), step = best_step(band(), price, low, high);
  if (step == 0) return;
  const ScaledPlane plane_before = plane_;
  const std::vector<double> d_before = d_;
  if (line < u_.axes) {
    plane_.h[line] += step;
    if (std::abs(plane_.h[line]) < 1e-9) plane_.h[line] = 0;
  } else if (line == u_.axes) {
    plane_.g += step;
  } else {
    for (double& h : plane_.h) h *= 1 + step;
    plane_.g *= 1 + step;
  }
  for (std::size_t i = 0; i < order_.size(); ++i) d_[i] += step * speed_[i];
  if (cost() < before - 1e-9 * std::max(1.0, before)) return;
  plane_ = plane_before;
  d_ = d_before;
}

}  // namespace treewright::svm1
