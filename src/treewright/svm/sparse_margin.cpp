// Soft-margin SVMs with a budget on features: the hard and the soft budgets of DGMP23 (sec. 4), for one node of the tree.
//
// min |w|^2 / 2 + cost of slacks + price * max(0, features - budget). The binaries s_j of the paper and their constant M_w are not needed:
// every feature is in, out or open, and any dual point a with v = sum a_i s_i x_i gives a bound. A feature that is
// left out adds v_j^2 / 2 to the dual objective, because  max over a of m.a - sum_j s_j v_j^2 / 2  is the cost for the choice s. So
// with s open the least of all choices is the dual objective on all axes that are not out, plus
//
//     sum over the open features beyond the budget (the smallest v_j^2) of min(v_j^2 / 2, price), plus the price of those in.
//
// This is the perspective relaxation's dual (Atamtuerk & Gomez 2019 use it for regression), read off one SVM without solving for s.
// It is exact if the features with weight fit the budget, or if each open feature beyond the budget is worth its price.
//
// Where the warm start or the interior-point method fails, the hard constraints may contradict each other, and hull_gap.h gives another
// bound on the SVM. Its dual point has other v_j, so this bound stands without the sum above: features only add to the cost.
//
// Constraints are only added, and features are only decided. Both can only raise the cost, so the bound never falls.

#include "treewright/svm/sparse_margin.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "treewright/base/infinity.h"
#include "treewright/svm/hull_gap.h"

namespace treewright::svm {

namespace {

// Failures of the warm start after which it is not tried again.
constexpr int kFailures = 20;

// Regions of one SVM, those of the least bounds, that keep their warm starts.
constexpr std::size_t kKeptWarm = 32;

}  // namespace

double FeaturePrice::of(const std::vector<double>& weights) const {
  return of(static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0; })));
}

SoftMargin solve_on_axes(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, const std::vector<bool>& axes,
                         double cutoff) {
  PointMatrix part;
  std::vector<std::size_t> used;
  for (std::size_t j = 0; j < axes.size(); ++j) {
    if (axes[j]) used.push_back(j);
  }
  part.axes = used.size();
  std::vector<MarginConstraint> here = constraints;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const auto x = points.row(here[i].row);
    here[i].row = i;
    for (const std::size_t j : used) part.x.push_back(x[j]);
  }
  SoftMargin solved = solve_soft_margin(part, here, cutoff);
  const auto spread = [&](std::vector<double>& weights) {
    std::vector<double> all(axes.size(), 0.0);
    for (std::size_t k = 0; k < used.size(); ++k) all[used[k]] = weights[k];
    weights = std::move(all);
  };
  spread(solved.weights);
  spread(solved.lower_weights);
  return solved;
}

FeatureRegion::FeatureRegion(const PointMatrix& points, FeaturePrice price)
    : points_(&points), price_(price), use_(points.axes, Use::open), weights_(points.axes, 0.0) {
  if (price_.all_free(points.axes)) price_ = {};
}

void FeatureRegion::decide(std::size_t feature, bool in) {
  exact_ = false;
  use_[feature] = in ? Use::in : Use::out;
  bool fewer = !in;
  const auto taken = static_cast<std::size_t>(std::count(use_.begin(), use_.end(), Use::in));
  if (price_.price == kInfinity && taken >= price_.budget) {
    fewer = fewer || std::count(use_.begin(), use_.end(), Use::open) > 0;
    std::replace(use_.begin(), use_.end(), Use::open, Use::out);
  }
  if (!fewer) return;
  active_ = nullptr;
  again_ = false;
  failures_ = 0;
}

std::vector<std::uint32_t> FeatureRegion::axes() const {
  std::vector<std::uint32_t> axes;
  for (std::size_t j = 0; j < use_.size(); ++j) {
    if (use_[j] != Use::out) axes.push_back(static_cast<std::uint32_t>(j));
  }
  return axes;
}

void FeatureRegion::prepare(const std::vector<MarginConstraint>& constraints) {
  if (active_ || failures_ >= kFailures) return;
  // Rounding depends on the order in which the constraints come.
  std::vector<MarginConstraint> order = constraints;
  for (const bool again : {false, true}) {
    if (again) std::reverse(order.begin(), order.end());
    auto grown = std::make_shared<ActiveMargin>(*points_, axes());
    if (grown->extend(order, kInfinity)) {
      active_ = std::move(grown);
      return;
    }
  }
  ++failures_;
}

void FeatureRegion::solve(const std::vector<MarginConstraint>& constraints, double cutoff) {
  if (again_) prepare(constraints);
  again_ = true;
  double cost = 0, from_hulls = 0;
  std::vector<double> dual;
  bool grew = false, solved = false;
  if (active_) {
    auto grown = std::make_shared<ActiveMargin>(*active_);
    if (grown->extend(constraints, cutoff)) {
      grew = true;
      cost = grown->lower();
      weights_ = dual = grown->weights();
      offset_ = grown->offset();
      solved = cost <= cutoff;
    }
    if (!grew) {
      // Perhaps the hard constraints contradict each other.
      cost = active_->lower();
      weights_ = dual = active_->weights();
      offset_ = active_->offset();
      from_hulls = bound_from_hulls(*points_, axes(), constraints, cost, dual, cutoff);
    }
    active_ = grew ? std::move(grown) : nullptr;
    if (!grew) ++failures_;
  }
  if (!grew && from_hulls <= cutoff) {
    std::vector<bool> allowed;
    for (const Use use : use_) allowed.push_back(use != Use::out);
    SoftMargin anew = solve_on_axes(*points_, constraints, allowed, cutoff);
    cost = anew.lower;
    solved = std::isfinite(anew.upper) && cost <= cutoff;
    weights_ = std::move(anew.weights);
    offset_ = anew.offset;
    dual = std::move(anew.lower_weights);
    if (!solved && cost <= cutoff) from_hulls = bound_from_hulls(*points_, axes(), constraints, cost, dual, cutoff);
  }
  solved_ = solved;
  if (!price_.all_free(use_.size())) {
    std::vector<double> worth;
    std::size_t in = 0;
    for (std::size_t j = 0; j < use_.size(); ++j) {
      if (use_[j] == Use::in) ++in;
      if (use_[j] == Use::open) worth.push_back(dual[j] * dual[j] / 2);
    }
    std::sort(worth.begin(), worth.end(), std::greater<>());
    double features = price_.of(in);
    for (std::size_t k = in < price_.budget ? price_.budget - in : 0; k < worth.size(); ++k) features += std::min(worth[k], price_.price);
    const double upper = cost + price_.of(weights_);
    cost += features;
    solved = solved && upper <= cost + 1e-8 * std::max(1.0, cost);
  }
  exact_ = solved;
  lower_ = std::max({lower_, cost, from_hulls});
}

double FeatureRegion::decision_value(std::span<const double> x) const {
  double sum = offset_;
  for (std::size_t j = 0; j < x.size(); ++j) sum += weights_[j] * x[j];
  return sum;
}

std::vector<std::size_t> FeatureRegion::undecided(std::size_t count) const {
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t j = 0; j < use_.size(); ++j) {
    const double worth = weights_[j] * weights_[j] / 2;
    if (use_[j] == Use::open && worth > 0 && worth < price_.price) found.emplace_back(-worth, j);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> features;
  for (std::size_t k = 0; k < std::min(count, found.size()); ++k) features.push_back(found[k].second);
  return features;
}

void SparseMargin::solve(const std::vector<MarginConstraint>& constraints, double cutoff, int limit) {
  ++calls_;
  exact_ = false;
  const bool split = limit > 0;
  if (!split) limit = static_cast<int>(open_.size());
  while (true) {
    const bool fresh = open_.front().call == calls_;
    if (open_.front().region.lower() > cutoff) break;
    if (!fresh) {
      if (limit-- <= 0) break;
      std::pop_heap(open_.begin(), open_.end(), later);
      open_.back().region.solve(constraints, cutoff);
      open_.back().call = calls_;
      std::push_heap(open_.begin(), open_.end(), later);
      continue;
    }
    exact_ = open_.front().region.exact();
    const std::vector<std::size_t> feature = open_.front().region.undecided(1);
    if (exact_ || !split || feature.empty()) break;
    std::pop_heap(open_.begin(), open_.end(), later);
    Open without = open_.back();
    for (Open* half : {&open_.back(), &without}) {
      half->region.decide(feature[0], half != &without);
      half->call = 0;
    }
    std::push_heap(open_.begin(), open_.end(), later);
    open_.push_back(std::move(without));
    std::push_heap(open_.begin(), open_.end(), later);
  }
  lower_ = std::max(lower_, open_.front().region.lower());
  // The cutoff only falls: what lies beyond it is never of use again.
  for (std::size_t k = open_.size(); k-- > 1;) {
    if (open_[k].region.lower() > cutoff) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (open_.size() > kKeptWarm) {
    std::nth_element(open_.begin(), open_.begin() + kKeptWarm, open_.end(), [](const Open& a, const Open& b) { return later(b, a); });
    for (std::size_t k = kKeptWarm; k < open_.size(); ++k) open_[k].region.forget();
  }
  std::make_heap(open_.begin(), open_.end(), later);
}

void SparseMargin::decide(std::size_t feature, bool in) {
  exact_ = false;
  std::vector<Open> left;
  for (Open& open : open_) {
    if (!open.region.may_be(feature, in)) continue;
    open.call = 0;
    if (open.region.may_be(feature, !in)) open.region.decide(feature, in);
    left.push_back(std::move(open));
  }
  open_ = std::move(left);
  std::make_heap(open_.begin(), open_.end(), later);
}

std::vector<std::uint32_t> SparseMargin::axes() const {
  std::set<std::uint32_t> all;
  for (const Open& open : open_) {
    for (const std::uint32_t j : open.region.axes()) all.insert(j);
  }
  return {all.begin(), all.end()};
}

}  // namespace treewright::svm
