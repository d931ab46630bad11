// Whether two convex hulls meet, by a linear program (AHL24 sec. 3.1, Property 2).
//
// With the points a_i and b_j as columns: is there lambda, mu >= 0 with
//
//   sum lambda_i a_i - sum mu_j b_j = 0,   sum lambda_i = 1,   sum mu_j = 1 ?
//
// Method. Phase one of the simplex method minimizes the sum of one artificial variable for each of the p + 2 rows. There are few rows and
// many columns, so the inverse of the basis is dense and columns are priced directly. If the optimum is above zero, its multipliers are a
// hyperplane that separates the hulls. After many steps without progress Bland's rule (1977) takes over, so the method ends.
//
// Cost: O(p^2) and one pass over the points for each step; a small multiple of p steps.

#include <algorithm>
#include <cmath>

#include "treewright/base/stop_point.h"
#include "treewright/reduce/data_partition.h"

namespace treewright::reduce {

namespace {

constexpr double kTolerance = 1e-9;

class PhaseOne {
 public:
  PhaseOne(const ScaledPoints& points, const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b)
      : points_(points), a_(a), b_(b), rows_(points.axes.size() + 2), inverse_(rows_ * rows_, 0.0), value_(rows_, 0.0), basis_(rows_, -1) {
    for (std::size_t r = 0; r < rows_; ++r) inverse_[r * rows_ + r] = 1;
    value_[rows_ - 2] = value_[rows_ - 1] = 1;
  }

  bool feasible() {
    std::vector<double> price(rows_), column(rows_), step(rows_);
    for (int idle = 0;;) {
      stop_point();
      // Multipliers of the rows: artificial variables cost 1, the others nothing.
      std::fill(price.begin(), price.end(), 0.0);
      double cost = 0;
      for (std::size_t r = 0; r < rows_; ++r) {
        if (basis_[r] >= 0) continue;
        cost += value_[r];
        for (std::size_t s = 0; s < rows_; ++s) price[s] += inverse_[r * rows_ + s];
      }
      if (cost <= 10 * kTolerance) return true;
      const std::int32_t enters = entering(price, idle > 50);
      if (enters < 0) return false;
      load(enters, column);
      for (std::size_t r = 0; r < rows_; ++r) {
        step[r] = 0;
        for (std::size_t s = 0; s < rows_; ++s) step[r] += inverse_[r * rows_ + s] * column[s];
      }
      std::size_t leaves = rows_;
      double ratio = 0;
      for (std::size_t r = 0; r < rows_; ++r) {
        if (step[r] <= kTolerance) continue;
        const double here = std::max(value_[r], 0.0) / step[r];
        // Artificial variables leave first: they never come back.
        if (leaves == rows_ || here < ratio - 1e-15 || (here <= ratio && basis_[r] < basis_[leaves])) leaves = r, ratio = here;
      }
      if (leaves == rows_) return true;  // unbounded below zero cannot be: rounding
      idle = ratio > kTolerance ? 0 : idle + 1;
      if (idle > 5000) return true;
      for (std::size_t s = 0; s < rows_; ++s) inverse_[leaves * rows_ + s] /= step[leaves];
      value_[leaves] = ratio;
      for (std::size_t r = 0; r < rows_; ++r) {
        if (r == leaves) continue;
        value_[r] -= step[r] * ratio;
        for (std::size_t s = 0; s < rows_; ++s) inverse_[r * rows_ + s] -= step[r] * inverse_[leaves * rows_ + s];
      }
      basis_[leaves] = enters;
    }
  }

 private:
  void load(std::int32_t index, std::vector<double>& column) const {
    const bool first = index < static_cast<std::int32_t>(a_.size());
    const std::span<const double> x = points_.row(first ? a_[index] : b_[index - a_.size()]);
    for (std::size_t axis = 0; axis < x.size(); ++axis) column[axis] = first ? x[axis] : -x[axis];
    column[rows_ - 2] = first;
    column[rows_ - 1] = !first;
  }

  // The column whose reduced cost is least, or the first one below zero; -1 = none is.
  std::int32_t entering(const std::vector<double>& price, bool first_found) const {
    std::int32_t best = -1;
    double least = -kTolerance;
    for (std::size_t i = 0; i < a_.size() + b_.size(); ++i) {
      const bool first = i < a_.size();
      const std::span<const double> x = points_.row(first ? a_[i] : b_[i - a_.size()]);
      double sum = 0;
      for (std::size_t axis = 0; axis < x.size(); ++axis) sum += price[axis] * x[axis];
      const double reduced = first ? -(sum + price[rows_ - 2]) : sum - price[rows_ - 1];
      if (reduced >= least) continue;
      best = static_cast<std::int32_t>(i);
      least = reduced;
      if (first_found) break;
    }
    return best;
  }

  const ScaledPoints& points_;
  const std::vector<std::int32_t>&a_, &b_;
  std::size_t rows_;
  std::vector<double> inverse_, value_;
  std::vector<std::int32_t> basis_;  // the column in each place of the basis; -1 = artificial
};

}  // namespace

bool hulls_meet(const ScaledPoints& points, const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  for (std::size_t axis = 0; axis < points.axes.size(); ++axis) {
    const auto ends = [&](const std::vector<std::int32_t>& rows) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const std::int32_t row : rows) low = std::min(low, points.row(row)[axis]), high = std::max(high, points.row(row)[axis]);
      return std::pair(low, high);
    };
    const auto [low_a, high_a] = ends(a);
    const auto [low_b, high_b] = ends(b);
    if (high_a < low_b || high_b < low_a) return false;
  }
  return PhaseOne(points, a, b).feasible();
}

}  // namespace treewright::reduce
