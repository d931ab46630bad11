// Several support vector machines (SVMs) of which only the smallest margin counts:
//
//     min  delta + sum over SVMs t and rows i of u_ti slack_ti      with  |w_t|^2 / 2 <= delta  for every t
//
// and the constraints of each SVM, some of them hard. This is the tree of Blanco, Japon & Puerto (2022) for a given leaf assignment
// (model.cpp).
//
// Idea. For any shares l_t > 0 of sum 1, max |w_t|^2 / 2 >= sum l_t |w_t|^2 / 2. With the shares fixed, the problem separates: SVM t is l_t
// times the usual SVM with costs u / l_t (soft_margin.h). So the sum of l_t times their bounds is a bound on the whole, and by duality it
// is exact for the best shares. With the multipliers a of the rows and v_t = sum of a_i s_i x_i the bound is
//
//     sum m a - sum |v_t|^2 / (2 l_t),   whose best shares for fixed a are  l_t = |v_t| / sum |v_s|,   and v_t = l_t w_t.
//
// Iteration. Taking the best multipliers and the best shares in turn, l_t <- l_t |w_t| up to scale, climbs this concave function. It may be
// slow: if all rows have slack, |w_t| is proportional to 1 / l_t and the step is Newton's, but a hard margin does not react at all. So the
// step of each SVM is
//
//     l_t <- l_t (|w_t|^2 / (2 delta))^p_t    with  1 / p_t = - d log |w_t|^2 / d log l_t  estimated from the last step,
//
// with delta such that the shares have sum 1: a secant method for equal norms. If it does not raise the bound, plain steps with p = 1/2
// continue from the best shares. Invariant: the stored bound never falls.
//
// Cost: one solve of every SVM in each round; 5 to 20 rounds.

#include "treewright/methods/mm_svm/smallest_margin.h"

#include <algorithm>
#include <cmath>

namespace treewright::mm_svm {

namespace {

constexpr double kGap = 1e-7;
constexpr double kPlain = 0.5, kSteepest = 50;  // exponents
constexpr double kFactor = 10;                  // largest change of a share in one step
constexpr double kLargestCost = 1e10;           // numerical limit on u / l_t
constexpr int kRounds = 100;

// The shares and their results.
struct Shares {
  std::vector<double> share, width;  // Shape (svms).
};

std::vector<double> stepped(const Shares& from, const std::vector<double>& exponent, double least) {
  std::vector<double> next(from.share.size());
  const double top = *std::max_element(from.width.begin(), from.width.end());
  const auto sum_at = [&](double delta) {
    double sum = 0;
    for (std::size_t t = 0; t < next.size(); ++t) {
      const double factor = std::clamp(std::pow(from.width[t] / delta, exponent[t]), 1 / kFactor, kFactor);
      sum += next[t] = std::max(least, from.share[t] * factor);
    }
    return sum;
  };
  double low = -30, high = 30;  // of log(delta / top)
  for (int k = 0; k < 60; ++k) (sum_at(top * std::exp((low + high) / 2)) > 1 ? low : high) = (low + high) / 2;
  const double sum = sum_at(top * std::exp(high));
  for (double& share : next) share /= sum;
  return next;
}

}  // namespace

double half_square(const std::vector<double>& w) {
  double sum = 0;
  for (const double x : w) sum += x * x / 2;
  return sum;
}

SmallestMargin solve_smallest_margin(const PointMatrix& points, const std::vector<std::vector<svm::MarginConstraint>>& svms) {
  SmallestMargin best;
  if (svms.empty()) return {{}, 0, 0};
  const std::size_t count = svms.size();
  double dearest = 0;
  for (const auto& constraints : svms) {
    for (const svm::MarginConstraint& c : constraints) dearest = std::max(dearest, std::isfinite(c.cost) ? c.cost : 0);
  }
  const double least = std::clamp(dearest / kLargestCost, 1e-7, 1e-3);
  Shares at{std::vector<double>(count, 1.0 / static_cast<double>(count)), std::vector<double>(count)}, kept;
  std::vector<double> exponent(count, kPlain);
  bool plain = true;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<svm::SoftMargin> solved;
    double lower = 0, slack = 0;
    for (std::size_t t = 0; t < count; ++t) {
      std::vector<svm::MarginConstraint> constraints = svms[t];
      for (svm::MarginConstraint& c : constraints) c.cost /= at.share[t];
      solved.push_back(svm::solve_soft_margin(points, constraints));
      at.width[t] = half_square(solved[t].weights);
      lower += at.share[t] * solved[t].lower;
      slack += at.share[t] * (solved[t].upper - at.width[t]);
    }
    const double upper = slack + *std::max_element(at.width.begin(), at.width.end());
    if (upper < best.upper || round == 0) {
      best.upper = upper;
      best.svms = std::move(solved);
    }
    if (lower > best.lower || round == 0) {
      best.lower = lower;
      for (std::size_t t = 0; t < count && round > 0; ++t) {
        const double answer = std::log(kept.width[t] / at.width[t]) / std::log(at.share[t] / kept.share[t]);
        exponent[t] = answer > 1 / kSteepest ? std::max(kPlain, 1 / answer) : kSteepest;
      }
      plain = round == 0;
      kept = at;
    } else {
      if (plain) break;
      plain = true;
      exponent.assign(count, kPlain);
    }
    if (!std::isfinite(upper) || upper == slack || best.upper - best.lower <= kGap * best.upper) break;
    at.share = stepped(kept, exponent, least);
  }
  return best;
}

}  // namespace treewright::mm_svm
