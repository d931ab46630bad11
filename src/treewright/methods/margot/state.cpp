// A state of MARGOT's search: its bound, and what a choice implies.
//
// Bound. Every node SVM is solved on the rows that are certain to reach the node; rows whose side is certain are hard constraints. More
// rows and more constraints can only raise the cost, so the sum of the minima is a lower bound on every completion. The root SVM holds all
// rows from the start. Any dual point bounds a minimum from below (soft_margin.h), so a node SVM is abandoned as soon as the sum exceeds
// the incumbent. For features with a budget or a price see sparse_margin.h.
//
// A choice changes one or two node SVMs by one constraint or one feature. These continue from their solution (active_margin.h), and only if
// their hyperplane violates the new constraint, or if rounding kept them from a solution.
//
// Implications. Rows that are equal on the features a node may use take the same side. If one feature is left, rows lie on a line, and each
// side is an interval.

#include "treewright/methods/margot/state.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"
#include "treewright/svm/few_features.h"

namespace treewright::margot {

namespace {

// Number of SVMs that one node SVM of the last level may solve per call in its search for features.
constexpr int kNodeFeatureSteps = 20;
// At or below this many rows, feature search runs inside every node SVM; above it, only on the last level.
constexpr std::size_t kFewRows = 50;

std::size_t parent(std::size_t t) {
  return (t - 1) / 2;
}
bool is_right_child(std::size_t t) {
  return t % 2 == 0;
}
bool holds(std::size_t t, std::size_t deeper) {
  while (deeper > t) deeper = parent(deeper);
  return deeper == t;
}

// A run of equal rows: its first position in the order, and the side that is already fixed (-1 left, 1 right, 0 none).
struct Run {
  std::size_t begin;
  int side;
};

// On a line, every run between two runs of one side takes that side. If both sides are known, so does every run beyond the innermost one of
// each side. False if the sides are mixed.
bool follow_line(std::vector<Run>& runs) {
  std::size_t begin[2] = {runs.size(), runs.size()}, end[2] = {0, 0};  // range of the runs fixed to each side
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (runs[r].side == 0) continue;
    const bool right = runs[r].side > 0;
    begin[right] = std::min(begin[right], r);
    end[right] = r + 1;
  }
  const bool both = end[0] > 0 && end[1] > 0, low = begin[1] < begin[0];  // whether the low end goes right
  if (both && end[low] > begin[!low]) return false;
  for (const bool right : {false, true}) {
    const std::size_t from = both && right == low ? 0 : begin[right], to = both && right != low ? runs.size() : end[right];
    for (std::size_t r = from; r < to; ++r) runs[r].side = right ? 1 : -1;
  }
  return true;
}

}  // namespace

MargotState::MargotState(const MargotProblem& problem) : problem_(&problem), reaches_(problem.rows(), 0) {
  for (std::size_t t = 0; t < problem.nodes(); ++t) node_svms_.emplace_back(problem.points, problem.price(t));
  solve(0, kInfinity);
}

double MargotState::loss(std::size_t t, std::size_t row) const {
  const svm::MarginConstraint wanted = problem_->wanted(t, row);
  return wanted.cost * std::max(0.0, wanted.margin - wanted.sign * decision_value(t, row));
}

// The constraints of node SVM t: for the rows certain to reach it, and for those certain to go on to a child.
std::vector<svm::MarginConstraint> MargotState::known(std::size_t t) const {
  std::vector<svm::MarginConstraint> constraints;
  for (std::size_t row = 0; row < reaches_.size(); ++row) {
    std::size_t at = reaches_[row];
    if (!holds(t, at)) continue;
    constraints.push_back(problem_->wanted(t, row));
    if (at == t) continue;
    while (parent(at) != t) at = parent(at);
    constraints.push_back(problem_->routed(row, is_right_child(at)));
  }
  return constraints;
}

void MargotState::solve(std::size_t t, double cutoff, bool settle) {
  if (bound_ >= cutoff) return;
  const double others = bound_ - node_svms_[t].lower();
  const bool inside = (problem_->last_level(t) || problem_->rows() <= kFewRows) && (settle || !problem_->features_are_cheap());
  node_svms_[t].solve(known(t), cutoff - others, inside ? kNodeFeatureSteps : 0);
  bound_ = 0;
  for (const svm::SparseMargin& node_svm : node_svms_) bound_ += node_svm.lower();
}

MargotState MargotState::after(const MargotChoice& choice, bool right, double cutoff) const {
  MargotState to = *this;
  const std::size_t t = choice.node;
  if (choice.of_feature) {
    to.node_svms_[t].decide(choice.item, right);
  } else {
    to.reaches_[choice.item] = static_cast<std::uint8_t>(2 * t + (right ? 2 : 1));
  }
  to.follow(t);
  // A hyperplane that does not solve its SVM says nothing about the rows that satisfy it.
  const auto unsolved = [&](std::size_t node) { return !node_svms_[node].best_region().solved(); };
  bool changed = choice.of_feature || unsolved(t), child_changed[2] = {unsolved(2 * t + 1), unsolved(2 * t + 2)};
  for (std::size_t row = 0; row < reaches_.size(); ++row) {
    if (reaches_[row] == to.reaches_[row]) continue;
    const bool went_right = is_right_child(to.reaches_[row]);
    const double h = decision_value(t, row);
    changed = changed || (went_right ? h < 0 : h > -problem_->epsilon);
    child_changed[went_right] = child_changed[went_right] || loss(to.reaches_[row], row) > 0;
  }
  if (changed) to.solve(t, cutoff);
  for (const bool side : {false, true}) {
    if (child_changed[side]) to.solve(2 * t + (side ? 2 : 1), cutoff);
  }
  return to;
}

// Fixes the side of rows at node t that is implied by the rows already fixed.
void MargotState::follow(std::size_t t) {
  stop_point();
  const std::vector<std::uint32_t> axes = node_svms_[t].axes();
  const auto before = [&](std::size_t a, std::size_t b) {
    const auto x = problem_->points.row(a), y = problem_->points.row(b);
    for (const std::uint32_t j : axes) {
      if (x[j] != y[j]) return x[j] < y[j];
    }
    return false;
  };
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < reaches_.size(); ++row) {
    if (holds(t, reaches_[row])) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), before);
  std::vector<Run> runs;
  bool mixed = false;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k == 0 || before(rows[k - 1], rows[k])) runs.push_back({k, 0});
    if (reaches_[rows[k]] == t) continue;
    const int side = holds(2 * t + 2, reaches_[rows[k]]) ? 1 : -1;
    mixed = mixed || runs.back().side == -side;
    runs.back().side = side;
  }
  if (mixed || (axes.size() == 1 && !follow_line(runs))) {
    bound_ = kInfinity;
    return;
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::size_t end = r + 1 < runs.size() ? runs[r + 1].begin : rows.size();
    for (std::size_t k = runs[r].begin; k < end && runs[r].side != 0; ++k) {
      if (reaches_[rows[k]] == t) reaches_[rows[k]] = static_cast<std::uint8_t>(2 * t + (runs[r].side > 0 ? 2 : 1));
    }
  }
}

void MargotState::prepare() {
  for (std::size_t t = 0; t < node_svms_.size(); ++t) node_svms_[t].prepare(known(t));
}

void MargotState::forget() {
  for (svm::SparseMargin& node_svm : node_svms_) node_svm.forget();
}

bool MargotState::solve_again(double cutoff) {
  bool some = false;
  for (std::size_t t = 0; t < node_svms_.size(); ++t) {
    if (node_svms_[t].best_region().solved()) continue;
    solve(t, cutoff);
    some = some || node_svms_[t].best_region().solved();
  }
  return some || bound_ >= cutoff;
}

bool MargotState::settle_features(double cutoff) {
  bool some = false;
  for (std::size_t t = 0; t < node_svms_.size(); ++t) {
    if (!node_svms_[t].may_become_exact()) continue;
    some = true;
    solve(t, cutoff, true);
  }
  return some;
}

std::vector<Hyperplane> MargotState::completion(double give_up) const {
  MargotState state = *this;
  std::vector<Hyperplane> planes(node_svms_.size());
  double total = 0;
  for (std::size_t t = 0; t < node_svms_.size(); ++t) {
    double cost = state.allowed(t, give_up - total, planes[t]);
    if (!problem_->last_level(t)) {
      bool in_gap = false;
      for (std::size_t row = 0; row < reaches_.size(); ++row) {
        if (state.reaches_[row] != t) continue;
        const double h = planes[t].decision_value(problem_->points.row(row));
        in_gap = in_gap || (h < 0 && h > -problem_->epsilon);
        state.reaches_[row] = static_cast<std::uint8_t>(2 * t + (h >= 0 ? 2 : 1));
      }
      if (in_gap) cost = state.allowed(t, give_up - total, planes[t]);
    }
    total += cost;
    if (total >= give_up) return {};
  }
  return planes;
}

// A feasible hyperplane of node t for the rows that reach it, and its cost.
double MargotState::allowed(std::size_t t, double give_up, Hyperplane& plane) {
  svm::SparseMargin& node_svm = node_svms_[t];
  const std::vector<svm::MarginConstraint> constraints = known(t);
  const svm::FeaturePrice price = problem_->price(t);
  plane = {node_svm.best_region().weights(), node_svm.best_region().offset()};
  if (node_svm.exact()) {
    // It was solved for the certain rows only, but may fit all rows.
    double cost = price.of(plane.weights);
    for (const double w : plane.weights) cost += w * w / 2;
    for (const svm::MarginConstraint& c : constraints) {
      const double missing = c.margin - c.sign * plane.decision_value(problem_->points.row(c.row));
      if (missing > 0) cost += c.cost * missing;
    }
    if (cost <= node_svm.lower() + 1e-6 * std::max(1.0, cost)) return cost;
  }
  if (price.all_free(problem_->points.axes)) {
    node_svm.solve(constraints, give_up, 0);
    plane = {node_svm.best_region().weights(), node_svm.best_region().offset()};
    return node_svm.lower();
  }
  svm::SoftMargin solved =
      svm::eliminate_features(problem_->points, constraints, price, svm::solve_soft_margin(problem_->points, constraints), false);
  if (node_svm.exact()) {
    std::vector<bool> used;
    for (const double w : plane.weights) used.push_back(w != 0);
    svm::SoftMargin same = svm::solve_on_axes(problem_->points, constraints, used);
    same.upper += price.of(same.weights);
    if (same.upper < solved.upper) solved = std::move(same);
  }
  plane = {std::move(solved.weights), solved.offset};
  return solved.upper;
}

}  // namespace treewright::margot
