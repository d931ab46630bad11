// The loss of trees that predict a number, by two sums.
//
// Squared error. A row has weight a and weighted target b. A leaf with the sums A and B of its rows predicts B / A, and it loses the sum of
// b^2 / a less B^2 / A. The first term does not depend on the tree. The second one, the leaf's gain g(A, B), is convex and positively
// homogeneous, so g(A1 + A2, B1 + B2) <= g(A1, B1) + g(A2, B2). Three things follow:
//   - A split never raises the loss, and no loss falls when rows are added: what a set loses as one leaf is the sum of g over its rows less
//     g of the sums, and one more row adds to the former at least what it adds to the latter. So the optimum of some rows bounds that of
//     more rows (the rule `monotone` of bounds/intervals.h). What it says of fewer rows is not used.
//   - Rows with equal features reach the same leaf in every tree, so they are one item (a, b). What they lose among themselves is lost in
//     every tree.
//   - Where a set of sums A, B is divided at A1, B1, it gains D^2 A / (A1 A2), with A2 = A - A1 and D = B1 - A1 B / A: one division, and
//     none where only the larger one of two gains is asked.
//
// Rounding. Items lose what they lose by themselves (of_item) rounded up on a grid of 1/64 units, as proofs count it: sums of these are
// exact, and no loss falls when items are added, since an item brings at least what it gains. Sums of a and b are exact too
// (data/costs/response_grid.h). Gains are not: let all items together have the sum S of |b|, let their b / a differ by R at most, and let
// them lose T <= 2^46 units. D is off by d <= 2^-50 S, for the mean and the product each err by half a last digit of numbers up to S. As
// |D| = A1 A2 / A times the difference of two means, its gain is off by 2 R d + 2 d^2 at most: exposures are whole, so A1 A2 / A >= 1/2.
// Squares up to q = 2^-95 S^2 are taken for 0, which costs 2 q at most. All other operations err by a few last digits of T, below 1/4
// together. So gains are off by less than off = 1/4 + 2^-48 R S + 4 q. Loss in whole units is rounded down after off is taken away: the
// search never takes a tree for dearer than it is, and all its bounds hold. It may take it for cheaper, by 1 + 2 off for each leaf. With T
// >= 2^44 units this is below 10^-12 of T for each leaf unless some rows lie very far from all others.
//
// Blocks. Where the kernel (depth_two/sum_stumps.cpp) passes over a block of boundaries, it compares gains at corners of a rectangle of A1
// and B1, which are no sums of items: two means there may differ by more than R. So D is taken for larger by 2^-49 S, more than d. Then the
// true gain at the corner, and so at each boundary of the block, exceeds the best one by 2 q and last digits at most, as in off. Where a
// side is empty, D^2 is still below q: no false alarm.
//
// Events. Half the Poisson deviance of a row with b events at exposure a is d(b, u a) = b log(b / (u a)) - b + u a where u is predicted,
// and the leaf's B / A is the best u. With the rate m of all items, g(A, B) = B log(B / (m A)) - B + m A: the terms without a logarithm
// cancel between items and leaf, and make g(A, B) >= 0. It is convex and homogeneous as above, so all of the three hold. A stump gains f =
// B1 log(B1 A / (A1 B)) + B2 log(B2 A / (A2 B)). As log x <= x - 1, f <= D^2 A / (A1 A2) A / B, the gain for squared error but for a factor
// of the leaf: so the same products tell where no logarithm is needed, and the same corners where no boundary is.
//
// Rounding of events. With x = m A, g is half the deviance d(B, x) of B events where x are expected (half_deviance of data/losses.h,
// which has no terms that cancel), and a stump gains f = d(B1, x1) + d(B2, x2) with x1 = A1 B / A and x2 = A2 B / A. An expected number
// is off by two roundings, 2^-52 x, and d changes by 1 - B / x times that: by 2^-52 |B - x|. The digits of d itself are below 2^-44 d:
// logarithms are off by 8 last digits at most, and are taken where B and x differ so much that B is at most 210 d and B |log| at most 21
// d. (The kernel takes them where |B - x| >= 0.05 (B + x).) Let V be the sum of |b - m a| over all items. |B - m A| of a leaf is V at
// most, and |B1 - x1| is 2 V, for the rate of the node differs from m. So a leaf or stump is off by 2^-52 5 V + 2^-44 T. What a checker
// of proofs takes a leaf for more than it gains (proof/event_gain.cpp) is 2^-50 V + 2^-44 T at most. With T = 2^46 units both together
// are below 2^-48 V + 8.
//
// Where counts are small the kernel takes f = B1 log(B1 / x1) + B2 log(B2 / x2), in which the other terms have cancelled. Let L bound the
// logarithms of all ratios of rates. The logarithms and their arguments are off by 2^-50 (L + 1), so this is off by 2^-48 S (L + 2) with
// room. If that is above 64 units, losses are small beside the events (is_close), and it takes the formula above.
//
// Let e be the least exposure of an item. D is off by d <= 2^-52 B and last digits of its own, with the B of its leaf. The bound f <= c =
// D^2 A / (A1 A2) A / B is off by 2 |m1 - m2| d A / B = 2 d c / |D|. It decides only where c is about the best gain, which is no more
// than T; and D^2 = c (B / A) (A1 A2 / A) >= c B e / (2 A). So it is off by 2^-51 sqrt(2 A B T / e) at most, and a quarter more has room
// for the digits. Squares up to 2^-95 B^2 are taken for 0: that is at most 2^-94 A B / e. All of it is in off.
//
// Leaves. A tree of L leaves gains no more than the best division of the items into L groups, whatever columns there are. With v(i, u) = 2
// u b - u^2 a, or b (log u - log m) + (m - u) a of events, an item's gain is the largest v(i, u) of all u, at u = b / a, and so is that of
// a leaf of several items. So with predictions u_1 < ... < u_L items gain no more than each its largest v(i, u_j), which is a times a line
// in b / a. The largest of some lines in one number is each line's on an interval: the best groups are runs of the items by their means,
// and equal means are in one group. One pass for each number of groups finds the best end of the run before each end. The best end moves
// right with the end (for runs X, C, Y in this order, X C and C Y lose no more than X C Y and C: let C predict v and X C Y predict u; if u
// >= v, X loses less under v than under u, C and Y no more than under u; else the same from the other side). So each pass divides and
// conquers.
//
// Means are compared by products without rounding. A gain is off by less than off, and so is a choice between two ends; each of the
// log2(n) halvings hands on what its choice was off. Leaves are taken for cheaper by the search than they are (most_off), and the bound is
// lowered by that too, so that it exceeds the cost of no tree that the search has found.

#include "treewright/search/loss/two_sums.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "treewright/proof/event_gain.h"

namespace treewright::search {

TwoSums::TwoSums(Loss loss, std::span<const double> exposure, std::span<const double> amount) {
  measures_.of_events = loss != Loss::squared;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double low = kInfinite, high = -kInfinite, all = 0, least_exposure = kInfinite, least_amount = kInfinite;
  for (std::size_t i = 0; i < exposure.size(); ++i) {
    measures_.absolute += std::abs(amount[i]);
    if (exposure[i] == 0) continue;
    all += exposure[i];
    least_exposure = std::min(least_exposure, exposure[i]);
    if (amount[i] > 0) least_amount = std::min(least_amount, amount[i]);
    low = std::min(low, amount[i] / exposure[i]);
    high = std::max(high, amount[i] / exposure[i]);
  }
  if (measures_.absolute == 0) return;
  if (!measures_.of_events) {
    measures_.off = 0.25 + 0x1p-48 * (high - low) * measures_.absolute + 4 * least_square(0);
    return;
  }
  constexpr double kMostLoss = 0x1p46;
  measures_.all_exposure = all;
  measures_.rate = measures_.absolute / all;
  for (std::size_t i = 0; i < exposure.size(); ++i) measures_.apart += std::abs(amount[i] - measures_.rate * exposure[i]);
  const double pairs = all * measures_.absolute / least_exposure;
  const double logarithms =
      0x1p-48 * measures_.absolute * (std::log(all / least_exposure) + std::log(measures_.absolute / least_amount) + 3);
  constexpr double kMostDigits = 64;
  measures_.is_close = logarithms > kMostDigits;
  measures_.off = 8.25 + (measures_.is_close ? 0 : logarithms) + 0x1p-48 * measures_.apart + 0x1.4p-51 * std::sqrt(2 * pairs * kMostLoss) +
                  0x1p-93 * pairs;
}

namespace {

// Whether a b < c d, without rounding.
bool is_less(double a, double b, double c, double d) {
  const double left = a * b, right = c * d;
  if (left != right) return left < right;
  return std::fma(a, b, -left) < std::fma(c, d, -right);
}

}  // namespace

double TwoSums::of_item(double exposure, double amount) const {
  constexpr double kSteps = 1 << kItemBits;
  if (measures_.of_events) {
    const proof::EventGain::Enclosed of = proof::EventGain(measures_.all_exposure, measures_.absolute).of(exposure, amount);
    return std::max(0.0, std::ceil(kSteps * (of.gain + of.off))) / kSteps;
  }
  const double near = kSteps * gain(exposure, amount);
  if (!(near < 0x1p53)) return std::ceil(near + 0x1p-50 * near) / kSteps;
  const auto is_enough = [&](double steps) { return !is_less(steps, exposure, kSteps * amount, amount); };
  double steps = std::max(0.0, std::ceil(near) - 1);
  while (!is_enough(steps)) ++steps;
  while (steps > 0 && is_enough(steps - 1)) --steps;
  return steps / kSteps;
}

double TwoSums::stump(double all_exposure, double all_amount, double exposure, double amount) const {
  const double rest = all_exposure - exposure, other = all_amount - amount;
  const double difference = amount - all_amount / all_exposure * exposure, square = difference * difference;
  if (!(exposure > 0 && rest > 0) || square <= least_square(all_amount)) return 0;
  if (!measures_.of_events) return square / (exposure * rest);
  const double mean = all_amount / all_exposure;
  return (half_deviance(amount, mean * exposure) + half_deviance(other, mean * rest)) / stump_unit(all_exposure, all_amount);
}

double TwoSums::beyond(double mean, double exposure, double amount) const {
  if (!measures_.of_events) return mean * (mean * exposure - 2 * amount);
  constexpr double kNever = 0x1p60;  // no event can come where none is predicted
  return (mean - measures_.rate) * exposure - (amount > 0 ? amount * (mean > 0 ? std::log(mean / measures_.rate) : -kNever) : 0);
}

namespace {

// The best gains of the first items in one more run than `before` has: best[j] = max over i <= j of before[i] + gain of items i to j.
template <class Gain>
class OneMoreRun {
 public:
  OneMoreRun(const Gain& gain, const std::vector<double>& before, std::vector<double>& best) : gain_(gain), before_(before), best_(best) {
    fill(0, best.size(), 0, best.size() - 1);
  }

 private:
  // Ends [first, last), of which the last run begins in [low, high].
  void fill(std::size_t first, std::size_t last, std::size_t low, std::size_t high) {
    if (first >= last) return;
    const std::size_t middle = first + (last - first) / 2;
    std::size_t begin = low;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = low; i <= std::min(middle, high); ++i) {
      const double gain = before_[i] + gain_(i, middle);
      if (gain > most) most = gain, begin = i;
    }
    best_[middle] = most;
    fill(first, middle, low, begin);
    fill(middle + 1, last, begin, high);
  }

  const Gain& gain_;
  const std::vector<double>& before_;
  std::vector<double>& best_;
};

}  // namespace

std::vector<double> TwoSums::least_by_leaves(double of_items, std::span<const double> exposure, std::span<const double> amount,
                                             std::int64_t most_leaves) const {
  constexpr double kMostGains = 0x1p23;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < exposure.size(); ++i) {
    if (exposure[i] > 0) order.push_back(i);
  }
  const auto less = [&](std::size_t i, std::size_t j) { return is_less(amount[i], exposure[j], amount[j], exposure[i]); };
  std::sort(order.begin(), order.end(), less);
  std::vector<double> a{0}, b{0};  // of the first runs of equal means
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (at == 0 || less(order[at - 1], order[at])) {
      a.push_back(a.back());
      b.push_back(b.back());
    }
    a.back() += exposure[order[at]];
    b.back() += amount[order[at]];
  }
  const int halvings = std::bit_width(a.size());
  if (static_cast<double>(a.size()) * halvings * static_cast<double>(most_leaves) > kMostGains) return {};
  const auto gain_of = [&](std::size_t i, std::size_t j) { return gain(a[j] - a[i], b[j] - b[i]); };
  std::vector<double> least, best(a.size()), next(a.size());
  for (std::size_t j = 0; j < a.size(); ++j) best[j] = gain_of(0, j);
  for (std::int64_t leaves = 1; leaves <= most_leaves; ++leaves) {
    if (leaves > 1) {
      OneMoreRun(gain_of, best, next);
      std::swap(best, next);
    }
    const double off = static_cast<double>(leaves) * (most_off() + measures_.off * (halvings + 2));
    least.push_back(std::max(0.0, std::floor(of_items - best.back() - off)));
  }
  return least;
}

}  // namespace treewright::search
