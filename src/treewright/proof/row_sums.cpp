// What trees that predict numbers lose, in whole numbers: squared error. Rates and hazards are counted in row_events.cpp. These are the
// only places of a checker where numbers are rounded that are none.
//
// A leaf with rows of weights w and targets y predicts the mean y, and loses the sum of w (y - mean)^2. A proof counts on a grid of its own
// choice: weights in units u, targets as distances from a center c in steps of 2^-D. A row has the whole weight A next to w / u and the
// whole amount B next to A (y - c) 2^D. So on the grid its weight is A u, and its target z = c + 2^-D B / A. Leaves of rows with the sums A
// and B lose v = u 4^-D times the sum of each row's B^2 / A, less B^2 / A of the sums.
//
// Whole costs. With G(A, B) = 2^k B^2 / A rounded up, an item (the rows of a group) loses q = G of its own sums, and a leaf costs the sum
// of q less G of all its sums: C rounded down to a step, for C = sum of q - 2^k B^2 / A. As B^2 / A is convex and homogeneous, one more
// item adds to it no more than the item's own B^2 / A, which is at most q. So C never falls when items are added, nor does C rounded down,
// nor the least cost of a tree. A checker needs no more. All trees lose in addition what rows lose within their items: at least `lost` =
// the sum over the rows of 2^k B^2 / A, each rounded down, less the sum of all q, in steps. It may be below 0 by what is rounded.
//
// From the grid to the data. All is counted in multiples of v. Let a tree lose g on the grid and pay P for splits; the proof shows g + P >=
// V. What it loses with the weights A u is the squared distance of the targets from the nearest vector that is constant on leaves, in the
// norm of these weights. From the targets on the grid to the true ones this distance changes by at most that of the two, which is at most
//
//     M = sqrt(sum of r^2 / A), r >= |A (y - c) 2^D - B|.
//
// So with its true targets the tree loses x >= max(0, sqrt(g) - M)^2, and x + P >= V - 2 M sqrt(V):
//   - g <= V and sqrt(g) >= M: x >= g - 2 M sqrt(g), and P >= V - g.
//   - g <= V and sqrt(g) < M: P >= V - g, and g < M sqrt(g) <= 2 M sqrt(V).
//   - g > V: if sqrt(V) >= M, x >= (sqrt(V) - M)^2; else V - 2 M sqrt(V) < 0.
// A row that weighs w in truth instead of A u loses at most (A u - w) (y - prediction)^2 less. Rows with A = 0 can only add to the loss,
// and for the others together the best prediction is within the range of their targets. So all rows lose at most
//
//     W = sum of max(0, A u - w) * range^2
//
// less, and whatever a tree predicts, it loses and pays at least V - X with X = 2 M sqrt(V) + W.
//
// Doubles. t = fl(A fl(y - c)) 2^D: the difference and the product are rounded once each, so t is off by less than 2^-51 |t|; a double that
// is no normal one by less than 2^-1000 after D of 500 at most. |t - B| is exact (the two differ by at most a half, so they are within a
// factor of two, or B is 0). So r = |t - B| + 2^-51 |t| + 2^-100 is enough, but for its own last digits. Terms r^2 / A are at least 2^-253,
// so nothing vanishes. A sum of n <= 2^31 terms above 0, each off by some last digits, is off by less than 2^-21 of itself: the factor 1 +
// 2^-20 of M and W. d = A u - w is rounded once (fma), and as u >= 2^-500 it is no number of lost digits. range 2^D may vanish, if it is so
// small that W is below 2^-1000. V = (b + lost) 2^-k is one rounding; if it is rounded up, the true one is no lower than V (1 - 2^-53). The
// other operations are some ten, each off by a last digit of V + X at most: together below 2^-50 (V + X). The bound is lowered by 2^-48 (V
// + X). Its last operation, times v, is off by 2^-53 of it (v is from 2^-880 to 2^880, and the number above 2^-75: no lost digits). The
// rest, more than 2^-49 V, is for the digits of what is said: the bound's decimals are off by 2^-53 of it, and those of a split's price by
// 2^-53 P, and no tree is told that pays more than 2 V.

#include "treewright/proof/row_sums.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "treewright/proof/file.h"
#include "treewright/proof/row_costs.h"
#include "treewright/proof/whole_sum.h"

namespace treewright::proof {

namespace {

__extension__ using Wide = unsigned __int128;

struct Fraction {
  Wide over, under;
};

// B^2 has 106 bits: times 2^20 or A times 2^74, both are below 2^127.
Fraction gain_of(std::int64_t exposure, std::int64_t amount, int grid) {
  assert(exposure > 0 && exposure < kNumbersEnd && std::abs(amount) < kNumbersEnd && -74 <= grid && grid <= 20);
  const auto size = static_cast<std::uint64_t>(std::abs(amount)), all = static_cast<std::uint64_t>(exposure);
  return {Wide{size} * size << std::max(grid, 0), Wide{all} << std::max(-grid, 0)};
}

std::int64_t small(Wide number) {
  return static_cast<std::int64_t>(std::min<Wide>(number, kNumbersEnd));
}

std::int64_t steps_of(double whole) {
  return static_cast<std::int64_t>(std::clamp(whole, 0.0, static_cast<double>(kNumbersEnd)));
}

constexpr double kSums = 1 + 0x1p-20;

}  // namespace

std::int64_t gain_up(std::int64_t exposure, std::int64_t amount, int grid) {
  if (exposure == 0) return 0;
  const Fraction gain = gain_of(exposure, amount, grid);
  return small((gain.over + gain.under - 1) / gain.under);
}

std::int64_t gain_down(std::int64_t exposure, std::int64_t amount, int grid) {
  if (exposure == 0) return 0;
  const Fraction gain = gain_of(exposure, amount, grid);
  return small(gain.over / gain.under);
}

std::int64_t Gains::up(std::int64_t exposure, std::int64_t amount) const {
  if (!events_) return gain_up(exposure, amount, grid_);
  const EventGain::Enclosed near = events_->of(static_cast<double>(exposure), static_cast<double>(amount));
  return steps_of(std::ceil(std::ldexp(near.gain + near.off, grid_)));
}

std::int64_t Gains::down(std::int64_t exposure, std::int64_t amount) const {
  if (!events_) return gain_down(exposure, amount, grid_);
  const EventGain::Enclosed near = events_->of(static_cast<double>(exposure), static_cast<double>(amount));
  return steps_of(std::floor(std::ldexp(near.gain - near.off, grid_)));
}

RowSums row_sums(const Dataset& data, const Proof& proof, const std::string& origin) {
  const std::vector<double>& targets = data.response->values;
  const double center = proof.target->center.value(), unit = proof.unit.value();
  const int digits = proof.target->digits;
  RowSums sums;
  sums.gains = Gains(proof.grid);
  sums.unit = std::ldexp(unit, -2 * digits);
  WholeSum exposures, amounts, gains;
  double moved = 0, rounded_up = 0, least = std::numeric_limits<double>::infinity(), largest = -least;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    const double weight = data.weight(row), target = targets[row];
    const std::int64_t exposure = in_units(weight, proof.unit);
    const double meant = std::ldexp(static_cast<double>(std::min(exposure, kNumbersEnd)) * (target - center), digits);
    if (!(std::abs(meant) < static_cast<double>(kNumbersEnd))) refuse(origin, "has a grid of targets on which sums would not be exact");
    const double nearest = std::round(meant);
    sums.exposure.push_back(exposure);
    sums.amount.push_back(static_cast<std::int64_t>(nearest));
    exposures.add(exposure, origin);
    amounts.add(std::abs(sums.amount.back()), origin);
    gains.add(sums.gains.up(exposure, sums.amount.back()), origin);
    if (exposure == 0) continue;
    sums.gained_down += sums.gains.down(exposure, sums.amount.back());
    const double off = std::abs(meant - nearest) + 0x1p-51 * std::abs(meant) + 0x1p-100;
    moved += off / static_cast<double>(exposure) * off;
    rounded_up += std::max(0.0, std::fma(static_cast<double>(exposure), unit, -weight));
    least = std::min(least, target);
    largest = std::max(largest, target);
  }
  sums.moved = std::sqrt(moved) * kSums;
  if (exposures.get() == 0) return sums;
  const double range = std::ldexp(largest - least, digits);
  sums.off = rounded_up / unit * (range * range) * kSums;
  return sums;
}

double RowSums::price_up(std::int64_t steps) const {
  const double number = static_cast<double>(steps), step = std::ldexp(unit, -gains.grid()), price = number * step;
  return std::fma(number, step, -price) > 0 ? std::nextafter(price, std::numeric_limits<double>::infinity()) : price;
}

double RowSums::at_least(std::int64_t steps, std::int64_t lost) const {
  if (steps + lost <= 0) return 0;
  const double on_grid = std::ldexp(static_cast<double>(steps + lost), -gains.grid());
  const double less = 2 * moved * std::sqrt(on_grid) + off;
  return std::max(0.0, on_grid - less - 0x1p-48 * (on_grid + less)) * unit;
}

}  // namespace treewright::proof
