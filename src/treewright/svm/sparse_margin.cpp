// Soft-margin SVMs with a budget on features: the hard and the soft budgets of DGMP23 (sec. 4), for one node of the tree.
//
// min |w|^2 / 2 + cost of slacks + price * max(0, features - budget). The binaries s_j of the paper and their constant M_w are not needed:
// every feature is in, out or open, and any dual point gives a bound (feature_shares.h). That of the SVM on all axes that are not out
// ignores what features cost. With shares, the SVM is that of the points scaled by the roots of the shares: a few steps lead to the
// perspective relaxation. On DGMP23's sonar (60 columns, C = 100, alpha = 32) the bound of the root's SVM is 1785 without shares and 2234
// with them, of 2580 for the best features known. A step is a new SVM, so the nodes of a tree do without (root_alone.cpp says where not).
//
// The bound is exact if the features with weight fit the budget, or if each open feature beyond the budget is worth its price.
//
// Where the warm start or the interior-point method fails, the hard constraints may contradict each other, and hull_gap.h gives another
// bound on the SVM. Its dual point has other v_j, so this bound stands without the sum above: features only add to the cost.
//
// Constraints are only added, and features are only decided. Both can only raise the cost, so the bound never falls.

#include "treewright/svm/sparse_margin.h"

#include <algorithm>
#include <cassert>
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

// Steps towards the perspective relaxation of a region, the first one and those with shares of its parent, and how far the bound may stay
// behind it.
constexpr int kFirstSteps = 12, kFurtherSteps = 6;
constexpr double kBehind = 5e-4;

// The exponent of a step of the shares. With 1 each step comes nearer to the minimum, with 2 and more it need not; between them steps are
// fewer.
constexpr double kStride = 1.6;

}  // namespace

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

FeatureRegion::FeatureRegion(const PointMatrix& points, FeaturePrice price, bool with_shares)
    : points_(&points), price_(price), with_shares_(with_shares), use_(points.axes, FeatureUse::open), weights_(points.axes, 0.0) {
  if (price_.all_free(points.axes)) price_ = {};
}

void FeatureRegion::decide(std::size_t feature, bool in) {
  assert(use_[feature] == FeatureUse::open);
  exact_ = false;
  use_[feature] = in ? FeatureUse::in : FeatureUse::out;
  bool changed = !in;
  const auto taken = static_cast<std::size_t>(std::count(use_.begin(), use_.end(), FeatureUse::in));
  if (price_.price == kInfinity && taken >= price_.budget) {
    changed = changed || std::count(use_.begin(), use_.end(), FeatureUse::open) > 0;
    std::replace(use_.begin(), use_.end(), FeatureUse::open, FeatureUse::out);
  }
  if (!shares_.empty()) {
    changed = true;
    for (std::size_t j = 0; j < use_.size(); ++j) {
      if (use_[j] != FeatureUse::open) shares_[j] = use_[j] == FeatureUse::in ? 1 : 0;
    }
  }
  if (!changed) return;
  forget();
  again_ = false;
  failures_ = 0;
}

std::vector<std::uint32_t> FeatureRegion::axes() const {
  std::vector<std::uint32_t> axes;
  for (std::size_t j = 0; j < use_.size(); ++j) {
    if (use_[j] != FeatureUse::out) axes.push_back(static_cast<std::uint32_t>(j));
  }
  return axes;
}

void FeatureRegion::prepare(const std::vector<MarginConstraint>& constraints) {
  if (active_ || failures_ >= kFailures) return;
  // Rounding depends on the order in which the constraints come.
  std::vector<MarginConstraint> order = constraints;
  for (const bool again : {false, true}) {
    if (again) std::reverse(order.begin(), order.end());
    auto grown = std::make_shared<ActiveMargin>(space(), axes());
    if (grown->extend(order, kInfinity)) {
      active_ = std::move(grown);
      return;
    }
  }
  ++failures_;
}

// The points in which the SVM is solved. Their axes that are out are 0.
const PointMatrix& FeatureRegion::space() {
  if (shares_.empty()) return *points_;
  if (!scaled_) {
    auto scaled = std::make_shared<PointMatrix>(*points_);
    for (std::size_t j = 0; j < shares_.size(); ++j) {
      const double root = std::sqrt(shares_[j]);
      for (std::size_t k = j; k < scaled->x.size(); k += scaled->axes) scaled->x[k] *= root;
    }
    scaled_ = std::move(scaled);
  }
  return *scaled_;
}

void FeatureRegion::use_shares(std::vector<double> shares) {
  shares_ = std::move(shares);
  forget();
}

struct FeatureRegion::Solution {
  double lower = 0;          // a bound on |w|^2 / 2 + slacks on the axes that are not out
  std::vector<double> dual;  // sum of multiplier * sign * x of its dual point
  double from_hulls = 0;     // another bound
  std::vector<double> weights;
  double offset = 0;
  double slacks = 0;    // cost of them
  bool solved = false;  // the weights solve the SVM of the shares
};

// Expects weights and dual point of the scaled points, and the bound and cost in them.
void FeatureRegion::leave_space(Solution& solution) const {
  solution.slacks = solution.lower;
  for (const double w : solution.weights) solution.slacks -= w * w / 2;
  for (std::size_t j = 0; j < shares_.size(); ++j) {
    if (shares_[j] == 0) continue;
    const double root = std::sqrt(shares_[j]);
    solution.weights[j] *= root;
    solution.dual[j] /= root;
    solution.lower -= (1 - shares_[j]) * solution.dual[j] * solution.dual[j] / 2;
  }
}

FeatureRegion::Solution FeatureRegion::solve_once(const std::vector<MarginConstraint>& constraints, double cutoff) {
  Solution found;
  bool grew = false;
  if (active_) {
    auto grown = std::make_shared<ActiveMargin>(*active_);
    grew = grown->extend(constraints, cutoff);
    const ActiveMargin& last = grew ? *grown : *active_;
    found.lower = last.lower();
    found.weights = found.dual = last.weights();
    found.offset = last.offset();
    found.solved = grew && found.lower <= cutoff;
    leave_space(found);
    // Perhaps the hard constraints contradict each other.
    if (!grew) found.from_hulls = bound_from_hulls(*points_, axes(), constraints, found.lower, found.dual, cutoff);
    active_ = grew ? std::move(grown) : nullptr;
    if (!grew) ++failures_;
  }
  if (grew || found.from_hulls > cutoff) return found;
  std::vector<bool> allowed;
  for (const FeatureUse use : use_) allowed.push_back(use != FeatureUse::out);
  SoftMargin anew = solve_on_axes(space(), constraints, allowed, cutoff);
  const bool passed = anew.lower > cutoff;
  found.lower = anew.lower;
  found.solved = std::isfinite(anew.upper) && !passed;
  found.weights = std::move(anew.weights);
  found.offset = anew.offset;
  found.dual = std::move(anew.lower_weights);
  leave_space(found);
  if (!found.solved && !passed)
    found.from_hulls = std::max(found.from_hulls, bound_from_hulls(*points_, axes(), constraints, found.lower, found.dual, cutoff));
  return found;
}

void FeatureRegion::accept(Solution solution) {
  solved_ = exact_ = solution.solved;
  double cost = solution.lower;
  if (!price_.all_free(use_.size())) {
    cost += least_feature_cost(solution.dual, use_, price_);
    double upper = solution.slacks + price_.of(solution.weights);
    for (const double w : solution.weights) upper += w * w / 2;
    exact_ = exact_ && upper <= cost + 1e-8 * std::max(1.0, cost);
  }
  weights_ = std::move(solution.weights);
  offset_ = solution.offset;
  lower_ = std::max({lower_, cost, solution.from_hulls});
}

void FeatureRegion::solve(const std::vector<MarginConstraint>& constraints, double cutoff) {
  if (again_) prepare(constraints);
  again_ = true;
  const int most = shares_.empty() ? kFirstSteps : kFurtherSteps;
  Solution solution = solve_once(constraints, cutoff);
  for (int step = 0;; ++step) {
    const double slacks = solution.slacks;
    const bool solved = solution.solved;
    accept(std::move(solution));
    if (!with_shares_ || price_.all_free(use_.size()) || exact_ || lower_ > cutoff || step == most) return;
    if (solved) {
      const std::vector<double> cheapest = cheapest_shares(weights_, use_, price_);
      const double relaxed = slacks + cost_of_shares(weights_, cheapest, price_);
      if (relaxed - lower_ <= kBehind * relaxed) return;
      use_shares(further(shares_, cheapest, kStride));
    } else if (!shares_.empty()) {
      // The SVM of these shares costs more than the cutoff, and its dual point has no such bound.
      use_shares({});
    } else {
      return;
    }
    solution = solve_once(constraints, cutoff);
  }
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
    if (use_[j] != FeatureUse::open || worth <= 0 || worth >= price_.price) continue;
    const double share = std::sqrt(worth / price_.price);
    found.emplace_back(with_shares_ ? -share * (1 - share) : -worth, j);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> features;
  for (std::size_t k = 0; k < std::min(count, found.size()); ++k) features.push_back(found[k].second);
  return features;
}

void SparseMargin::solve(const std::vector<MarginConstraint>& constraints, double cutoff, int limit) {
  assert(!open_.empty() && limit >= 0);
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
