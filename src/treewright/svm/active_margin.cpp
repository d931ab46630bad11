// Soft-margin support vector machines to which constraints are added one by one: an active-set method on the dual of soft_margin.cpp.
//
// Every multiplier a_i is 0 (the constraint holds with room), at its cost (it is violated), or free between them (it holds exactly). These
// are the three kinds of constraints. Where a new constraint k is violated, its multiplier is raised from 0 while all others keep these
// conditions: the free multipliers and the offset move so that the free constraints stay exact,
//
//     [0  s'] [db  ]     [s_k ]
//     [s  Q ] [da_F] = - [Q_Fk] da_k,       Q_ij = s_i s_j x_i . x_j,
//
// until k holds, or a_k reaches its cost, or another constraint changes its kind (Cauwenberghs & Poggio 2001, incremental support vector
// machines; a parametric active-set method). The inverse of the matrix is kept and updated by one row and column at a time. Where the row
// of a constraint that is to become free depends linearly on the rows of the free ones, it takes the place of one of them: the multipliers
// move in the direction that changes neither weights nor offset, until one of them reaches a limit.
//
// On the way all multipliers stay within their limits and s.a = 0, so the dual objective is a lower bound at each step, and it only grows.
// Hard constraints have a slightly larger margin, as in soft_margin.cpp. A step takes time constraints x axes. Adding a constraint takes a
// few steps; the interior-point method would start from nothing. What many steps leave of rounding is undone in active_margin_rounding.cpp.

#include "treewright/svm/active_margin.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"
#include "treewright/svm/ratio_test.h"

namespace treewright::svm {

namespace {

constexpr double kFlat = 1e-8;        // at or below this, a direction changes neither weights nor offset
constexpr double kNoise = 1e-9;       // changes of a surplus up to this are rounding
constexpr double kDependence = 1e-7;  // coefficients of a linear dependence up to this are rounding
constexpr int kStepsOfOne = 5000;     // for one constraint
constexpr int kChanges = 100;         // of the inverse before it is computed anew

// A number in [0, 1) of the row. With such different margins no two constraints become exact at the same time, and the method does not go
// round in a circle.
double jitter(std::size_t row) {
  const double turn = static_cast<double>(row + 1) * 0.6180339887498949;
  return turn - std::floor(turn);
}

}  // namespace

ActiveMargin::ActiveMargin(const PointMatrix& points, std::vector<std::uint32_t> axes)
    : points_(&points), axes_(std::move(axes)), columns_(std::make_shared<const PointColumns>(points, axes_)), w_(axes_.size(), 0.0) {
  present_.assign(points.rows(), 0);
}

std::vector<double> ActiveMargin::weights() const {
  std::vector<double> all(points_->axes, 0.0);
  for (std::size_t k = 0; k < axes_.size(); ++k) all[axes_[k]] = w_[k];
  return all;
}

double ActiveMargin::along(std::size_t i, const std::vector<double>& direction) const {
  const double* row = x(i);
  const double sum = direction.size() == points_->axes ? sum_of_products(direction, [&](std::size_t j) { return row[j]; })
                                                       : sum_of_products(direction, [&](std::size_t j) { return row[axes_[j]]; });
  return constraints_[i].sign * sum;
}

double ActiveMargin::between(std::size_t i, std::size_t j) const {
  const double *a = x(i), *b = x(j);
  double sum = 0;
  for (const std::uint32_t k : axes_) sum += a[k] * b[k];
  return constraints_[i].sign * constraints_[j].sign * sum;
}

// How offset and free multipliers move when a_i grows by one. Shape (1 + free).
std::vector<double> ActiveMargin::response(std::size_t i) const {
  const std::size_t size = free_.size() + 1;
  std::vector<double> column{constraints_[i].sign}, result(size, 0.0);
  for (const std::uint32_t j : free_) column.push_back(between(i, j));
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c < size; ++c) result[r] -= inverse_[r * size + c] * column[c];
  }
  return result;
}

double ActiveMargin::curvature(std::size_t i, const std::vector<double>& response) const {
  double sum = between(i, i) + constraints_[i].sign * response[0];
  for (std::size_t k = 0; k < free_.size(); ++k) sum += between(i, free_[k]) * response[k + 1];
  return sum;
}

double ActiveMargin::gain(const MarginConstraint& constraint, double cutoff, int steps) const {
  ActiveMargin copy = *this;
  copy.add(constraint, cutoff, steps);
  return std::max(0.0, copy.lower_ - lower_);
}

double ActiveMargin::first_gain(const MarginConstraint& constraint) const {
  if (free_.empty()) return 0;
  const double* here = points_->x.data() + constraint.row * points_->axes;
  double decision_value = b_, bend = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    decision_value += w_[j] * here[axes_[j]];
    bend += here[axes_[j]] * here[axes_[j]];
  }
  const double missing = constraint.margin - constraint.sign * decision_value;
  if (missing <= 0) return 0;
  // The response to a constraint of sign +1; that of -1 is its opposite.
  const std::size_t size = free_.size() + 1;
  std::vector<double> column{1};
  for (const std::uint32_t f : free_) {
    const double* there = x(f);
    double sum = 0;
    for (const std::uint32_t k : axes_) sum += here[k] * there[k];
    column.push_back(constraints_[f].sign * sum);
  }
  double step = constraint.cost;
  for (std::size_t r = 0; r < size; ++r) {
    double move = 0;
    for (std::size_t c = 0; c < size; ++c) move -= inverse_[r * size + c] * column[c];
    bend += column[r] * move;
    if (r == 0) continue;
    const double change = constraint.sign * move;
    if (std::abs(change) < 1e-12) continue;
    step = std::min(step, std::max(0.0, change < 0 ? a_[free_[r - 1]] / -change : room(free_[r - 1]) / change));
  }
  bend = std::max(bend, 0.0);
  if (bend * step > missing) step = missing / bend;
  return step < kInfinity ? step * missing - step * step * bend / 2 : 0;
}

void ActiveMargin::free_up(std::size_t i, const std::vector<double>& response, double curvature) {
  assert(std::find(free_.begin(), free_.end(), static_cast<std::uint32_t>(i)) == free_.end());
  assert(free_.empty() || (curvature > 0 && response.size() == free_.size() + 1));
  ++changes_;
  at_[i] = At::free;
  surplus_[i] = 0;
  if (free_.empty()) {
    const double sign = constraints_[i].sign;
    inverse_ = {-between(i, i), sign, sign, 0};
    free_.push_back(static_cast<std::uint32_t>(i));
    return;
  }
  const std::size_t size = free_.size() + 1;
  std::vector<double> grown((size + 1) * (size + 1));
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c < size; ++c) grown[r * (size + 1) + c] = inverse_[r * size + c] + response[r] * response[c] / curvature;
    grown[r * (size + 1) + size] = grown[size * (size + 1) + r] = response[r] / curvature;
  }
  grown.back() = 1 / curvature;
  inverse_ = std::move(grown);
  free_.push_back(static_cast<std::uint32_t>(i));
}

bool ActiveMargin::leave(std::size_t position, At at) {
  assert(position < free_.size() && at != At::free);
  ++changes_;
  const std::size_t i = free_[position], size = free_.size() + 1, gone = position + 1;
  at_[i] = at;
  a_[i] = at == At::zero ? 0 : constraints_[i].cost;
  free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(position));
  if (free_.empty()) {
    inverse_.clear();
    return true;
  }
  const double pivot = inverse_[gone * size + gone];
  if (!(std::abs(pivot) > 1e-300)) return false;
  std::vector<double> smaller;
  smaller.reserve((size - 1) * (size - 1));
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c < size; ++c) {
      if (r != gone && c != gone) smaller.push_back(inverse_[r * size + c] - inverse_[r * size + gone] * inverse_[gone * size + c] / pivot);
    }
  }
  inverse_ = std::move(smaller);
  return true;
}

// Constraint i, which has just become exact, becomes free, in the place of another one if it must.
bool ActiveMargin::enter(std::size_t i) {
  if (free_.empty()) {
    free_up(i, {}, 0);
    return true;
  }
  const std::vector<double> move = response(i);
  const double bend = curvature(i, move);
  if (bend > kFlat) {
    free_up(i, move, bend);
    return true;
  }
  const double towards = at_[i] == At::zero ? 1 : -1;
  double step = constraints_[i].cost;
  std::size_t blocked = free_.size();
  At blocked_at = At::zero;
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const double change = towards * move[k + 1];
    if (std::abs(change) < kDependence) continue;
    const double limit = change < 0 ? a_[free_[k]] / -change : room(free_[k]) / change;
    if (limit < step) {
      step = limit;
      blocked = k;
      blocked_at = change < 0 ? At::zero : At::cost;
    }
  }
  if (step == kInfinity) return false;
  a_[i] += towards * step;
  for (std::size_t k = 0; k < free_.size(); ++k) a_[free_[k]] += towards * step * move[k + 1];
  if (blocked == free_.size()) {
    at_[i] = at_[i] == At::zero ? At::cost : At::zero;
    a_[i] = at_[i] == At::zero ? 0 : constraints_[i].cost;
    return true;
  }
  if (!leave(blocked, blocked_at)) return false;
  if (free_.empty()) {
    free_up(i, {}, 0);
    return true;
  }
  const std::vector<double> again = response(i);
  const double now = curvature(i, again);
  if (!(now > kFlat)) return false;
  free_up(i, again, now);
  return true;
}

// How weights, offset, multipliers and surpluses move when the multiplier of constraint k grows by one, and how far it can grow until k
// holds or a_k reaches its cost.
void ActiveMargin::aim(std::size_t k, Move& move) const {
  const double sign = constraints_[k].sign;
  move.bend = 0;
  move.at_cost = false;
  move.event = k;
  if (free_.empty()) {  // the offset alone
    for (std::size_t i = 0; i <= k; ++i) {
      move.surplus[i] = constraints_[i].sign * sign;
      move.closing[i] = -towards_room(at_[i]) * move.surplus[i];
    }
    move.step = -surplus_[k];
    return;
  }
  move.response = response(k);
  for (std::size_t j = 0; j < axes_.size(); ++j) move.weights[j] = sign * x(k)[axes_[j]];
  for (std::size_t f = 0; f < free_.size(); ++f) {
    const double scale = move.response[f + 1] * constraints_[free_[f]].sign;
    const double* row = x(free_[f]);
    for (std::size_t j = 0; j < axes_.size(); ++j) move.weights[j] += scale * row[axes_[j]];
  }
  const bool of_all_rows = 2 * k >= points_->rows();
  if (of_all_rows) columns_->products(move.weights, move.products);
  for (std::size_t i = 0; i <= k; ++i) {
    const double sign_i = constraints_[i].sign;
    const double change = of_all_rows ? sign_i * move.products[constraints_[i].row] : along(i, move.weights);
    move.surplus[i] = at_[i] == At::free ? 0 : change + sign_i * move.response[0];
    move.closing[i] = -towards_room(at_[i]) * move.surplus[i];
  }
  move.bend = std::max(0.0, move.surplus[k]);
  move.step = room(k);
  move.at_cost = true;
  if (move.bend > kFlat && -surplus_[k] / move.bend <= move.step) {
    move.step = -surplus_[k] / move.bend;
    move.at_cost = false;
  }
}

// Shortens the step to where the first other constraint changes its kind.
void ActiveMargin::limit(std::size_t k, Move& move) const {
  const RatioTest first =
      ratio_test(std::span(surplus_).first(k), std::span(move.surplus).first(k), std::span(move.closing).first(k), kNoise);
  if (first.step < move.step) {
    move.step = std::max(0.0, first.step);
    move.event = first.constraint;
  }
  move.blocked = free_.size();
  for (std::size_t f = 0; f < free_.size(); ++f) {
    const double d = move.response[f + 1];
    if (std::abs(d) < 1e-12) continue;
    const double most = d < 0 ? a_[free_[f]] / -d : room(free_[f]) / d;
    if (!(most < move.step)) continue;
    move.step = std::max(0.0, most);
    move.blocked = f;
    move.blocked_at = d < 0 ? At::zero : At::cost;
  }
}

void ActiveMargin::take(std::size_t k, const Move& move) {
  const double step = move.step;
  assert(step >= 0 && move.surplus.size() == k + 1);
  for (std::size_t i = 0; i <= k; ++i) surplus_[i] += step * move.surplus[i];
  if (free_.empty()) {
    b_ += constraints_[k].sign * step;
    return;
  }
  lower_ += step * -(surplus_[k] - step * move.surplus[k]) - step * step * move.bend / 2;
  a_[k] += step;
  b_ += step * move.response[0];
  for (std::size_t f = 0; f < free_.size(); ++f) a_[free_[f]] += step * move.response[f + 1];
  for (std::size_t j = 0; j < axes_.size(); ++j) w_[j] += step * move.weights[j];
}

bool ActiveMargin::add(const MarginConstraint& constraint, double cutoff, int most_steps) {
  assert(constraint.row < points_->rows() && (constraint.sign == 1 || constraint.sign == -1));
  const std::size_t k = constraints_.size();
  constraints_.push_back(constraint);
  goal_.push_back(constraint.margin + kInside * (constraint.cost < kInfinity ? jitter(constraint.row) : 1));
  a_.push_back(0);
  at_.push_back(At::zero);
  surplus_.push_back(0);
  surplus_[k] = along(k, w_) + constraint.sign * b_ - goal_[k];
  Move move;
  move.weights.resize(axes_.size());
  move.surplus.resize(k + 1);
  move.closing.resize(k + 1);
  for (int steps = 0; surplus_[k] < 0; ++steps) {
    stop_point();
    if (changes_ > kChanges && !rebuild()) return false;
    if (steps >= most_steps) return false;
    aim(k, move);
    limit(k, move);
    if (move.step == kInfinity) return false;  // contradictory, or nearly so
    take(k, move);
    if (!std::isfinite(b_)) return false;
    if (lower_ > cutoff) return true;
    if (move.blocked < free_.size()) {
      if (!leave(move.blocked, move.blocked_at)) return false;
    } else if (move.event < k) {
      if (!enter(move.event)) return false;
    } else if (move.at_cost) {
      a_[k] = constraint.cost;
      at_[k] = At::cost;
      return true;
    } else {
      surplus_[k] = 0;
      if (a_[k] <= 0) return true;
      return enter(k);
    }
  }
  return true;
}

bool ActiveMargin::extend(std::span<const MarginConstraint> constraints, double cutoff) {
  bool some = false;
  for (const MarginConstraint& constraint : constraints) {
    const std::uint8_t bit = constraint.cost < kInfinity ? 1 : 2;
    if ((present_[constraint.row] & bit) != 0) continue;
    present_[constraint.row] |= bit;
    some = true;
    if (!add(constraint, cutoff, kStepsOfOne)) return false;
    if (lower_ > cutoff) break;
  }
  if (!some) return true;
  const bool passed = lower_ > cutoff;
  refresh();
  refine();
  return passed ? lower_ > cutoff : closed();
}

}  // namespace treewright::svm
