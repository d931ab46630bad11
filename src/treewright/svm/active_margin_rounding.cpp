// What rounding does to an ActiveMargin in many small steps, and how it is undone.
//
// The steps of active_margin.cpp change weights, surpluses and the inverse of the free constraints' matrix in place, so errors add up. Here
// each is computed anew from the multipliers (`refresh`) or from the constraints (`rebuild`), the free multipliers are corrected until the
// free constraints hold exactly (`refine`), and `closed` compares the hyperplane with the bound: it is the only thing that a caller trusts.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"
#include "treewright/svm/active_margin.h"

namespace treewright::svm {

namespace {

constexpr double kExact = 1e-10;     // a free constraint that holds up to this holds exactly
constexpr double kFlatAnew = 1e-10;  // at or below this curvature, a constraint that was free depends on the others
constexpr int kRefinements = 5;

double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (const double number : numbers) most = std::max(most, std::abs(number));
  return most;
}

}  // namespace

// Computes weights, offset and surpluses anew from the multipliers. First it corrects what rounding did to their limits and to their sum by
// sign, which must be 0.
void ActiveMargin::refresh() {
  for (const std::uint32_t i : free_) a_[i] = std::clamp(a_[i], 0.0, constraints_[i].cost);
  double sum = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) sum += constraints_[i].sign * a_[i];
  std::size_t roomy = a_.size();
  double most = 0;
  for (const std::uint32_t i : free_) {
    const double spare = constraints_[i].sign * sum > 0 ? a_[i] : room(i);
    if (spare <= most) continue;
    most = spare;
    roomy = i;
  }
  if (roomy < a_.size()) a_[roomy] = std::clamp(a_[roomy] - constraints_[roomy].sign * sum, 0.0, constraints_[roomy].cost);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (a_[i] == 0) continue;
    const double scale = a_[i] * constraints_[i].sign;
    for (std::size_t j = 0; j < axes_.size(); ++j) w_[j] += scale * x(i)[axes_[j]];
  }
  if (!free_.empty()) {
    double total = 0;
    for (const std::uint32_t i : free_) total += constraints_[i].sign * (goal_[i] - along(i, w_));
    b_ = total / static_cast<double>(free_.size());
  }
  lower_ = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    lower_ += constraints_[i].margin * a_[i];
    surplus_[i] = at_[i] == At::free ? 0 : along(i, w_) + constraints_[i].sign * b_ - goal_[i];
  }
  for (const double w : w_) lower_ -= w * w / 2;
}

// The surplus of the free constraints, which is what rounding has left of it. Shape (free).
std::vector<double> ActiveMargin::residuals() const {
  std::vector<double> left;
  for (const std::uint32_t i : free_) left.push_back(along(i, w_) + constraints_[i].sign * b_ - goal_[i]);
  return left;
}

// Moves the free multipliers to where the free constraints hold exactly (iterative refinement): many small moves have left them at a
// distance that may be larger than kInside, and then rows would be on the wrong side.
void ActiveMargin::refine() {
  const std::size_t size = free_.size() + 1;
  assert(free_.empty() || inverse_.size() == size * size);
  std::vector<double> off = residuals();
  for (int round = 0; round < kRefinements && largest(off) > kExact; ++round) {
    const std::vector<double> before = a_;
    for (std::size_t r = 1; r < size; ++r) {
      for (std::size_t c = 1; c < size; ++c) a_[free_[r - 1]] -= inverse_[r * size + c] * off[c - 1];
    }
    refresh();
    std::vector<double> now = residuals();
    if (largest(now) >= largest(off)) {
      a_ = before;
      refresh();
      return;
    }
    off = std::move(now);
  }
}

bool ActiveMargin::rebuild() {
  changes_ = 0;
  const std::vector<std::uint32_t> before = std::move(free_);
  free_.clear();
  inverse_.clear();
  for (const std::uint32_t i : before) {
    stop_point();
    if (free_.empty()) {
      free_up(i, {}, 0);
      continue;
    }
    const std::vector<double> move = response(i);
    const double bend = curvature(i, move);
    if (!(bend > kFlatAnew)) return false;
    free_up(i, move, bend);
  }
  changes_ = 0;
  return true;
}

// Whether the hyperplane costs what the bound says.
bool ActiveMargin::closed() const {
  if (largest(residuals()) > kInside / 2) return false;
  double upper = 0;
  for (const double w : w_) upper += w * w / 2;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (surplus_[i] >= 0) continue;
    if (constraints_[i].cost == kInfinity && surplus_[i] < -kInside / 2) return false;
    if (constraints_[i].cost < kInfinity) upper += constraints_[i].cost * -surplus_[i];
  }
  return upper - lower_ <= 1e-6 * std::max(1.0, upper);
}

}  // namespace treewright::svm
