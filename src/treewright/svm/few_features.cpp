// Feature selection for one soft-margin SVM: backward elimination, forward selection, and an exact search.
//
// Backward: solve on all features, drop the smallest weights, solve again. Forward: add the feature that lowers the cost most. Exact:
// best-first branch and bound over the regions of sparse_margin.h. It branches on the undecided feature of largest weight.

#include "treewright/svm/few_features.h"

#include <algorithm>
#include <cmath>

namespace treewright::svm {

SoftMargin eliminate_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price,
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

SoftMargin add_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price) {
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

SoftMargin best_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price, double cutoff,
                         int limit) {
  const auto worse = [](const FeatureRegion& a, const FeatureRegion& b) { return a.lower() > b.lower(); };
  SoftMargin best;
  best.weights.assign(points.axes, 0.0);
  std::vector<FeatureRegion> open(1, FeatureRegion(points, price));
  open.back().solve(constraints, cutoff);
  while (!open.empty() && open.front().lower() < cutoff) {
    std::pop_heap(open.begin(), open.end(), worse);
    const FeatureRegion region = std::move(open.back());
    open.pop_back();
    if (region.exact()) {
      best.weights = region.weights();
      best.offset = region.offset();
      best.lower = best.upper = region.lower();
      break;
    }
    if ((limit -= 2) < 0) break;
    const std::vector<std::size_t> feature = region.undecided(1);
    if (feature.empty()) break;
    for (const bool in : {true, false}) {
      open.push_back(region);
      open.back().decide(feature[0], in);
      open.back().solve(constraints, cutoff);
      std::push_heap(open.begin(), open.end(), worse);
    }
  }
  return best;
}

}  // namespace treewright::svm
