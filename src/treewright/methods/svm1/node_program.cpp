// The 1-norm support vector machine of a node, by the simplex method on its dual.
//
// Dual. With a multiplier y_k for each constraint k of sign s_k, margin m_k, cost c_k and point u_k,
//
//   maximize  sum_k m_k y_k,   0 <= y_k <= c_k,   -alpha2 <= sum_k s_k y_k u_kj <= alpha2 for each axis j,   sum_k s_k y_k = 0.
//
// |d_i| <= 1 is the constraint (sign -1 or 1, margin -1) without slack. The program has only one row for each axis and one for g, however
// many rows of data there are, and its multipliers are (h, g). A new constraint is a new column at 0, so the last solution stays feasible
// and the simplex method continues from it. Points with |d_i| > 1 are entered once the others are solved.
//
// Bound. Every feasible y bounds the program from below (weak duality), so `solve` may end at any step. Rounding leaves a residual r in the
// rows of the dual. For a hyperplane that costs at most `most`, |h|_1 <= most / alpha2 and, because u lies in [0, 1] and |d| <= 1,
// |g| <= 1 + |h|_1. So it costs at least sum_k m_k y_k - max |r| * (|h|_1 + |g|), and this is the bound returned. A hyperplane that
// costs more is of no interest. If y can grow without end, no hyperplane meets the constraints; then y grows until the bound says so.
//
// Cost: a step takes O(constraints * axes + axes^2).

#include "treewright/methods/svm1/node_program.h"

#include <algorithm>
#include <cmath>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"

namespace treewright::svm1 {

namespace {

constexpr double kWrongSign = 1e-9;  // reduced costs and distances below this count as 0
constexpr double kPivot = 1e-9;      // smallest pivot
constexpr int kStepsToRefactor = 60;
constexpr std::size_t kFarPointsAtOnce = 4;

}  // namespace

NodeProgram::NodeProgram(const PointMatrix& points, double alpha2, double most) : points_(&points), alpha2_(alpha2), most_(most) {
  const std::size_t m = rows();
  plane_.h.assign(points.axes, 0);
  at_.assign(m, 0);
  inverse_.assign(m * m, 0);
  for (std::size_t r = 0; r < m; ++r) {
    inverse_[r * m + r] = 1;
    basic_.push_back(static_cast<std::uint32_t>(r));
    place_.push_back(static_cast<std::int32_t>(r));
  }
}

void NodeProgram::require(const svm::MarginConstraint& constraint) {
  constraints_.push_back(constraint);
  at_.push_back(0);
  place_.push_back(-1);
}

double NodeProgram::upper(std::size_t variable) const {
  if (variable >= rows()) return constraints_[variable - rows()].cost;
  return variable < points_->axes ? alpha2_ : 0;
}

double NodeProgram::lower_end(std::size_t variable) const {
  return variable < points_->axes ? -alpha2_ : 0;
}

double NodeProgram::price(std::size_t variable) const {
  return variable < rows() ? 0 : constraints_[variable - rows()].margin;
}

double NodeProgram::coefficient(std::size_t row, std::size_t variable) const {
  if (variable < rows()) return row == variable ? 1 : 0;
  const svm::MarginConstraint& constraint = constraints_[variable - rows()];
  return constraint.sign * (row < points_->axes ? points_->row(constraint.row)[row] : -1);
}

// inverse * column of the variable.
void NodeProgram::column(std::size_t variable, std::vector<double>& entries) const {
  const std::size_t m = rows();
  entries.assign(m, 0);
  if (variable < m) {
    for (std::size_t r = 0; r < m; ++r) entries[r] = inverse_[r * m + variable];
    return;
  }
  const svm::MarginConstraint& constraint = constraints_[variable - m];
  const auto u = points_->row(constraint.row);
  for (std::size_t r = 0; r < m; ++r) {
    const double* of_row = inverse_.data() + r * m;
    double sum = -of_row[m - 1];
    for (std::size_t j = 0; j < u.size(); ++j) sum += of_row[j] * u[j];
    entries[r] = constraint.sign * sum;
  }
}

double NodeProgram::distance(std::size_t point) const {
  const auto u = points_->row(point);
  double sum = -plane_.g;
  for (std::size_t j = 0; j < u.size(); ++j) sum += plane_.h[j] * u[j];
  return sum;
}

void NodeProgram::multipliers() {
  const std::size_t m = rows();
  std::fill(plane_.h.begin(), plane_.h.end(), 0.0);
  plane_.g = 0;
  for (std::size_t r = 0; r < m; ++r) {
    const double c = price(basic_[r]);
    if (c == 0) continue;
    for (std::size_t j = 0; j + 1 < m; ++j) plane_.h[j] += c * inverse_[r * m + j];
    plane_.g += c * inverse_[r * m + m - 1];
  }
}

NodeProgram::Entering NodeProgram::best_entering() const {
  Entering best;
  const auto consider = [&](std::size_t variable, double rate) {
    if (place_[variable] >= 0 || std::abs(rate) <= std::max(kWrongSign, std::abs(best.rate))) return;
    if (rate > 0 ? at_[variable] >= upper(variable) : at_[variable] <= lower_end(variable)) return;
    best = {variable, rate};
  };
  for (std::size_t j = 0; j < points_->axes; ++j) consider(j, -plane_.h[j]);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    consider(rows() + k, constraints_[k].margin - constraints_[k].sign * distance(constraints_[k].row));
  }
  return best;
}

// Enters |d| <= 1 for the points that break it most. False if none does.
bool NodeProgram::add_far_points() {
  // u lies in [0, 1].
  double least = -plane_.g, most = -plane_.g;
  for (const double h : plane_.h) (h < 0 ? least : most) += h;
  if (most <= 1 && least >= -1) return false;
  std::vector<std::pair<double, std::size_t>> far;
  for (std::size_t i = 0; i < points_->rows(); ++i) {
    const double d = distance(i);
    if (std::abs(d) > 1 + kWrongSign) far.emplace_back(d, i);
  }
  const std::size_t count = std::min(far.size(), kFarPointsAtOnce);
  std::partial_sort(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(count), far.end(),
                    [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  for (std::size_t k = 0; k < count; ++k) require({far[k].second, far[k].first > 0 ? -1.0 : 1.0, -1, kInfinity});
  return count > 0;
}

// A variable that may move without end moves until the objective has risen by `enough`.
void NodeProgram::pivot(const Entering& entering, double enough) {
  const std::size_t m = rows(), in = entering.variable;
  const double direction = entering.rate > 0 ? 1 : -1;
  std::vector<double> w;
  column(in, w);
  double step = upper(in) - lower_end(in);
  std::size_t out = m;
  for (std::size_t r = 0; r < m; ++r) {
    const double speed = direction * w[r];
    if (std::abs(speed) < kPivot) continue;
    const double room = speed > 0 ? at_[basic_[r]] - lower_end(basic_[r]) : upper(basic_[r]) - at_[basic_[r]];
    const double limit = std::max(0.0, room) / std::abs(speed);
    // Among equal limits the largest pivot.
    if (limit < step - 1e-12 || (out < m && limit <= step + 1e-12 && std::abs(w[r]) > std::abs(w[out]))) {
      step = std::min(step, limit);
      out = r;
    }
  }
  const bool endless = step == kInfinity;
  if (endless) step = enough / std::abs(entering.rate);
  for (std::size_t r = 0; r < m; ++r) at_[basic_[r]] -= direction * step * w[r];
  at_[in] += direction * step;
  if (endless) return;
  if (out == m) {
    at_[in] = direction > 0 ? upper(in) : lower_end(in);
    return;
  }
  const std::uint32_t leaving = basic_[out];
  at_[leaving] = direction * w[out] > 0 ? lower_end(leaving) : upper(leaving);
  place_[leaving] = -1;
  place_[in] = static_cast<std::int32_t>(out);
  basic_[out] = static_cast<std::uint32_t>(in);
  double* of_out = inverse_.data() + out * m;
  for (std::size_t j = 0; j < m; ++j) of_out[j] /= w[out];
  for (std::size_t r = 0; r < m; ++r) {
    if (r == out || w[r] == 0) continue;
    double* of_row = inverse_.data() + r * m;
    for (std::size_t j = 0; j < m; ++j) of_row[j] -= w[r] * of_out[j];
  }
  if (++since_refactor_ >= kStepsToRefactor) refactor();
}

// The inverse and the basic values anew, by Gauss-Jordan elimination.
void NodeProgram::refactor() {
  since_refactor_ = 0;
  const std::size_t m = rows(), width = 2 * m;
  std::vector<double> table(m * width, 0);
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t c = 0; c < m; ++c) table[r * width + c] = coefficient(r, basic_[c]);
    table[r * width + m + r] = 1;
  }
  for (std::size_t c = 0; c < m; ++c) {
    std::size_t best = c;
    for (std::size_t r = c; r < m; ++r) {
      if (std::abs(table[r * width + c]) > std::abs(table[best * width + c])) best = r;
    }
    if (std::abs(table[best * width + c]) < 1e-13) return;  // keep the updated inverse
    if (best != c) std::swap_ranges(&table[best * width], &table[best * width] + width, &table[c * width]);
    const double scale = table[c * width + c];
    for (std::size_t j = c; j < width; ++j) table[c * width + j] /= scale;
    for (std::size_t r = 0; r < m; ++r) {
      const double times = table[r * width + c];
      if (r == c || times == 0) continue;
      for (std::size_t j = c; j < width; ++j) table[r * width + j] -= times * table[c * width + j];
    }
  }
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t j = 0; j < m; ++j) inverse_[r * m + j] = table[r * width + m + j];
  }
  std::vector<double> rest(m, 0);
  for (std::size_t v = 0; v < at_.size(); ++v) {
    if (place_[v] >= 0 || at_[v] == 0) continue;
    for (std::size_t r = 0; r < m; ++r) rest[r] -= coefficient(r, v) * at_[v];
  }
  for (std::size_t r = 0; r < m; ++r) {
    double sum = 0;
    for (std::size_t j = 0; j < m; ++j) sum += inverse_[r * m + j] * rest[j];
    at_[basic_[r]] = sum;
  }
}

// The step that brings the point's multipliers in: first that of the constraint with slack, up to its price, then that of the other.
double NodeProgram::rise(std::size_t point, bool right, double eps, double price) const {
  const double sign = right ? 1 : -1, d = sign * distance(point);
  if (d >= eps) return 0;
  const std::size_t m = rows();
  const auto u = points_->row(point);
  double step = kInfinity;
  for (std::size_t r = 0; r < m; ++r) {
    const double* of_row = inverse_.data() + r * m;
    double speed = -of_row[m - 1];
    for (std::size_t j = 0; j < u.size(); ++j) speed += of_row[j] * u[j];
    speed *= sign;
    if (std::abs(speed) < kPivot) continue;
    const double room = speed > 0 ? at_[basic_[r]] - lower_end(basic_[r]) : upper(basic_[r]) - at_[basic_[r]];
    step = std::min(step, std::max(0.0, room) / std::abs(speed));
  }
  const double soft = std::min(step, price) * (eps - d);
  return soft + (step > price && d < 0 ? std::min(most_, (step - price) * -d) : 0);
}

// From y as it is: clamped to its bounds, less what its residual allows.
void NodeProgram::update_lower() {
  const std::size_t m = rows();
  std::vector<double> residual(m, 0);
  double sum = 0;
  for (std::size_t v = 0; v < at_.size(); ++v) {
    const double y = std::clamp(at_[v], lower_end(v), upper(v));
    if (y == 0) continue;
    sum += price(v) * y;
    for (std::size_t r = 0; r < m; ++r) residual[r] += coefficient(r, v) * y;
  }
  double most = 0;
  for (const double r : residual) most = std::max(most, std::abs(r));
  lower_ = std::max(lower_, sum - most * (1 + 2 * most_ / alpha2_));
}

void NodeProgram::solve(double cutoff) {
  const std::size_t most_steps = 200 + 20 * (rows() + constraints_.size());
  for (std::size_t step = 0; step < most_steps && lower_ < cutoff; ++step) {
    stop_point();
    multipliers();
    const Entering entering = best_entering();
    if (entering.rate == 0) {
      if (add_far_points()) continue;
      break;
    }
    pivot(entering, 2 * (most_ + std::min(cutoff, most_)));
    double now = 0;
    for (std::size_t k = 0; k < constraints_.size(); ++k) now += constraints_[k].margin * at_[rows() + k];
    if (now > cutoff) {
      update_lower();
      if (now > most_ && lower_ < cutoff) break;  // rounding
    }
  }
  update_lower();
}

}  // namespace treewright::svm1
