// Soft-margin machines with a budget on features: HFS-MARGOT and SFS-MARGOT of DGMP23 (sec. 4), one node at a time.
//
// min |w|^2 / 2 + cost of slacks + price * max(0, features - budget). The binaries s_j of the paper and their constant M_w are not needed:
// choose for every feature whether it is in, out or open, and bound from any dual point a with v = sum a_i s_i x_i. A feature that is
// left out adds v_j^2 / 2 to the dual objective, because  max over a of m.a - sum_j s_j v_j^2 / 2  is the cost for the choice s. So
// with s open the least of all choices is the dual objective on all axes that are not out, plus
//
//     sum over the open features beyond the budget (the smallest v_j^2) of min(v_j^2 / 2, price), plus the price of those in.
//
// This is the perspective relaxation's dual (Atamtuerk & Gomez 2019 use it for regression), read off one machine without solving for s. A region
// is settled when its features fit the budget, or when each open one beyond the budget is worth its price.
//
// Rows and constraints are only ever added, which can only cost more: a bound of an earlier call stays a bound. So the open regions are kept,
// and only those whose old bound is the least are solved again.

#include "treewright/margin/sparse_margin.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

SoftMargin thin_out(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price,
                    const SoftMargin& start, bool one_by_one) {
  SoftMargin best, now = start;
  best.weights.assign(points.axes, 0.0);
  while (true) {
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < points.axes; ++j) {
      if (now.weights[j] != 0) order.push_back(j);
    }
    const double cost = now.upper + price.of(order.size());
    if (cost < best.upper) {
      best = now;
      best.upper = cost;
    }
    if (order.size() <= price.budget || order.empty()) break;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(-std::abs(now.weights[a]), a) < std::pair(-std::abs(now.weights[b]), b);
    });
    order.resize(order.size() - (one_by_one ? 1 : (order.size() - price.budget + 1) / 2));
    std::vector<bool> axes(points.axes, false);
    for (const std::size_t j : order) axes[j] = true;
    now = solve_on_axes(points, constraints, axes);
  }
  return best;
}

SoftMargin build_up(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price) {
  std::vector<bool> axes(points.axes, false);
  SoftMargin best = solve_on_axes(points, constraints, axes);
  for (std::size_t used = 1; used <= points.axes && std::isfinite(price.of(used)); ++used) {
    SoftMargin next;
    std::size_t chosen = points.axes;
    for (std::size_t j = 0; j < points.axes; ++j) {
      if (axes[j]) continue;
      axes[j] = true;
      SoftMargin with = solve_on_axes(points, constraints, axes, std::min(best.upper, next.upper) - price.of(used));
      axes[j] = false;
      with.upper += price.of(used);
      if (with.upper >= next.upper) continue;
      next = std::move(with);
      chosen = j;
    }
    if (chosen == points.axes || next.upper >= best.upper) break;
    best = std::move(next);
    axes[chosen] = true;
  }
  return best;
}

SparseMargin::SparseMargin(std::size_t axes, FeaturePrice price) : price_(price) {
  push({std::vector<Use>(axes, Use::open), 0, -1, {}, nullptr, false});
  weights_.assign(axes, 0.0);
}

void SparseMargin::push(Region region) {
  open_.push_back(std::move(region));
  std::push_heap(open_.begin(), open_.end(), later);
}

// Solves a region by what is new since it was solved last. False for its first time, when a machine that can grow does not pay, and where the
// numbers do not allow it.
bool SparseMargin::grow(Region& region, const std::vector<bool>& axes, const PointMatrix& points,
                        const std::vector<MarginConstraint>& constraints, double cutoff) {
  if (!region.again) return false;
  std::shared_ptr<ActiveMargin> grown;
  if (region.grown) {
    grown = std::make_shared<ActiveMargin>(*region.grown);
  } else {
    std::vector<std::uint32_t> used;
    for (std::size_t j = 0; j < axes.size(); ++j) {
      if (axes[j]) used.push_back(static_cast<std::uint32_t>(j));
    }
    grown = std::make_shared<ActiveMargin>(points, std::move(used));
  }
  if (!grown->extend(constraints, cutoff)) {
    region.grown = nullptr;
    return false;
  }
  region.solved.weights = region.solved.lower_weights = grown->weights();
  region.solved.offset = grown->offset();
  region.solved.lower = region.solved.upper = grown->lower();
  region.grown = std::move(grown);
  return true;
}

void SparseMargin::assess(Region& region, const PointMatrix& points, const std::vector<MarginConstraint>& constraints, double cutoff) {
  std::vector<bool> axes;
  for (const Use use : region.use) axes.push_back(use != Use::out);
  if (!grow(region, axes, points, constraints, cutoff)) region.solved = solve_on_axes(points, constraints, axes, cutoff);
  region.again = true;
  region.asked = call_;
  double lower = region.solved.lower;
  if (region.solved.upper == kInfinity && lower <= cutoff && !constraints.empty()) lower = kInfinity;
  std::vector<double> worth;
  std::size_t in = 0;
  for (std::size_t j = 0; j < axes.size(); ++j) {
    if (region.use[j] == Use::in) ++in;
    if (region.use[j] == Use::open) worth.push_back(region.solved.lower_weights[j] * region.solved.lower_weights[j] / 2);
  }
  std::sort(worth.begin(), worth.end(), std::greater<>());
  for (std::size_t k = in < price_.budget ? price_.budget - in : 0; k < worth.size(); ++k) lower += std::min(worth[k], price_.price);
  region.lower = std::max(region.lower, lower + price_.of(in));
}

// The open feature that the bound is least sure of, the largest that is not worth its price; none where all is settled.
std::optional<std::size_t> SparseMargin::unsettled(const Region& region) const {
  std::optional<std::size_t> feature;
  double most = 0;
  std::size_t used = 0;
  for (std::size_t j = 0; j < region.use.size(); ++j) {
    if (region.solved.weights[j] != 0) ++used;
    const double worth = region.solved.weights[j] * region.solved.weights[j] / 2;
    if (region.use[j] != Use::open || worth >= price_.price || worth <= most) continue;
    most = worth;
    feature = j;
  }
  const double cost = region.solved.upper + price_.of(used);
  if (used <= price_.budget || cost <= region.lower + 1e-8 * std::max(1.0, region.lower)) return {};
  return feature;
}

void SparseMargin::split(Region region, std::size_t feature) {
  region.asked = -1;
  region.solved = {};
  Region with = region, without = std::move(region);
  with.use[feature] = Use::in;
  without.use[feature] = Use::out;
  without.grown = nullptr;
  without.again = false;
  const auto in = static_cast<std::size_t>(std::count(with.use.begin(), with.use.end(), Use::in));
  if (price_.price == kInfinity && in >= price_.budget) {
    std::replace(with.use.begin(), with.use.end(), Use::open, Use::out);
    with.grown = nullptr;
    with.again = false;
  }
  push(std::move(with));
  push(std::move(without));
}

void SparseMargin::solve(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, double cutoff, int limit) {
  ++call_;
  exact_ = false;
  bool done = false;
  while (!done && !open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), later);
    Region region = std::move(open_.back());
    open_.pop_back();
    const bool fresh = region.asked == call_;
    lower_ = std::max(lower_, region.lower);
    if (fresh) {
      weights_ = region.solved.weights;
      offset_ = region.solved.offset;
    }
    if (region.lower > cutoff) break;
    if (!fresh) {
      done = limit-- <= 0;
      if (!done) assess(region, points, constraints, cutoff);
      push(std::move(region));
      continue;
    }
    if (const std::optional<std::size_t> feature = unsettled(region)) {
      split(std::move(region), *feature);
      continue;
    }
    exact_ = done = true;
    push(std::move(region));
  }
  if (!done && lower_ <= cutoff) lower_ = kInfinity;
  // The cutoff only falls: what lies beyond it is never of use again.
  std::erase_if(open_, [&](const Region& region) { return region.lower > cutoff; });
  for (Region& region : open_) {
    region.asked = -1;
    region.solved = {};
  }
  std::make_heap(open_.begin(), open_.end(), later);
}

}  // namespace treewright
